// Rows of tables: what a survey of the lines says of them is what their columns are.
#include "formats/table_rows.h"

#include <algorithm>
#include <string>

#include "formats/line_survey.h"
#include "formats/score_rows.h"
#include "fuzz.h"

namespace {

using namespace fstmetrics;

void check(std::string_view text, const TableForm& form) {
  LineSurvey survey(0, static_cast<std::int64_t>(text.size()), &form);
  survey.look(text, true);
  if (!survey.is_text()) return;
  const auto part = form.part(text, nullptr);
  fuzz::require(part.has_value() == survey.is_plain());
  if (!part) return;
  const auto rows = static_cast<std::int64_t>(part->texts.size());
  fuzz::require(rows == survey.lines());
  fuzz::require(part->ids.size() == (form.roles.id.empty() ? 0 : part->texts.size()));
  fuzz::require(part->fields.size() == part->texts.size());
  fuzz::require(part->texts.longest() <= static_cast<std::size_t>(survey.longest()));
  std::string json;
  for (std::size_t row = 0; row < part->fields.size(); ++row) part->fields.append_json(json, row, row % 2 == 0);
  for (const FieldCell& cell : part->fields.cells) {
    fuzz::require(cell.name >= 0 && static_cast<std::size_t>(cell.name) < part->fields.names->size());
    for (const char c : cell.text) json += c;
  }
  const FieldRows* const sides[] = {&part->fields, &part->fields};
  const FieldRows both = merged(sides);
  fuzz::require(both.size() == part->fields.size());
  for (const std::string& name : *both.names) {
    fuzz::require(both.codes(name).codes == part->fields.codes(name).codes);
  }
}

// Scores are the same at once and line by line.
void check_scores(std::string_view text, const TableForm& form) {
  ScoreRows whole(form, {"system"}, {"score"}), lines(form, {"system"}, {"score"});
  const bool is_read = whole.add(text);
  bool are_read = true;
  for (std::size_t at = 0; at < text.size() && are_read;) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    are_read = lines.add(text.substr(at, end - at));
    at = end;
  }
  fuzz::require(is_read == are_read);
  if (!is_read) return;
  fuzz::require(whole.names(0).numbers() == lines.names(0).numbers());
  fuzz::require(whole.names(0).numbers().size() == whole.scores(0).size());
  for (const std::int32_t number : whole.names(0).numbers()) {
    fuzz::require(whole.names(0).name(number) == lines.names(0).name(number));
  }
}

void parse(std::string_view text) {
  check_scores(text, JsonRowForm({{}, "system", {"text"}, {}, true}));
  check_scores(text, DelimitedRowForm({{}, "system", {}, {}, true, false}, {{"system", "score"}, 0, 1}, ',', false));
  for (const bool has_tabs : {false, true}) {
    const HeadedRowForm form({{}, "system", {}, {}, true, false}, {"system", "score"}, has_tabs);
    check(text, form);
    check_scores(text, form);
  }
  check(text, JsonRowForm({{"id"}, "text", {"text"}, {{"speaker", "who"}}, true}));
  check(text, JsonRowForm({{"audio_filepath", "offset"}, "text", {}, {}, true}));
  for (const char delimiter : {',', '\t'}) {
    const DelimitedRowForm::Head head{{"id", "", "text", "speaker"}, 0, 1};
    check(text, DelimitedRowForm({{"id"}, "text", {"text"}, {}, true, false}, head, delimiter, delimiter == ','));
    check(text, DelimitedRowForm({{}, "a", {}, {}, true, false}, {{"a"}, 0, 1}, delimiter, false));
  }
  check(text, JsonRowForm({{}, "pred_text", {"text", "pred_text"}, {{"text", "duration"}}, false}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

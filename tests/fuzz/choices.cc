// Texts that leave a choice, one by one and as the columns that are searched.
#include "formats/choices.h"

#include <memory>
#include <vector>

#include "formats/choice_lines.h"
#include "formats/text_lines.h"
#include "fuzz.h"

namespace {

using namespace fstmetrics;

bool can_be_read(ChoiceParser& parser, std::string_view text) {
  if (const auto fault = parser.read(text)) {
    fuzz::require(fault->byte < text.size());
    return false;
  }
  StateId loops = 0;
  for (const ChoiceArc& arc : parser.arcs()) {
    fuzz::require(arc.source >= 0 && arc.source <= arc.destination && arc.destination < parser.num_states());
    loops += arc.source == arc.destination;
    fuzz::require(arc.word < static_cast<std::int32_t>(parser.words().size()));
  }
  fuzz::require((loops > 0) == parser.has_wildcards() && parser.last() < parser.num_states());
  for (const auto& choice : parser.choices()) fuzz::require(choice.begin < choice.end && choice.from < choice.to);
  return true;
}

void parse(std::string_view text) {
  // A copy, so that reading past its end is seen.
  const std::vector<char> copy(text.begin(), text.end());
  text = {copy.data(), copy.size()};
  const auto texts = std::make_shared<const TextColumn>(text_lines(text, nullptr));
  for (const ChoiceNotation& notation : {ChoiceNotation{'{', '/', '}', true, true},
                                         {'{', '/', '}', true, false},
                                         {'{', '|', '}', false, false},
                                         {'[', '|', ']', false, true},
                                         {0, 0, 0, false, false}}) {
    ChoiceParser parser(notation);
    bool all = true;
    for (const std::string_view line : texts->texts) all &= can_be_read(parser, line);
    ChoiceSurvey survey;
    const bool is_surveyed = survey_choices(*texts, notation, survey);
    fuzz::require(!is_surveyed || (all && survey.kinds.size() == texts->size()));
    if (!is_surveyed) continue;
    for (const bool are_words : {false, true}) {
      const ChoiceLines lines(texts, notation, are_words);
      const ChangedWords words = lines.unchanged_words();
      for (std::size_t row = 0; row < lines.num_graphs(); ++row) lines.graph(row, words);
      const std::vector<std::vector<std::string_view>> paths(texts->size());
      fuzz::require(lines.alternatives(paths, words).size() == texts->size());
      fuzz::require(lines.num_graphs() + lines.texts()->size() == texts->size());
    }
  }
  if (const auto found = marked_trn_lines(text, nullptr)) fuzz::require(found->ids.size() == found->texts.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

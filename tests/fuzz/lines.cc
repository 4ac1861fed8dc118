// Lines of texts: what is found of them piece by piece, and line by line of a file, is what is found of all at once.
#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/line_survey.h"
#include "formats/stored_lines.h"
#include "formats/text_lines.h"
#include "fuzz.h"

namespace {

using namespace fstmetrics;

class Bytes : public FileBytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  void read(char* to, std::size_t size, std::int64_t at) const override {
    fuzz::require(at >= 0 && at + static_cast<std::int64_t>(size) <= this->size());
    std::copy_n(bytes_.data() + at, size, to);
  }
  void check() const override {}
  [[noreturn]] void refuse() const override { __builtin_trap(); }

 private:
  std::string_view bytes_;
};

void look(LineSurvey& survey, std::string_view text, std::size_t window) {
  for_each_window(Bytes(text), 0, window, [&](std::string_view bytes, bool last) { return survey.look(bytes, last); });
}

void check_same(const LineSurvey& a, const LineSurvey& b) {
  fuzz::require(a.is_text() == b.is_text());
  if (!a.is_text()) return;
  fuzz::require(a.is_plain() == b.is_plain() && a.lines() == b.lines() && a.up_to_words() == b.up_to_words());
  fuzz::require(a.filled() == b.filled() && a.seconds() == b.seconds() && a.tabbed() == b.tabbed());
  fuzz::require(a.longest() == b.longest() && a.is_ascending() == b.is_ascending() && a.has_mark() == b.has_mark());
  fuzz::require((a.repeated() == 0) == (b.repeated() == 0));  // in pieces there may be enough of them sooner
  fuzz::require(a.digest() == b.digest() && a.set_digest() == b.set_digest() && a.stray_line() == b.stray_line());
  fuzz::require(a.stray() == b.stray() && a.has_others() == b.has_others() && a.looks().form == b.looks().form);
}

// Of a file the columns that all of it has at once.
void check_stored(std::string_view text, const std::shared_ptr<const LineSurvey>& survey,
                  const std::shared_ptr<const LineForm>& form, bool has_ids, const TextLines& all) {
  const std::size_t size = all.texts.size();
  const auto stored =
      std::make_shared<const StoredLines>(std::make_shared<Bytes>(text), survey, form, has_ids, size, 2);
  const auto check = [&](const TablePart& part, std::size_t place, std::size_t row) {
    fuzz::require(part.texts.texts[place] == all.texts.texts[row]);
    if (all.ids.size()) fuzz::require(part.ids.texts[place] == all.ids.texts[row]);
  };
  for (std::size_t begin = 0, length = 1; begin < size; begin += length, length = length % 5 + 1) {
    const std::size_t end = std::min(begin + length, size);
    const TablePart part = stored->part(begin, end);
    fuzz::require(part.texts.size() == end - begin);
    for (std::size_t row = begin; row < end; ++row) check(part, row - begin, row);
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t row = size; row-- > 0;) numbers.push_back(row % 3 ? static_cast<std::int64_t>(row) : -1);
  const auto taken = stored->taken(numbers);
  const TablePart part = taken->part(0, numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    if (numbers[place] >= 0) check(part, place, static_cast<std::size_t>(numbers[place]));
    if (numbers[place] < 0) fuzz::require(part.texts.texts[place].empty());
  }
  if (!all.ids.size() || survey->repeated()) return;
  const auto index = stored->index();
  for (std::size_t row = 0; row < size; ++row) {
    const auto found = static_cast<std::size_t>(index->row(all.ids.texts[row]));
    fuzz::require(found <= row && all.ids.texts[found] == all.ids.texts[row]);
  }
}

void check(std::string_view text, const std::shared_ptr<const LineForm>& form) {
  const auto size = static_cast<std::int64_t>(text.size());
  const auto survey = std::make_shared<LineSurvey>(0, size, form.get());
  survey->look(text, true);
  for (const std::size_t window : {1, 7, 64}) {
    LineSurvey in_pieces(0, size, form.get());
    look(in_pieces, text, window);
    check_same(*survey, in_pieces);
  }
  if (!survey->is_text()) return;
  fuzz::require(!survey->shares(LineSurvey(0, 0)));
  if (form) {
    const auto lines = trn_lines(text, nullptr);
    fuzz::require(!lines || survey->is_plain());
    if (lines) fuzz::require(static_cast<std::int64_t>(lines->texts.size()) == survey->lines());
    if (survey->is_plain()) check_stored(text, survey, form, false, *trn_lines(text, nullptr, true));
    return;
  }
  const TextColumn texts = text_lines(text, nullptr);
  fuzz::require(static_cast<std::int64_t>(texts.size()) == survey->lines());
  if (survey->is_plain()) check_stored(text, survey, nullptr, false, {{}, texts});
  const TextLines words = first_words(text, nullptr);
  fuzz::require(static_cast<std::int64_t>(words.ids.size()) == survey->up_to_words());
  fuzz::require(static_cast<std::int64_t>(words.ids.filled()) == survey->filled());
  fuzz::require(static_cast<std::int64_t>(words.texts.filled()) == survey->seconds());
  id_looks(words.ids);
  const auto lines = id_lines(text, nullptr, true);
  if (lines && survey->is_plain()) check_stored(text, survey, nullptr, true, *lines);
}

void parse(std::string_view text) {
  // A copy, so that reading past its end is seen.
  const std::vector<char> copy(text.begin(), text.end());
  text = {copy.data(), copy.size()};
  check(text, nullptr);
  check(text, std::make_shared<const TrnForm>());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

// Words of text, white space and numbers: the quick ways against the obvious ones.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "formats/lines.h"
#include "formats/numbers.h"
#include "fuzz.h"
#include "text/words.h"

namespace {

using namespace fstmetrics;

void parse(std::string_view text) {
  // A copy, so that reading past its end is seen.
  const std::vector<char> copy(text.begin(), text.end());
  text = {copy.data(), copy.size()};
  std::vector<std::string_view> fields;
  split(text, fields);
  bool space = false;
  for (std::size_t at = 0; at < text.size(); ++at) space |= space_at(text, at) > 0;
  fuzz::require(has_space(text) == space);
  for (const std::string_view field : fields) {
    fuzz::require(stripped(field) == field && !has_space(field));
    if (const auto value = number(field)) {
      const double slow = std::strtod(std::string(field).c_str(), nullptr);
      fuzz::require(*value == slow || (*value != *value && slow != slow));
    }
  }
  const auto is_marker = [](std::string_view word) {
    return std::ranges::find(kSentenceMarkers, word) != kSentenceMarkers.end();
  };
  std::erase_if(fields, is_marker);
  std::vector<Word> words;
  split_words(text, words);
  fuzz::require(std::ranges::equal(words, fields, [](const Word& word, std::string_view field) {
    return word.view() == field && word == make_word(field);
  }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

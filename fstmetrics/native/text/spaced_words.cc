#include "text/spaced_words.h"

#include <memory>
#include <string>

namespace fstmetrics {

TextColumn spaced_words(const std::vector<std::vector<std::string_view>>& lists) {
  const auto bytes = std::make_shared<std::string>();
  std::vector<std::size_t> ends;
  for (const std::vector<std::string_view>& words : lists) {
    const char* between = "";
    for (const std::string_view word : words) {
      bytes->append(between).append(word);
      between = " ";
    }
    ends.push_back(bytes->size());
  }
  TextColumn column{bytes, {}};
  column.texts.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    column.texts.emplace_back(bytes->data() + begin, end - begin);
    begin = end;
  }
  return column;
}

}  // namespace fstmetrics

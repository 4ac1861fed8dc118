// Lines that no text of sentences has: those of another format.
#pragma once

#include <cstring>
#include <string_view>

namespace fstmetrics {

// Looks at the lines of a text, one after the other.
class StrayLines {
 public:
  // What the line is; empty where it may be a sentence. An id in parentheses tells only in two lines in a row.
  std::string_view look(std::string_view line) {
    if (line.empty()) return {};
    if (begins_so(line.front()) || ends_so(line.back()) || std::memchr(line.data(), '|', line.size())) {
      return look_closely(line);
    }
    had_id_ = false;
    return {};
  }

 private:
  // Whether a line that is looked at closely may begin, or end, with a character.
  static bool begins_so(char c) {
    return (c >= '0' && c <= '9') || c == '[' || c == '{' || c == '#' || c == 'W' || c == 'T' || c == ' ' || c == '\t';
  }
  static bool ends_so(char c) { return c == ')' || c == ' ' || c == '\t' || c == '\r'; }

  std::string_view look_closely(std::string_view line);

  bool had_id_ = false;  // at the end of the line before
};

}  // namespace fstmetrics

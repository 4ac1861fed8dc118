// Text as the readers see it: lines and their fields. UTF-8 throughout.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/fault.h"
#include "support/poll.h"

namespace fstmetrics {

// Length in bytes of the white space that begins at `at`; 0 if there is none. The characters are those for which
// Python's str.isspace() is true.
std::size_t space_at(std::string_view text, std::size_t at);

// U+FEFF, which is no part of the text at the beginning of a file; a line has it there where files were joined.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What parts the fields of lattices in text.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

// Without white space at both ends.
std::string_view stripped(std::string_view text);

// The fields of a line, as Python's str.split() finds them. They are views into the line.
void split(std::string_view line, std::vector<std::string_view>& fields);

// The same between spaces and tabs alone, as the tools of OpenFst and Kaldi have it: all else is part of a field.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);

// Fields with spaces between, for messages.
std::string joined(std::span<const std::string_view> fields);

// Throws a Fault where the last line has no line end: half a number or word is another one.
void refuse_cut(std::string_view text);

// The lines of a text, one after the other. Only LF and CRLF end a line.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // Moves to the next line; false at the end.
  bool next();
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
};

// Calls `visit(number, line)` for every line. A Fault that it throws without a place is given the line's number.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  Polls poll;
  for (Lines lines(text); lines.next();) {
    poll(50 + 4 * static_cast<std::int64_t>(lines.line().size()));
    try {
      visit(lines.number(), lines.line());
    } catch (Fault& fault) {
      if (fault.line == 0) fault.line = lines.number();
      throw;
    }
  }
}

}  // namespace fstmetrics

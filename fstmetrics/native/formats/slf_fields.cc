#include "formats/slf_fields.h"

#include "formats/lines.h"

namespace fstmetrics {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Where a value that begins with a quote at `begin` has its closing quote; npos if no quote before blanks or the
// end of the line closes it.
std::size_t closing_quote(std::string_view line, std::size_t begin) {
  for (std::size_t at = begin + 1; at < line.size(); ++at) {
    if (line[at] == '\\') {
      ++at;
    } else if (line[at] == line[begin]) {
      return at + 1 == line.size() || is_blank(line[at + 1]) ? at : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

// Where a value without quotes ends. Throws for a backslash that nothing follows.
std::size_t end_of_value(std::string_view line, std::size_t at, std::size_t field) {
  while (at < line.size() && !is_blank(line[at])) {
    if (line[at] == '\\' && ++at == line.size())
      throw Fault("expected NAME=value, not {}", stripped(line.substr(field)));
    ++at;
  }
  return at;
}

std::size_t end_of_name(std::string_view line, std::size_t field) {
  std::size_t at = field;
  while (at < line.size() && line[at] != '=' && !is_blank(line[at])) ++at;
  if (at == field || at == line.size() || line[at] != '=') {
    throw Fault("expected NAME=value, not {}", stripped(line.substr(field)));
  }
  return at;
}

}  // namespace

const std::vector<SlfField>& SlfFields::of(std::string_view line) {
  fields_.clear();
  std::size_t at = 0;
  const auto skip_space = [&] {
    while (at < line.size() && is_blank(line[at])) ++at;
  };
  skip_space();
  for (; at < line.size() && line[at] != '#'; skip_space()) {
    const std::size_t name = at, value = end_of_name(line, at) + 1;
    const bool quote = value < line.size() && (line[value] == '"' || line[value] == '\'');
    const std::size_t closing = quote ? closing_quote(line, value) : line.npos;
    const std::size_t begin = closing == line.npos ? value : value + 1;
    const std::size_t end = closing == line.npos ? end_of_value(line, value, name) : closing;
    fields_.push_back({line.substr(name, value - 1 - name), unescaped(line.substr(begin, end - begin))});
    at = closing == line.npos ? end : end + 1;
  }
  return fields_;
}

// A character after a backslash stands for itself, three octal digits for a byte.
std::string_view SlfFields::unescaped(std::string_view value) {
  if (value.find('\\') == value.npos) return value;
  std::string bare;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] != '\\') {
      bare += value[at];
    } else if (at + 3 < value.size() && is_octal(value[at + 1]) && is_octal(value[at + 2]) && is_octal(value[at + 3])) {
      bare += static_cast<char>((value[at + 1] - '0') * 64 + (value[at + 2] - '0') * 8 + (value[at + 3] - '0'));
      at += 3;
    } else if (at + 1 < value.size()) {
      bare += value[++at];
    }
  }
  return kept_.emplace_back(std::move(bare));
}

}  // namespace fstmetrics

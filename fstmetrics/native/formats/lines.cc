#include "formats/lines.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace fstmetrics {
namespace {

enum Kind : std::uint8_t { kOther, kSpace, kLead };  // kLead: may begin white space of two or three bytes

constexpr std::array<Kind, 256> kinds() {
  std::array<Kind, 256> table{};
  for (const int c : {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20}) table[c] = kSpace;
  for (const int c : {0xC2, 0xE1, 0xE2, 0xE3}) table[c] = kLead;
  return table;
}
constexpr std::array<Kind, 256> kKinds = kinds();
constexpr std::string_view kBlanks = " \t";

Kind kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

std::size_t wide_space_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned second = byte(1), third = byte(2);
  switch (byte(0)) {
    case 0xC2:
      return second == 0x85 || second == 0xA0 ? 2 : 0;
    case 0xE1:
      return second == 0x9A && third == 0x80 ? 3 : 0;
    case 0xE3:
      return second == 0x80 && third == 0x80 ? 3 : 0;
    default:
      break;
  }
  if (second == 0x81) return third == 0x9F ? 3 : 0;
  const bool spaces = (third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF;
  return second == 0x80 && spaces ? 3 : 0;
}

}  // namespace

std::size_t space_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const Kind kind = kind_of(text[at]);
  return kind == kLead ? wide_space_at(text, at) : kind == kSpace;
}

std::string_view stripped(std::string_view text) {
  std::size_t begin = 0, end = 0;
  while (const std::size_t space = space_at(text, begin)) begin += space;
  for (std::size_t at = begin; at < text.size();) {
    const std::size_t space = space_at(text, at);
    at += space ? space : 1;
    if (!space) end = at;
  }
  return end > begin ? text.substr(begin, end - begin) : std::string_view{};
}

void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t begin = 0, at = 0;
  while (at < line.size()) {
    const Kind kind = kind_of(line[at]);
    const std::size_t space = kind == kOther ? 0 : kind == kSpace ? 1 : wide_space_at(line, at);
    if (space == 0) {
      ++at;
      continue;
    }
    if (at > begin) fields.push_back(line.substr(begin, at - begin));
    begin = at += space;
  }
  if (at > begin) fields.push_back(line.substr(begin, at - begin));
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string joined(std::span<const std::string_view> fields) {
  std::string text;
  for (const std::string_view field : fields) text.append(text.empty() ? "" : " ").append(field);
  return text;
}

void refuse_cut(std::string_view text) {
  if (text.ends_with('\n')) return;
  Fault fault("no line end after the last line: is the file cut off? If it is whole, add one");
  fault.line = std::count(text.begin(), text.end(), '\n') + 1;
  throw fault;
}

bool Lines::next() {
  if (rest_.empty()) return false;
  const void* end = std::memchr(rest_.data(), '\n', rest_.size());
  const std::size_t length = end ? static_cast<const char*>(end) - rest_.data() : rest_.size();
  line_ = rest_.substr(0, length);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  rest_.remove_prefix(length + (end ? 1 : 0));
  ++number_;
  return true;
}

}  // namespace fstmetrics

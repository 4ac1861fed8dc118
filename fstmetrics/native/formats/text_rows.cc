#include "formats/text_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "formats/fault.h"
#include "formats/numbers.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fstmetrics {
namespace {

// Bits of the bytes among 64 that are up to 0x20.
#if defined(__SSE2__)
std::uint64_t candidates(const char* bytes) {
  const __m128i space = _mm_set1_epi8(0x20);
  std::uint64_t found = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(part, space), part);
    found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(low))) << (16 * i);
  }
  return found;
}
#else
std::uint64_t candidates(const char* bytes) {
  std::uint64_t found = 0;
  for (int i = 0; i < 64; ++i) found |= std::uint64_t{static_cast<unsigned char>(bytes[i]) <= 0x20} << i;
  return found;
}
#endif

constexpr std::size_t kBlock = 64;

bool is_plain(std::string_view bytes) {
  constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
  std::uint64_t all = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t piece;
    std::memcpy(&piece, bytes.data() + at, 8);
    all |= piece;
  }
  for (; at < bytes.size(); ++at) all |= static_cast<unsigned char>(bytes[at]);
  return (all & kHigh) == 0 && (all & 0x80) == 0;
}

// How many bytes the character takes that begins here and is not ASCII; 0 where there is none.
std::size_t character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool good =
        follows(1) && follows(2) && !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F);
    return good ? 3 : 0;
  }
  if (first < 0xF0 || first > 0xF4) return 0;
  const bool good =
      follows(1) && follows(2) && follows(3) && !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
  return good ? 4 : 0;
}

// How many bytes here are no character and are taken for one: those that further ones would complete, or one.
std::size_t damaged_at(std::string_view text, std::size_t at) {
  for (std::size_t size = 3; size > 1; --size) {
    std::string begun(text.substr(at, size));
    if (begun.size() < size) continue;
    begun.resize(4, '\x80');
    if (character_at(begun, 0) > size) return size;
  }
  return 1;
}

}  // namespace

TextRows::TextRows(std::string_view text) : text_(text) {
  if (!text_.empty()) look();
}

void TextRows::look() {
  if (block_ + kBlock <= text_.size()) {
    spaces_ = candidates(text_.data() + block_);
    return;
  }
  char rest[kBlock];
  const std::size_t size = text_.size() - block_;
  std::memcpy(rest, text_.data() + block_, size);
  std::memset(rest + size, 'x', kBlock - size);
  spaces_ = candidates(rest);
}

bool TextRows::next() {
  if (end_ == text_.size()) return false;
  begin_ = end_;
  ++number_;
  size_ = 0;
  std::size_t field = begin_;
  while (true) {
    while (spaces_ == 0) {
      block_ += kBlock;
      if (block_ >= text_.size()) {
        end_ = text_.size();
        close(field, end_);
        return true;
      }
      look();
    }
    const std::size_t at = block_ + static_cast<std::size_t>(std::countr_zero(spaces_));
    spaces_ &= spaces_ - 1;
    const char c = text_[at];
    if (c == '\n') {
      close(field, at);
      end_ = at + 1;
      return true;
    }
    // Of CR, only those that end a line are no part of a field.
    const std::size_t behind = c == '\r' ? text_.find_first_not_of('\r', at) : 0;
    const bool ends = c == '\r' && (behind == text_.npos || text_[behind] == '\n');
    if (c != ' ' && c != '\t' && !ends) continue;
    close(field, at);
    field = at + 1;
  }
}

std::string_view TextRows::line() const {
  std::string_view line = text_.substr(begin_, end_ - begin_);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool TextRows::is_regular() const {
  if (size_ == 0 || size_ > kKept) return size_ == 0;
  const char* at = text_.data() + begin_;
  const char separator = size_ > 1 ? at[fields_[0].size()] : ' ';  // one field may end where the text does
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].data() != at || (i > 0 && at[-1] != separator)) return false;
    at += fields_[i].size() + 1;
  }
  const std::string_view all = line();
  return at == all.data() + all.size() + 1;
}

namespace {

// Whether a text is a word, a space and what may be a cost.
bool ends_with_cost(std::string_view text) {
  const std::size_t space = text.find(' ');
  const std::string_view cost = text.substr(space + 1);
  constexpr std::string_view kFirst = "+-.0123456789", kLast = ".,0123456789";
  return cost.find(' ') == cost.npos && kFirst.find(cost.front()) != kFirst.npos &&
         kLast.find(cost.back()) != kLast.npos;
}

}  // namespace

void check_tabs(std::string_view line, bool labels) {
  if (line.find('\t') == line.npos) return;
  std::size_t field = 0;
  bool are_states = true;
  for (std::size_t begin = 0; begin <= line.size(); ++field) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    const std::size_t first = std::min(line.find_first_not_of(' ', begin), end);
    if (first == end) {
      throw Fault("an empty field between tabs in {}: a label that is no word is written <eps>", line);
    }
    const std::string_view text = line.substr(first, line.find_last_not_of(' ', end - 1) + 1 - first);
    if (field < 2) are_states = are_states && is_digits(text);
    if (labels && field >= 2 && are_states && text.find(' ') != text.npos &&
        !(end == line.size() && ends_with_cost(text))) {
      throw Fault("a space in {}, which stands between tabs: a space parts fields, too, as in OpenFst; join words by _",
                  text);
    }
    begin = end + 1;
  }
}

bool is_text(std::string_view bytes) {
  return bytes.empty() || (!std::memchr(bytes.data(), 0, bytes.size()) && is_utf8(bytes));
}

bool is_utf8(std::string_view bytes) {
  if (is_plain(bytes)) return true;
  for (std::size_t at = 0; at < bytes.size();) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      ++at;
    } else if (const std::size_t size = character_at(bytes, at)) {
      at += size;
    } else {
      return false;
    }
  }
  return true;
}

std::string with_replacements(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t size = static_cast<unsigned char>(bytes[at]) < 0x80 ? 1 : character_at(bytes, at);
    if (size > 0) {
      text.append(bytes.substr(at, size));
    } else {
      text.append("\xef\xbf\xbd");
      size = damaged_at(bytes, at);
    }
    at += size;
  }
  return text;
}

std::size_t last_blank_line(std::string_view text) {
  std::size_t end = text.rfind('\n');
  while (end != text.npos && end > 0) {
    std::size_t at = end - (text[end - 1] == '\r');
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
    if (at == 0) return 0;
    if (text[at - 1] == '\n') return end + 1;
    end = text.rfind('\n', at - 1);
  }
  return 0;
}

}  // namespace fstmetrics

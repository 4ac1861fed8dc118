#include "formats/text_rows.h"

#include <bit>
#include <cstring>

#include "formats/lines.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fstmetrics {
namespace {

// Bits of the bytes among 64 at which white space could begin: up to 0x20, 0xC2, 0xE1 to 0xE3.
#if defined(__SSE2__)
std::uint64_t candidates(const char* bytes) {
  const __m128i space = _mm_set1_epi8(0x20);
  std::uint64_t found = 0, high = 0;
  __m128i parts[4];
  for (int i = 0; i < 4; ++i) {
    parts[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(parts[i], space), parts[i]);
    found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(low))) << (16 * i);
    high |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(parts[i]))) << (16 * i);
  }
  if (high == 0) return found;
  for (int i = 0; i < 4; ++i) {
    __m128i lead = _mm_cmpeq_epi8(parts[i], _mm_set1_epi8(static_cast<char>(0xC2)));
    for (const int byte : {0xE1, 0xE2, 0xE3}) {
      lead = _mm_or_si128(lead, _mm_cmpeq_epi8(parts[i], _mm_set1_epi8(static_cast<char>(byte))));
    }
    found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(lead))) << (16 * i);
  }
  return found;
}
#else
std::uint64_t candidates(const char* bytes) {
  std::uint64_t found = 0;
  for (int i = 0; i < 64; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool is_candidate = byte <= 0x20 || byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
    found |= std::uint64_t{is_candidate} << i;
  }
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
    const std::size_t space = c == ' ' || c == '\t' ? 1 : space_at(text_, at);
    if (space == 0) continue;
    close(field, at);
    field = at + space;
  }
}

std::string_view TextRows::line() const {
  std::string_view line = text_.substr(begin_, end_ - begin_);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_text(std::string_view bytes) {
  if (bytes.empty()) return true;
  if (std::memchr(bytes.data(), 0, bytes.size())) return false;
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

std::size_t last_blank_line(std::string_view text) {
  std::size_t end = text.rfind('\n');
  while (end != text.npos && end > 0) {
    std::size_t at = end;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\r' || text[at - 1] == '\v' ||
                      text[at - 1] == '\f'))
      --at;
    if (at == 0) return 0;
    if (text[at - 1] == '\n') return end + 1;
    end = text.rfind('\n', at - 1);
  }
  return 0;
}

}  // namespace fstmetrics

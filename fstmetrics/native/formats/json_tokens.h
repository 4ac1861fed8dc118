// What JSON is made of, as all that read it here take it: what Python's json takes, but for NaN and Infinity.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "formats/numbers.h"

namespace fstmetrics {

// Thrown where a text is no JSON, or where it is so rare that Python reads it.
struct NoJson {};

inline void expect_json(bool is_json) {
  if (!is_json) throw NoJson{};
}

// Of more digits Python makes no integer.
inline constexpr std::size_t kMostIntegerDigits = 4300;

// Hands the bytes of a character to `put`.
template <class Put>
void put_utf8(std::uint32_t character, Put put) {
  if (character < 0x80) return put(static_cast<char>(character));
  if (character < 0x800) {
    put(static_cast<char>(0xC0 | character >> 6));
  } else {
    if (character < 0x10000) {
      put(static_cast<char>(0xE0 | character >> 12));
    } else {
      put(static_cast<char>(0xF0 | character >> 18));
      put(static_cast<char>(0x80 | (character >> 12 & 0x3F)));
    }
    put(static_cast<char>(0x80 | (character >> 6 & 0x3F)));
  }
  put(static_cast<char>(0x80 | (character & 0x3F)));
}

class JsonTokens {
 public:
  // Letters behind a backslash, and what they say.
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";

  // Passes white space and, if it is next, a sign.
  bool passes(char c) {
    space();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { expect_json(passes(c)); }
  bool at_end() {
    space();
    return at_ == end_;
  }

 protected:
  JsonTokens() = default;
  explicit JsonTokens(std::string_view json) : at_(json.data()), end_(json.data() + json.size()) {}

  void space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  // Up to a quotation mark or a backslash; there is one.
  void plain_text() {
    constexpr std::uint64_t kEach = 0x0101010101010101ULL, kHigh = 0x80 * kEach;
    const auto zeros = [](std::uint64_t some) { return (some - kEach) & ~some & kHigh; };
    while (end_ - at_ >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, at_, 8);
      const std::uint64_t controls = (bytes - ' ' * kEach) & ~bytes & kHigh;
      if ((controls | zeros(bytes ^ ('"' * kEach)) | zeros(bytes ^ ('\\' * kEach))) != 0) break;
      at_ += 8;
    }
    while (at_ != end_ && *at_ != '"' && *at_ != '\\') expect_json(static_cast<unsigned char>(*at_++) >= ' ');
    expect_json(at_ != end_);
  }

  // The character that an escape says, from the letter behind the backslash on; half of a pair may stand alone.
  std::uint32_t escape() {
    expect_json(at_ != end_);
    const char letter = *at_++;
    if (const std::size_t found = kLetters.find(letter); found != kLetters.npos) {
      return static_cast<unsigned char>(kMeanings[found]);
    }
    expect_json(letter == 'u');
    const std::uint32_t character = unit();
    if (character < 0xD800 || character >= 0xDC00 || end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u')
      return character;
    const char* before = at_;
    at_ += 2;
    const std::uint32_t low = unit();
    if (low >= 0xDC00 && low < 0xE000) return 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
    at_ = before;
    return character;
  }
  static bool is_half(std::uint32_t character) { return character >= 0xD800 && character < 0xE000; }

  void word(std::string_view expected) {
    expect_json(std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(expected));
    at_ += expected.size();
  }

  struct Number {
    std::string_view written;
    std::size_t digits;  // of its whole part
    bool is_whole;       // neither a point nor an exponent
  };
  Number number() {
    const char* begin = at_;
    if (*at_ == '-') ++at_;
    const char* first = at_;
    const std::size_t size = digits();
    expect_json(*first != '0' || size == 1);
    bool is_whole = true;
    if (at_ != end_ && *at_ == '.') ++at_, digits(), is_whole = false;
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      digits();
      is_whole = false;
    }
    expect_json(!is_whole || size <= kMostIntegerDigits);
    return {{begin, static_cast<std::size_t>(at_ - begin)}, size, is_whole};
  }

  const char* at_ = nullptr;
  const char* end_ = nullptr;

 private:
  std::size_t digits() {
    const char* begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    expect_json(at_ != begin);
    return static_cast<std::size_t>(at_ - begin);
  }

  // Four hexadecimal digits.
  std::uint32_t unit() {
    expect_json(end_ - at_ >= 4);
    std::uint32_t found = 0;
    const auto [behind, error] = std::from_chars(at_, at_ + 4, found, 16);
    expect_json(error == std::errc{} && behind == at_ + 4);
    at_ += 4;
    return found;
  }
};

}  // namespace fstmetrics

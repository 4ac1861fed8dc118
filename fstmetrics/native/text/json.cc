#include "text/json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace fstmetrics {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

void append_escape(std::string& json, std::uint32_t unit) {
  json += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) json += kDigits[(unit >> shift) & 15];
}

bool is_plain(unsigned char byte) { return byte >= ' ' && byte != '"' && byte != '\\'; }

// Whether eight bytes hold one that is not plain, or has its highest bit set.
std::uint64_t are_special(std::uint64_t bytes) {
  constexpr std::uint64_t kEach = 0x0101010101010101ULL, kHigh = 0x80 * kEach;
  const auto zeros = [](std::uint64_t some) { return (some - kEach) & ~some; };
  return (bytes | (bytes - ' ' * kEach) | zeros(bytes ^ ('"' * kEach)) | zeros(bytes ^ ('\\' * kEach))) & kHigh;
}

// Whether all bytes are plain ASCII; false may be said of other text, too.
bool are_plain(std::string_view text) {
  std::uint64_t special = 0, bytes = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::memcpy(&bytes, text.data() + at, 8);
    special |= are_special(bytes);
  }
  if (at < text.size()) {
    bytes = ' ' * 0x0101010101010101ULL;
    std::memcpy(&bytes, text.data() + at, text.size() - at);
    special |= are_special(bytes);
  }
  return special == 0;
}

void append_special(std::string& json, unsigned char byte) {
  switch (byte) {
    case '"':
      json += "\\\"";
      break;
    case '\\':
      json += "\\\\";
      break;
    case '\n':
      json += "\\n";
      break;
    case '\r':
      json += "\\r";
      break;
    case '\t':
      json += "\\t";
      break;
    case '\f':
      json += "\\f";
      break;
    case '\b':
      json += "\\b";
      break;
    default:
      append_escape(json, byte);
  }
}

// The character that begins at a place, of valid UTF-8, and the place behind it.
std::uint32_t decoded(std::string_view utf8, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(i < utf8.size() ? utf8[i] : 0));
  };
  const std::uint32_t first = byte(at);
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t character = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) character = (character << 6) | (byte(at + i) & 0x3F);
  at += size;
  return character;
}

}  // namespace

void append_json(std::string& json, std::string_view utf8) {
  if (are_plain(utf8)) {
    const std::size_t before = json.size();
    json.resize(before + utf8.size() + 2, '"');
    std::memcpy(json.data() + before + 1, utf8.data(), utf8.size());
    return;
  }
  json += '"';
  std::size_t begin = 0;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (is_plain(byte)) continue;
    json.append(utf8, begin, at - begin);
    append_special(json, byte);
    begin = at + 1;
  }
  json.append(utf8, begin);
  json += '"';
}

void append_ascii_json(std::string& json, std::string_view utf8) {
  json += '"';
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) {
      if (is_plain(byte)) {
        json += static_cast<char>(byte);
      } else {
        append_special(json, byte);
      }
      ++at;
      continue;
    }
    const std::uint32_t character = decoded(utf8, at);
    if (character < 0x10000) {
      append_escape(json, character);
    } else {
      append_escape(json, 0xD7C0 + (character >> 10));
      append_escape(json, 0xDC00 + (character & 0x3FF));
    }
  }
  json += '"';
}

void append_json(std::string& json, double number) {
  if (!std::isfinite(number)) {
    json += "null";
    return;
  }
  // -d.ddde-xx: a digit, the others behind a point if there are any, and the exponent.
  char text[32];
  char* const end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr;
  const std::string_view written(text, static_cast<std::size_t>(end - text));
  const std::size_t mark = written.find('e');
  char all_digits[32];
  std::size_t count = 0;
  for (const char c : written.substr(0, mark)) {
    if (c >= '0' && c <= '9') all_digits[count++] = c;
  }
  const std::string_view digits(all_digits, count);
  int exponent = 0;
  std::from_chars(text + mark + (written[mark + 1] == '+' ? 2 : 1), end, exponent);
  if (written.front() == '-') json += '-';
  constexpr int kLeast = -4,
                kMost = 16;  // exponents of numbers that Python writes without one, and the first too large
  if (exponent < kLeast || exponent >= kMost) {
    json += digits.front();
    if (count > 1) json.append(1, '.').append(digits, 1);
    json += exponent < 0 ? "e-" : "e+";
    const std::string power = std::to_string(std::abs(exponent));
    if (power.size() < 2) json += '0';
    json += power;
    return;
  }
  if (exponent < 0) {
    json.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (count <= whole) {
    json.append(digits).append(whole - count, '0').append(".0");
  } else {
    json.append(digits, 0, whole).append(1, '.').append(digits, whole);
  }
}

}  // namespace fstmetrics

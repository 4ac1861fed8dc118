#include "text/json.h"

#include <cstdint>

namespace fstmetrics {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

void append_escape(std::string& json, std::uint32_t unit) {
  json += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) json += kDigits[(unit >> shift) & 15];
}

bool is_plain(unsigned char byte) { return byte >= ' ' && byte != '"' && byte != '\\'; }

void append_special(std::string& json, unsigned char byte) {
  switch (byte) {
    case '"': json += "\\\""; break;
    case '\\': json += "\\\\"; break;
    case '\n': json += "\\n"; break;
    case '\r': json += "\\r"; break;
    case '\t': json += "\\t"; break;
    case '\f': json += "\\f"; break;
    case '\b': json += "\\b"; break;
    default: append_escape(json, byte);
  }
}

// The character that begins at a place, of valid UTF-8, and the place behind it.
std::uint32_t decoded(std::string_view utf8, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(i < utf8.size() ? utf8[i] : 0)); };
  const std::uint32_t first = byte(at);
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t character = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) character = (character << 6) | (byte(at + i) & 0x3F);
  at += size;
  return character;
}

}  // namespace

void append_json(std::string& json, std::string_view utf8) {
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

}  // namespace fstmetrics

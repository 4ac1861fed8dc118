#include "formats/json_document.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "text/json.h"

namespace fstmetrics {
namespace {

struct NoJson {};

void must(bool holds) {
  if (!holds) throw NoJson{};
}

constexpr int kDeepestBrackets = 800;         // fewer than those for which Python has room
constexpr std::ptrdiff_t kMostDigits = 4300;  // Python's own guard

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

void append_character(std::string& text, std::uint32_t character) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) {
    put(character);
    return;
  }
  if (character < 0x800) {
    put(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      put(0xE0 | character >> 12);
    } else {
      put(0xF0 | character >> 18);
      put(0x80 | (character >> 12 & 0x3F));
    }
    put(0x80 | (character >> 6 & 0x3F));
  }
  put(0x80 | (character & 0x3F));
}

constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";

}  // namespace

std::string said_by(std::string_view json) {
  std::string said;
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] != '\\') {
      said += json[at];
    } else if (const std::size_t known = kEscapes.find(json[++at]); known != kEscapes.npos) {
      said += kMeanings[known];
    } else if (json.substr(at).starts_with("u00")) {  // a control character
      int character = 0;
      std::from_chars(json.data() + at + 3, json.data() + at + 5, character, 16);
      said += static_cast<char>(character);
      at += 4;
    } else {
      said += "\\u";
    }
  }
  return said;
}

bool JsonDocument::read(std::string_view json) {
  at_ = json.data();
  end_ = json.data() + json.size();
  nodes_.clear();
  try {
    value(0);
    space();
    return at_ == end_;
  } catch (const NoJson&) { return false; }
}

void JsonDocument::space() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
}

bool JsonDocument::passes(char c) {
  space();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

std::int32_t JsonDocument::value(int depth) {
  space();
  must(at_ != end_ && depth < kDeepestBrackets);
  const auto place = static_cast<std::int32_t>(nodes_.size());
  nodes_.emplace_back();
  const char* begin = at_;
  JsonNode node;
  switch (*at_) {
    case '"':
      node.type = JsonType::kText;
      node.json = text();
      break;
    case '{':
    case '[':
      node.type = *at_ == '{' ? JsonType::kObject : JsonType::kList;
      inner(place, node.type == JsonType::kObject, depth);
      node.first = nodes_[static_cast<std::size_t>(place)].first;
      node.size = nodes_[static_cast<std::size_t>(place)].size;
      break;
    case 't':
      node.type = JsonType::kTrue;
      word("true");
      break;
    case 'f':
      node.type = JsonType::kFalse;
      word("false");
      break;
    case 'n':
      word("null");
      break;
    default:
      number(node);
  }
  if (node.type != JsonType::kText) node.json = {begin, static_cast<std::size_t>(at_ - begin)};
  nodes_[static_cast<std::size_t>(place)] = node;
  return place;
}

void JsonDocument::inner(std::int32_t parent, bool is_object, int depth) {
  const char close = is_object ? '}' : ']';
  ++at_;
  if (passes(close)) return;
  std::int32_t last = -1;
  do {
    std::string_view key;
    if (is_object) {
      space();
      must(at_ != end_ && *at_ == '"');
      key = text();
      key = key.substr(1, key.size() - 2);
      must(passes(':'));
    }
    const std::int32_t child = value(depth + 1);
    nodes_[static_cast<std::size_t>(child)].key = key;
    JsonNode& own = nodes_[static_cast<std::size_t>(parent)];
    (last < 0 ? own.first : nodes_[static_cast<std::size_t>(last)].next) = child;
    ++own.size;
    last = child;
  } while (passes(','));
  must(passes(close));
}

// What comes up to a quotation mark or a backslash.
std::string_view JsonDocument::plain_text() {
  constexpr std::uint64_t kEach = 0x0101010101010101ULL, kHigh = 0x80 * kEach;
  const auto zeros = [](std::uint64_t some) { return (some - kEach) & ~some & kHigh; };
  const char* begin = at_;
  while (end_ - at_ >= 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at_, 8);
    const std::uint64_t controls = (bytes - ' ' * kEach) & ~bytes & kHigh;
    if ((controls | zeros(bytes ^ ('"' * kEach)) | zeros(bytes ^ ('\\' * kEach))) != 0) break;
    at_ += 8;
  }
  while (at_ != end_ && *at_ != '"' && *at_ != '\\') must(static_cast<unsigned char>(*at_++) >= ' ');
  must(at_ != end_);
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

std::string_view JsonDocument::text() {
  const char* begin = at_++;
  plain_text();
  if (*at_ == '"') return {begin, static_cast<std::size_t>(++at_ - begin)};
  std::string& found = texts_.emplace_back(begin, at_);
  while (*at_ != '"') {
    must(end_ - ++at_ > 0);
    const char letter = *at_++;
    std::string said;
    if (const std::size_t known = kEscapes.find(letter); known != kEscapes.npos) {
      said = kMeanings[known];
    } else {
      must(letter == 'u');
      std::uint32_t character = unit();
      if (character >= 0xD800 && character < 0xDC00 && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u') {
        const char* before = at_;
        at_ += 2;
        const std::uint32_t low = unit();
        if (low >= 0xDC00 && low < 0xE000) {
          character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
        } else {
          at_ = before;
        }
      }
      if (character >= 0xD800 && character < 0xE000) {  // half of a pair, which no UTF-8 can say
        constexpr std::string_view kDigits = "0123456789abcdef";
        found += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) found += kDigits[character >> shift & 15];
      } else {
        append_character(said, character);
      }
    }
    std::string written;
    append_json(written, said);
    found.append(written, 1, written.size() - 2);
    found += plain_text();
  }
  ++at_;
  found += '"';
  return found;
}

std::uint32_t JsonDocument::unit() {
  must(end_ - at_ >= 4);
  std::uint32_t found = 0;
  const auto [behind, error] = std::from_chars(at_, at_ + 4, found, 16);
  must(error == std::errc{} && behind == at_ + 4);
  at_ += 4;
  return found;
}

void JsonDocument::word(std::string_view expected) {
  must(std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(expected));
  at_ += expected.size();
}

void JsonDocument::number(JsonNode& node) {
  const auto digits = [&] {
    const char* begin = at_;
    while (at_ != end_ && is_decimal(*at_)) ++at_;
    must(at_ != begin);
    return at_ - begin;
  };
  const char* begin = at_;
  if (*at_ == '-') ++at_;
  const char* first = at_;
  const std::ptrdiff_t size = digits();
  must(*first != '0' || size == 1);
  node.type = JsonType::kInteger;
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    digits();
    node.type = JsonType::kReal;
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    digits();
    node.type = JsonType::kReal;
  }
  if (node.type == JsonType::kInteger) {
    must(size <= kMostDigits);
    node.is_small = std::from_chars(begin, at_, node.whole).ec == std::errc{};
    node.number = static_cast<double>(node.whole);
    return;
  }
  if (std::from_chars(begin, at_, node.number).ec != std::errc{}) {
    node.number = std::strtod(std::string(begin, at_).c_str(), nullptr);  // it may be too small to be another than 0
    must(std::isfinite(node.number));
  }
}

}  // namespace fstmetrics

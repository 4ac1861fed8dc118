#include "formats/json_document.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "text/json.h"

namespace fstmetrics {
namespace {

constexpr int kDeepestBrackets = 800;  // fewer than those for which Python has room
}  // namespace

std::string said_by(std::string_view json) {
  std::string said;
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] != '\\') {
      said += json[at];
    } else if (const std::size_t known = JsonTokens::kLetters.find(json[++at]); known != JsonTokens::kLetters.npos) {
      said += JsonTokens::kMeanings[known];
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

std::int32_t JsonDocument::value(int depth) {
  space();
  expect_json(at_ != end_ && depth < kDeepestBrackets);
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
      take_number(node);
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
      expect_json(at_ != end_ && *at_ == '"');
      key = text();
      key = key.substr(1, key.size() - 2);
      expect_json(passes(':'));
    }
    const std::int32_t child = value(depth + 1);
    nodes_[static_cast<std::size_t>(child)].key = key;
    JsonNode& own = nodes_[static_cast<std::size_t>(parent)];
    (last < 0 ? own.first : nodes_[static_cast<std::size_t>(last)].next) = child;
    ++own.size;
    last = child;
  } while (passes(','));
  expect_json(passes(close));
}

std::string_view JsonDocument::text() {
  const char* begin = at_++;
  plain_text();
  if (*at_ == '"') return {begin, static_cast<std::size_t>(++at_ - begin)};
  std::string& found = texts_.emplace_back(begin, at_);
  while (*at_ != '"') {
    ++at_;
    const std::uint32_t character = escape();
    if (is_half(character)) {  // which no UTF-8 can say
      constexpr std::string_view kDigits = "0123456789abcdef";
      found += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) found += kDigits[character >> shift & 15];
    } else {
      std::string said, written;
      put_utf8(character, [&](char byte) { said += byte; });
      append_json(written, said);
      found.append(written, 1, written.size() - 2);
    }
    const char* plain = at_;
    plain_text();
    found.append(plain, at_);
  }
  ++at_;
  found += '"';
  return found;
}

void JsonDocument::take_number(JsonNode& node) {
  const Number found = number();
  const char *begin = found.written.data(), *behind = begin + found.written.size();
  node.type = found.is_whole ? JsonType::kInteger : JsonType::kReal;
  if (found.is_whole) {
    node.is_small = std::from_chars(begin, behind, node.whole).ec == std::errc{};
    node.number = static_cast<double>(node.whole);
  } else if (std::from_chars(begin, behind, node.number).ec != std::errc{}) {
    node.number = std::strtod(std::string(found.written).c_str(), nullptr);  // it may be too small to be another than 0
    expect_json(std::isfinite(node.number));
  }
}

}  // namespace fstmetrics

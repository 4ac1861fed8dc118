// A value of JSON as a tree: what Python's json takes of it, but for NaN, Infinity and what is too large for a number.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "formats/json_tokens.h"

namespace fstmetrics {

enum class JsonType : std::uint8_t { kNull, kTrue, kFalse, kInteger, kReal, kText, kList, kObject };

struct JsonNode {
  JsonType type = JsonType::kNull;
  std::int32_t first = -1, next = -1;  // the first value in it, and the one behind it
  std::int32_t size = 0;               // how many values are in it
  std::string_view key;                // in an object, without quotation marks
  std::string_view json;               // as it is written; a text with as few escapes as there can be
  double number = 0;
  std::int64_t whole = 0;  // of an integer
  bool is_small = false;   // whether it is an integer that `whole` can hold
};

// What a text of a node says, given without quotation marks. Half of a pair of surrogates stays an escape.
std::string said_by(std::string_view json);

class JsonDocument : private JsonTokens {
 public:
  // Reads a value and the white space around it; false where it is none. Nodes of the value before are gone; texts that
  // they view stay.
  bool read(std::string_view json);
  const JsonNode& root() const { return nodes_.front(); }
  // Calls `visit` with each value of a list or an object.
  template <class Visit>
  void each(const JsonNode& node, Visit visit) const {
    for (std::int32_t at = node.first; at >= 0; at = nodes_[static_cast<std::size_t>(at)].next)
      visit(nodes_[static_cast<std::size_t>(at)]);
  }

 private:
  std::int32_t value(int depth);
  void inner(std::int32_t parent, bool is_object, int depth);
  std::string_view text();
  void take_number(JsonNode& node);

  std::vector<JsonNode> nodes_;
  std::deque<std::string> texts_;  // those that have escapes
};

}  // namespace fstmetrics

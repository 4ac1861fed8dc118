// How records write an alignment (docs/records.md): a list of operations, each `["S", "hat", "cat"]`, a letter, its
// word of the hypothesis and its word of the reference; null where a side has none. Nothing else writes or reads it but
// openfst/independent_proof.py, which takes nothing from what it proves.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "formats/json_document.h"
#include "text/json.h"

namespace fstmetrics {

// An operation, and its parts in the order in which its list has them.
template <class Part>
struct Operation {
  using Parts = std::array<Part, 3>;

  Part letter, hypothesis, reference;

  Parts parts() const { return {letter, hypothesis, reference}; }
  static Operation of(const Parts& parts) { return {parts[0], parts[1], parts[2]}; }
};

using WrittenOperation = Operation<std::optional<std::string_view>>;

// Appends an alignment; `operation` has the operation of a step.
template <class Steps, class OperationOf>
void append_alignment(std::string& json, const Steps& steps, const OperationOf& operation) {
  json += '[';
  for (const char* between = ""; const auto& step : steps) {
    json += std::exchange(between, ", ");
    json += '[';
    const WrittenOperation& written = operation(step);
    for (const char* before = ""; const auto& part : written.parts()) {
      json += std::exchange(before, ", ");
      part ? append_json(json, *part) : void(json += "null");
    }
    json += ']';
  }
  json += ']';
}

struct NotedOperation {
  char letter;
  std::optional<std::string_view> hypothesis, reference;  // as JSON
};

// The operation that a node says; none where it says none.
inline std::optional<NotedOperation> operation_in(const JsonDocument& json, const JsonNode& list) {
  Operation<const JsonNode*>::Parts parts{};
  if (list.type != JsonType::kList || list.size != parts.size()) return std::nullopt;
  std::size_t part = 0;
  json.each(list, [&](const JsonNode& each) { parts[part++] = &each; });
  const auto [letter, hypothesis, reference] = Operation<const JsonNode*>::of(parts);
  if (letter->type != JsonType::kText || letter->json.size() != 3) return std::nullopt;
  NotedOperation found{letter->json[1], {}, {}};
  if (std::string_view("=SID*").find(found.letter) == std::string_view::npos) return std::nullopt;
  const auto is_word = [](const JsonNode& node, bool has_word, std::optional<std::string_view>& word) {
    if (has_word) word = node.json;
    return node.type == (has_word ? JsonType::kText : JsonType::kNull);
  };
  const bool has_reference = found.letter != 'I' && found.letter != '*';
  if (!is_word(*hypothesis, found.letter != 'D', found.hypothesis) ||
      !is_word(*reference, has_reference, found.reference))
    return std::nullopt;
  return found;
}

}  // namespace fstmetrics

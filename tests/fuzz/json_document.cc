// Values of JSON as trees: every part of one is a value by itself.
#include "formats/json_document.h"

#include <vector>

#include "fuzz.h"

namespace {

using namespace fstmetrics;

constexpr int kMostParts = 50;  // that are read again

void parse(std::string_view text) {
  // A copy, so that reading past its end is seen.
  const std::vector<char> copy(text.begin(), text.end());
  text = {copy.data(), copy.size()};
  JsonDocument document, part;
  if (!document.read(text)) return;
  std::vector<JsonNode> nodes{document.root()};
  int parts = 0;
  while (!nodes.empty()) {
    const JsonNode node = nodes.back();
    nodes.pop_back();
    fuzz::require(said_by(node.key).size() <= node.key.size());
    std::int32_t size = 0;
    document.each(node, [&](const JsonNode& inner) {
      ++size;
      nodes.push_back(inner);
    });
    fuzz::require(size == node.size);
    if (node.type == JsonType::kText) {
      fuzz::require(node.json.size() >= 2);
      fuzz::require(said_by(node.json.substr(1, node.json.size() - 2)).size() + 2 <= node.json.size());
    }
    if (++parts > kMostParts) continue;
    fuzz::require(part.read(node.json));
    const JsonNode& same = part.root();
    fuzz::require(same.type == node.type && same.size == node.size && same.json == node.json);
    fuzz::require(same.number == node.number && same.whole == node.whole && same.is_small == node.is_small);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

#include "search/text_union.h"

#include <utility>

#include "lazy/rtn.h"
#include "support/poll.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

// A card of one path.
Automaton line_card(const std::vector<Label>& labels) {
  std::vector<std::int32_t> offsets;
  std::vector<Arc> arcs;
  offsets.reserve(labels.size() + 2);
  arcs.reserve(labels.size());
  for (const Label label : labels) {
    const auto number = static_cast<std::int32_t>(arcs.size());
    offsets.push_back(number);
    arcs.push_back({label, number + 1, 0, number});
  }
  offsets.insert(offsets.end(), 2, static_cast<std::int32_t>(labels.size()));
  std::vector<std::uint8_t> is_final(labels.size() + 1, 0);
  is_final.back() = 1;
  return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

}  // namespace

Graph text_union(const Texts& texts) {
  Polls poll;
  thread_local WordTable table;
  std::vector<Word> words, by_label(1);
  std::vector<Label> labels;
  std::vector<Automaton> cards;
  std::vector<Arc> calls;
  table.reset(0);
  for (const Text& text : texts) {
    text.words(words);
    labels.clear();
    for (const Word& word : words) {
      poll(20);
      labels.push_back(table.intern(word));
      if (labels.back() == static_cast<Label>(by_label.size())) by_label.push_back(word);
    }
    const auto number = static_cast<std::int32_t>(cards.size());
    calls.push_back({-number - 1, 1, 0, number});
    cards.push_back(line_card(labels));
  }
  const auto size = static_cast<std::int32_t>(calls.size());
  cards.emplace_back(0, std::vector<std::int32_t>{0, size, size}, std::move(calls), std::vector<std::uint8_t>{0, 1});
  return Graph(std::make_shared<const Rtn>(std::move(cards), size), by_label);
}

}  // namespace fstmetrics

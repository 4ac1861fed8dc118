#include "search/forest_strings.h"

#include <algorithm>
#include <set>

#include "search/row_sums.h"

namespace fstmetrics {
namespace {

// By card: whether it reads the empty string.
std::vector<std::uint8_t> nullable_cards(const Rtn& rtn) {
  std::vector<std::uint8_t> nullable(rtn.cards().size(), 0);
  for (const std::int32_t number : rtn.bottom_up()) {
    const Automaton& card = rtn.cards()[number];
    std::vector<std::uint8_t> reached(card.num_states(), 0);
    reached[0] = 1;
    for (StateId state = 0; state < card.num_states(); ++state) {
      if (!reached[state]) continue;
      if (card.is_final(state)) nullable[number] = 1;
      for (const Arc& arc : card.arcs(state)) {
        if (arc.label == kEpsilon || (arc.label < 0 && nullable[called_card(arc.label)])) reached[arc.next] = 1;
      }
    }
  }
  return nullable;
}

// The least of step + what follows it, where `before` is the lesser of itself and that.
template <class V>
void improve(V& before, V through) {
  before = std::min(before, through);
}

}  // namespace

template <class V>
ForestStrings<V>::ForestStrings(const Rtn& rtn, FlatSteps<V>& flat, Chart<V>& chart)
    : rtn_(rtn), flat_(flat), chart_(chart), nullable_(nullable_cards(rtn)) {
  to_end_.assign(flat.size(), Ranking<V>::infinity());
  for (std::int32_t x = flat.size() - 1; x >= 0; --x) {
    if (flat.is_final(x)) to_end_[x] = V{0};
    for (const auto& step : flat.alone().from(x)) improve(to_end_[x], step.cost + to_end_[step.to]);
  }
  std::vector<V> costs(flat.size(), Ranking<V>::infinity());
  costs[0] = V{0};
  nodes_.push_back({-1, kEpsilon, std::move(costs), {}, {}, {}});
  queue_.push({chart.best(), 0, false});
}

template <class V>
std::optional<typename ForestStrings<V>::Found> ForestStrings<V>::advance() {
  const Entry entry = queue_.top();
  queue_.pop();
  if (entry.complete) return Found{entry.value, words_of(entry.node)};
  expand(entry.node);
  return std::nullopt;
}

template <class V>
std::vector<Label> ForestStrings<V>::words_of(std::int32_t node) const {
  std::vector<Label> words;
  for (; nodes_[node].parent >= 0; node = nodes_[node].parent) words.push_back(nodes_[node].word);
  std::reverse(words.begin(), words.end());
  return words;
}

template <class V>
std::span<const V> ForestStrings<V>::ahead(const Item& item) const {
  const std::vector<V>& all = nodes_[item.origin].ahead.at(item.card);
  return {all.data() + static_cast<std::size_t>(item.state) * flat_.size(), static_cast<std::size_t>(flat_.size())};
}

// A node that is not expanded yet; its bound is what its strings cost at the least.
template <class V>
void ForestStrings<V>::add(std::int32_t parent, Label word, std::vector<V> costs, std::vector<Item> items) {
  V bound = Ranking<V>::infinity();
  for (const Item& item : items) {
    const std::span<const V> after = ahead(item);
    improve(bound, least_sum(costs.data(), after.data(), after.size()));
  }
  if (!FlatSteps<V>::is_reached(bound)) return;
  chart_.charge(flat_.size() + static_cast<std::int64_t>(items.size()) * 2);
  const auto id = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({parent, word, std::move(costs), std::move(items), {}, {}});
  queue_.push({bound, id, false});
}

template <class V>
void ForestStrings<V>::expand(std::int32_t id) {
  ++expanded_;
  close(id, nodes_[id].items);
  look_ahead(id);
  const Item whole{rtn_.root(), 0, 0};
  std::map<Label, std::vector<Item>> children;
  bool complete = false;
  for (const Item& item : nodes_[id].items) {
    const Automaton& card = rtn_.cards()[item.card];
    complete |= item.card == whole.card && item.origin == whole.origin && card.is_final(item.state);
    for (const Arc& arc : card.arcs(item.state)) {
      if (arc.label > kEpsilon) children[arc.label].push_back({item.card, arc.next, item.origin});
    }
  }
  if (complete) {
    V value = Ranking<V>::infinity();
    for (std::int32_t x = 0; x < flat_.size(); ++x) improve(value, nodes_[id].costs[x] + to_end_[x]);
    if (FlatSteps<V>::is_reached(value)) queue_.push({value, id, true});
  }
  std::vector<V> spread = nodes_[id].costs;
  flat_.spread(spread, 0);
  for (auto& [word, items] : children) {
    std::vector<V> costs(flat_.size(), Ranking<V>::infinity());
    const auto& table = flat_.with_word(word);
    for (std::int32_t x = 0; x < flat_.size(); ++x) {
      if (!FlatSteps<V>::is_reached(spread[x])) continue;
      for (const auto& step : table.from(x)) improve(costs[step.to], spread[x] + step.cost);
    }
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    add(id, word, std::move(costs), std::move(items));
  }
  nodes_[id].items = {};
  nodes_[id].costs = {};
}

// All items of a node from those that have just read its word: over epsilons, into calls and out of finished cards. An
// empty card is passed where it is called, so what finishes here was called at an earlier node.
template <class V>
void ForestStrings<V>::close(std::int32_t id, std::vector<Item>& items) {
  std::set<Item> known(items.begin(), items.end());
  std::vector<Item> pending = items;
  std::vector<Caller> callers;
  const auto meet = [&](const Item& item) {
    if (known.insert(item).second) pending.push_back(item);
  };
  if (id == 0) meet({rtn_.root(), 0, 0});
  while (!pending.empty()) {
    const Item item = pending.back();
    pending.pop_back();
    const Automaton& card = rtn_.cards()[item.card];
    for (const Arc& arc : card.arcs(item.state)) {
      const Item beyond{item.card, arc.next, item.origin};
      if (arc.label == kEpsilon) meet(beyond);
      if (arc.label >= 0) continue;
      const std::int32_t called = called_card(arc.label);
      callers.push_back({called, beyond});
      meet({called, 0, id});
      if (nullable_[called]) meet(beyond);
    }
    if (!card.is_final(item.state) || item.origin == id || item.card == rtn_.root()) continue;
    const std::vector<Caller>& waiting = nodes_[item.origin].callers;
    const auto [begin, end] = std::equal_range(waiting.begin(), waiting.end(), Caller{item.card, {}});
    for (auto caller = begin; caller != end; ++caller) meet(caller->beyond);
  }
  std::sort(callers.begin(), callers.end());
  chart_.charge(static_cast<std::int64_t>(known.size() + callers.size()) * 2);
  items.assign(known.begin(), known.end());
  nodes_[id].callers = std::move(callers);
}

// For every card called at a node, what follows each of its states. The root is called at the first node.
template <class V>
void ForestStrings<V>::look_ahead(std::int32_t id) {
  std::map<std::int32_t, std::vector<V>> after;  // by card: what follows it if it is called here
  if (id == 0) after[rtn_.root()] = to_end_;
  // Cards called here by items of earlier nodes are known at once; others once their callers are.
  const std::vector<Caller>& callers = nodes_[id].callers;
  std::map<std::int32_t, std::vector<const Caller*>> by_calling;  // called here, and by cards called here
  for (const Caller& caller : callers) {
    auto& costs = after.try_emplace(caller.called, flat_.size(), Ranking<V>::infinity()).first->second;
    if (caller.beyond.origin == id) {
      by_calling[caller.beyond.card].push_back(&caller);
    } else {
      const std::span<const V> beyond = ahead(caller.beyond);
      for (std::int32_t x = 0; x < flat_.size(); ++x) improve(costs[x], beyond[x]);
    }
  }
  const auto order = rtn_.bottom_up();
  for (auto card = order.rbegin(); card != order.rend(); ++card) {
    const auto costs = after.find(*card);
    if (costs == after.end()) continue;
    nodes_[id].ahead[*card] = ahead_in(*card, costs->second);
    for (const Caller* caller : by_calling[*card]) {
      const std::span<const V> beyond = ahead(caller->beyond);
      std::vector<V>& called = after.at(caller->called);
      for (std::int32_t x = 0; x < flat_.size(); ++x) improve(called[x], beyond[x]);
    }
  }
}

// By state of a card and context: the least cost of reading on to the card's end and then what comes `after` it.
template <class V>
std::vector<V> ForestStrings<V>::ahead_in(std::int32_t number, std::span<const V> after) {
  const Automaton& card = rtn_.cards()[number];
  const auto size = static_cast<std::size_t>(flat_.size());
  chart_.charge(static_cast<std::int64_t>(size) * card.num_states());
  std::vector<V> all(size * card.num_states(), Ranking<V>::infinity());
  std::vector<V> with_word(size);
  for (StateId state = card.num_states() - 1; state >= 0; --state) {
    V* const here = all.data() + state * size;
    if (card.is_final(state)) std::copy(after.begin(), after.end(), here);
    std::fill(with_word.begin(), with_word.end(), Ranking<V>::infinity());
    for (const Arc& arc : card.arcs(state)) {
      const V* const next = all.data() + arc.next * size;
      if (arc.label > kEpsilon) {
        const auto& table = flat_.with_word(arc.label);
        for (std::int32_t x = 0; x < flat_.size(); ++x) {
          for (const auto& step : table.from(x)) improve(with_word[x], step.cost + next[step.to]);
        }
      } else if (arc.label == kEpsilon) {
        for (std::size_t x = 0; x < size; ++x) improve(here[x], next[x]);
      } else {
        for (std::int32_t x = 0; x < flat_.size(); ++x) {
          const auto row = chart_.row(called_card(arc.label), x);
          improve(here[x], least_sum(row.ends.data(), next + row.first, row.ends.size()));
        }
      }
    }
    // Steps alone come right before a word; they lead to higher states.
    for (std::int32_t x = flat_.size() - 1; x >= 0; --x) {
      for (const auto& step : flat_.alone().from(x)) improve(with_word[x], step.cost + with_word[step.to]);
      improve(here[x], with_word[x]);
    }
    for (std::size_t x = 0; x < size; ++x) {
      if (!FlatSteps<V>::is_reached(here[x])) here[x] = Ranking<V>::infinity();
    }
  }
  return all;
}

template class ForestStrings<std::int64_t>;
template class ForestStrings<Wide>;

}  // namespace fstmetrics

#include "search/chart/forest_strings.h"

#include <algorithm>
#include <set>

#include "search/chart/card_ranks.h"
#include "search/chart/row_sums.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// The least of step + what follows it, where `before` is the lesser of itself and that.
template <class V>
void improve(V& before, V through) {
  before = std::min(before, through);
}

}  // namespace

template <class V>
ForestStrings<V>::ForestStrings(const Rtn& rtn, FlatSteps<V>& flat, Chart<V>& chart)
    : rtn_(rtn), flat_(flat), chart_(chart), ranks_(ranks_of(rtn)), empty_(costs_of_nothing(rtn, ranks_, flat)) {
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
  const std::vector<V>& all = nodes_[item.origin].ahead.at(item.rank);
  return {all.data() + static_cast<std::size_t>(item.state) * flat_.size(), static_cast<std::size_t>(flat_.size())};
}

// A node that is not expanded yet; its bound is what its strings cost at the least.
template <class V>
void ForestStrings<V>::add(std::int32_t parent, Label word, std::vector<V> costs, Items items) {
  V bound = Ranking<V>::infinity();
  for (const auto& [item, paid] : items) {
    const std::span<const V> after = ahead(item);
    poll(50 + std::ssize(after));
    improve(bound, paid + least_sum(costs.data(), after.data(), after.size()));
  }
  if (!FlatSteps<V>::is_reached(bound)) return;
  chart_.charge(flat_.size() + static_cast<std::int64_t>(items.size()) * 3);
  const auto id = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({parent, word, std::move(costs), std::move(items), {}, {}});
  queue_.push({bound, id, false});
}

template <class V>
void ForestStrings<V>::expand(std::int32_t id) {
  ++expanded_;
  close(id, nodes_[id].items);
  look_ahead(id);
  const std::int32_t root = ranks_[rtn_.root()];
  V paid = Ranking<V>::infinity();  // of complete strings
  for (const auto& [item, cost] : nodes_[id].items) {
    if (item.rank == root && card(root).is_final(item.state)) improve(paid, cost);
  }
  if (FlatSteps<V>::is_reached(paid)) {
    const V value = paid + least_sum(nodes_[id].costs.data(), to_end_.data(), to_end_.size());
    if (FlatSteps<V>::is_reached(value)) queue_.push({value, id, true});
  }
  add_children(id);
  nodes_[id].items = {};
  nodes_[id].costs = {};
}

template <class V>
void ForestStrings<V>::add_children(std::int32_t id) {
  std::map<Label, Items> children;
  for (const auto& [item, paid] : nodes_[id].items) {
    for (const Arc& arc : card(item.rank).arcs(item.state)) {
      poll(50);
      if (arc.label <= kEpsilon) continue;
      const V cost = paid + flat_.taken(arc);
      improve(children[arc.label].try_emplace({item.rank, arc.next, item.origin}, cost).first->second, cost);
    }
  }
  std::vector<V> spread = nodes_[id].costs;
  flat_.spread(spread, 0);
  for (auto& [word, items] : children) {
    std::vector<V> costs(flat_.size(), Ranking<V>::infinity());
    const auto& table = flat_.with_word(word);
    poll(4 * std::int64_t{flat_.size()});
    for (std::int32_t x = 0; x < flat_.size(); ++x) {
      if (!FlatSteps<V>::is_reached(spread[x])) continue;
      for (const auto& step : table.from(x)) improve(costs[step.to], spread[x] + step.cost);
    }
    add(id, word, std::move(costs), std::move(items));
  }
}

// All items of a node from those that have just read its word: over epsilons, into calls and out of finished cards. An
// empty card is passed where it is called, so what finishes here was called at an earlier node. Items are gone through
// in their order, so what each has paid is the least when its turn comes: a card that is called here comes before its
// caller, but begins with nothing paid whoever calls it.
template <class V>
void ForestStrings<V>::close(std::int32_t id, Items& items) {
  std::set<Item> pending;
  for (const auto& [item, paid] : items) pending.insert(item);
  std::vector<Caller> callers;
  const auto meet = [&](const Item& item, V paid) {
    const auto [entry, is_new] = items.try_emplace(item, paid);
    if (is_new) pending.insert(item);
    improve(entry->second, paid);
  };
  const std::int32_t root = ranks_[rtn_.root()];
  if (id == 0) meet({root, 0, 0}, V{0});
  while (!pending.empty()) {
    const Item item = *pending.begin();
    poll(100);
    pending.erase(pending.begin());
    const V paid = items.at(item);
    for (const Arc& arc : card(item.rank).arcs(item.state)) {
      const Item beyond{item.rank, arc.next, item.origin};
      const V cost = paid + flat_.taken(arc);
      if (arc.label == kEpsilon) meet(beyond, cost);
      if (arc.label >= 0) continue;
      const std::int32_t called = called_rank(arc);
      callers.push_back({called, beyond, cost});
      meet({called, 0, id}, V{0});
      if (FlatSteps<V>::is_reached(empty_[called])) meet(beyond, cost + empty_[called]);
    }
    if (!card(item.rank).is_final(item.state) || item.origin == id || item.rank == root) continue;
    const std::vector<Caller>& waiting = nodes_[item.origin].callers;
    const auto [begin, end] = std::equal_range(waiting.begin(), waiting.end(), Caller{item.rank, {}, {}});
    for (auto caller = begin; caller != end; ++caller) meet(caller->beyond, caller->paid + paid);
  }
  std::sort(callers.begin(), callers.end());
  chart_.charge(static_cast<std::int64_t>(items.size() + callers.size()) * 3);
  nodes_[id].callers = std::move(callers);
}

// For every card called at a node, what follows each of its states, and what was paid before it. The root is called at
// the first node.
template <class V>
void ForestStrings<V>::look_ahead(std::int32_t id) {
  std::map<std::int32_t, std::vector<V>> after;  // by rank, highest last: what follows a card if it is called here
  if (id == 0) after[ranks_[rtn_.root()]] = to_end_;
  // Cards called here by items of earlier nodes are known at once; others once their callers are.
  std::map<std::int32_t, std::vector<const Caller*>> by_calling;  // called here, and by cards called here
  const auto follow = [&](const Caller& caller) {
    const std::span<const V> beyond = ahead(caller.beyond);
    std::vector<V>& costs = after.at(caller.called);
    poll(50 + std::ssize(costs));
    for (std::int32_t x = 0; x < flat_.size(); ++x) improve(costs[x], caller.paid + beyond[x]);
  };
  for (const Caller& caller : nodes_[id].callers) {
    after.try_emplace(caller.called, flat_.size(), Ranking<V>::infinity());
    if (caller.beyond.origin == id) {
      by_calling[caller.beyond.rank].push_back(&caller);
    } else {
      follow(caller);
    }
  }
  for (auto next = after.rbegin(); next != after.rend(); ++next) {  // callers before what they call
    const auto& [rank, costs] = *next;
    nodes_[id].ahead[rank] = ahead_in(card(rank), costs);
    for (const Caller* caller : by_calling[rank]) follow(*caller);
  }
}

// By state of a card and context: the least cost of reading on to the card's end and then what comes `after` it.
template <class V>
std::vector<V> ForestStrings<V>::ahead_in(const Automaton& card, std::span<const V> after) {
  const auto size = static_cast<std::size_t>(flat_.size());
  chart_.charge(static_cast<std::int64_t>(size) * card.num_states());
  std::vector<V> all(size * card.num_states(), Ranking<V>::infinity());
  std::vector<V> with_word(size);
  for (StateId state = card.num_states() - 1; state >= 0; --state) {
    V* const here = all.data() + state * size;
    if (card.is_final(state)) std::copy(after.begin(), after.end(), here);
    std::fill(with_word.begin(), with_word.end(), Ranking<V>::infinity());
    for (const Arc& arc : card.arcs(state)) {
      poll(4 * static_cast<std::int64_t>(size));
      const V* const next = all.data() + arc.next * size;
      const V taken = flat_.taken(arc);
      if (arc.label > kEpsilon) {
        const auto& table = flat_.with_word(arc.label);
        for (std::int32_t x = 0; x < flat_.size(); ++x) {
          for (const auto& step : table.from(x)) improve(with_word[x], taken + step.cost + next[step.to]);
        }
      } else if (arc.label == kEpsilon) {
        for (std::size_t x = 0; x < size; ++x) improve(here[x], taken + next[x]);
      } else {
        for (std::int32_t x = 0; x < flat_.size(); ++x) {
          const auto row = chart_.row(called_card(arc.label), x);
          poll(std::ssize(row.ends));
          improve(here[x], taken + least_sum(row.ends.data(), next + row.first, row.ends.size()));
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

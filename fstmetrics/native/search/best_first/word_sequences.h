// The distinct word sequences of one side, best first, each with the cost of its best alignment.
//
// Two paths with the same words are one result, so paths cannot simply be enumerated: a lattice has the same
// words under many timings. Instead the words are spelled out as a tree. A node stands for a prefix and
// keeps, for every state the prefix leads to, the best cost of reaching each state of the other side
// (determinisation on the fly). Nodes are taken by cost so far + cost to go, so complete sequences come out
// best first; the work is one row update for each child of a node on a good sequence.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <vector>

#include "search/product.h"
#include "support/discard.h"
#include "support/poll.h"

namespace fstmetrics {

// What is left to pay from a product state: exact (CostToGo) or an admissible estimate.
template <class V>
using ToGo = std::function<V(StateId h, StateId r, int memory)>;

enum class SpelledOut : std::uint8_t { kHypothesis, kReference };

// Enumerates the word sequences of one side, best first, against a prepared, sorted automaton on the other.
template <class V>
class WordSequences {
 public:
  struct Found {
    V cost;
    std::vector<Label> words;
  };

  // Throws SearchError where the rows of open nodes take more memory than Options::max_nodes allows.
  WordSequences(SpelledOut side, Machine& spelled, const Automaton& other, const Pricing<V>& pricing, ToGo<V> to_go,
                std::int64_t max_nodes)
      : side_(side),
        spelled_(spelled),
        other_(other),
        pricing_(pricing),
        to_go_(std::move(to_go)),
        row_size_(static_cast<std::size_t>(other.num_states()) * pricing.num_memories()),
        max_nodes_(max_nodes),
        most_rows_(max_nodes / (1 + static_cast<std::int64_t>(row_size_ * sizeof(V)) / kNodeBytes)) {
    Rows rows;
    Row& first = rows[spelled.start()];
    first.assign(row_size_, Ranking<V>::infinity());
    hold();
    first[0] = V{0};
    spread(first);
    add(-1, kEpsilon, std::move(rows));
  }
  ~WordSequences() { discard(nodes_, nodes_.size()); }
  WordSequences(const WordSequences&) = delete;
  WordSequences& operator=(const WordSequences&) = delete;

  // A lower bound of the cost of what next() will find.
  std::optional<V> bound() const { return queue_.empty() ? std::nullopt : std::optional<V>(queue_.top().value); }

  // Works towards the next sequence, a node at a time; empty where that node was not a complete sequence.
  std::optional<Found> advance() {
    const Entry entry = queue_.top();
    queue_.pop();
    if (entry.complete) return Found{entry.value, words_of(entry.node)};
    expand(entry.node);
    return std::nullopt;
  }

  std::int64_t expanded() const { return expanded_; }

 private:
  // What an entry of max_nodes stands for.
  static constexpr std::int64_t kNodeBytes = 100;
  using Row = std::vector<V>;  // by state of the other side and memory
  using Rows = std::map<StateId, Row>;

  struct Node {
    std::int32_t parent;
    Label word;
    Rows rows;  // given back once the node is expanded
  };
  struct Entry {
    V value;
    std::int32_t node;
    bool complete;
    // Of equals, what is complete comes first, then the node that was made last: a plateau of equally good prefixes, of
    // which a large lattice has millions, is gone through in depth.
    bool operator<(const Entry& other) const {
      if (value != other.value) return value > other.value;
      return complete != other.complete ? other.complete : node < other.node;
    }
  };

  // One more row.
  void hold() {
    if (++held_ <= most_rows_) return;
    throw SearchError("k-best paths met more prefixes than fit in the memory of " + std::to_string(max_nodes_) +
                      " nodes; raise " + kMaxNodes + ", or ask for fewer or the best alone");
  }

  V left(StateId spelled, StateId other, int memory) const {
    return side_ == SpelledOut::kHypothesis ? to_go_(spelled, other, memory) : to_go_(other, spelled, memory);
  }

  std::vector<Label> words_of(std::int32_t node) const {
    std::vector<Label> words;
    for (; nodes_[node].parent >= 0; node = nodes_[node].parent) words.push_back(nodes_[node].word);
    std::reverse(words.begin(), words.end());
    return words;
  }

  // Where `by` and what it costs to come from there is better.
  static bool improve(Row& row, const Row& by, V cost = V{0}) {
    poll(std::ssize(row));
    bool changed = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (by[i] < Ranking<V>::infinity() && by[i] + cost < row[i]) row[i] = by[i] + cost, changed = true;
    }
    return changed;
  }

  // Lets the other side move alone, in its topological order.
  void spread(Row& row) const { transfer(row, row, std::span<const Arc>()); }

  // The row after the spelled-out side takes `arcs` (one word arc, or none: then only the other side moves).
  void transfer(const Row& from, Row& to, std::span<const Arc> arcs) const {
    const int memories = pricing_.num_memories();
    for (StateId state = 0; state < other_.num_states(); ++state) {
      poll(5 * memories * (1 + std::ssize(other_.arcs(state))));
      for (int memory = 0; memory < memories; ++memory) {
        const V here = from[static_cast<std::size_t>(state) * memories + memory];
        if (here >= Ranking<V>::infinity()) continue;
        const auto visit = [&](Op, const Arc* h, const Arc* r, int next, V cost) {
          const Arc* own = side_ == SpelledOut::kHypothesis ? h : r;
          const Arc* beside = side_ == SpelledOut::kHypothesis ? r : h;
          if ((own != nullptr) != !arcs.empty()) return;
          V& cell = to[static_cast<std::size_t>(beside ? beside->next : state) * memories + next];
          cell = std::min(cell, here + cost);
        };
        if (side_ == SpelledOut::kHypothesis) {
          for_each_step(arcs, other_.arcs(state), memory, pricing_, visit);
        } else {
          for_each_step(other_.arcs(state), arcs, memory, pricing_, visit);
        }
      }
    }
  }

  // Takes every epsilon of the spelled-out side, until no row gets better: lowest states first, so that each is looked
  // at once where epsilons lead upwards.
  void close(Rows& rows) {
    std::set<StateId> pending;
    for (const auto& [state, row] : rows) pending.insert(state);
    while (!pending.empty()) {
      const StateId state = *pending.begin();
      pending.erase(pending.begin());
      const Row row = rows[state];
      for (const Arc& arc : spelled_.arcs(state)) {
        if (arc.label != kEpsilon) continue;
        const V cost = side_ == SpelledOut::kHypothesis ? pricing_.hypothesis_arc(arc) : pricing_.reference_arc(arc);
        const auto [entry, is_new] = rows.try_emplace(arc.next, row_size_, Ranking<V>::infinity());
        if (is_new) hold();
        if (improve(entry->second, row, cost)) pending.insert(arc.next);
      }
    }
  }

  void add(std::int32_t parent, Label word, Rows rows) {
    close(rows);
    const int memories = pricing_.num_memories();
    V bound = Ranking<V>::infinity(), complete = Ranking<V>::infinity();
    for (const auto& [state, row] : rows) {
      poll(5 * std::ssize(row));
      const bool ends = spelled_.is_final(state);
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] >= Ranking<V>::infinity()) continue;
        const auto other = static_cast<StateId>(i / memories);
        bound = std::min(bound, row[i] + left(state, other, static_cast<int>(i % memories)));
        if (ends && other_.is_final(other)) complete = std::min(complete, row[i]);
      }
    }
    const auto id = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({parent, word, std::move(rows)});
    queue_.push({bound, id, false});
    if (complete < Ranking<V>::infinity()) queue_.push({complete, id, true});
  }

  void expand(std::int32_t id) {
    ++expanded_;
    const Rows rows = std::move(nodes_[id].rows);
    nodes_[id].rows.clear();
    std::map<Label, Rows> children;
    for (const auto& [state, row] : rows) {
      const auto span = spelled_.arcs(state);
      const std::vector<Arc> arcs(span.begin(), span.end());
      for (const Arc& arc : arcs) {
        if (arc.label == kEpsilon) continue;
        Row next(row_size_, Ranking<V>::infinity());
        transfer(row, next, std::span<const Arc>(&arc, 1));
        spread(next);
        const auto [entry, is_new] = children[arc.label].try_emplace(arc.next, next);
        if (is_new) hold();
        if (!is_new) improve(entry->second, next);
      }
    }
    held_ -= std::ssize(rows);
    for (auto& [word, child] : children) add(id, word, std::move(child));
  }

  const SpelledOut side_;
  Machine& spelled_;
  const Automaton& other_;
  const Pricing<V>& pricing_;
  const ToGo<V> to_go_;
  const std::size_t row_size_;
  const std::int64_t max_nodes_;
  const std::int64_t most_rows_;
  std::int64_t held_ = 0;
  std::vector<Node> nodes_;
  std::priority_queue<Entry> queue_;
  std::int64_t expanded_ = 0;
};

}  // namespace fstmetrics

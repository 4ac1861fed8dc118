// What fear's searches have in common (search/fear/fear.h): rows of costs, and what is found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/product.h"
#include "support/discard.h"
#include "support/poll.h"

namespace fstmetrics {

// A hypothesis, and what the model charges it less what the metric does.
template <class V>
struct Feared {
  V value;
  std::vector<Label> words;
};

// Costs of (state of R, memory), each row once, and what a word makes of a row.
template <class V>
class RowBook {
 public:
  using RowId = std::int32_t;
  // What stands at a row, less what all of it had in common.
  struct Move {
    RowId row;
    V less;
  };

  RowBook(const Automaton& reference, const Pricing<V>& pricing)
      : reference_(reference), pricing_(pricing), memories_(pricing.num_memories()) {}
  ~RowBook() { discard(ids_, ids_.size()), discard(moves_, moves_.size()); }
  RowBook(const RowBook&) = delete;
  RowBook& operator=(const RowBook&) = delete;

  Move first() {
    std::vector<V> row(size(), Ranking<V>::infinity());
    row[0] = V{0};
    return keep(row);
  }

  Move after(RowId from, Label word) {
    const auto [entry, is_new] = moves_.try_emplace(std::int64_t{from} << 32 | word);
    if (is_new) entry->second = keep(read(*rows_[from], word));
    return entry->second;
  }

  const std::vector<V>& row(RowId id) const { return *rows_[id]; }
  std::size_t size() const { return static_cast<std::size_t>(reference_.num_states()) * memories_; }
  std::size_t index(StateId r, int memory) const { return static_cast<std::size_t>(r) * memories_ + memory; }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<V>& row) const {
      return std::hash<std::string_view>{}({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(V)});
    }
  };

  std::vector<V> read(const std::vector<V>& from, Label word) const {
    Polls poll;
    std::vector<V> to(size(), Ranking<V>::infinity());
    const auto offer = [&](StateId r, int memory, V cost) {
      to[index(r, memory)] = std::min(to[index(r, memory)], cost);
    };
    for (StateId r = 0; r < reference_.num_states(); ++r) {
      poll(memories_ * work_at(reference_, r));
      for (int memory = 0; memory < memories_; ++memory) {
        const V here = from[index(r, memory)];
        if (here >= Ranking<V>::infinity()) continue;
        const auto inserted = pricing_.insertion(memory, word);
        offer(r, inserted.next, here + inserted.cost);
        for (const Arc& arc : reference_.arcs(r)) {
          if (arc.label == kEpsilon) continue;
          const auto paired = pricing_.pair(memory, word, arc.label);
          offer(arc.next, paired.next, here + paired.cost + pricing_.reference_arc(arc));
        }
      }
    }
    return to;
  }

  // Lets R move alone, takes the least off and numbers the row.
  Move keep(std::vector<V> row) {
    Polls poll;
    for (StateId r = 0; r < reference_.num_states(); ++r) {
      poll(memories_ * work_at(reference_, r));
      for (int memory = 0; memory < memories_; ++memory) {
        const V here = row[index(r, memory)];
        if (here >= Ranking<V>::infinity()) continue;
        for (const Arc& arc : reference_.arcs(r)) {
          const auto alone = pricing_.reference_alone(memory, arc);
          V& cell = row[index(arc.next, alone.next)];
          cell = std::min(cell, here + alone.cost);
        }
      }
    }
    const V least = *std::min_element(row.begin(), row.end());
    for (V& cell : row) {
      if (cell < Ranking<V>::infinity()) cell -= least;
    }
    const auto [entry, is_new] = ids_.try_emplace(std::move(row), static_cast<RowId>(rows_.size()));
    if (is_new) rows_.push_back(&entry->first);
    return {entry->second, least};
  }

  const Automaton& reference_;
  const Pricing<V>& pricing_;
  const int memories_;
  std::vector<const std::vector<V>*> rows_;  // into ids_, whose keys stay where they are
  std::unordered_map<std::vector<V>, RowId, Hash> ids_;
  std::unordered_map<std::int64_t, Move> moves_;
};

}  // namespace fstmetrics

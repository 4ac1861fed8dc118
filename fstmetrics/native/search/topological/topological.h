// Dynamic programming in topological order: the cost of the best way on from every product state.
//
// For each state h of H from the last to the first, and each state r of R likewise, the best of what
// for_each_step() offers. H must be acyclic; if R is not, a row is swept until it stands still, so that
// deletions may run through a cycle; loops of wildcards take a word of H and are no such cycles. Costs may have any
// sign. O(arcs of H * arcs of R * memories) time, O(states of H * states of R * memories) space.
#pragma once

#include <string>
#include <vector>

#include "search/product.h"
#include "support/large_array.h"
#include "support/poll.h"

namespace fstmetrics {

template <class V>
class CostToGo {
 public:
  // Prepared automata, H sorted; everything must outlive this object.
  // Throws SearchError for more than `max_cells` cells, and where a cycle of R makes paths ever better.
  CostToGo(const Automaton& hypothesis, const Automaton& reference, const Pricing<V>& pricing, std::int64_t max_cells)
      : hypothesis_(hypothesis),
        reference_(reference),
        pricing_(pricing),
        memories_(pricing.num_memories()),
        one_sweep_(reference.sorted() || leads_upwards(reference, pricing)) {
    const std::int64_t states = std::int64_t{hypothesis.num_states()} * reference.num_states();
    if (states > max_cells / memories_) {
      throw SearchError("the topological route would need " + std::to_string(states) + " x " +
                        std::to_string(memories_) + " cells, more than the limit of " + std::to_string(max_cells) +
                        "; raise " + kMaxCells + ", or use route best-first");
    }
    cells_ = LargeArray<V>(states * memories_);
    for (StateId h = hypothesis.num_states() - 1; h >= 0; --h) fill_row(h);
  }

  V at(StateId h, StateId r, int memory) const { return cells_[index(h, r, memory)]; }
  V best() const { return at(hypothesis_.start(), reference_.start(), 0); }
  std::int64_t num_cells() const { return static_cast<std::int64_t>(cells_.size()); }

  std::vector<Step> trace() const {
    return first_best_path(hypothesis_, reference_, pricing_,
                           [&](StateId h, StateId r, int memory) { return at(h, r, memory); });
  }

 private:
  std::size_t index(StateId h, StateId r, int memory) const {
    return (static_cast<std::size_t>(h) * reference_.num_states() + r) * memories_ + memory;
  }
  std::size_t width() const { return static_cast<std::size_t>(reference_.num_states()) * memories_; }
  bool is_final(StateId h, StateId r) const { return hypothesis_.is_final(h) && reference_.is_final(r); }

  // Whether all arcs that can be taken without a word of H lead to higher states.
  static bool leads_upwards(const Automaton& reference, const Pricing<V>& pricing) {
    for (StateId state = 0; state < reference.num_states(); ++state) {
      for (const Arc& arc : reference.arcs(state)) {
        if (arc.next <= state && !pricing.takes_any_word(arc.label)) return false;
      }
    }
    return true;
  }

  void fill_row(StateId h) {
    std::fill_n(cells_.data() + index(h, 0, 0), width(), Ranking<V>::infinity());
    std::int64_t sweeps_left = std::int64_t{reference_.num_states()} * memories_ + 1;
    while (sweep(h) && !one_sweep_) {
      if (--sweeps_left < 0) {
        throw SearchError("the references have a cycle around which deletions cost nothing, so no path is best");
      }
    }
  }

  bool sweep(StateId h) {
    Polls poll;
    bool changed = false;
    for (StateId r = reference_.num_states() - 1; r >= 0; --r) {
      poll(memories_ * (5 + 2 * std::ssize(hypothesis_.arcs(h))) * (1 + std::ssize(reference_.arcs(r))));
      for (int memory = 0; memory < memories_; ++memory) {
        V best = is_final(h, r) ? V{0} : Ranking<V>::infinity();
        for_each_step(hypothesis_.arcs(h), reference_.arcs(r), memory, pricing_,
                      [&](Op, const Arc* ha, const Arc* ra, int next, V cost) {
                        const V through = cost + at(ha ? ha->next : h, ra ? ra->next : r, next);
                        best = std::min(best, through);
                      });
        V& cell = cells_[index(h, r, memory)];
        changed |= best < cell;
        cell = std::min(cell, best);
      }
    }
    return changed;
  }

  const Automaton& hypothesis_;
  const Automaton& reference_;
  const Pricing<V>& pricing_;
  const int memories_;
  const bool one_sweep_;
  LargeArray<V> cells_;
};

}  // namespace fstmetrics

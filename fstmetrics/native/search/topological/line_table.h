// The table of search/topological/topological.h where one side is a string and the other acyclic, without all of it in
// memory.
//
// What a row of it says, the cells of one position of the string, follows from the next row. So the costs alone need
// two rows; and for a path every so many rows are kept, and those in between are filled once more when the path comes
// there, as many as are kept [the idea of Hirschberg 1975, with sqrt(words) rows as Grice et al. 1997 have it]. O(arcs
// * words * memories) time, twice that with a path; O(states * sqrt(words) * memories) space. Paths are those of
// CostToGo.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "search/product.h"
#include "support/large_array.h"
#include "support/poll.h"

namespace fstmetrics {

// Tables of more cells than this are not held whole where one side is a string.
inline constexpr std::int64_t kMostWholeCells = 1 << 24;

template <class V>
class LineTable {
 public:
  // Cells that are kept at a time.
  static std::int64_t kept_cells(std::int64_t words, std::int64_t states, int memories) {
    return (2 * step_for(words) + 4) * states * memories;
  }

  // Prepared and sorted automata, of which the one named is a string; everything must outlive this object.
  // Throws SearchError where more than `max_cells` cells would be kept.
  LineTable(const Automaton& hypothesis, const Automaton& reference, bool line_is_hypothesis, const Pricing<V>& pricing,
            std::int64_t max_cells)
      : line_(line_is_hypothesis ? hypothesis : reference),
        graph_(line_is_hypothesis ? reference : hypothesis),
        line_is_hypothesis_(line_is_hypothesis),
        pricing_(pricing),
        memories_(pricing.num_memories()),
        words_(line_.num_arcs()),
        step_(step_for(words_)),
        width_(static_cast<std::size_t>(graph_.num_states()) * memories_) {
    if (const auto kept = kept_cells(words_, graph_.num_states(), memories_); kept > max_cells) {
      throw SearchError("the topological route would need " + std::to_string(kept) +
                        " cells at a time, more than the limit of " + std::to_string(max_cells) + "; raise " +
                        kMaxCells + ", or use route best-first");
    }
    kept_ = LargeArray<V>((words_ / step_ + 1) * width_);
    block_ = LargeArray<V>((step_ + 1) * width_);
    LargeArray<V> next(width_), row(width_);
    for (std::int64_t position = words_; position >= 0; --position) {
      fill_row(position, next.data(), row.data());
      if (position % step_ == 0) std::copy_n(row.data(), width_, kept_.data() + position / step_ * width_);
      std::swap(row, next);
    }
  }

  V best() const { return kept_[static_cast<std::size_t>(graph_.start()) * memories_]; }
  std::int64_t num_cells() const { return (words_ + 1) * static_cast<std::int64_t>(width_); }

  // Fills rows, so it is asked for once.
  std::vector<Step> trace() {
    fill_block(0);
    return first_best_path(line_is_hypothesis_ ? line_ : graph_, line_is_hypothesis_ ? graph_ : line_, pricing_,
                           [&](StateId h, StateId r, int memory) {
                             const std::int64_t position = line_is_hypothesis_ ? h : r;
                             if (position > first_ + step_) fill_block(position - 1);
                             return row_of(position)[cell(line_is_hypothesis_ ? r : h, memory)];
                           });
  }

 private:
  static std::int64_t step_for(std::int64_t words) {
    return static_cast<std::int64_t>(std::sqrt(static_cast<double>(words))) + 1;
  }

  std::size_t cell(StateId state, int memory) const { return static_cast<std::size_t>(state) * memories_ + memory; }
  V* row_of(std::int64_t position) { return block_.data() + (position - first_) * width_; }

  template <class Visit>
  void for_each_arc_pair(std::int64_t position, StateId state, int memory, Visit&& visit) const {
    const auto of_line = line_.arcs(static_cast<StateId>(position)), of_graph = graph_.arcs(state);
    if (line_is_hypothesis_) {
      for_each_step(of_line, of_graph, memory, pricing_, visit);
    } else {
      for_each_step(of_graph, of_line, memory, pricing_, visit);
    }
  }

  // `next` is the row of the next position, which the last has not.
  void fill_row(std::int64_t position, const V* next, V* row) const {
    Polls poll;
    for (StateId state = graph_.num_states() - 1; state >= 0; --state) {
      poll(memories_ * (10 + 5 * std::ssize(graph_.arcs(state))));
      for (int memory = 0; memory < memories_; ++memory) {
        V best = position == words_ && graph_.is_final(state) ? V{0} : Ranking<V>::infinity();
        for_each_arc_pair(position, state, memory, [&](Op, const Arc* ha, const Arc* ra, int to_memory, V cost) {
          const Arc* in_graph = line_is_hypothesis_ ? ra : ha;
          const V* to_row = (line_is_hypothesis_ ? ha : ra) ? next : row;
          best = std::min(best, cost + to_row[cell(in_graph ? in_graph->next : state, to_memory)]);
        });
        row[cell(state, memory)] = best;
      }
    }
  }

  // The rows from a kept one to the next, or to the last.
  [[gnu::noinline]] void fill_block(std::int64_t first) {
    first_ = first;
    std::int64_t position = words_;
    if (first + step_ <= words_) {
      position = first + step_;
      std::copy_n(kept_.data() + position / step_ * width_, width_, row_of(position));
    } else {
      fill_row(position, nullptr, row_of(position));
    }
    while (--position >= first) fill_row(position, row_of(position + 1), row_of(position));
  }

  const Automaton& line_;
  const Automaton& graph_;
  const bool line_is_hypothesis_;
  const Pricing<V>& pricing_;
  const int memories_;
  const std::int64_t words_, step_;  // every so many rows one is kept
  const std::size_t width_;          // cells of a row
  std::int64_t first_ = 0;           // row of block_
  LargeArray<V> kept_, block_;
};

}  // namespace fstmetrics

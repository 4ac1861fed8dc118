// Settles ties of search/rows/rows.h: adds up ranked weights from the goal back to the start, over the cells of best paths.
//
// Where a graph's paths are much longer than the string nearly all cells lie on best paths, so a look at the table should
// cost next to nothing, and cells of neighbouring positions lie together.
#pragma once

#include <bit>
#include <vector>

#include "search/ranking.h"
#include "search/rows/row_table.h"
#include "support/growing_array.h"
#include "support/poll.h"
#include "support/sparse_cells.h"

namespace fstmetrics {

// V is the type of ranked weights, Table the one of search/rows/row_table.h that was filled.
template <class V, class Table>
class RowSettling {
 public:
  // Throws SearchError where more than `max_cells` cells of 8 bytes would be kept.
  RowSettling(const RowProblem& problem, const Table& table, const Ranking<V>& ranking, std::int64_t best, std::int64_t max_cells)
      : problem_(problem),
        table_(table),
        positions_(static_cast<int>(problem.words.size()) + 1),
        blocks_((positions_ + 63) / 64),
        slots_(problem.graph.num_states(), -1) {
    weights_[static_cast<int>(Op::kMatch)] = ranking.reference_word + ranking.match;
    weights_[static_cast<int>(Op::kSubstitution)] = ranking.reference_word + ranking.edit;
    weights_[static_cast<int>(Op::kInsertion)] = ranking.edit;
    weights_[static_cast<int>(Op::kDeletion)] = ranking.reference_word + ranking.edit + ranking.deletion;
    for (const StateId state : problem.graph.finals()) {
      for (int memory = 0; memory < problem.memories(); ++memory) {
        if (table.at(state, memory, positions_ - 1) == best) offer(state, memory, positions_ - 1, {});
      }
    }
    for (StateId state = problem.graph.num_states() - 1; state >= 0; --state) {
      if (slots_[state] < 0) continue;
      settle(state);
      check_kept(static_cast<std::int64_t>(cells_.bytes() / 8), max_cells);
    }
  }

  V rank() const { return cells_.at(key(problem_.graph.automaton().start(), 0, 0)).rank; }

  std::vector<Step> trace(bool string_is_hypothesis) const {
    std::vector<Step> steps;
    StateId state = problem_.graph.automaton().start();
    int memory = 0, position = 0;
    while (true) {
      const Cell& cell = cells_.at(key(state, memory, position));
      if (cell.op == Op::kEpsilon && cell.arc < 0) return steps;
      const Arc* arc = cell.arc < 0 ? nullptr : &problem_.graph.automaton().all_arcs()[cell.arc];
      if (cell.op != Op::kEpsilon) {
        Step step{cell.op};
        (string_is_hypothesis ? step.origin : step.reference_origin) = cell.takes_word ? position : -1;
        if (arc) {
          (string_is_hypothesis ? step.reference : step.hypothesis) = arc->label;
          (string_is_hypothesis ? step.reference_origin : step.origin) = arc->origin;
        }
        steps.push_back(step);
      }
      position += cell.takes_word;
      memory = cell.memory;
      if (arc) state = arc->next;
    }
  }

 private:
  // What comes next from a cell on a best path.
  struct Cell {
    V rank = 0;
    std::int32_t arc = -1;
    std::int16_t memory = 0;
    Op op = Op::kEpsilon;
    bool takes_word = false;
  };

  std::int64_t key(StateId state, int memory, int position) const {
    return (std::int64_t{state} * problem_.memories() + memory) * positions_ + position;
  }
  std::uint64_t* live(StateId state, int memory) {
    return live_.begin() + (static_cast<std::size_t>(slots_[state]) * problem_.memories() + memory) * blocks_;
  }

  void offer(StateId state, int memory, int position, const Cell& cell) {
    if (slots_[state] < 0) {
      slots_[state] = used_++;
      const std::size_t first = live_.size();
      live_.resize(static_cast<std::size_t>(used_) * problem_.memories() * blocks_);
      std::fill(live_.begin() + first, live_.end(), 0);
    }
    std::uint64_t& block = live(state, memory)[position / 64];
    const std::uint64_t mark = std::uint64_t{1} << (position % 64);
    Cell& kept = cells_[key(state, memory, position)];
    if ((block & mark) && kept.rank <= cell.rank) return;
    block |= mark;
    kept = cell;
  }

  // Positions go down, as words read alone lead to earlier positions of the same state.
  void settle(StateId state) {
    for (int block = blocks_ - 1; block >= 0; --block) {
      std::uint64_t done = 0;
      while (true) {
        std::uint64_t rest = 0;
        for (int m = 0; m < problem_.memories(); ++m) rest |= live(state, m)[block] & ~done;
        if (rest == 0) break;
        const int highest = 63 - std::countl_zero(rest);
        done |= ~((std::uint64_t{1} << highest) - 1);
        for (int m = 0; m < problem_.memories(); ++m) {
          if ((live(state, m)[block] >> highest) & 1) settle_cell(state, m, block * 64 + highest);
        }
      }
    }
  }

  void settle_cell(StateId state, int memory, int position) {
    const std::int64_t value = table_.at(state, memory, position);
    const V rank = cells_.at(key(state, memory, position)).rank;
    poll_(20 + 10 * problem_.memories() * std::ssize(problem_.graph.incoming(state)));
    // Offers the cells from which `op` leads here at no more than they cost.
    const auto try_from = [&](StateId from, std::int32_t arc, Op op, bool takes_word) {
      const int before = position - takes_word;
      if (before < 0) return;
      for (int m = 0; m < problem_.memories(); ++m) {
        const Transition& t = problem_.transition(m, op);
        if (t.next != memory || table_.at(from, m, before) + t.cost != value) continue;
        offer(from, m, before,
              {rank + weights_[static_cast<int>(op)], arc, static_cast<std::int16_t>(memory), op, takes_word});
      }
    };
    try_from(state, -1, problem_.string_only, true);
    for (const LevelGraph::Incoming& in : problem_.graph.incoming(state)) {
      if (in.label == kEpsilon) {
        if (table_.at(in.source, memory, position) == value) {
          offer(in.source, memory, position, {rank, in.arc, static_cast<std::int16_t>(memory), Op::kEpsilon, false});
        }
        continue;
      }
      try_from(in.source, in.arc, problem_.graph_only, false);
      const bool same = position > 0 && problem_.words[position - 1] == in.label;
      try_from(in.source, in.arc, same ? Op::kMatch : Op::kSubstitution, true);
    }
  }

  Polls poll_;
  const RowProblem& problem_;
  const Table& table_;
  const int positions_, blocks_;
  V weights_[kNumOps];
  std::vector<std::int32_t> slots_;  // by state; -1 for states that are on no best path
  std::int32_t used_ = 0;
  CellRuns<Cell> cells_;
  GrowingArray<std::uint64_t> live_;
};

}  // namespace fstmetrics

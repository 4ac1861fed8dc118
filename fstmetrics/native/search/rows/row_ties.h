// Ties of tables of rows (search/tie_breaker.h), whose layers are the metric's memories.
#pragma once

#include <cstdint>
#include <vector>

#include "search/rows/row_table.h"
#include "search/tie_breaker.h"
#include "search/tie_rules.h"
#include "support/poll.h"

namespace fstmetrics {

// The cells that lead to a cell. Table: at(state, memory, position) is the best cost of reaching a cell.
// Ranks are of twice the machine's width, which hold any path: that costs next to nothing here.
template <class Table>
class RowWays {
 public:
  using Cells = TieBreaker<Wide>;

  RowWays(const RowProblem& problem, const Table& table, const StringWeights<Wide>& weights, Cells& cells)
      : problem_(problem), table_(table), weights_(weights), cells_(cells) {}

  void enter(StateId) {}
  void leave(StateId) {}

  void before(StateId state, Cells::Number number) {
    const Cells::Cell cell = cells_[number];
    const auto incoming = problem_.graph.incoming(state);
    poll_(20 + 10 * problem_.memories() * std::ssize(incoming));
    const int before = cell.position - 1;
    const Label word = before >= 0 ? problem_.words[before] : kNoMatch;
    if (before >= 0) try_from(state, before, -1, problem_.string_only, weights_.string_only, number, cell);
    for (const SearchGraph::Incoming& in : incoming) {
      if (in.label == kEpsilon) {
        if (table_.at(in.source, cell.layer, cell.position) == cell.cost) {
          offer(in.source, cell.position, in.arc, Op::kEpsilon, cell.layer, cell.rank, cell.cost, number);
        }
        continue;
      }
      try_from(in.source, cell.position, in.arc, problem_.graph_only, weights_.graph_only, number, cell);
      if (before < 0) continue;
      if (in.label == word) {
        try_from(in.source, before, in.arc, Op::kMatch, weights_.match, number, cell);
      } else {
        try_from(in.source, before, in.arc, Op::kSubstitution, weights_.substitution, number, cell);
      }
    }
  }

 private:
  // Offers the cells from which `op` leads to a cell at no more than it costs.
  void try_from(StateId state, int position, std::int32_t arc, Op op, Wide weight, Cells::Number number,
                const Cells::Cell& cell) {
    problem_.for_each_before(cell.layer, op, [&](int memory, std::int32_t cost) {
      if (table_.at(state, memory, position) + cost != cell.cost) return;
      offer(state, position, arc, op, memory, cell.rank + weight, cell.cost - cost, number);
    });
  }

  void offer(StateId state, int position, std::int32_t arc, Op op, int memory, Wide rank, std::int32_t cost,
             Cells::Number next) {
    Cells::Cell cell{rank, next, arc, position, cost};
    cell.layer = static_cast<std::int16_t>(memory), cell.op = op;
    cells_.offer(state, cell);
  }

  Polls poll_;
  const RowProblem& problem_;
  const Table& table_;
  const StringWeights<Wide> weights_;
  Cells& cells_;
};

// Breaks the ties of the cells of a string against a graph that cost `best` at the end. False where more than
// `max_cells` would be kept.
template <class Table>
bool settle_rows(const RowProblem& problem, const Table& table, const Ranking<Wide>& ranking, std::int64_t best,
                 std::int64_t max_cells, TieBreaker<Wide>& cells) {
  const auto end = static_cast<std::int32_t>(problem.words.size());
  cells.open(problem.graph.num_states(), end + 1, problem.memories(), EqualSteps::kFirst);
  for (const StateId state : problem.graph.finals()) {
    for (int memory = 0; memory < problem.memories(); ++memory) {
      if (table.at(state, memory, end) != best) continue;
      TieBreaker<Wide>::Cell cell;
      cell.position = end, cell.cost = static_cast<std::int32_t>(best), cell.layer = static_cast<std::int16_t>(memory);
      cells.offer(state, cell);
    }
  }
  RowWays<Table> ways(problem, table, {ranking, problem.string_only == Op::kInsertion}, cells);
  return cells.settle(ways, max_cells);
}

}  // namespace fstmetrics

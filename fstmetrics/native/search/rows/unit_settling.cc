#include "search/rows/unit_settling.h"

namespace fstmetrics {
namespace {

struct UnitTable {
  const UnitRows& rows;
  std::int64_t at(StateId state, int, int position) const { return rows.at(state, position); }
};

}  // namespace

bool UnitSettling::settle(const UnitRows& rows, const LevelGraph& graph, std::span<const Label> words,
                          bool string_is_hypothesis, int cost, std::int64_t max_cells) {
  graph_ = &graph, string_is_hypothesis_ = string_is_hypothesis;
  const UnitRowProblem problem{graph, words, string_is_hypothesis ? Op::kInsertion : Op::kDeletion,
                               string_is_hypothesis ? Op::kDeletion : Op::kInsertion};
  const std::int64_t own = std::ssize(words), other = own + cost;
  const TotalBounds bounds{string_is_hypothesis ? own : other, string_is_hypothesis ? other : own, false, 1};
  is_wide_ = width_needed(bounds) != Width::kMachine;
  return is_wide_ ? settle(rows, problem, bounds, cost, max_cells, wide_cells_)
                  : settle(rows, problem, bounds, cost, max_cells, cells_);
}

template <class V>
bool UnitSettling::settle(const UnitRows& rows, const UnitRowProblem& problem, const TotalBounds& bounds, int cost,
                          std::int64_t max_cells, Settling<V>& cells) {
  const auto ranking = make_ranking<V>(bounds, true);
  if (!settle_rows(problem, UnitTable{rows}, ranking, cost, max_cells, cells)) return false;
  totals_ = ranking.totals(cells.start().rank + cost * ranking.cost);
  return true;
}

std::vector<Step> UnitSettling::trace() const {
  const auto arcs = graph_->automaton().all_arcs();
  return is_wide_ ? steps_of(wide_cells_, arcs, string_is_hypothesis_) : steps_of(cells_, arcs, string_is_hypothesis_);
}

}  // namespace fstmetrics

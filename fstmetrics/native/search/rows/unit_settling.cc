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
  const auto ranking = make_ranking<Wide>(bounds, true);
  if (!settle_rows(problem, UnitTable{rows}, ranking, cost, max_cells, EqualSteps::kDearest, cells_)) return false;
  totals_ = ranking.totals(cells_.start().rank + cost * ranking.cost);
  return true;
}

}  // namespace fstmetrics

#include "search/strings/bit_route.h"

#include "search/rows/unit_route.h"
#include "search/strings/bit_parallel.h"

namespace fstmetrics {

std::optional<Outcome> solve_bit_parallel(const StringProblem& problem, const Options& options) {
  const StringAndGraph& sides = problem.sides;
  if (!problem.unit_costs || problem.window > WindowShapes::kMaxShapeWindow) return std::nullopt;
  // Without reordering unit-rows take over sooner.
  const bool shorter = options.route == Route::kAuto && !problem.is_reordered();
  if (sides.labels.size() > (shorter ? kWordsLeftToLevels : kMaxBitWords)) return std::nullopt;

  thread_local BitParallel search;
  const StringSide string{sides.labels, window_shapes(problem.window, problem.reordering), sides.is_hypothesis};
  auto found = search.run(*sides.graph, string, options, shorter ? kLevelsBeforeRows : LevelSearch::kAnyLevel);
  if (!found) return std::nullopt;
  name_words(found->steps, sides);
  Outcome outcome{Route::kBitParallel, {{found->totals, std::move(found->steps)}}, {}};
  const std::int64_t positions = std::ssize(sides.labels) + 1;
  outcome.counters.expanded = found->sets;
  outcome.counters.hypothesis_states = sides.is_hypothesis ? positions : sides.graph->num_states();
  outcome.counters.reference_states = sides.is_hypothesis ? sides.graph->num_states() : positions;
  return outcome;
}

}  // namespace fstmetrics

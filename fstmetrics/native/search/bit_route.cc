#include "search/bit_route.h"

#include "search/bit_parallel.h"
#include "search/string_side.h"
#include "search/unit_route.h"

namespace fstmetrics {
namespace {

const WindowShapes& shapes_of(const Side& side) {
  const auto* p = std::get_if<Permutations>(&side);
  return p ? window_shapes(p->window, p->reordering) : window_shapes(1, Reordering::kMoves);
}

}  // namespace

std::optional<Outcome> solve_bit_parallel(const Problem& problem, const Options& options) {
  if (!has_unit_costs(problem)) return std::nullopt;
  const auto* permutations = std::get_if<Permutations>(&problem.hypothesis);
  if (permutations && permutations->window > WindowShapes::kMaxShapeWindow) return std::nullopt;
  // Without reordering unit-rows take over sooner.
  const bool shorter = options.route == Route::kAuto && !permutations;
  const auto sides = string_and_graph(problem, shorter ? kWordsLeftToLevels : kMaxBitWords, options.max_expanded_arcs);
  if (!sides) return std::nullopt;

  thread_local BitParallel search;
  const StringSide string{sides->labels, shapes_of(problem.hypothesis), sides->is_hypothesis};
  auto found = search.run(*sides->graph, string, options.alignment, shorter ? kLevelsBeforeRows : LevelSearch::kAnyLevel);
  if (!found) return std::nullopt;
  name_words(found->steps, *sides);
  Outcome outcome{Route::kBitParallel, {{found->totals, std::move(found->steps)}}, {}};
  const auto positions = static_cast<std::int64_t>(sides->words.size()) + 1;
  outcome.counters.expanded = found->sets;
  outcome.counters.hypothesis_states = sides->is_hypothesis ? positions : sides->graph->num_states();
  outcome.counters.reference_states = sides->is_hypothesis ? sides->graph->num_states() : positions;
  return outcome;
}

}  // namespace fstmetrics

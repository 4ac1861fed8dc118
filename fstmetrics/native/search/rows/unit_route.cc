#include "search/rows/unit_route.h"

#include "search/rows/unit_rows.h"
#include "search/rows/unit_ties.h"

namespace fstmetrics {
namespace {

// Kept by each thread between searches.
struct Scratch {
  UnitRows rows;
  UnitTies ties;
};

Scratch& scratch() {
  thread_local Scratch kept;
  return kept;
}

// Gives back large scratch space, however a search ends.
struct Tidying {
  ~Tidying() { scratch().rows.release_if_large(), scratch().ties.release_if_large(); }
};

bool found(int cost) { return cost != UnitRows::kTooMany && cost != UnitRows::kNoMemory; }

}  // namespace

// A best path has at most so many words more than the string as it has edits.
bool unit_rows_take(std::size_t words) { return UnitTies::fits(static_cast<std::int64_t>(words) + UnitRows::kTooMany); }

std::optional<Outcome> solve_unit_rows(Task& task, bool settles) {
  const StringAndGraph& sides = *task.string_and_graph();
  const Options& options = task.options();
  auto& [rows, ties] = scratch();
  const Tidying tidying;
  const int cost = rows.fill(*sides.graph, sides.labels, 4 * options.max_cells);
  if (!found(cost)) return std::nullopt;

  const std::int64_t words = std::ssize(sides.labels);
  Path path;
  if (!settles) {  // the length of the reference is known
    path.totals.cost = cost, path.totals.reference_words = words;
  } else {
    if (!ties.settle(rows, *sides.graph, sides.labels, sides.is_hypothesis, cost, options.max_cells)) {
      task.ties_are_too_many();
      return std::nullopt;
    }
    path.totals = ties.totals();
    if (options.alignment) path.steps = ties.trace();
  }
  name_words(path.steps, sides);
  Outcome outcome{Route::kUnitRows, {std::move(path)}, {}};
  outcome.counters.expanded = (words + 1) * sides.graph->num_states();
  outcome.counters.hypothesis_states = sides.is_hypothesis ? words + 1 : sides.graph->num_states();
  outcome.counters.reference_states = sides.is_hypothesis ? sides.graph->num_states() : words + 1;
  return outcome;
}

}  // namespace fstmetrics

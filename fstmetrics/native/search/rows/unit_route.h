// The route of rows of unit costs: when a problem can go it.
#pragma once

#include <optional>

#include "search/string_routes.h"

namespace fstmetrics {

// Up to so many words the lanes of levels (search/strings/level_lanes.h) are as fast or faster: they hold 15 edits then, beyond 31 words 7.
inline constexpr std::size_t kWordsLeftToLevels = 31;

// Beyond what the lanes hold, answers so far beyond the words that the string lacks cost less here than level by level
// (search/strings/level_search.h), in time and in memory: a level there has a set for every state.
inline constexpr int kLevelsBeforeRows = 16;

struct UnitRowsAnswer {
  std::optional<Outcome> outcome;
  bool too_many_ties = false;
};

// The best path, or nothing where the route does not apply: it wants the unit costs of WER and HyTER without reordering, fewer
// than 65,535 edits, rows of no more than 4 * options.max_cells bytes, and no more to be kept of ties than options.max_cells cells.
// Without `settles`, which is for a string that is the reference, of the totals only cost and reference words are found.
UnitRowsAnswer solve_unit_rows(const StringProblem& problem, const Options& options, bool settles);

}  // namespace fstmetrics

// The route of rows of unit costs: when a problem can go it.
#pragma once

#include <optional>
#include <span>

#include "automata/level_graph.h"
#include "search/problem.h"
#include "search/string_side.h"

namespace fstmetrics {

// Up to so many words the lanes of levels (search/level_lanes.h) are as fast or faster: they hold 15 edits then, beyond 31 words 7.
inline constexpr std::size_t kWordsLeftToLevels = 31;

// Beyond what the lanes hold, answers so far beyond the words that the string lacks cost less here than level by level
// (search/level_search.h), in time and in memory: a level there has a set for every state.
inline constexpr int kLevelsBeforeRows = 16;

// The best path, or nothing where the route does not apply: it wants the unit costs of WER and HyTER without reordering, fewer
// than 65,535 edits, and rows of no more than 4 * options.max_cells bytes. `sides` are those of the problem.
std::optional<Outcome> solve_unit_rows(const Problem& problem, const StringAndGraph& sides, const Options& options);

// Edits divided by reference words of the best path between a plain string and a graph, labels being the graph's; nothing where
// the route does not apply, or ties that matter are better settled otherwise (search/ties.h).
std::optional<double> unit_rows_error_rate(const LevelGraph& graph, std::span<const Label> words, bool string_is_hypothesis);

}  // namespace fstmetrics

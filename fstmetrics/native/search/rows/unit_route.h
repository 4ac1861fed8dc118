// The route of rows of unit costs.
#pragma once

#include <optional>

#include "search/task.h"

namespace fstmetrics {

// Whether a string of so many words is short enough for what is kept to settle ties.
bool unit_rows_take(std::size_t words);

// The best path of a task with a string and a graph, unit costs and no reordering. Nothing where it has 65,535 edits or
// more, rows would take more than 4 * options.max_cells bytes, or what is kept of ties more than options.max_cells
// cells; of the last, the task is told. Without `settles`, which is for a string that is the reference, of the totals
// only cost and reference words are found.
std::optional<Outcome> solve_unit_rows(Task& task, bool settles);

}  // namespace fstmetrics

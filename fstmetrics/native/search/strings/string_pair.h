// Two strings with unit costs: blocks of Levenshtein's table (search/strings/edit_table.h), then ties on best paths
// only.
//
// A small table is kept whole (search/strings/block_pair.h). A larger one is first swept with ever larger limits of
// edits until one suffices; then the cost is known. Between two strings cost and lengths leave one total open: the
// matches; insertions, deletions and substitutions follow from it. It is settled from the last column to the first,
// over the cells of best paths only: columns are worked out anew, a stretch at a time, from copies kept at the
// beginning of each stretch, about the square root of the number of columns apart. Of a stretch only blocks are worked
// out through which a path leads to cells of best paths at its end.
//
// O(columns * (1 + edits / 64) + cells of best paths) time. Space: about sqrt(columns) * edits / 64 blocks of 24 bytes
// twice, and, where the alignment is asked for, 4 bytes a cell of a best path.
#pragma once

#include <optional>

#include "search/task.h"

namespace fstmetrics {

// The best path of a task with two plain strings and unit costs. Throws SearchError where what is kept would take more
// than 4 * options.max_cells bytes.
Outcome solve_string_pair(Task& task);

}  // namespace fstmetrics

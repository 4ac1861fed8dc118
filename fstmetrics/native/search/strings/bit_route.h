// The bit-parallel route for a string and a graph.
#pragma once

#include <functional>
#include <optional>

#include "search/task.h"

namespace fstmetrics {

// Bytes that its sets and ties take at most.
double bit_parallel_bytes(Task& task);

// The best path of a task with unit costs, whose string has at most kMaxBitWords words (permuted in a window of at most
// WindowShapes::kMaxShapeWindow). Nothing where it lies `most_levels()` or more beyond what the words that the string
// lacks cost, which is asked only where it is far away, or its sets would take more memory than options.max_cells
// cells.
std::optional<Outcome> solve_bit_parallel(Task& task, const std::function<int()>& most_levels);

}  // namespace fstmetrics

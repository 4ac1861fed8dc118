// The graphs route: two acyclic graphs.
#pragma once

#include <optional>

#include "search/task.h"

namespace fstmetrics {

// Whether the costs of a metric are such that the route can be used; they may not depend on words or arcs either.
bool graphs_take(const EditAutomaton& metric);

// The best path of such a task without reordering. Nothing where a side is cyclic or has more than
// options.max_expanded_arcs arcs, paths are too long for cells of 16 bits, or the table would take more than 8 *
// options.max_cells bytes.
std::optional<Outcome> solve_graphs(Task& task);

}  // namespace fstmetrics

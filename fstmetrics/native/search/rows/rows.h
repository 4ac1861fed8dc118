// Dynamic programming over rows: a string against an acyclic graph, all positions of the string in vector lanes.
//
// The same recurrence as search/topological/topological.h, forwards: a row holds, for one graph state and memory, the
// best cost of every string position. Per arc only a minimum of rows is taken, and the positions of the arc's own word
// are looked at; substitution, insertion and deletion are done once a state on that minimum. Rows hold costs only; ties
// are settled afterwards, on the cells of best paths.
//
// Substituting a word for itself is let in here, as [C08 §4.3]'s star does: never_pays_to_mismatch() says for which
// metrics that changes nothing.
// O(arcs * memories * words / lanes) time, O(states * memories * words) space.
#pragma once

#include <optional>

#include "search/task.h"

namespace fstmetrics {

// Whether a match is never worse than a substitution. Besides, costs may not depend on words or arcs, and nothing may
// be reordered.
bool rows_take(const EditAutomaton& metric);

// The best path of such a task with a string and a graph. Nothing where sums do not fit 32 bits, or the table takes
// more memory than options.max_cells cells of the topological route. Throws SearchError where what is kept of ties
// does.
std::optional<Outcome> solve_rows(Task& task);

}  // namespace fstmetrics

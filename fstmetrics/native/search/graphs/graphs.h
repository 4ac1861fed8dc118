// When a problem can go the graphs route, and how it is put to it.
#pragma once

#include <optional>

#include "search/problem.h"

namespace fstmetrics {

// The best path, or nothing where the route does not apply: it wants a metric of one memory whose costs do not depend on
// words and by which a match is never worse than a substitution, and on each side an acyclic graph of at most
// options.max_expanded_arcs arcs. Under Route::kAuto nothing, too, where the table would be large and best-first can be tried.
std::optional<Outcome> solve_graphs(const Problem& problem, const Options& options);

}  // namespace fstmetrics

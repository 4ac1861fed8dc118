// When a problem can go the bit-parallel route, and how it is put to it.
#pragma once

#include <optional>

#include "search/problem.h"

namespace fstmetrics {

// The best path, or nothing where the route does not apply: it wants the unit costs of WER and HyTER, one side
// a string of at most 63 words (permuted in a window of at most 6), and an acyclic other side of at most
// options.max_expanded_arcs arcs.
std::optional<Outcome> solve_bit_parallel(const Problem& problem, const Options& options);

}  // namespace fstmetrics

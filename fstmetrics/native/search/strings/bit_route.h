// When a problem can go the bit-parallel route, and how it is put to it.
#pragma once

#include <optional>

#include "search/string_routes.h"

namespace fstmetrics {

// The best path, or nothing where the route does not apply: it wants the unit costs of WER and HyTER, a string of at most
// 63 words (permuted in a window of at most 6), and sets that take no more memory than options.max_cells cells.
std::optional<Outcome> solve_bit_parallel(const StringProblem& problem, const Options& options);

}  // namespace fstmetrics

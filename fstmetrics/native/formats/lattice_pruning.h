// Lattices of a column without the arcs that only bad paths take; fstmetrics/lattices/pruning.py has the definition.
#pragma once

#include <cstdint>
#include <optional>

#include "automata/best_path.h"
#include "formats/lattice_column.h"

namespace fstmetrics {

// Lattice i of a column without arcs and ends that are on no path within `beam` of the best, both in natural logs.
// Costs are rounded to whole units of 2^-24. None where the reader in Python has to say what is wrong: an infinite
// cost, a cycle, no path, sums that would not be exact, or a rounding that is not sure.
std::optional<WordLattice> pruned(const LatticeColumn& column, std::size_t i, const LatticeScales& scales, double beam);

}  // namespace fstmetrics

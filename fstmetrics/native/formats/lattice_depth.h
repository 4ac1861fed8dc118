// How deep lattices of a column are over time; fstmetrics/data/depth.py has the definition.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/lattice_column.h"

namespace fstmetrics {

struct LatticeDepth {
  TimeUnit unit = TimeUnit::kWords;
  std::vector<double> times;       // where the number of arcs changes
  std::vector<std::int64_t> arcs;  // between each time and the next
  std::int64_t untimed = 0;
};

// The depth of lattice i of a column; none where the lattice is cyclic, or where it has a time of -0.
std::optional<LatticeDepth> depth_of(const LatticeColumn& column, std::size_t i);

}  // namespace fstmetrics

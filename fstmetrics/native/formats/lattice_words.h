// The words of the best path of a lattice of a column, and how sure it is of them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "automata/word_posteriors.h"
#include "formats/lattice_column.h"

namespace fstmetrics {

// The words of the decoder's own best path; sentence boundaries are none. They view the column's vocabulary. Not of a
// damaged item. Throws std::invalid_argument where the lattice is cyclic or has no path.
std::vector<std::string_view> best_words(const LatticeColumn& column, std::size_t i, const GivenScales& given);

// The same words with their posteriors and times, as of sure_words(). Nothing where there is a word of which no time is
// known.
std::optional<std::vector<SureWord>> sure_words(const LatticeColumn& column, std::size_t i, const GivenScales& given,
                                                double scale);

// The paths as a search for the cheapest ones wants them: an automaton that ends in one state, each arc costing whole
// units, of which `per_nat` make a natural log. The words are the lattice's. Nothing where that is made another way:
// there are sentence boundaries, or a cost is infinite or too large for exact sums. Not of a damaged item. Throws
// std::invalid_argument where the lattice is cyclic or has no path, or a cost is not a number.
struct WeightedPaths {
  Graph graph;
  std::vector<double> costs;  // as they are, natural logs by the origin of an arc

  // The least cost of a path with these words, which are all of the lattice; as least_cost_of().
  double least_cost(std::span<const std::string_view> words) const;
};
std::optional<WeightedPaths> weighted_paths(const LatticeColumn& column, std::size_t i, const GivenScales& given,
                                            double per_nat);

}  // namespace fstmetrics

// How metric and people order the pairs of points of short rows: what Kendall's taus are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "agreement/tie_calibration.h"

namespace fstmetrics {

struct PairCounts {
  std::int64_t concordant, discordant, tied_metric, tied_human, tied_both;
  std::int64_t points, fewest;  // points, and different scores of the side that has fewer
};

// Of each row, in O(n^2) for n points. Of pairs whose human scores differ by less than `threshold`, or by nothing, none is
// counted where it is not nan.
std::vector<PairCounts> pair_counts(const JudgedRows& scores, double threshold);

}  // namespace fstmetrics

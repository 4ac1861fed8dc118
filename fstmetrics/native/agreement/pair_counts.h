// How metric and people order the pairs of points: what Kendall's taus are made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agreement/tie_calibration.h"

namespace fstmetrics {

struct PairCounts {
  std::int64_t concordant, discordant, tied_metric, tied_human, tied_both;
  std::int64_t points, fewest;  // points, and different scores of the side that has fewer
};

// Of each row, in O(n^2) for n points. Of pairs whose human scores differ by less than `threshold`, or by nothing, none
// is counted where it is not nan.
std::vector<PairCounts> pair_counts(const JudgedRows& scores, double threshold);

// Of one row without missing scores, in O(n log n) [Knight 1966]: sorted by the metric, and by people where that ties,
// the discordant pairs are the inversions of people's scores. `points` and `fewest` are left at 0.
PairCounts sorted_pair_counts(std::span<const double> metric, std::span<const double> human);

// Ranks from 1 of fewer than 2^32 scores, none of which is missing; equal scores share the mean of theirs.
std::vector<double> mean_ranks(std::span<const double> scores);

}  // namespace fstmetrics

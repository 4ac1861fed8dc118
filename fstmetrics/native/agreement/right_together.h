// How many pairs of points two metrics both have right, each with its own epsilon: what tests between metrics under
// accuracy with tie calibration need of all pairs, without holding them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// Scores of several metrics, each row after row of `columns` points, and people's of the same points. A point is left
// out where a score is not finite.
struct MetricsOfRows {
  std::span<const double> metrics, human;
  std::size_t columns;
  std::span<const double> epsilons;  // of each metric, 0 or more
};

struct RightTogether {
  std::vector<std::int64_t> counts;  // of each row, metric and metric; the diagonal is what one metric has right
  std::vector<std::int64_t> pairs;   // of each row: those of fewer than two points are left out
};

// In O(n^2) for n points of a row, on several threads.
RightTogether right_together(const MetricsOfRows& scores, int threads);

}  // namespace fstmetrics

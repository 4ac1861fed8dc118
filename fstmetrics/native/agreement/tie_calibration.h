// Pairwise accuracy with tie calibration [Deutsch, Foster and Freitag 2023, sections 3 and 5].
//
// A pair of points is right where metric and people order it in the same way, or both tie it. Scores of the metric that
// differ by epsilon or less are ties, and epsilon is the one that makes accuracy highest. With growing epsilon, pairs
// that people tie become right, and concordant pairs become wrong; discordant ones stay wrong.
//
// So accuracy is a sum of steps up and down at the pairs' differences. They are counted in buckets of differences,
// whose bounds are the highest bits of a double, so that relative widths are equal. Only buckets that can hold the
// maximum are looked into: again in buckets while they are large, then difference by difference. Points are sorted by
// the metric, so that pairs of a range of differences are found without the others. No more than kSorted pairs are
// held.
//
// For n points in a row, O(n^2) time for the first count, and O(n) memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// Scores of a metric and of people, row after row; nan where there is none. Pairs of points of one row are compared.
struct JudgedRows {
  std::span<const double> metric, human;
  std::size_t columns;
  // Numbers of points, or none: points of one number are copies of one, as in resamples, and make no pair.
  std::span<const std::int32_t> numbers = {};
};

struct TieCalibration {
  double value;    // mean accuracy of the rows that have a pair; nan of none
  double epsilon;  // nan of no pair
  double tied;     // the share of pairs that are ties at epsilon
};

// How epsilon is found.
struct EpsilonChoice {
  // nan for the best one.
  double given;
  // Of equally good ones: the one that a running sum, rounded pair by pair as in mt-metrics-eval, has as its highest;
  // else the smallest. Of more than kMostRounded pairs always the smallest.
  bool as_rounded;
};

inline constexpr std::int64_t kMostRounded = 1 << 24;

TieCalibration tie_calibration(const JudgedRows& scores, const EpsilonChoice& choice);

// Of many, each with its own scores, on several threads.
std::vector<TieCalibration> tie_calibrations(std::span<const JudgedRows> all, std::span<const EpsilonChoice> choices,
                                             int threads);

}  // namespace fstmetrics

// Tests between two metrics that exchange their scores at random: does one agree with people better than the other
// [Deutsch, Dror and Roth 2021, section 4.2]?
//
// A permutation exchanges the two metrics' scores of each unit with probability 1/2: of a system's translation of a
// segment (PERM-BOTH), of all translations of a segment (PERM-INPUTS), or of all translations of a system
// (PERM-SYSTEMS). p is the share of permutations whose difference between the two coefficients is at least the observed
// one.
//
// 64 permutations are the bits of one random word a unit; block t of them takes the outputs of the generator's stretch
// t (resampling/draws.h), one after the other by unit. All pairs of metrics have the same permutations. Coefficients
// are found for as many permutations at once as there are lanes in a vector:
// the scores of both metrics are sorted once, and the sorted scores of a permutation are those that it takes, in this
// order. Spearman's rho and Kendall's tau go through them and keep for each permutation how many it has taken so far,
// Kendall's tau also of which rank of people's scores, in a Fenwick tree whose nodes are vectors (ranks are the same
// for all). The exchanged scores are what is not taken: their sums and counts are the rest.
//
// For n points and k different scores of people, O(n) steps of vectors for Pearson's r and Spearman's rho, O(n log k)
// for Kendall's tau, for every 8 or 16 permutations (AVX-512).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "resampling/draws.h"

namespace fstmetrics {

enum class Coefficient { kPearson, kSpearman, kKendall, kAccuracy };

// Points of metrics and people, row after row: the coefficient is the mean of those of the rows, without rows where it
// is undefined; 0 where it is undefined for all of them.
struct ScoredPoints {
  std::span<const double> metrics;  // each metric's points, one metric after the other, on the same scale
  std::span<const double> human;    // of each point, or of each row where its mean is compared
  std::span<const std::int64_t> row_ends;
  std::span<const std::int32_t> units;  // what is exchanged together, for each point
  std::int32_t num_units;
  // Whether rows are means of their points, and the coefficient is that of these means (systems).
  bool of_means;

  std::span<const double> metric(std::size_t i) const { return metrics.subspan(i * units.size(), units.size()); }
};

// How many permutations, and after how many at a time it is asked whether they are enough: where p is less than `low`
// or more than `high`.
struct Stopping {
  std::int64_t permutations, block;
  double low, high;
};

struct MetricPair {
  std::int32_t first, second;
};

// The coefficients of both metrics, permutations whose difference is at least theirs, and permutations made.
struct ExchangeTest {
  double first, second;
  std::int64_t exceeding, permutations;
};

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, Coefficient coefficient,
                                         std::span<const MetricPair> pairs, const Generator& generator,
                                         const Stopping& stopping, int threads);

// Soft pairwise accuracy [Thompson et al. 2024] as the coefficient; points are row by row of systems, all rows equally
// long; each metric's scores have mean 0 and standard deviation 1, or are all 0. `signs` are those of the coefficient's
// own permutations, by permutation and segment one bit, in whole bytes; `confidences` are people's, of systems i < j in
// this order.
struct SoftAccuracy {
  std::span<const std::uint8_t> signs;
  std::span<const double> confidences;
};

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, const SoftAccuracy& accuracy,
                                         std::span<const MetricPair> pairs, const Generator& generator,
                                         const Stopping& stopping, int threads);

}  // namespace fstmetrics

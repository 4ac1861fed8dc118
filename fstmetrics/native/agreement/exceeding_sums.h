// How sure a paired permutation test is of the order of each two systems: what soft pairwise accuracy compares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fstmetrics {

struct PermutedSums {
  std::span<const double> sums;      // of each system, of its scores with the signs of every permutation
  std::span<const double> observed;  // of each system, of its scores
  double slack;                      // differences of sums that are equal but for rounding
  std::size_t permutations() const { return sums.size() / observed.size(); }
};

// Of each pair of systems, (0, 1), (0, 2) and so on, the share of permutations with at least the observed difference.
// O(systems^2 permutations), and memory for the pairs alone.
std::vector<double> exceeding_shares(const PermutedSums& given);

}  // namespace fstmetrics

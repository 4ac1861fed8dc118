// Counts of an alignment in one integer, so that the least sum is the best alignment.
//
// Best is: fewest edits; then the longest reference path; then most matches; then, where there is room, fewest
// deletions. That is the project's order of ties for costs of 1 (search/ranking.h).
#pragma once

#include <array>
#include <cstdint>

namespace fstmetrics {

// Edits, words of the reference path, matches, deletions.
using EditCounts = std::array<std::int64_t, 4>;

// What each operation adds.
template <class Sum>
struct EditSteps {
  Sum match, substitution, insertion, deletion;
};

// Four fields; each may reach 2^31 - 1.
using WideSum = __int128;

inline constexpr int kWideField = 31;

inline constexpr WideSum wide_sum(int edits, int length, int matches, int deletions) {
  return (((static_cast<WideSum>(edits) * (WideSum{1} << kWideField) - length) * (WideSum{1} << kWideField) - matches) *
          (WideSum{1} << kWideField)) +
         deletions;
}

inline constexpr EditSteps<WideSum> kWideSteps = {wide_sum(0, 1, 1, 0), wide_sum(1, 1, 0, 0), wide_sum(1, 0, 0, 0),
                                                  wide_sum(1, 1, 0, 1)};

inline EditCounts counts_of(WideSum sum) {
  const WideSum size = WideSum{1} << kWideField;
  const auto take = [&](int sign) {
    WideSum field = (sum * sign) % size;
    if (field < 0) field += size;
    sum = (sum - sign * field) / size;
    return static_cast<std::int64_t>(field);
  };
  const std::int64_t deletions = take(1), matches = take(-1), length = take(-1);
  return {static_cast<std::int64_t>(sum), length, matches, deletions};
}

// Three fields, without deletions; each may reach 2^20.
using NarrowSum = std::int64_t;

inline constexpr int kNarrowField = 21;
inline constexpr std::int64_t kMostNarrowWords = 1 << 20;

inline constexpr NarrowSum narrow_sum(int edits, int length, int matches) {
  return ((static_cast<NarrowSum>(edits) << kNarrowField) - length) * (NarrowSum{1} << kNarrowField) - matches;
}

inline constexpr EditSteps<NarrowSum> kNarrowSteps = {narrow_sum(0, 1, 1), narrow_sum(1, 1, 0), narrow_sum(1, 0, 0),
                                                      narrow_sum(1, 1, 0)};

}  // namespace fstmetrics

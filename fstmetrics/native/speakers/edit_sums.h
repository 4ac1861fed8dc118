// Counts of an alignment in one integer, so that the least sum is the best alignment.
//
// Best is: fewest edits; then the longest reference path; then most matches; then fewest deletions. That is the
// project's order of ties for costs of 1 (search/tie_rules.h).
#pragma once

#include <algorithm>
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

// In 64 bits fields are as wide as a session needs: digits of a mixed-radix number. Where all hypotheses are strings,
// deletions follow from the rest, and take no room.
using NarrowSum = std::int64_t;

// Whole sums are less than this; a sum beyond it stands for no way.
inline constexpr NarrowSum kMostNarrowSum = NarrowSum{1} << 61;

class NarrowFields {
 public:
  // Words are those of the longest paths. `strings`: whether all hypotheses are strings.
  NarrowFields(std::int64_t reference_words, std::int64_t hypothesis_words, bool strings)
      : strings_(strings),
        hypothesis_words_(hypothesis_words),
        length_(reference_words + 1),
        matches_(std::min(reference_words, hypothesis_words) + 1),
        deletions_(strings ? 1 : reference_words + 1) {
    std::int64_t all = reference_words + hypothesis_words + 1;
    fit_ = true;
    for (const std::int64_t size : {length_, matches_, deletions_}) fit_ &= !__builtin_mul_overflow(all, size, &all);
    fit_ &= all < kMostNarrowSum;
  }

  // Whether 64 bits are enough.
  bool fit() const { return fit_; }

  EditSteps<NarrowSum> steps() const { return {sum(0, 1, 1, 0), sum(1, 1, 0, 0), sum(1, 0, 0, 0), sum(1, 1, 0, 1)}; }

  // What an edit adds, beside which the other fields of a sum are at most 0, and more than -1.
  NarrowSum edit() const { return length_ * matches_ * deletions_; }

  // Edits of a sum.
  std::int64_t edits_in(NarrowSum sum) const { return (sum + edit() - 1) / edit(); }

  EditCounts counts_of(NarrowSum sum) const {
    const auto take = [&](std::int64_t size, int sign) {
      const std::int64_t field = ((sum * sign) % size + size) % size;
      sum = (sum - sign * field) / size;
      return field;
    };
    const std::int64_t own = take(deletions_, 1), matches = take(matches_, -1), length = take(length_, -1);
    // Matches and insertions are all words of the hypotheses but those that are substituted.
    const std::int64_t deletions = !strings_ ? own : sum + matches - hypothesis_words_;
    return {sum, length, matches, deletions};
  }

 private:
  NarrowSum sum(int edits, int length, int matches, int deletions) const {
    return ((edits * length_ - length) * matches_ - matches) * deletions_ + (strings_ ? 0 : deletions);
  }

  bool strings_;
  std::int64_t hypothesis_words_;
  std::int64_t length_, matches_, deletions_;  // how many values each field may have
  bool fit_;
};

}  // namespace fstmetrics

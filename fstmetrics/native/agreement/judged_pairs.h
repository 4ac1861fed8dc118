// Pairs of points that a metric and people have scored: by row, sorted by the metric, and in buckets of differences.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agreement/tie_calibration.h"
#include "support/poll.h"

namespace fstmetrics {

// Ranges of numbers from 0 on that have the same highest bits.
class Buckets {
 public:
  static constexpr int kBits = 13;
  static constexpr std::size_t kCount = std::size_t{1} << kBits;

  // 512 for each power of two up to `high`; the first has all that are smaller than the others.
  static Buckets below(double high) {
    constexpr int kShift = 43;
    const std::uint64_t top = bits(high) >> kShift;
    return {top < kCount ? 0 : (top - (kCount - 1)) << kShift, kShift};
  }
  static Buckets between(double low, double high) {
    return {bits(low), std::max(0, static_cast<int>(std::bit_width(bits(high) - bits(low))) - kBits)};
  }

  std::size_t of(double value) const {
    const std::uint64_t key = bits(value);
    return key < base_ ? 0 : (key - base_) >> shift_;
  }
  double low(std::size_t i) const { return i ? std::bit_cast<double>(base_ + (i << shift_)) : 0.0; }
  double high(std::size_t i) const { return std::bit_cast<double>(base_ + ((i + 1) << shift_) - 1); }

 private:
  Buckets(std::uint64_t base, int shift) : base_(base), shift_(shift) {}
  static std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

  std::uint64_t base_;
  int shift_;
};

class JudgedPairs {
 public:
  struct Row {
    const JudgedPairs* all;
    std::size_t begin, end;  // its points
    std::size_t number;      // among all rows that have a pair, in the order given
    std::int64_t count;      // pairs
    double weight;           // what a pair adds to the sum
    double tied_by_both;     // pairs

    // Calls visit(x, ranks, i, begin, end) for each point i, where points begin <= j < end come after it and have x[j]
    // - x[i] from `low` to `high`. Points are sorted by x.
    template <class Visit>
    void visit(double low, double high, const Visit& visit) const {
      const double* const x = all->sorted_.data();
      std::size_t from = begin, to = begin;
      for (std::size_t i = begin; i < end; ++i) {
        from = std::max(from, i + 1);
        while (from < end && x[from] - x[i] < low) ++from;
        to = std::max(to, from);
        while (to < end && x[to] - x[i] <= high) ++to;
        if (from == end) return;
        if (from == to) continue;
        visit(x, all->sorted_ranks_.data(), i, from, to);
        poll(static_cast<std::int64_t>(to - from));
      }
    }
  };

  explicit JudgedPairs(const JudgedRows& scores);
  JudgedPairs(const JudgedPairs&) = delete;
  JudgedPairs& operator=(const JudgedPairs&) = delete;

  // Those that have a pair, by how many.
  const std::vector<Row>& rows() const { return rows_; }
  std::int64_t count() const { return count_; }
  // What the sum of weights of right pairs is divided by.
  double one() const { return one_; }
  // Whether weights are whole numbers with a sum that a double has exactly.
  bool is_exact() const { return is_exact_; }
  // The largest difference.
  double widest() const { return widest_; }
  // Sums of weights: of pairs that both sides tie, and of all that are right where nothing else is tied.
  double tied_by_both() const { return tied_by_both_; }
  double right_without_ties() const { return sum_right(0); }
  // At epsilon: the accuracy, and the share of pairs that are ties.
  double accuracy(double epsilon) const;
  double tied(double epsilon) const;

  // Pairs of a row that are right at epsilon.
  std::int64_t right(const Row& row, double epsilon) const;

  // Points in the order given, row by row: scores of the metric, and ranks of people's; and where sorted ones are
  // given.
  const std::vector<double>& given() const { return given_; }
  const std::vector<std::int32_t>& given_ranks() const { return given_ranks_; }
  const std::vector<std::uint32_t>& places() const { return places_; }

 private:
  double sum_right(double epsilon) const;
  void add_row(const std::vector<double>& metric, const std::vector<double>& human, std::int64_t copies);
  void weigh();

  std::vector<double> sorted_, given_;
  std::vector<std::int32_t> sorted_ranks_, given_ranks_;
  std::vector<std::uint32_t> places_;
  std::vector<Row> rows_;
  std::int64_t count_ = 0;
  double one_ = 0, widest_ = 0, tied_by_both_ = 0;
  bool is_exact_ = true;
  std::vector<std::int32_t> order_;
};

}  // namespace fstmetrics

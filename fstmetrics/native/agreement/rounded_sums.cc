#include "agreement/rounded_sums.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace fstmetrics {
namespace {

// Pairs that are sorted together, unless their differences are in one bucket.
constexpr std::int64_t kPortion = 1 << 18;

struct Pair {
  std::uint64_t difference;  // the bits of a double, whose order is that of the numbers
  std::uint32_t first;       // the earlier point, as given
  std::uint32_t second;      // the other, times 4, plus 1 and the gain
};

std::uint64_t order_given(const Pair& pair) { return std::uint64_t{pair.first} << 32 | pair.second; }

// From the lowest digits on; `other` is scratch space. Pairs of one difference are then put into the order given.
void sort_by_difference(std::vector<Pair>& pairs, std::vector<Pair>& other) {
  constexpr int kDigit = 11;
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (const Pair& pair : pairs) least = std::min(least, pair.difference), most = std::max(most, pair.difference);
  other.resize(pairs.size());
  for (int shift = 0; !pairs.empty() && shift < 64 && (most - least) >> shift; shift += kDigit) {
    std::array<std::size_t, 1 << kDigit> places{};
    const auto digit = [&](const Pair& pair) { return (pair.difference - least) >> shift & ((1 << kDigit) - 1); };
    for (const Pair& pair : pairs) ++places[digit(pair)];
    std::size_t place = 0;
    for (std::size_t& each : places) place += std::exchange(each, place);
    for (const Pair& pair : pairs) other[places[digit(pair)]++] = pair;
    pairs.swap(other);
  }
  for (auto begin = pairs.begin(), end = begin; begin != pairs.end(); begin = end) {
    while (end != pairs.end() && end->difference == begin->difference) ++end;
    if (end - begin > 1)
      std::sort(begin, end, [](const Pair& a, const Pair& b) { return order_given(a) < order_given(b); });
  }
}

class RunningSum {
 public:
  explicit RunningSum(const std::vector<const JudgedPairs::Row*>& rows) : sizes_(rows.size()), right_(rows.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) sizes_[i] = static_cast<double>(rows[i]->count);
  }

  void start(std::size_t row, double right) {
    right_[row] = right;
    sum_ += right / sizes_[row];
  }
  void started() { consider(0); }

  void add(double difference, std::size_t row, std::int32_t gain) {
    if (difference != threshold_) consider(difference);
    sum_ += -(right_[row] / sizes_[row]);
    right_[row] += gain;
    sum_ += right_[row] / sizes_[row];
  }

  double best() {
    consider(std::numeric_limits<double>::infinity());
    return epsilon_;
  }

 private:
  // The sum is complete for the last threshold; `next` is another.
  void consider(double next) {
    const double mean = sum_ / static_cast<double>(sizes_.size());
    if (threshold_ >= 0 && mean > best_) best_ = mean, epsilon_ = threshold_;
    threshold_ = next;
  }

  std::vector<double> sizes_, right_;
  double sum_ = 0, best_ = -1, epsilon_ = 0, threshold_ = -1;
};

int gain_of(double by_metric, std::int32_t by_people) {
  if (by_metric == 0) return 0;
  return by_people == 0 ? 1 : (by_metric > 0) == (by_people > 0) ? -1 : 0;
}

// One call of the search.
class Rounded {
 public:
  Rounded(const JudgedPairs& pairs, double limit)
      : pairs_(pairs), limit_(limit), rows_(pairs.rows().size()), row_of_(pairs.given().size()) {
    for (const JudgedPairs::Row& row : pairs.rows()) {
      rows_[row.number] = &row;
      std::fill(row_of_.begin() + row.begin, row_of_.begin() + row.end, static_cast<std::uint32_t>(row.number));
    }
  }

  double best() {
    RunningSum sum(rows_);
    for (std::size_t i = 0; i < rows_.size(); ++i) sum.start(i, static_cast<double>(pairs_.right(*rows_[i], 0)));
    sum.started();
    const Buckets buckets = Buckets::below(limit_ > 0 ? limit_ : std::numeric_limits<double>::denorm_min());
    std::vector<std::int64_t> counts(Buckets::kCount);
    visit(0, limit_, [&](double difference, std::size_t, std::size_t) { ++counts[buckets.of(difference)]; });
    for (std::size_t first = 0, end; first < counts.size(); first = end) {
      std::int64_t count = counts[first];
      for (end = first + 1; end < counts.size() && count + counts[end] <= kPortion; ++end) count += counts[end];
      if (count) add(buckets.low(first), std::min(limit_, buckets.high(end - 1)), count, sum);
    }
    return sum.best();
  }

 private:
  // Pairs of a range of differences, of which there are `count`.
  void add(double low, double high, std::int64_t count, RunningSum& sum) {
    if (count > kPortion && all_equal(low, high)) return add_equal(low, high, sum);
    portion_.clear();
    portion_.reserve(static_cast<std::size_t>(count));
    visit(low, high, [&](double difference, std::size_t i, std::size_t j) {
      const std::uint32_t a = pairs_.places()[i], b = pairs_.places()[j];
      const int gain = gain_of(difference, pairs_.given_ranks()[b] - pairs_.given_ranks()[a]);
      portion_.push_back({std::bit_cast<std::uint64_t>(difference), std::min(a, b),
                          std::max(a, b) << 2 | static_cast<std::uint32_t>(gain + 1)});
    });
    sort_by_difference(portion_, other_);
    for (const Pair& pair : portion_) {
      sum.add(std::bit_cast<double>(pair.difference), row_of_[pair.first], static_cast<int>(pair.second & 3) - 1);
    }
    poll(20 * count);
  }

  bool all_equal(double low, double high) const {
    double least = high, most = low;
    visit(low, high, [&](double difference, std::size_t, std::size_t) {
      least = std::min(least, difference), most = std::max(most, difference);
    });
    return least == most;
  }

  // The same for very many pairs of one difference, which are not held: all pairs are gone through as they are given.
  void add_equal(double low, double high, RunningSum& sum) const {
    const std::vector<double>& x = pairs_.given();
    for (const JudgedPairs::Row* row : rows_) {
      for (std::size_t i = row->begin; i < row->end; ++i) {
        for (std::size_t j = i + 1; j < row->end; ++j) {
          const double by_metric = x[i] - x[j], difference = std::abs(by_metric);
          if (difference < low || difference > high) continue;
          sum.add(difference, row->number, gain_of(by_metric, pairs_.given_ranks()[i] - pairs_.given_ranks()[j]));
        }
        poll(static_cast<std::int64_t>(row->end - i));
      }
    }
  }

  // visit(difference, i, j), of sorted points.
  template <class Visit>
  void visit(double low, double high, const Visit& visit) const {
    for (const JudgedPairs::Row& row : pairs_.rows()) {
      row.visit(low, high,
                [&](const double* x, const std::int32_t*, std::size_t i, std::size_t begin, std::size_t end) {
                  for (std::size_t j = begin; j < end; ++j) visit(x[j] - x[i], i, j);
                });
    }
  }

  const JudgedPairs& pairs_;
  double limit_;
  std::vector<const JudgedPairs::Row*> rows_;  // as given
  std::vector<std::uint32_t> row_of_;
  std::vector<Pair> portion_, other_;
};

}  // namespace

double best_rounded(const JudgedPairs& pairs, double limit) { return Rounded(pairs, limit).best(); }

}  // namespace fstmetrics

#include "agreement/judged_pairs.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace fstmetrics {
namespace {

// Weights are whole numbers where their sums stay below this, so that equal accuracies are equal.
constexpr std::int64_t kExact = std::int64_t{1} << 52;

// The least common multiple, or kExact where it is not smaller.
std::int64_t common_multiple(const std::vector<JudgedPairs::Row>& rows) {
  std::int64_t multiple = 1;
  for (const JudgedPairs::Row& row : rows) {
    const std::int64_t factor = row.count / std::gcd(multiple, row.count);
    if (factor >= kExact / multiple) return kExact;
    multiple *= factor;
  }
  return multiple;
}

std::int64_t equal_pairs(std::vector<std::int32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::int64_t found = 0, equal = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    equal = numbers[i] == numbers[i - 1] ? equal + 1 : 0;
    found += equal;
  }
  return found;
}

}  // namespace

JudgedPairs::JudgedPairs(const JudgedRows& scores) {
  const std::size_t points = scores.metric.size();
  given_.reserve(points), sorted_.reserve(points), given_ranks_.reserve(points), sorted_ranks_.reserve(points);
  places_.reserve(points);
  std::vector<double> metric, human;
  std::vector<std::int32_t> numbers;
  for (std::size_t begin = 0; begin < points; begin += scores.columns) {
    metric.clear(), human.clear(), numbers.clear();
    for (std::size_t i = begin; i < begin + scores.columns; ++i) {
      if (std::isnan(scores.metric[i]) || std::isnan(scores.human[i])) continue;
      metric.push_back(scores.metric[i] + 0.0), human.push_back(scores.human[i]);  // no -0, so that no difference is
      if (!scores.numbers.empty()) numbers.push_back(scores.numbers[i]);
    }
    const auto size = static_cast<std::int64_t>(metric.size());
    const std::int64_t copies = equal_pairs(numbers);
    if (size * (size - 1) / 2 > copies) add_row(metric, human, copies);
  }
  weigh();
}

void JudgedPairs::add_row(const std::vector<double>& metric, const std::vector<double>& human, std::int64_t copies) {
  const std::size_t n = metric.size(), begin = given_.size();
  given_.insert(given_.end(), metric.begin(), metric.end());
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) { return human[a] < human[b]; });
  given_ranks_.resize(begin + n);
  std::int32_t rank = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i && human[order_[i]] != human[order_[i - 1]]) ++rank;
    given_ranks_[begin + order_[i]] = rank;
  }
  const std::int32_t* const ranks = given_ranks_.data() + begin;
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return metric[a] != metric[b] ? metric[a] < metric[b] : ranks[a] < ranks[b];
  });
  std::int64_t both = 0, equal = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t at = order_[i];
    equal = i && metric[at] == metric[order_[i - 1]] && ranks[at] == ranks[order_[i - 1]] ? equal + 1 : 0;
    both += equal;
    sorted_.push_back(metric[at]), sorted_ranks_.push_back(ranks[at]);
    places_.push_back(static_cast<std::uint32_t>(begin + at));
  }
  const auto size = static_cast<std::int64_t>(n);
  widest_ = std::max(widest_, sorted_[begin + n - 1] - sorted_[begin]);
  rows_.push_back(
      {this, begin, begin + n, rows_.size(), size * (size - 1) / 2 - copies, 0, static_cast<double>(both - copies)});
  count_ += rows_.back().count;
  poll(20 * size);
}

void JudgedPairs::weigh() {
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& a, const Row& b) { return a.count != b.count ? a.count < b.count : a.number < b.number; });
  const auto number = static_cast<std::int64_t>(rows_.size());
  const std::int64_t multiple = common_multiple(rows_);
  is_exact_ = number == 0 || multiple <= (kExact - 1) / number;
  one_ = is_exact_ ? static_cast<double>(multiple * number) : static_cast<double>(number);
  for (Row& row : rows_) {
    row.weight = is_exact_ ? static_cast<double>(multiple / row.count) : 1 / static_cast<double>(row.count);
    tied_by_both_ += row.weight * row.tied_by_both;
  }
}

std::int64_t JudgedPairs::right(const Row& row, double epsilon) const {
  auto found = static_cast<std::int64_t>(row.tied_by_both);
  constexpr double kLeast = std::numeric_limits<double>::denorm_min(), kMost = std::numeric_limits<double>::infinity();
  row.visit(kLeast, epsilon,
            [&](const double*, const std::int32_t* rank, std::size_t i, std::size_t begin, std::size_t end) {
              for (std::size_t j = begin; j < end; ++j) found += rank[j] == rank[i];
            });
  const double above = std::max(kLeast, std::nextafter(epsilon, kMost));
  if (epsilon < kMost) {
    row.visit(above, kMost,
              [&](const double*, const std::int32_t* rank, std::size_t i, std::size_t begin, std::size_t end) {
                for (std::size_t j = begin; j < end; ++j) found += rank[j] > rank[i];
              });
  }
  return found;
}

double JudgedPairs::sum_right(double epsilon) const {
  double sum = 0;
  for (const Row& row : rows_) sum += row.weight * static_cast<double>(right(row, epsilon));
  return sum;
}

double JudgedPairs::accuracy(double epsilon) const { return sum_right(epsilon) / one_; }

double JudgedPairs::tied(double epsilon) const {
  std::int64_t untied = 0;
  for (const Row& row : rows_) {
    for (std::size_t i = row.begin, from = row.begin; i < row.end; ++i) {
      from = std::max(from, i + 1);
      while (from < row.end && sorted_[from] - sorted_[i] <= epsilon) ++from;
      untied += static_cast<std::int64_t>(row.end - from);
    }
  }
  return static_cast<double>(count_ - untied) / static_cast<double>(count_);
}

}  // namespace fstmetrics

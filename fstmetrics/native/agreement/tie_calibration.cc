#include "agreement/tie_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "agreement/judged_pairs.h"
#include "agreement/rounded_sums.h"
#include "support/sharing.h"

namespace fstmetrics {
namespace {

// So many pairs of a range of differences are sorted; more are counted in buckets first.
constexpr std::int64_t kSorted = 1 << 15;
// Counts of one bucket have 32 bits until they are added up.
constexpr std::int64_t kMostUnread = std::int64_t{1} << 31;
// Sums that differ by a smaller share are looked at as if they were equal.
constexpr double kNearlyEqual = 1e-9;

struct Candidate {
  double sum, epsilon;
};

// What pairs of a range of differences add to the sum, by bucket.
struct Steps {
  std::vector<double> gains = std::vector<double>(Buckets::kCount), losses = gains;
  std::vector<std::int64_t> counts = std::vector<std::int64_t>(Buckets::kCount);
};

class Search {
 public:
  explicit Search(const JudgedPairs& pairs) : pairs_(pairs), slack_(kNearlyEqual * pairs.one()) {}

  // Candidates from the smallest epsilon on, all that are nearly the best.
  std::vector<Candidate> candidates() {
    const double widest = pairs_.widest();
    if (widest == 0) {
      consider(pairs_.right_without_ties(), 0);
    } else {
      const Buckets buckets = Buckets::below(widest);
      const Steps steps = counted(std::numeric_limits<double>::denorm_min(), widest, buckets);
      const double start = pairs_.tied_by_both() + std::accumulate(steps.losses.begin(), steps.losses.end(), 0.0);
      consider(start, 0);
      look_into(steps, std::numeric_limits<double>::denorm_min(), widest, buckets, start);
    }
    std::erase_if(found_, [&](const Candidate& each) { return each.sum < best_ - slack_; });
    std::sort(found_.begin(), found_.end(),
              [](const Candidate& a, const Candidate& b) { return a.epsilon < b.epsilon; });
    return std::move(found_);
  }

 private:
  void consider(double sum, double epsilon) {
    if (sum < best_ - slack_) return;
    best_ = std::max(best_, sum);
    found_.push_back({sum, epsilon});
  }

  // Pairs with differences from `low` to `high`, which are above 0.
  Steps counted(double low, double high, const Buckets& buckets) const {
    Steps steps;
    // Pairs that people tie in the low half, concordant ones in the high half.
    std::vector<std::uint64_t> unread(Buckets::kCount);
    std::int64_t waiting = 0;
    const auto read = [&](double weight) {
      if (!waiting) return;
      for (std::size_t i = 0; i < unread.size(); ++i) {
        const std::uint64_t tied = unread[i] & 0xFFFFFFFF, concordant = unread[i] >> 32;
        steps.gains[i] += weight * static_cast<double>(tied),
            steps.losses[i] += weight * static_cast<double>(concordant);
        steps.counts[i] += static_cast<std::int64_t>(tied + concordant);
        unread[i] = 0;
      }
      waiting = 0;
    };
    double weight = 0;
    for (const JudgedPairs::Row& row : pairs_.rows()) {
      if (row.weight != weight || waiting > kMostUnread) read(weight);
      weight = row.weight;
      row.visit(low, high,
                [&](const double* x, const std::int32_t* rank, std::size_t i, std::size_t begin, std::size_t end) {
                  const double from = x[i];
                  const std::int32_t own = rank[i];
                  for (std::size_t j = begin; j < end; ++j) {
                    unread[buckets.of(x[j] - from)] +=
                        static_cast<std::uint64_t>(rank[j] == own) | static_cast<std::uint64_t>(rank[j] > own) << 32;
                  }
                  if ((waiting += static_cast<std::int64_t>(end - begin)) > kMostUnread) read(weight);
                });
    }
    read(weight);
    return steps;
  }

  // `before` is the sum of all that is below `low`.
  void look_into(const Steps& steps, double low, double high, const Buckets& buckets, double before) {
    std::vector<double> ends(Buckets::kCount);
    double sum = before;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ends[i] = sum += steps.gains[i] - steps.losses[i];
      if (steps.counts[i]) best_ = std::max(best_, sum);
    }
    const auto start_of = [&](std::size_t i) { return i ? ends[i - 1] : before; };
    const auto is_wanted = [&](std::size_t i) {
      return steps.counts[i] && std::min(start_of(i) + steps.gains[i], ends[i] + steps.losses[i]) >= best_ - slack_;
    };
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!is_wanted(i)) continue;
      const double from = std::max(low, buckets.low(i)), to = std::min(high, buckets.high(i));
      if (from == to) {
        consider(ends[i], to);
      } else if (steps.counts[i] > kSorted) {
        const Buckets narrower = Buckets::between(from, to);
        look_into(counted(from, to, narrower), from, to, narrower, start_of(i));
      } else {
        const std::size_t first = i;
        std::int64_t count = steps.counts[i];
        while (i + 1 < ends.size() && (is_wanted(i + 1) || !steps.counts[i + 1]) &&
               count + steps.counts[i + 1] <= kSorted) {
          count += steps.counts[++i];
        }
        sweep(from, std::min(high, buckets.high(i)), start_of(first));
      }
    }
  }

  // Difference by difference.
  void sweep(double low, double high, double sum) {
    changes_.clear();
    for (const JudgedPairs::Row& row : pairs_.rows()) {
      row.visit(low, high,
                [&](const double* x, const std::int32_t* rank, std::size_t i, std::size_t begin, std::size_t end) {
                  for (std::size_t j = begin; j < end; ++j) {
                    if (rank[j] >= rank[i])
                      changes_.push_back({x[j] - x[i], rank[j] == rank[i] ? row.weight : -row.weight});
                  }
                });
    }
    std::sort(changes_.begin(), changes_.end());
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      sum += changes_[i].second;
      if (i + 1 == changes_.size() || changes_[i + 1].first != changes_[i].first) consider(sum, changes_[i].first);
    }
  }

  const JudgedPairs& pairs_;
  double slack_;
  double best_ = -std::numeric_limits<double>::infinity();
  std::vector<Candidate> found_;
  std::vector<std::pair<double, double>> changes_;  // difference and step
};

}  // namespace

TieCalibration tie_calibration(const JudgedRows& scores, const EpsilonChoice& choice) {
  const JudgedPairs pairs(scores);
  if (pairs.rows().empty()) return {std::nan(""), std::nan(""), std::nan("")};
  if (!std::isnan(choice.given)) return {pairs.accuracy(choice.given), choice.given, pairs.tied(choice.given)};
  const std::vector<Candidate> candidates = Search(pairs).candidates();
  const auto is_less = [](const Candidate& a, const Candidate& b) { return a.sum < b.sum; };
  const Candidate& best = *std::max_element(candidates.begin(), candidates.end(), is_less);
  // Rounded weights tell no more than that sums are nearly equal.
  const auto equal = pairs.is_exact() ? std::count_if(candidates.begin(), candidates.end(),
                                                      [&](const Candidate& each) { return each.sum == best.sum; })
                                      : static_cast<std::ptrdiff_t>(candidates.size());
  double epsilon = pairs.is_exact() ? best.epsilon : candidates.front().epsilon;
  if (equal > 1 && choice.as_rounded && pairs.count() <= kMostRounded)
    epsilon = best_rounded(pairs, candidates.back().epsilon);
  return {pairs.is_exact() ? best.sum / pairs.one() : pairs.accuracy(epsilon), epsilon, pairs.tied(epsilon)};
}

std::vector<TieCalibration> tie_calibrations(std::span<const JudgedRows> all, std::span<const EpsilonChoice> choices,
                                             int threads) {
  std::vector<TieCalibration> found(all.size());
  SharedWork(all.size()).run(threads, [&] {
    return [&](std::size_t i) { found[i] = tie_calibration(all[i], choices[i]); };
  });
  return found;
}

}  // namespace fstmetrics

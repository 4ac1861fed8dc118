#include "agreement/pair_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {
namespace {

std::int64_t different(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  return std::unique(scores.begin(), scores.end()) - scores.begin();
}

PairCounts counted(const std::vector<double>& metric, const std::vector<double>& human, double threshold) {
  PairCounts found{};
  for (std::size_t i = 0; i < metric.size(); ++i) {
    for (std::size_t j = i + 1; j < metric.size(); ++j) {
      const bool above = metric[i] > metric[j], below = metric[i] < metric[j];
      const bool better = human[i] > human[j], worse = human[i] < human[j];
      if (!std::isnan(threshold) && (std::abs(human[i] - human[j]) < threshold || !(better || worse))) continue;
      const bool tied = !(above || below), equal = !(better || worse);
      found.concordant += (above && better) || (below && worse);
      found.discordant += (above && worse) || (below && better);
      found.tied_metric += tied && !equal;
      found.tied_human += equal && !tied;
      found.tied_both += tied && equal;
    }
  }
  found.points = static_cast<std::int64_t>(metric.size());
  found.fewest = std::min(different(metric), different(human));
  return found;
}

// Pairs of equal values in a sorted range.
template <class Same>
std::int64_t equal_pairs(std::size_t size, Same same) {
  std::int64_t pairs = 0;
  std::int64_t before = 0;
  for (std::size_t i = 1; i < size; ++i) {
    before = same(i - 1, i) ? before + 1 : 0;
    pairs += before;
  }
  return pairs;
}

// Sorts, and counts the pairs of which the first is larger than the second, by merging.
std::int64_t inversions(std::vector<double>& values) {
  std::vector<double> merged(values.size());
  std::int64_t found = 0;
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, values.size()), end = std::min(middle + width, values.size());
      poll(static_cast<std::int64_t>(4 * (end - begin)));
      std::size_t left = begin, right = middle;
      for (std::size_t at = begin; at < end; ++at) {
        if (left < middle && (right == end || values[left] <= values[right])) {
          merged[at] = values[left++];
        } else {
          found += static_cast<std::int64_t>(middle - left);
          merged[at] = values[right++];
        }
      }
    }
    values.swap(merged);
  }
  return found;
}

}  // namespace

std::vector<double> mean_ranks(std::span<const double> scores) {
  std::vector<std::pair<double, std::uint32_t>> sorted(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) sorted[i] = {scores[i], static_cast<std::uint32_t>(i)};
  Polls polls;
  std::sort(sorted.begin(), sorted.end(), [&](const auto& one, const auto& other) {
    polls(4);
    return one.first < other.first;
  });
  std::vector<double> ranks(scores.size());
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && sorted[end].first == sorted[begin].first) ++end;
    const double rank = static_cast<double>(begin + end + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[sorted[i].second] = rank;
  }
  return ranks;
}

std::vector<PairCounts> pair_counts(const JudgedRows& scores, double threshold) {
  std::vector<PairCounts> found;
  std::vector<double> metric, human;
  for (std::size_t begin = 0; begin < scores.metric.size(); begin += scores.columns) {
    metric.clear(), human.clear();
    for (std::size_t i = begin; i < begin + scores.columns; ++i) {
      if (std::isnan(scores.metric[i]) || std::isnan(scores.human[i])) continue;
      metric.push_back(scores.metric[i]), human.push_back(scores.human[i]);
    }
    if (metric.size() > 1) found.push_back(counted(metric, human, threshold));
    poll(static_cast<std::int64_t>(metric.size() * metric.size()));
  }
  return found;
}

PairCounts sorted_pair_counts(std::span<const double> metric, std::span<const double> human) {
  const std::size_t size = metric.size();
  std::vector<std::pair<double, double>> points(size);
  for (std::size_t i = 0; i < size; ++i) points[i] = {metric[i], human[i]};
  Polls polls;
  std::sort(points.begin(), points.end(), [&](const auto& one, const auto& other) {
    polls(4);
    return one < other;
  });
  const std::int64_t metric_ties =
      equal_pairs(size, [&](std::size_t i, std::size_t j) { return points[i].first == points[j].first; });
  PairCounts found{};
  found.tied_both = equal_pairs(size, [&](std::size_t i, std::size_t j) { return points[i] == points[j]; });
  std::vector<double> scores(size);
  for (std::size_t i = 0; i < size; ++i) scores[i] = points[i].second;
  std::vector<std::pair<double, double>>().swap(points);
  found.discordant = inversions(scores);
  const std::int64_t human_ties =
      equal_pairs(size, [&](std::size_t i, std::size_t j) { return scores[i] == scores[j]; });
  const auto count = static_cast<std::int64_t>(size);
  found.concordant = count * (count - 1) / 2 - metric_ties - human_ties + found.tied_both - found.discordant;
  found.tied_metric = metric_ties - found.tied_both;
  found.tied_human = human_ties - found.tied_both;
  return found;
}

}  // namespace fstmetrics

#include "agreement/pair_counts.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

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

}  // namespace fstmetrics

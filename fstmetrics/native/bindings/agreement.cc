#include "bindings/agreement.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agreement/exceeding_sums.h"
#include "agreement/pair_counts.h"
#include "agreement/right_together.h"
#include "agreement/tie_calibration.h"
#include "bindings/arrays.h"
#include "bindings/signals.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

nb::ndarray<nb::numpy, double> calibrations(const DoubleTable& metrics, const DoubleTable& human, std::size_t columns,
                                            const Doubles& epsilons, bool as_rounded,
                                            const std::optional<IntTable>& numbers, int threads) {
  const std::size_t number = metrics.shape(0), points = metrics.shape(1);
  if (human.shape(1) != points || (human.shape(0) != 1 && human.shape(0) != number) || epsilons.size() != number ||
      columns == 0 || points % columns != 0 ||
      (numbers && (numbers->shape(0) != number || numbers->shape(1) != points))) {
    throw std::invalid_argument("scores of the metric, of people, and epsilons do not fit together");
  }
  std::vector<JudgedRows> scores;
  std::vector<EpsilonChoice> choices;
  for (std::size_t i = 0; i < number; ++i) {
    const std::size_t people = human.shape(0) == 1 ? 0 : i;
    scores.push_back(
        {std::span(metrics.data() + i * points, points), std::span(human.data() + people * points, points), columns});
    if (numbers) scores.back().numbers = std::span(numbers->data() + i * points, points);
    choices.push_back({epsilons(i), as_rounded});
  }
  std::vector<double> found;
  {
    const Unlocked unlocked;
    for (const TieCalibration& each : tie_calibrations(scores, choices, threads)) {
      found.insert(found.end(), {each.value, each.epsilon, each.tied});
    }
  }
  return to_numpy(std::move(found), 3);
}

nb::ndarray<nb::numpy, std::int64_t> counts_of_pairs(const Doubles& metric, const Doubles& human, std::size_t columns,
                                                     double threshold) {
  if (metric.size() != human.size() || columns == 0 || metric.size() % columns != 0) {
    throw std::invalid_argument("scores of the metric and of people do not fit together");
  }
  std::vector<std::int64_t> found;
  {
    const Unlocked unlocked;
    const JudgedRows scores{std::span(metric.data(), metric.size()), std::span(human.data(), human.size()), columns};
    for (const PairCounts& row : pair_counts(scores, threshold)) {
      found.insert(found.end(), {row.concordant, row.discordant, row.tied_metric, row.tied_human, row.tied_both,
                                 row.points, row.fewest});
    }
  }
  return to_numpy(std::move(found), 7);
}

std::pair<nb::ndarray<nb::numpy, std::int64_t>, nb::ndarray<nb::numpy, std::int64_t>> counts_of_right(
    const DoubleTable& metrics, const Doubles& human, std::size_t columns, const Doubles& epsilons, int threads) {
  const std::size_t number = metrics.shape(0);
  if (metrics.shape(1) != human.size() || epsilons.size() != number || columns == 0 || human.size() % columns != 0) {
    throw std::invalid_argument("scores of metrics, of people, and epsilons do not fit together");
  }
  RightTogether found;
  {
    const Unlocked unlocked;
    found = right_together({std::span(metrics.data(), number * human.size()), std::span(human.data(), human.size()),
                            columns, std::span(epsilons.data(), number)},
                           threads);
  }
  return {to_numpy(std::move(found.counts), number * number), to_numpy(std::move(found.pairs))};
}

nb::ndarray<nb::numpy, double> shares_of_exceeding(const DoubleTable& sums, const Doubles& observed, double slack) {
  if (observed.size() == 0 || sums.shape(0) != observed.size() || sums.shape(1) == 0) {
    throw std::invalid_argument("sums of systems, by permutation and observed, do not fit together");
  }
  std::vector<double> found;
  {
    const Unlocked unlocked;
    found = exceeding_shares({{sums.data(), sums.size()}, {observed.data(), observed.size()}, slack});
  }
  return to_numpy(std::move(found));
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("tie_calibrations", calibrations, "metrics"_a, "human"_a, "columns"_a, "epsilons"_a, "as_rounded"_a,
        "numbers"_a.none(), "threads"_a,
        "Pairwise accuracy with tie calibration of each row of metrics, with the row of human, or the only one: "
        "accuracy, epsilon, "
        "and the share of pairs that are ties. Points of every `columns` are compared with each other; nan is a "
        "missing score. "
        "epsilons are given ones, or nan for the best; as_rounded: of equally good ones, mt-metrics-eval's, else the "
        "smallest. "
        "Points of a row with one number are copies, which make no pair; numbers may be None.");
  m.def("pair_counts", counts_of_pairs, "metric"_a, "human"_a, "columns"_a, "threshold"_a,
        "Of each row of `columns` points that has a pair: pairs concordant, discordant, tied by the metric, by people, "
        "by both; points; "
        "and different scores of the side that has fewer. nan is a missing score. Pairs whose human scores differ by "
        "less than "
        "threshold, or by nothing, are not counted, unless it is nan.");
  m.def(
      "sorted_pair_counts",
      [](const Doubles& metric, const Doubles& human) {
        if (metric.size() != human.size()) throw std::invalid_argument("as many scores of people as of the metric");
        PairCounts found{};
        {
          const Unlocked unlocked;
          found = sorted_pair_counts({metric.data(), metric.size()}, {human.data(), human.size()});
        }
        return to_numpy(std::vector<std::int64_t>{found.concordant, found.discordant, found.tied_metric,
                                                  found.tied_human, found.tied_both});
      },
      "metric"_a, "human"_a,
      nb::sig("def sorted_pair_counts(metric: numpy.typing.NDArray[numpy.float64], human: "
              "numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int64]"),
      "The first five of these of one long row, in O(n log n).");
  m.def(
      "mean_ranks",
      [](const Doubles& scores) {
        if (scores.size() >= std::size_t{1} << 32) throw std::invalid_argument("2^32 scores or more");
        std::vector<double> ranks;
        {
          const Unlocked unlocked;
          ranks = mean_ranks({scores.data(), scores.size()});
        }
        return to_numpy(std::move(ranks));
      },
      "scores"_a,
      nb::sig("def mean_ranks(scores: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]"),
      "Ranks from 1; equal scores share the mean of theirs.");
  m.def("exceeding_shares", shares_of_exceeding, "sums"_a, "observed"_a, "slack"_a,
        "Of each pair of systems, rows of sums, the share of permutations, columns, whose difference is at least the "
        "observed one less slack; shape [pairs].");
  m.def("right_together", counts_of_right, "metrics"_a, "human"_a, "columns"_a, "epsilons"_a, "threads"_a,
        "Of each row of `columns` points that has a pair: how many pairs each two metrics both have right, shape "
        "[rows, metrics * metrics], and how many pairs there are. Scores that differ by epsilon or less are ties of a "
        "metric.");
}

}  // namespace fstmetrics

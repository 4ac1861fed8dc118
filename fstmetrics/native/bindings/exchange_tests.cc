#include "bindings/exchange_tests.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "resampling/exchange_tests.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using ByteTable = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Permutations, those after which it is asked whether to stop, and below and above which p to stop.
using StoppingRule = std::tuple<std::int64_t, std::int64_t, double, double>;
// Coefficients of both metrics, and exceeding and all permutations, by pair.
using Tests = std::pair<nb::ndarray<nb::numpy, double>, nb::ndarray<nb::numpy, std::int64_t>>;

template <class Array>
auto span_of(const Array& array) {
  return std::span(array.data(), array.size());
}

ScoredPoints points_of(const DoubleTable& metrics, const Doubles& human, const Longs& row_ends, const Ints& units,
                       bool of_means) {
  const std::size_t points = units.size();
  if (metrics.shape(1) != points || human.size() != (of_means ? row_ends.size() : points))
    throw std::invalid_argument("as many scores as points are needed");
  std::int64_t before = 0;
  for (const std::int64_t end : span_of(row_ends)) {
    if (end <= before) throw std::invalid_argument("rows hold points, and end one after the other");
    before = end;
  }
  if (before != static_cast<std::int64_t>(points)) throw std::invalid_argument("rows hold all points");
  std::int32_t units_used = 0;
  for (const std::int32_t unit : span_of(units)) {
    if (unit < 0) throw std::invalid_argument("units are numbered from 0");
    units_used = std::max(units_used, unit + 1);
  }
  return {span_of(metrics), span_of(human), span_of(row_ends), span_of(units), units_used, of_means};
}

std::vector<MetricPair> pairs_of(const IntTable& pairs, std::size_t metrics) {
  if (pairs.shape(1) != 2) throw std::invalid_argument("a pair has two metrics");
  std::vector<MetricPair> found;
  for (std::size_t i = 0; i < pairs.shape(0); ++i) {
    found.push_back({pairs(i, 0), pairs(i, 1)});
    for (const std::int32_t metric : {found.back().first, found.back().second}) {
      if (metric < 0 || static_cast<std::size_t>(metric) >= metrics)
        throw std::invalid_argument("a pair has no such metric");
    }
  }
  return found;
}

Generator generator_of(const Seeded& seeded) {
  const std::uint64_t* words = seeded.data();
  return {wide(words[0], words[1]), wide(words[2], words[3])};
}

Stopping stopping_of(const StoppingRule& rule) {
  const auto [permutations, block, low, high] = rule;
  if (permutations < 1 || block < 1) throw std::invalid_argument("there must be permutations, and blocks of them");
  return {permutations, block, low, high};
}

Tests columns(const std::vector<ExchangeTest>& tests) {
  std::vector<double> coefficients;
  std::vector<std::int64_t> counts;
  for (const ExchangeTest& test : tests) {
    coefficients.insert(coefficients.end(), {test.first, test.second});
    counts.insert(counts.end(), {test.exceeding, test.permutations});
  }
  return {to_numpy(std::move(coefficients), 2), to_numpy(std::move(counts), 2)};
}

Coefficient coefficient_of(const std::string& name, bool of_means) {
  if (name == "pearson") return Coefficient::kPearson;
  if (name == "spearman") return Coefficient::kSpearman;
  if (name == "kendall") return Coefficient::kKendall;
  if (name == "accuracy" && of_means) return Coefficient::kAccuracy;
  throw std::invalid_argument("an unknown coefficient");
}

Tests tests_of_coefficient(const DoubleTable& metrics, const Doubles& human, const Longs& row_ends, const Ints& units,
                           bool of_means, const std::string& coefficient, const IntTable& pairs, const Seeded& seeded,
                           const StoppingRule& rule, int threads) {
  const ScoredPoints points = points_of(metrics, human, row_ends, units, of_means);
  const std::vector<MetricPair> compared = pairs_of(pairs, metrics.shape(0));
  const Coefficient kind = coefficient_of(coefficient, of_means);
  const Stopping stopping = stopping_of(rule);
  std::vector<ExchangeTest> tests;
  {
    const Unlocked unlocked;
    tests = exchange_tests(points, kind, compared, generator_of(seeded), stopping, threads);
  }
  return columns(tests);
}

Tests tests_of_soft_accuracy(const DoubleTable& metrics, const Longs& row_ends, const Ints& units,
                             const ByteTable& signs, const Doubles& confidences, const IntTable& pairs,
                             const Seeded& seeded, const StoppingRule& rule, int threads) {
  const std::size_t systems = row_ends.size();
  const std::size_t segments = systems ? metrics.shape(1) / systems : 0;
  if (segments == 0 || segments * systems != metrics.shape(1) || signs.shape(0) == 0 ||
      signs.shape(1) != (segments + 7) / 8 || confidences.size() != systems * (systems - 1) / 2 ||
      units.size() != metrics.shape(1)) {
    throw std::invalid_argument("scores, signs and confidences do not fit together");
  }
  std::int32_t units_used = 0;
  for (const std::int32_t unit : span_of(units)) {
    if (unit < 0) throw std::invalid_argument("units are numbered from 0");
    units_used = std::max(units_used, unit + 1);
  }
  const ScoredPoints points{span_of(metrics), {}, span_of(row_ends), span_of(units), units_used, false};
  const std::vector<MetricPair> compared = pairs_of(pairs, metrics.shape(0));
  const Stopping stopping = stopping_of(rule);
  std::vector<ExchangeTest> tests;
  {
    const Unlocked unlocked;
    tests = exchange_tests(points, SoftAccuracy{span_of(signs), span_of(confidences)}, compared, generator_of(seeded),
                           stopping, threads);
  }
  return columns(tests);
}

}  // namespace

void bind_exchange_tests(nb::module_& m) {
  m.def("exchange_tests", tests_of_coefficient, "metrics"_a, "human"_a, "row_ends"_a, "units"_a, "of_means"_a,
        "coefficient"_a, "pairs"_a, "generator"_a, "stopping"_a, "threads"_a,
        "Of pairs of metrics that exchange scores at random, unit by unit: both coefficients (pearson, spearman, "
        "kendall, of means "
        "accuracy, too); and permutations whose difference is at least the observed one, and all. Stopping: "
        "permutations, block, and "
        "p below and above which it stops after a block.");
  m.def("soft_accuracy_tests", tests_of_soft_accuracy, "metrics"_a, "row_ends"_a, "units"_a, "signs"_a, "confidences"_a,
        "pairs"_a, "generator"_a, "stopping"_a, "threads"_a,
        "The same of soft pairwise accuracy: rows are systems; signs are bits of its own permutations, by permutation "
        "and 8 "
        "segments, lowest first; confidences are people's.");
}

}  // namespace fstmetrics

#include "bindings/tuning.h"

#include <nanobind/stl/tuple.h>

#include <stdexcept>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "tuning/envelopes.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using LongColumn = nb::ndarray<nb::numpy, std::int64_t>;
using IntColumn = nb::ndarray<nb::numpy, std::int32_t>;
using DoubleColumn = nb::ndarray<nb::numpy, double>;

std::tuple<LongColumn, DoubleColumn, LongColumn, LongColumn, IntColumn, LongColumn, LongColumn> envelopes_of(
    const Forests& forests, const Doubles& slopes, const Doubles& intercepts, bool with_words) {
  Envelopes found;
  {
    const Unlocked unlocked;
    found = envelopes(forests, {slopes.data(), slopes.size()}, {intercepts.data(), intercepts.size()}, with_words);
  }
  return {to_numpy(std::move(found.offsets)), to_numpy(std::move(found.begins)),
          to_numpy(std::move(found.edges)),   to_numpy(std::move(found.word_offsets)),
          to_numpy(std::move(found.words)),   to_numpy(std::move(found.taken_offsets)),
          to_numpy(std::move(found.taken))};
}

std::tuple<DoubleColumn, DoubleColumn> sums_of(const Longs& offsets, const Doubles& begins, const Longs& rows,
                                               const DoubleTable& statistics) {
  const auto segments = static_cast<std::int64_t>(begins.size());
  const auto known = static_cast<std::int64_t>(statistics.shape(0));
  bool good =
      offsets.size() > 0 && rows.size() == begins.size() && offsets(0) == 0 && offsets(offsets.size() - 1) == segments;
  for (std::size_t i = 0; good && i + 1 < offsets.size(); ++i) good = offsets(i) <= offsets(i + 1);
  for (std::size_t i = 0; good && i < rows.size(); ++i) good = rows(i) >= 0 && rows(i) < known;
  if (!good) throw std::invalid_argument("offsets go up from 0 to the number of segments, each of which has a row");
  Sweep found;
  {
    const Unlocked unlocked;
    found = sweep({offsets.data(), offsets.size()}, {begins.data(), begins.size()}, {rows.data(), rows.size()},
                  {statistics.data(), statistics.size()}, statistics.shape(1));
  }
  return {to_numpy(std::move(found.points)), to_numpy(std::move(found.sums), statistics.shape(1))};
}

}  // namespace

void bind_tuning(nb::module_& m) {
  nb::class_<Forests>(m, "Forests", "Forests one after the other, for envelopes.")
      .def(
          "__init__",
          [](Forests* self, Longs firsts, Longs edges, Longs offsets, Ints tokens) {
            Forests forests{to_vector<std::int64_t>(firsts), to_vector<std::int64_t>(edges),
                            to_vector<std::int64_t>(offsets), to_vector<std::int32_t>(tokens)};
            forests.check();
            new (self) Forests(std::move(forests));
          },
          "firsts"_a, "edges"_a, "offsets"_a, "tokens"_a)
      .def("envelopes", &envelopes_of, "slopes"_a, "intercepts"_a, "with_words"_a,
           "The best derivations along a line of weights: for each forest its segments, as offsets; where each begins; "
           "its edge of the goal; its words, and all of its edges, as offsets and values.");
  m.def("sweep", &sums_of, "offsets"_a, "begins"_a, "rows"_a, "statistics"_a,
        "Sums of the rows of statistics that segments have: the points where they change, and the sums between them, "
        "shape [points + 1, columns].");
}

}  // namespace fstmetrics

#include "bindings/packed.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "bindings/lattices.h"
#include "bindings/signals.h"
#include "formats/packed.h"

namespace fstmetrics {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

template <class Value>
using Array = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Arrays by path; their lengths belong together, as the reader of the file has seen.
class Columns {
 public:
  explicit Columns(const nb::dict& columns) : columns_(columns) {}

  template <class Value>
  std::span<const Value> values(const char* path) const {
    const auto array = nb::cast<Array<Value>>(columns_[path]);
    return {array.data(), array.size()};
  }
  std::span<const char> bytes(const char* path) const {
    const auto given = values<std::uint8_t>(path);
    return {reinterpret_cast<const char*>(given.data()), given.size()};
  }
  PackedLists lists(const char* path) const { return {values<std::int32_t>(path)}; }

 private:
  const nb::dict& columns_;
};

void check(std::size_t rows, std::size_t found, const PackedLists& lists, std::size_t values, std::size_t width = 1) {
  if (found != rows + 1 || static_cast<std::size_t>(lists.offsets.back()) * width != values) {
    throw std::invalid_argument("columns of different lengths");
  }
}

PackedBatch batch_of(const Columns& columns) {
  PackedBatch batch{
      .states = columns.values<std::int32_t>("states"),
      .starts = columns.values<std::int32_t>("start"),
      .numbered = columns.values<std::uint8_t>("numbered"),
      .scales = columns.values<double>("scales.item"),
      .ids = columns.lists("id.offsets"),
      .words = columns.lists("words.offsets"),
      .arcs = columns.lists("arcs.offsets"),
      .arc_costs = columns.lists("arc_costs.offsets"),
      .finals = columns.lists("finals.offsets"),
      .final_costs = columns.lists("final_costs.offsets"),
      .state_times = columns.lists("state_times.offsets"),
      .arc_durations = columns.lists("arc_durations.offsets"),
      .units = columns.lists("time_unit.offsets"),
      .id_bytes = columns.bytes("id.bytes"),
      .unit_bytes = columns.bytes("time_unit.bytes"),
      .word_numbers = columns.values<std::int32_t>("words.item"),
      .sources = columns.values<std::int32_t>("arcs.item.source"),
      .destinations = columns.values<std::int32_t>("arcs.item.destination"),
      .labels = columns.values<std::int32_t>("arcs.item.label"),
      .final_states = columns.values<std::int32_t>("finals.item"),
      .arc_cost_pairs = columns.values<double>("arc_costs.item.item"),
      .final_cost_pairs = columns.values<double>("final_costs.item.item"),
      .times = columns.values<double>("state_times.item"),
      .durations = columns.values<std::int64_t>("arc_durations.item"),
  };
  const std::size_t rows = batch.states.size();
  const auto lists = [rows](const PackedLists& each, std::size_t values, std::size_t width = 1) {
    check(rows, each.offsets.size(), each, values, width);
  };
  lists(batch.ids, batch.id_bytes.size());
  lists(batch.words, batch.word_numbers.size());
  for (const auto& column : {batch.sources, batch.destinations, batch.labels}) lists(batch.arcs, column.size());
  lists(batch.arc_costs, batch.arc_cost_pairs.size(), 2);
  lists(batch.finals, batch.final_states.size());
  lists(batch.final_costs, batch.final_cost_pairs.size(), 2);
  lists(batch.state_times, batch.times.size());
  lists(batch.arc_durations, batch.durations.size());
  lists(batch.units, batch.unit_bytes.size());
  if (batch.starts.size() != rows || batch.numbered.size() != rows || batch.scales.size() != 3 * rows) {
    throw std::invalid_argument("columns of different lengths");
  }
  return batch;
}

}  // namespace

void bind_packed(nb::module_& m) {
  nb::class_<PackedReader>(m, "PackedReader", "Makes lattices of the columns of packed files, batch by batch.")
      .def(
          "__init__",
          [](PackedReader* self, std::shared_ptr<Vocabulary> vocabulary, std::int64_t most_states) {
            if (!vocabulary) throw nb::type_error("a Vocabulary, not None");
            new (self) PackedReader(std::move(vocabulary), most_states);
          },
          "vocabulary"_a, "most_states"_a, "`most_states`: of a lattice; one with more is damaged.")
      .def(
          "add_words",
          [](PackedReader& reader, const Array<std::int32_t>& offsets, const Array<std::uint8_t>& bytes) {
            const PackedLists lists{{offsets.data(), offsets.size()}};
            if (!offsets.size()) throw std::invalid_argument("columns of different lengths");
            check(offsets.size() - 1, offsets.size(), lists, bytes.size());
            const Unlocked unlocked;
            reader.add_words(lists, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
          },
          "offsets"_a, "bytes"_a, "Further words of the dictionary, in UTF-8 that has been checked.")
      .def(
          "read",
          [](const PackedReader& reader, const nb::dict& columns, BoundColumn& bound) {
            const PackedBatch batch = batch_of(Columns(columns));
            const Unlocked unlocked;
            reader.read(batch, *bound.column);
          },
          "columns"_a, "column"_a,
          nb::sig("def read(self, columns: dict[str, typing.Any], column: LatticeColumn) -> None"),
          "Appends the lattices of a batch. Offsets never fall. What is not as it should be is a damaged lattice, as "
          "is what "
          "a column has no room for.");
}

}  // namespace fstmetrics

#include "bindings/packed.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings/arrays.h"
#include "bindings/lattices.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "formats/packed.h"
#include "formats/packed_columns.h"

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
  if (found != rows + 1 || lists.offsets.front() < 0 ||
      static_cast<std::size_t>(lists.offsets.back()) * width > values) {
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

// Arrays by path, as Columns has them.
nb::dict dict_of(PackedArrays&& arrays) {
  nb::dict found;
  const auto put = [&found](const char* path, auto&& values) {
    found[path] = nb::cast(to_numpy(std::move(values)), nb::rv_policy::automatic);
  };
  put("states", arrays.states);
  put("start", arrays.starts);
  put("numbered", arrays.numbered);
  put("scales.item", arrays.scales);
  put("id.offsets", arrays.ids);
  put("words.offsets", arrays.words);
  put("arcs.offsets", arrays.arcs);
  put("arc_costs.offsets", arrays.arc_costs);
  put("finals.offsets", arrays.finals);
  put("final_costs.offsets", arrays.final_costs);
  put("state_times.offsets", arrays.state_times);
  put("arc_durations.offsets", arrays.arc_durations);
  put("time_unit.offsets", arrays.units);
  put("id.bytes", arrays.id_bytes);
  put("time_unit.bytes", arrays.unit_bytes);
  put("words.item", arrays.word_numbers);
  put("arcs.item.source", arrays.sources);
  put("arcs.item.destination", arrays.destinations);
  put("arcs.item.label", arrays.labels);
  put("finals.item", arrays.final_states);
  put("arc_costs.item.item", arrays.arc_cost_pairs);
  put("final_costs.item.item", arrays.final_cost_pairs);
  put("state_times.item", arrays.times);
  put("arc_durations.item", arrays.durations);
  return found;
}

// Appends lattices from `begin` on, up to `end` or until the batch is full; the number of the first that is left.
std::size_t add_rows(PackedColumns& columns, const BoundColumn& bound, std::size_t begin, std::size_t end,
                     const std::optional<nb::object>& ids, std::size_t most_size, std::size_t most_rows) {
  const LatticeColumn& column = *bound.column;
  if (begin > end || end > column.size()) throw nb::index_error();
  std::vector<std::string_view> names;
  Utf8 utf8;
  if (ids) {
    for_each_item(*ids, [&](nb::handle id) { names.push_back(utf8.view(id)); });
    if (names.size() != end - begin) throw std::invalid_argument("columns of different lengths");
  }
  const Unlocked unlocked;
  Polls poll;
  for (std::size_t i = begin; i < end; ++i) {
    if (columns.size() >= most_size || columns.rows() >= most_rows) return i;
    columns.add(column, i, ids ? names[i - begin] : std::string_view(column[i].id));
    poll(static_cast<std::int64_t>(100 + 10 * column[i].automaton->num_arcs()));
  }
  return end;
}

void add_one(PackedColumns& columns, std::string_view id, const Automaton& automaton, nb::handle words,
             const std::tuple<double, double, double>& scales, const std::optional<Doubles>& times,
             const std::optional<Longs>& durations, std::string_view unit, bool numbered) {
  std::vector<std::string_view> names;
  Utf8 utf8;
  for_each_item(words, [&](nb::handle word) { names.push_back(utf8.view(word)); });
  PackedRow row{.id = id, .unit = unit, .numbered = numbered};
  row.scales = {std::get<0>(scales), std::get<1>(scales), std::get<2>(scales)};
  if (times) row.times = {times->data(), times->size()};
  if (durations) row.durations = {durations->data(), durations->size()};
  columns.add(automaton, names, row);
}

}  // namespace

void bind_packed(nb::module_& m) {
  nb::class_<PackedColumns>(
      m, "PackedColumns", "Columns of packed lattices, filled batch by batch, and the words that they have in common.")
      .def(nb::init<>())
      .def("__len__", &PackedColumns::rows)
      .def_prop_ro("size", &PackedColumns::size, "Arcs and states of all lattices of the batch.")
      .def(
          "add_column", &add_rows, "column"_a, "begin"_a, "end"_a, "ids"_a.none(), "most_size"_a, "most_rows"_a,
          nb::sig("def add_column(self, column: LatticeColumn, begin: int, end: int, ids: typing.Sequence[str] | None, "
                  "most_size: int, most_rows: int) -> int"),
          "Appends lattices from `begin` on, none of them damaged, up to `end` or until the batch has so many arcs and "
          "states or lattices; returns the number of the first that is left. `ids`: of all these, None: their own.")
      .def("add", &add_one, "id"_a, "automaton"_a, "words"_a, "scales"_a, "times"_a.none(), "durations"_a.none(),
           "unit"_a, "numbered"_a, "Appends a lattice; `words` by label.")
      .def(
          "take", [](PackedColumns& columns) { return dict_of(columns.take()); },
          nb::sig("def take(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "The columns of the batch, by path; the next batch begins empty.")
      .def(
          "take_words",
          [](PackedColumns& columns) {
            nb::list words;
            for (const std::string_view word : columns.take_words()) words.append(to_str(word));
            return words;
          },
          nb::sig("def take_words(self) -> list[str]"),
          "Words that are new in the dictionary since the last time; the first one is \"\", which is no word.");
  nb::class_<PackedReader>(m, "PackedReader", "Makes lattices of the columns of packed files, batch by batch.")
      .def(
          "__init__",
          [](PackedReader* self, std::shared_ptr<Vocabulary> vocabulary, std::int64_t most_states,
             std::optional<std::shared_ptr<Labels>> labels) {
            if (!vocabulary) throw nb::type_error("a Vocabulary, not None");
            new (self) PackedReader(std::move(vocabulary), most_states, labels ? *labels : nullptr);
          },
          "vocabulary"_a, "most_states"_a, "labels"_a = nb::none(),
          nb::sig("def __init__(self, vocabulary: Vocabulary, most_states: int, labels: Labels | None = None) -> None"),
          "`most_states`: of a lattice; one with more is damaged. `labels`: the words of lattices whose words are "
          "numbers, by a symbol table.")
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

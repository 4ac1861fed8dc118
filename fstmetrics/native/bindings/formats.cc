// The parsers of file formats, as Python sees them.

#include "bindings/formats.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/signals.h"
#include "bindings/strings.h"
#include "formats/alignment_notation.h"
#include "formats/att.h"
#include "formats/fault.h"
#include "formats/record_columns.h"
#include "formats/symbol_table.h"
#include "support/xxh64.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace fstmetrics {
namespace {

// A column as an array that nothing may change, and that keeps its object alive.
template <class T, class Member>
auto column(Member member) {
  return [member](nb::pointer_and_handle<T> self) {
    const auto& values = self.p->*member;
    using Value = typename std::decay_t<decltype(values)>::value_type;
    return nb::ndarray<nb::numpy, const Value>(values.data(), {values.size()}, self.h);
  };
}

constexpr auto kView = nb::rv_policy::reference;

// Word by integer.
nb::dict symbol_table(const nb::bytes& text) {
  const std::vector<SymbolLine> symbols = read_symbol_table(view(text));
  nb::dict words;
  for (const SymbolLine& symbol : symbols) {
    const nb::int_ key(symbol.key);
    if (words.contains(key)) {
      const auto same = [&](const SymbolLine& other) { return other.key == symbol.key; };
      const std::int64_t first = std::find_if(symbols.begin(), symbols.end(), same)->line;
      Fault fault("integer " + std::to_string(symbol.key) + " is given twice, first in line " + std::to_string(first));
      fault.line = symbol.line;
      throw fault;
    }
    words[key] = decoded(symbol.word);
  }
  return words;
}

nb::list noted(const nb::iterable& alignment) {
  nb::list found;
  for (nb::handle operation : alignment) {
    nb::list list;
    for (const nb::object& part : Operation<nb::object>{operation[0], operation[1], operation[2]}.parts())
      list.append(part);
    found.append(list);
  }
  return found;
}

nb::tuple operation_columns(const nb::iterable& alignment) {
  nb::list letters, hypothesis, reference;
  for (nb::handle list : alignment) {
    const auto operation = Operation<nb::object>::of({list[0], list[1], list[2]});
    letters.append(operation.letter);
    hypothesis.append(operation.hypothesis);
    reference.append(operation.reference);
  }
  return nb::make_tuple(nb::str("").attr("join")(letters), nb::tuple(hypothesis), nb::tuple(reference));
}

void bind_text(nb::module_& m) {
  m.def("read_symbol_table", symbol_table, "text"_a, nb::sig("def read_symbol_table(text: bytes) -> dict[int, str]"),
        "Words of the integers of a symbol table file.");
  m.def(
      "looks_like_att",
      [](nb::bytes text) {
        const Unlocked unlocked;
        return looks_like_att(view(text));
      },
      "text"_a, "Whether all lines are arcs or final states of AT&T text, and the machine hangs together.");
}

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

template <class Columns, class Names>
auto named_columns(Columns RecordColumns::* member, const Names& names) {
  return [member, &names](nb::pointer_and_handle<RecordColumns> self) {
    nb::dict found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto& values = (self.p->*member)[i];
      using Value = typename std::decay_t<decltype(values)>::value_type;
      found[nb::str(names[i].data(), names[i].size())] =
          nb::cast(nb::ndarray<nb::numpy, const Value>(values.data(), {values.size()}, self.h), kView);
    }
    return found;
  };
}

void bind_records(nb::module_& m) {
  using Records = RecordColumns;
  const auto json = [](std::string Records::* member) {
    return [member](const Records& records) { return bytes_of(records.*member); };
  };
  nb::class_<Records>(m, "RecordColumns", "Records of JSON lines in columns; texts as arrays of JSON.")
      .def_prop_ro("ids", json(&Records::ids))
      .def_prop_ro("fields", json(&Records::fields))
      .def_prop_ro("metrics", json(&Records::metrics))
      .def_prop_ro("signatures", json(&Records::signatures))
      .def_prop_ro("words", json(&Records::words))
      .def_prop_ro("metric", column<Records>(&Records::metric), kView)
      .def_prop_ro("signature", column<Records>(&Records::signature), kView)
      .def_prop_ro("kinds", column<Records>(&Records::kinds), kView, "0 score, 1 statistics, 2 path, 3 risk.")
      .def_prop_ro("oracles", column<Records>(&Records::oracles), kView)
      .def_prop_ro("aligned", column<Records>(&Records::aligned), kView)
      .def_prop_ro("lines", column<Records>(&Records::lines), kView)
      .def_prop_ro("begins", column<Records>(&Records::begins), kView)
      .def_prop_ro("ends", column<Records>(&Records::ends), kView)
      .def_prop_ro("counts", named_columns(&Records::counts, Records::kCounts),
                   nb::sig("def counts(self) -> dict[str, numpy.typing.NDArray[numpy.int64]]"))
      .def_prop_ro("measures", named_columns(&Records::measures, Records::kMeasures),
                   nb::sig("def measures(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"))
      .def_prop_ro("further", column<Records>(&Records::further), kView)
      .def_prop_ro("operations", column<Records>(&Records::operations), kView)
      .def_prop_ro("letters", column<Records>(&Records::letters), kView)
      .def_prop_ro("hypothesis", column<Records>(&Records::hypothesis), kView)
      .def_prop_ro("reference", column<Records>(&Records::reference), kView)
      .def_ro("end", &Records::end)
      .def_ro("last_line", &Records::last_line)
      .def_prop_ro(
          "unknown",
          [](const Records& records) -> nb::object {
            return records.unknown ? nb::object(bytes_of(*records.unknown)) : nb::none();
          },
          nb::sig("def unknown(self) -> bytes | None"), "JSON of the name of a metric of which there is no rule.")
      .def_prop_ro(
          "fault",
          [](const Records& records) -> nb::object {
            if (!records.fault) return nb::none();
            const auto& [message, piece, line, begin, end] = *records.fault;
            return nb::make_tuple(line, begin, end, decoded(message), bytes_of(piece));
          },
          nb::sig("def fault(self) -> tuple[int, int, int, str, bytes] | None"),
          "Of the line behind these: its number, its bytes, what is wrong, and a value that {} stands for.");
  nb::class_<RecordSchema>(m, "RecordSchema", "Reads records, and checks all that docs/records.md says of them.")
      .def(nb::init<std::string>(), "with_paths"_a)
      .def(
          "add",
          [](RecordSchema& schema, nb::bytes name, std::string metric, bool has_paths,
             std::optional<std::vector<std::string>> columns) {
            schema.add(std::string(view(name)), {std::move(metric), has_paths, std::move(columns)});
          },
          "name"_a, "metric"_a, "has_paths"_a, "columns"_a.none(),
          "A metric, by what records call it, as JSON; columns of its statistics, if their number is known.")
      .def(
          "read",
          [](const RecordSchema& schema, nb::bytes text, std::int64_t at, std::int64_t line, std::int64_t most) {
            if (at < 0 || at > static_cast<std::int64_t>(text.size()))
              throw std::invalid_argument("`at` is no place in the text");
            const Unlocked unlocked;
            return schema.read(view(text), at, line, most);
          },
          "text"_a, "at"_a, "line"_a, "most"_a, "The next records of a text of JSON lines, up to what is wrong.");
  m.def("noted", noted, "alignment"_a,
        nb::sig("def noted(alignment: collections.abc.Iterable[Sequence[typing.Any]]) -> list[list[typing.Any]]"),
        "An alignment as records have it; of each operation its letter, its word of the hypothesis and its word of the "
        "reference, and more.");
  m.def("operation_columns", operation_columns, "alignment"_a,
        nb::sig("def operation_columns(alignment: collections.abc.Iterable[Sequence[typing.Any]]) -> tuple[str, "
                "tuple[str | None, ...], "
                "tuple[str | None, ...]]"),
        "Of an alignment as a record has it, the letters, the words of the hypothesis and those of the reference.");
  m.def("paid_moves", &paid_moves, "order"_a, "jumps"_a,
        "Of every word in the order in which they are taken, whether a reordering move is paid for it; `jumps`: for "
        "every "
        "word out of turn, not only the first of a block that moves.");
}

// Fault(line, byte, message, piece): line and byte are None where there is none, the piece is bytes.
void translate(const std::exception_ptr& pointer, void* type) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Fault& fault) {
    const nb::object line = fault.line > 0 ? nb::object(nb::int_(fault.line)) : nb::none();
    const nb::object byte = fault.byte >= 0 ? nb::object(nb::int_(fault.byte)) : nb::none();
    const nb::object message = decoded(fault.message);
    const nb::bytes piece(fault.piece.data(), fault.piece.size());
    PyErr_SetObject(static_cast<PyObject*>(type), nb::make_tuple(line, byte, message, piece).ptr());
  }
}

}  // namespace

void bind_formats(nb::module_& m) {
  nb::object fault = nb::steal(PyErr_NewException("fstmetrics._native.Fault", PyExc_ValueError, nullptr));
  m.attr("Fault") = fault;
  nb::register_exception_translator(translate, fault.release().ptr());
  m.def(
      "xxh64",
      [](const nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& data) {
        const Unlocked unlocked;
        return xxh64({reinterpret_cast<const char*>(data.data()), data.size()});
      },
      "data"_a, "XXH64 of some bytes: a checksum.");
  bind_text(m);
  bind_records(m);
}

}  // namespace fstmetrics

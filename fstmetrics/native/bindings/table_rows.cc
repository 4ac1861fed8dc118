#include "bindings/table_rows.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "bindings/texts.h"
#include "formats/score_rows.h"
#include "formats/table_rows.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using SharedRows = std::shared_ptr<FieldRows>;
using SharedTexts = std::shared_ptr<BoundTexts>;

nb::object to_python(const FieldCell& cell) {
  switch (cell.kind) {
    case FieldKind::kNull:
      return nb::none();
    case FieldKind::kFalse:
    case FieldKind::kTrue:
      return nb::bool_(cell.kind == FieldKind::kTrue);
    case FieldKind::kInteger: {
      std::int64_t number = 0;
      const char* end = cell.text.data() + cell.text.size();
      const auto [behind, error] = std::from_chars(cell.text.data(), end, number);
      if (error == std::errc{} && behind == end) return nb::int_(number);
      const std::string written(cell.text);
      return nb::steal(PyLong_FromString(written.c_str(), nullptr, 10));
    }
    case FieldKind::kReal: {
      double number = 0;
      std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), number);
      return nb::float_(number);
    }
    case FieldKind::kText:
      break;
  }
  return to_str(cell.text);
}

std::vector<nb::object> names_of(const FieldRows& rows) {
  std::vector<nb::object> names;
  for (const std::string& name : *rows.names) names.push_back(to_str(name));
  return names;
}

nb::dict as_dict(const FieldRows& rows, const std::vector<nb::object>& names, std::size_t row) {
  nb::dict found;
  for (const FieldCell& cell : rows.row(row)) found[names[static_cast<std::size_t>(cell.name)]] = to_python(cell);
  return found;
}

std::size_t place_of(const FieldRows& rows, Py_ssize_t at) {
  const auto size = static_cast<Py_ssize_t>(rows.size());
  if (at < 0) at += size;
  if (at < 0 || at >= size) throw nb::index_error();
  return static_cast<std::size_t>(at);
}

SharedRows some_rows(const FieldRows& rows, const nb::slice& places) {
  const auto [begin, end, step, length] = places.compute(rows.size());
  std::vector<std::int64_t> numbers(length);
  auto at = static_cast<std::int64_t>(begin);
  for (std::int64_t& number : numbers) {
    number = at;
    at += step;
  }
  return std::make_shared<FieldRows>(rows.taken(numbers));
}

nb::list as_list(const FieldRows& rows) {
  const std::vector<nb::object> names = names_of(rows);
  nb::list all;
  for (std::size_t row = 0; row < rows.size(); ++row) all.append(as_dict(rows, names, row));
  return all;
}

// Python's bytes, for as long as anybody views them.
std::shared_ptr<const void> kept(const nb::bytes& data) {
  return {new nb::bytes(data), [](nb::bytes* held) {
            const nb::gil_scoped_acquire locked;
            delete held;
          }};
}

using Part = std::tuple<std::optional<SharedTexts>, SharedTexts, std::optional<SharedRows>>;

std::optional<Part> part_of(const TableForm& form, const nb::bytes& data) {
  const auto holder = kept(data);
  const Unlocked unlocked;
  std::optional<TablePart> part = form.part(view(data), holder);
  if (!part) return std::nullopt;
  Part found;
  if (!form.roles.id.empty()) std::get<0>(found) = shared_texts(std::move(part->ids));
  std::get<1>(found) = shared_texts(std::move(part->texts));
  if (form.roles.has_fields) std::get<2>(found) = std::make_shared<FieldRows>(std::move(part->fields));
  return found;
}

void bind_score_rows(nb::module_& m) {
  nb::class_<ScoreRows>(m, "ScoreRows", "A table of scores as columns, read piece by piece.")
      .def(nb::init<const TableForm&, std::vector<std::string>, std::vector<std::string>>(), "form"_a, "names"_a,
           "scores"_a, "How a line is a row, and the columns of names and of scores.")
      .def(
          "add",
          [](ScoreRows& rows, const nb::bytes& data, std::size_t begin) {
            const std::string_view lines = view(data);
            if (begin > lines.size()) throw nb::index_error();
            const Unlocked unlocked;
            return rows.add(lines.substr(begin));
          },
          "data"_a, "begin"_a = 0,
          "Reads whole lines from a byte on. False where one is something that only the reader in Python tells.")
      .def(
          "names",
          [](ScoreRows& rows, std::size_t column) {
            NameColumn& found = rows.names(column);
            nb::list names;
            for (std::int32_t number = 0; number < found.size(); ++number) names.append(to_str(found.name(number)));
            return std::pair{to_numpy(std::move(found.numbers())), names};
          },
          "column"_a, nb::sig("def names(self, column: int) -> tuple[numpy.typing.NDArray[numpy.int32], list[str]]"),
          "The number of each row's name, and the names in the order in which they come; once only.")
      .def(
          "scores", [](ScoreRows& rows, std::size_t column) { return to_numpy(std::move(rows.scores(column))); },
          "column"_a, nb::sig("def scores(self, column: int) -> numpy.typing.NDArray[numpy.float64]"),
          "The score of each row, nan where there is none; once only.");
}

}  // namespace

void bind_table_rows(nb::module_& m) {
  nb::class_<FieldRows>(m, "FieldRows",
                        nb::sig("class FieldRows(Sequence[dict[str, str | int | float | bool | None]])"),
                        "What files say of many items; a sequence of dicts, made when they are looked at.")
      .def("__len__", &FieldRows::size)
      .def(
          "__getitem__",
          [](const FieldRows& rows, Py_ssize_t at) { return as_dict(rows, names_of(rows), place_of(rows, at)); },
          "index"_a, nb::sig("def __getitem__(self, index: int, /) -> dict[str, str | int | float | bool | None]"))
      .def("__getitem__", &some_rows, "index"_a)
      .def(
          "__iter__", [](const FieldRows& rows) { return as_list(rows).attr("__iter__")(); },
          nb::sig("def __iter__(self) -> typing.Iterator[dict[str, str | int | float | bool | None]]"))
      .def(
          "__reduce__",
          [](const FieldRows& rows) {
            return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(&PyList_Type)), nb::make_tuple(as_list(rows)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def(
          "taken",
          [](const FieldRows& rows, const Longs& numbers) {
            for (std::size_t i = 0; i < numbers.size(); ++i) {
              if (numbers(i) < -1 || numbers(i) >= static_cast<std::int64_t>(rows.size())) throw nb::index_error();
            }
            return std::make_shared<FieldRows>(rows.taken({numbers.data(), numbers.size()}));
          },
          "numbers"_a, "The rows with these numbers; of -1, one without fields.")
      .def(
          "names",
          [](const FieldRows& rows) {
            nb::list names;
            for (const std::string_view name : rows.present()) names.append(to_str(name));
            return names;
          },
          nb::sig("def names(self) -> list[str]"), "The names that a row has, in the order in which they come.")
      .def(
          "codes",
          [](const FieldRows& rows, std::string_view name) {
            FieldRows::Codes found;
            {
              const Unlocked unlocked;
              found = rows.codes(name);
            }
            nb::list values;
            for (const std::int64_t row : found.first) {
              values.append(to_python(rows.value(static_cast<std::size_t>(row), name)));
            }
            return std::pair{to_numpy(std::move(found.codes)), values};
          },
          "name"_a,
          nb::sig("def codes(self, name: str) -> tuple[numpy.typing.NDArray[numpy.int64], list[str | int | float | "
                  "bool | None]]"),
          "A field of all rows: the number of each one's value, and the values in the order in which they come; None "
          "where a row lacks it.")
      .def_static(
          "merged",
          [](const std::vector<const FieldRows*>& sides) {
            for (const FieldRows* side : sides) {
              if (!side || side->size() != sides.front()->size()) throw nb::value_error("sides of the same items");
            }
            return std::make_shared<FieldRows>(merged(sides));
          },
          "sides"_a, "The fields of several sides of the same items, as fstmetrics.data.fields.merged has them.")
      .def_static(
          "with_texts",
          [](const FieldRows* rows, std::string_view name, const BoundTexts& texts) {
            if (rows && rows->size() != texts.size()) throw nb::value_error("a text for every row");
            const Unlocked unlocked;
            return std::make_shared<FieldRows>(with_texts(rows, name, *texts.all()));
          },
          "rows"_a.none(), "name"_a, "texts"_a,
          "The rows with a text each as the field of this name; without rows, that field alone.");
  nb::class_<TableForm, LineForm>(m, "TableForm", "Rows of a table, one a line.")
      .def("part", &part_of, "data"_a,
           "Ids (None where no column is one), texts, and fields (None where they are not wanted) of whole lines; None "
           "where one is something that only the reader in Python tells.");
  nb::class_<JsonRowForm, TableForm>(m, "JsonRowForm", "Objects of JSON, one a line.")
      .def(
          "__init__",
          [](JsonRowForm* self, std::vector<std::string> id, std::string text, std::vector<std::string> left_out,
             std::vector<std::pair<std::string, std::string>> renamed, bool has_fields) {
            new (self) JsonRowForm(
                ColumnRoles{std::move(id), std::move(text), std::move(left_out), std::move(renamed), has_fields});
          },
          "id"_a, "text"_a, "left_out"_a, "renamed"_a, "has_fields"_a,
          "The columns of the id, joined by _; of the text; those that are no fields; and names of others as fields.");
  nb::class_<DelimitedRowForm, TableForm>(m, "DelimitedRowForm", "Cells parted by a character, a row a line.")
      .def(
          "__init__",
          [](DelimitedRowForm* self, std::vector<std::string> id, std::string text, std::vector<std::string> left_out,
             std::vector<std::pair<std::string, std::string>> renamed, bool has_fields, std::vector<std::string> head,
             std::int64_t head_bytes, std::int64_t head_lines, std::string_view delimiter, bool is_spaced) {
            if (delimiter.size() != 1) throw nb::value_error("a delimiter is one character of ASCII");
            ColumnRoles roles{std::move(id),      std::move(text), std::move(left_out),
                              std::move(renamed), has_fields,      false};
            new (self) DelimitedRowForm(std::move(roles), {std::move(head), head_bytes, head_lines}, delimiter.front(),
                                        is_spaced);
          },
          "id"_a, "text"_a, "left_out"_a, "renamed"_a, "has_fields"_a, "head"_a, "head_bytes"_a, "head_lines"_a,
          "delimiter"_a, "is_spaced"_a,
          "The same, and the names in the head, how long the head is, and whether spaces behind delimiters count "
          "for nothing.");
  nb::class_<HeadedRowForm, TableForm>(m, "HeadedRowForm", "Cells parted by tabs or by white space, a row a line.")
      .def(
          "__init__",
          [](HeadedRowForm* self, std::vector<std::string> id, std::string text, std::vector<std::string> left_out,
             std::vector<std::pair<std::string, std::string>> renamed, bool has_fields, std::vector<std::string> head,
             bool has_tabs) {
            ColumnRoles roles{std::move(id),      std::move(text), std::move(left_out),
                              std::move(renamed), has_fields,      false};
            new (self) HeadedRowForm(std::move(roles), std::move(head), has_tabs);
          },
          "id"_a, "text"_a, "left_out"_a, "renamed"_a, "has_fields"_a, "head"_a, "has_tabs"_a,
          "As of JsonRowForm, the names in the head, and whether tabs part the cells.");
  bind_score_rows(m);
}

}  // namespace fstmetrics

#include "bindings/text_column.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "formats/line_index.h"
#include "formats/line_survey.h"
#include "formats/text_lines.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using Shared = std::shared_ptr<TextColumn>;

Shared shared(TextColumn&& column) { return std::make_shared<TextColumn>(std::move(column)); }

// Python's bytes, for as long as anybody views them.
std::shared_ptr<const void> holder_of(const nb::bytes& data) {
  return {new nb::bytes(data), [](nb::bytes* held) {
            const nb::gil_scoped_acquire locked;
            delete held;
          }};
}

TextColumn of_strings(nb::handle strings) {
  Utf8 utf8;
  std::vector<std::string_view> texts;
  for_each_item(strings, [&](nb::handle text) { texts.push_back(utf8.view(text)); });
  return owned(texts);
}

// Texts in buffers as Arrow has them, which stay where they are: text i is from offsets[i] to offsets[i + 1].
template <class Offsets>
Shared of_buffers(const Offsets& offsets, const Flags& bytes) {
  const std::shared_ptr<const void> holder(new Flags(bytes), [](Flags* held) {
    const nb::gil_scoped_acquire locked;
    delete held;
  });
  TextColumn column{holder, {}};
  const Unlocked unlocked;
  if (offsets.size() == 0) throw std::invalid_argument("offsets have at least one entry");
  const std::size_t size = offsets.size() - 1;
  column.texts.reserve(size);
  if (offsets(0) < 0 || static_cast<std::size_t>(offsets(size)) > bytes.size()) {
    throw std::invalid_argument("offsets lie within the bytes");
  }
  const char* begin = reinterpret_cast<const char*>(bytes.data());
  for (std::size_t i = 0; i < size; ++i) {
    if (offsets(i + 1) < offsets(i)) throw std::invalid_argument("offsets never fall");
    column.texts.emplace_back(begin + offsets(i), static_cast<std::size_t>(offsets(i + 1) - offsets(i)));
  }
  return shared(std::move(column));
}

auto in_one(const TextColumn& column) {
  std::vector<std::int64_t> ends{0};
  std::vector<std::uint8_t> bytes;
  {
    const Unlocked unlocked;
    ends.reserve(column.size() + 1);
    for (const std::string_view text : column.texts) {
      bytes.insert(bytes.end(), text.begin(), text.end());
      ends.push_back(static_cast<std::int64_t>(bytes.size()));
    }
  }
  return std::pair{to_numpy(std::move(ends)), to_numpy(std::move(bytes))};
}

nb::object entry(const TextColumn& column, Py_ssize_t at) {
  const auto size = static_cast<Py_ssize_t>(column.size());
  if (at < 0) at += size;
  if (at < 0 || at >= size) throw nb::index_error();
  return to_str(column.texts[static_cast<std::size_t>(at)]);
}

Shared part(const TextColumn& column, const nb::slice& places) {
  const auto [begin, end, step, length] = places.compute(column.size());
  TextColumn some{column.holder, {}};
  some.texts.reserve(length);
  auto at = static_cast<Py_ssize_t>(begin);
  for (std::size_t i = 0; i < length; ++i, at += step) some.texts.push_back(column.texts[static_cast<std::size_t>(at)]);
  return shared(std::move(some));
}

using Pair = std::pair<Shared, Shared>;

std::optional<Pair> as_pair(std::optional<TextLines>&& lines) {
  if (!lines) return std::nullopt;
  return Pair{shared(std::move(lines->ids)), shared(std::move(lines->texts))};
}

auto as_noted(const LineSurvey::Noted& noted) { return std::tuple{noted.count, noted.lines, to_str(noted.first)}; }

}  // namespace

void bind_text_column(nb::module_& m) {
  nb::class_<TextColumn>(m, "TextColumn", nb::sig("class TextColumn(Sequence[str])"),
                         "Many texts in bytes that they share; a sequence of str, made when they are looked at.")
      .def(
          "__init__", [](TextColumn* self, nb::handle texts) { new (self) TextColumn(of_strings(texts)); }, "texts"_a,
          nb::sig("def __init__(self, texts: list[str] | tuple[str, ...]) -> None"))
      .def("__len__", &TextColumn::size)
      .def("__getitem__", &entry, "index"_a, nb::sig("def __getitem__(self, index: int, /) -> str"))
      .def("__getitem__", &part, "index"_a)
      .def(
          "__eq__",
          [](const TextColumn& column, nb::handle other) -> nb::object {
            if (!nb::isinstance<TextColumn>(other)) return nb::borrow(Py_NotImplemented);  // a column in a file knows
            return nb::bool_(column.texts == nb::cast<const TextColumn&>(other).texts);
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "taken",
          [](const TextColumn& column, const Longs& numbers) {
            for (std::size_t i = 0; i < numbers.size(); ++i) {
              if (numbers(i) < -1 || numbers(i) >= static_cast<std::int64_t>(column.size())) throw nb::index_error();
            }
            return shared(column.taken({numbers.data(), numbers.size()}));
          },
          "numbers"_a, "The texts with these numbers; of -1, an empty one.")
      .def_static(
          "of_parts", [](const std::vector<const TextColumn*>& columns) { return shared(joined(columns)); },
          "columns"_a, "The texts of several columns; their bytes stay where they are.")
      .def_static("of_buffers", &of_buffers<Longs>, "offsets"_a, "bytes"_a)
      .def_static(
          "of_buffers", &of_buffers<Ints>, "offsets"_a, "bytes"_a,
          "Texts in UTF-8 as Arrow has them, which are not copied: text i is from offsets[i] to offsets[i + 1].")
      .def(
          "__reduce__",
          [](const TextColumn& column) {
            return nb::make_tuple(nb::type<TextColumn>().attr("of_buffers"), nb::cast(in_one(column)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("joined", &in_one, "Where each text begins and the last one ends, and the bytes of all.")
      .def(
          "distinct",
          [](const TextColumn& column) {
            const Unlocked unlocked;
            return shared(column.distinct());
          },
          "Each text once, in the order in which they come.")
      .def("filled", &TextColumn::filled, "How many texts are not empty.")
      .def("longest", &TextColumn::longest, "Bytes of the longest text.");
  nb::class_<TextIndex>(m, "TextIndex", "The texts of a column, to be looked up many at a time.")
      .def(
          "__init__",
          [](TextIndex* self, Shared column) {
            if (!column) throw nb::type_error("a TextColumn, not None");
            const Unlocked unlocked;
            new (self) TextIndex(std::move(column));
          },
          "column"_a)
      .def("__len__", &TextIndex::size, "How many different texts there are.")
      .def(
          "found",
          [](const TextIndex& index, const TextColumn& others) {
            std::vector<std::int64_t> numbers;
            {
              const Unlocked unlocked;
              numbers = index.found(others);
            }
            return to_numpy(std::move(numbers));
          },
          kOwned, "others"_a, "For every text of a column, the number of the first one here that is equal; -1: none.");
  m.def(
      "text_lines",
      [](const nb::bytes& data) {
        const auto holder = holder_of(data);
        const Unlocked unlocked;
        return shared(text_lines(view(data), holder));
      },
      "data"_a, "The lines of UTF-8 text without the white space at their ends.");
  m.def(
      "id_lines",
      [](const nb::bytes& data, bool are_different) {
        const auto holder = holder_of(data);
        const Unlocked unlocked;
        return as_pair(id_lines(view(data), holder, are_different));
      },
      "data"_a, "are_different"_a = false,
      "Ids and texts of `id word word ...` lines; None where one is blank before the end, or an id comes twice, unless "
      "all are known to be "
      "different.");
  m.def(
      "first_words",
      [](const nb::bytes& data) {
        const auto holder = holder_of(data);
        const Unlocked unlocked;
        TextLines words = first_words(view(data), holder);
        return Pair{shared(std::move(words.ids)), shared(std::move(words.texts))};
      },
      "data"_a, "The first and the second word of every line but blank ones at the end; empty where there is none.");
  nb::class_<IdLooks>(m, "IdLooks", "What words in ASCII, and names of files, have in common that may be ids.")
      .def_ro("all_fit", &IdLooks::all_fit, "Whether every word looks like an id; if not, nothing else is told.")
      .def_ro("all_certain", &IdLooks::all_certain,
              "Whether every word has _, two hyphens and a digit, or names a file (abc.wav).")
      .def_ro("all_bare", &IdLooks::all_bare, "Whether every word has a letter or digit at both ends.")
      .def_ro("one_form", &IdLooks::one_form,
              "Whether all have a digit, and differ in nothing but which letters and digits they have.")
      .def_ro("form", &IdLooks::form,
              "Of the first word, with 0 for its runs of digits and a for those of letters; empty of none.")
      .def_ro("all_decimal", &IdLooks::all_decimal, "Whether every word is a number.")
      .def_ro("others", &IdLooks::others, "The words with other characters, each once.");
  using Places = std::pair<std::int64_t, std::int64_t>;
  nb::class_<LineForm>(m, "LineForm", "How a line of a text says its item.")
      .def_prop_ro("head_bytes", &LineForm::head_bytes, "How many bytes are before the first item.");
  nb::class_<TrnForm, LineForm>(m, "TrnForm", "Lines of sclite's form, `word word ... (id)`.").def(nb::init<>());
  nb::class_<LineSurvey>(m, "LineSurvey", "What all lines of a text have in common, found piece by piece.")
      .def(nb::init<std::int64_t, std::int64_t, const LineForm*>(), "begin"_a, "end"_a, "form"_a = nb::none(),
           "Of a form of lines; None: a line is words.")
      .def(
          "look",
          [](LineSurvey& survey, const nb::bytes& data, bool last) {
            const Unlocked unlocked;
            return survey.look(view(data), last);
          },
          "data"_a, "last"_a,
          "Look at the lines that end in the next bytes, or at all of them; returns how many bytes those are.")
      .def_prop_ro("is_text", &LineSurvey::is_text, "Whether it is UTF-8 without characters that no text has.")
      .def_prop_ro("is_plain", &LineSurvey::is_plain, "Of a form: whether columns tell all of it.")
      .def_prop_ro("lines", &LineSurvey::lines)
      .def_prop_ro("up_to_words", &LineSurvey::up_to_words, "How many lines there are up to the last one with a word.")
      .def_prop_ro("filled", &LineSurvey::filled, "How many lines have a word.")
      .def_prop_ro(
          "stray", [](const LineSurvey& survey) { return std::tuple{survey.stray_line(), to_str(survey.stray())}; },
          "The number of the first line that no sentence is, and what it is; 0 where there is none.")
      .def_prop_ro("seconds", &LineSurvey::seconds, "How many lines have two.")
      .def_prop_ro("tabbed", &LineSurvey::tabbed, "How many lines have one tab, which is behind the first word.")
      .def_prop_ro("longest", &LineSurvey::longest, "Bytes of the longest line; of a table, of the longest id or text.")
      .def_prop_ro("repeated", &LineSurvey::repeated, "At least so many first words had come before.")
      .def_prop_ro("is_ascending", &LineSurvey::is_ascending,
                   "Whether every first word is behind the one before, in the order of bytes.")
      .def_prop_ro("looks", &LineSurvey::looks, nb::rv_policy::reference_internal, "Of first words in ASCII.")
      .def_prop_ro("has_digests", &LineSurvey::has_digests, "Whether the digests are told.")
      .def_prop_ro(
          "fields",
          [](const LineSurvey& survey) {
            nb::list names;
            for (const std::string& name : survey.fields()) names.append(to_str(name));
            return names;
          },
          nb::sig("def fields(self) -> list[str]"), "Of a table: the names of the fields that items have.")
      .def_prop_ro(
          "empty", [](const LineSurvey& survey) { return as_noted(survey.empty()); },
          nb::sig("def empty(self) -> tuple[int, list[int], str]"),
          "Of a table, empty texts: how many there are, the numbers of the first ones' lines, and the first text.")
      .def_prop_ro(
          "missing", [](const LineSurvey& survey) { return as_noted(survey.missing()); },
          nb::sig("def missing(self) -> tuple[int, list[int], str]"),
          "The same of texts that are the word for a missing number.")
      .def_prop_ro("has_others", &LineSurvey::has_others,
                   "Whether a first word has other characters; `looks` leaves it out.")
      .def_prop_ro("digest", &LineSurvey::digest,
                   "The same for the same first words in the same order, if they look like ids.")
      .def_prop_ro("set_digest", &LineSurvey::set_digest,
                   "The same for the same first words in any order, if they look like ids and none comes twice.")
      .def("shares", &LineSurvey::shares, "other"_a,
           "Whether a first word of both is known; there may be one all the same.")
      .def(
          "before",
          [](const LineSurvey& survey, std::int64_t line) {
            return Places{survey.before(line).line, survey.before(line).byte};
          },
          "line"_a, "A line up to this one, and the byte where it begins.")
      .def(
          "behind",
          [](const LineSurvey& survey, std::int64_t line) {
            return Places{survey.behind(line).line, survey.behind(line).byte};
          },
          "line"_a,
          "A line not before this one, and the byte where it begins; the end of the text where there is none.");
  m.def(
      "id_looks",
      [](const TextColumn& words) {
        const Unlocked unlocked;
        return id_looks(words);
      },
      "words"_a);
  m.def(
      "trn_lines",
      [](const nb::bytes& data, bool is_known) {
        const auto holder = holder_of(data);
        const Unlocked unlocked;
        return as_pair(trn_lines(view(data), holder, is_known));
      },
      "data"_a, "is_known"_a = false,
      "Ids and texts of `word word ... (id)` lines; None where one is something else, or an id comes twice, unless "
      "it is known that there is no such line.");
  m.def(
      "numbered_lines",
      [](const nb::bytes& data, const LineForm* form, const Longs& numbers) {
        std::string lines;
        {
          const Unlocked unlocked;
          lines = numbered_lines(view(data), form, {numbers.data(), numbers.size()});
        }
        return nb::bytes(lines.data(), lines.size());
      },
      "data"_a, "form"_a.none(), "numbers"_a,
      "The lines with these numbers, which ascend, each with a line end. Lines are counted from 0, of a form those "
      "that "
      "are items.");
  nb::class_<LineIndex>(m, "LineIndex", "Where the lines of ids are in a file: sixteen bytes a line, and no text.")
      .def(nb::init<std::int64_t, std::int64_t, const LineForm*>(), "begin"_a, "lines"_a, "form"_a = nb::none(),
           "Of a form of lines all of which are items or none; None: a line is words.")
      .def(
          "look",
          [](LineIndex& index, const nb::bytes& data, bool last) {
            const Unlocked unlocked;
            return index.look(view(data), last);
          },
          "data"_a, "last"_a, "As of LineSurvey.")
      .def(
          "close",
          [](LineIndex& index) {
            const Unlocked unlocked;
            return index.close();
          },
          "When all lines have been looked at: whether it is certain that no id comes twice.")
      .def_prop_ro("is_whole", &LineIndex::is_whole, "Whether all lines could be kept; very long ones cannot.")
      .def("__len__", &LineIndex::size)
      .def(
          "places",
          [](const LineIndex& index, const TextColumn& ids) {
            std::vector<std::int64_t> places;
            {
              const Unlocked unlocked;
              places = index.places(ids);
            }
            return to_numpy(std::move(places));
          },
          kOwned, "ids"_a, "Where the lines of ids are, for `lines_at`; -1 of an id that is not known.");
  m.def(
      "lines_at",
      [](const Longs& places, int file) -> std::optional<nb::bytes> {
        std::optional<LinesAt> lines;
        {
          const Unlocked unlocked;
          lines.emplace(std::span(places.data(), places.size()));
        }
        nb::bytes found =
            nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(lines->size())));
        if (!found.is_valid()) throw std::bad_alloc();
        char* to = PyBytes_AsString(found.ptr());
        bool is_read = false;
        {
          const Unlocked unlocked;
          is_read = lines->read(file, to);
        }
        if (!is_read) return std::nullopt;
        return found;
      },
      "places"_a, "file"_a,
      "The lines at places of an open file, in their order, each with a line end; None where the file ends before.");
}

}  // namespace fstmetrics

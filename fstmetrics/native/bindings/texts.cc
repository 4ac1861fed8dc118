#include "bindings/texts.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "formats/choice_lines.h"
#include "formats/line_survey.h"
#include "formats/stored_lines.h"
#include "formats/text_lines.h"
#include "support/read_at.h"
#include "text/mteval_signs.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using Shared = std::shared_ptr<BoundTexts>;
using SharedLines = std::shared_ptr<const StoredLines>;

// So many texts of a column that is in its file are looked at together.
constexpr std::size_t kTogether = 1 << 12;

Shared shared(TextColumn&& column) { return shared_texts(std::move(column)); }

// A file that Python has opened, and that looks after each read whether it is what it was.
class PythonFile : public FileBytes {
 public:
  explicit PythonFile(nb::handle file)
      : file_(nb::borrow(file)),
        number_(nb::cast<int>(file.attr("number"))),
        size_(nb::cast<std::int64_t>(file.attr("size"))) {}
  ~PythonFile() override {
    const nb::gil_scoped_acquire locked;
    file_.reset();
  }
  PythonFile(const PythonFile&) = delete;
  PythonFile& operator=(const PythonFile&) = delete;

  std::int64_t size() const override { return size_; }
  void read(char* to, std::size_t size, std::int64_t at) const override {
    if (!read_at(number_, to, size, at)) refuse();
  }
  void check() const override {
    const nb::gil_scoped_acquire locked;
    file_.attr("check")();
  }
  [[noreturn]] void refuse() const override {
    const nb::gil_scoped_acquire locked;
    file_.attr("refuse")();
    throw std::logic_error("a file that has changed is refused");
  }

 private:
  nb::object file_;
  const int number_;
  const std::int64_t size_;
};

// Calls visit(column) for the texts of a column, some at a time.
template <class Visit>
void for_each_part(const BoundTexts& texts, Visit visit) {
  if (!texts.lines()) return visit(*texts.all());
  for (std::size_t begin = 0; begin < texts.size(); begin += kTogether) {
    visit(*texts.part(begin, std::min(begin + kTogether, texts.size())));
  }
}

// The texts of a column, to be looked up many at a time.
class BoundIndex {
 public:
  explicit BoundIndex(const BoundTexts& texts) {
    if (texts.lines()) {
      stored_ = texts.lines()->index();
    } else {
      held_.emplace(texts.all());
    }
  }
  std::size_t size() const { return held_ ? held_->size() : stored_->size(); }
  std::vector<std::int64_t> found(const BoundTexts& others) const {
    std::vector<std::int64_t> all;
    all.reserve(others.size());
    for_each_part(others, [&](const TextColumn& column) {
      if (held_) {
        const std::vector<std::int64_t> some = held_->found(column);
        all.insert(all.end(), some.begin(), some.end());
        return;
      }
      Polls poll;
      for (const std::string_view text : column.texts) {
        poll(100);
        all.push_back(stored_->row(text));
      }
    });
    return all;
  }

 private:
  std::optional<TextIndex> held_;
  std::shared_ptr<const IdIndex> stored_;
};

// What all lines of bytes, or of a file, have in common.
void survey_lines(LineSurvey* survey, nb::handle content, std::int64_t begin, const LineForm* form,
                  std::size_t window) {
  if (nb::isinstance<nb::bytes>(content)) {
    const auto data = nb::borrow<nb::bytes>(content);
    if (begin < 0 || static_cast<std::size_t>(begin) > data.size()) throw nb::index_error();
    new (survey) LineSurvey(begin, static_cast<std::int64_t>(data.size()), form);
    const Unlocked unlocked;
    survey->look(view(data).substr(static_cast<std::size_t>(begin)), true);
    return;
  }
  const PythonFile file(content);
  new (survey) LineSurvey(begin, file.size(), form);
  const Unlocked unlocked;
  for_each_window(file, begin, window, [&](std::string_view bytes, bool last) { return survey->look(bytes, last); });
}

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
  texts.reserve(nb::len(strings));
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

auto in_one(const BoundTexts& texts) {
  std::vector<std::int64_t> ends{0};
  std::vector<std::uint8_t> bytes;
  {
    const Unlocked unlocked;
    ends.reserve(texts.size() + 1);
    for_each_part(texts, [&](const TextColumn& column) {
      for (const std::string_view text : column.texts) {
        bytes.insert(bytes.end(), text.begin(), text.end());
        ends.push_back(static_cast<std::int64_t>(bytes.size()));
      }
    });
  }
  return std::pair{to_numpy(std::move(ends)), to_numpy(std::move(bytes))};
}

nb::object entry(const BoundTexts& texts, Py_ssize_t at) {
  const auto size = static_cast<Py_ssize_t>(texts.size());
  if (at < 0) at += size;
  if (at < 0 || at >= size) throw nb::index_error();
  const auto place = static_cast<std::size_t>(at);
  if (!texts.lines()) return to_str(texts.all()->texts[place]);
  BoundTexts::Held one;
  {
    const Unlocked unlocked;
    one = texts.part(place, place + 1);
  }
  return to_str(one->texts.front());
}

Shared part(const BoundTexts& texts, const nb::slice& places) {
  const auto [begin, end, step, length] = places.compute(texts.size());
  const Unlocked unlocked;
  if (step == 1) return std::make_shared<BoundTexts>(TextColumn(*texts.part(begin, begin + length)));
  const BoundTexts::Held all = texts.all();
  TextColumn some{all->holder, {}};
  some.texts.reserve(length);
  auto at = static_cast<Py_ssize_t>(begin);
  for (std::size_t i = 0; i < length; ++i, at += step) some.texts.push_back(all->texts[static_cast<std::size_t>(at)]);
  return shared(std::move(some));
}

// Throws where a number is not one of those below a size, or -1.
std::span<const std::int64_t> checked(const Longs& numbers, std::size_t size) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers(i) < -1 || numbers(i) >= static_cast<std::int64_t>(size)) throw nb::index_error();
  }
  return {numbers.data(), numbers.size()};
}

using Pair = std::pair<Shared, Shared>;

std::optional<Pair> as_pair(std::optional<TextLines>&& lines) {
  if (!lines) return std::nullopt;
  return Pair{shared(std::move(lines->ids)), shared(std::move(lines->texts))};
}

auto as_noted(const LineSurvey::Noted& noted) { return std::tuple{noted.count, noted.lines, to_str(noted.first)}; }

}  // namespace

BoundTexts::Held BoundTexts::part(std::size_t begin, std::size_t end) const {
  if (lines_) {
    TablePart found = lines_->part(begin, end);
    return std::make_shared<const TextColumn>(std::move(are_ids_ ? found.ids : found.texts));
  }
  const auto first = held_->texts.begin();
  return std::make_shared<const TextColumn>(TextColumn{
      held_->holder, {first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)}});
}

BoundTexts BoundTexts::taken(std::span<const std::int64_t> numbers) const {
  if (lines_) return {lines_->taken(numbers), are_ids_};
  return BoundTexts(held_->taken(numbers));
}

bool BoundTexts::operator==(const BoundTexts& other) const {
  if (size() != other.size()) return false;
  if (!lines_ && !other.lines_) return held_->texts == other.held_->texts;
  for (std::size_t begin = 0; begin < size(); begin += kTogether) {
    const std::size_t end = std::min(begin + kTogether, size());
    if (part(begin, end)->texts != other.part(begin, end)->texts) return false;
  }
  return true;
}

std::size_t BoundTexts::longest() const {
  return lines_ ? static_cast<std::size_t>(lines_->survey().longest()) : held_->longest();
}

BoundTexts::Held all_texts(const BoundTexts& texts) {
  const Unlocked unlocked;
  return texts.all();
}

void bind_texts(nb::module_& m) {
  nb::class_<BoundTexts>(
      m, "TextColumn", nb::sig("class TextColumn(Sequence[str])"),
      "Many texts in bytes that they share, in memory or in their file, which is read where they are "
      "looked at; a sequence of str, made then. Parts are in memory.")
      .def(
          "__init__", [](BoundTexts* self, nb::handle texts) { new (self) BoundTexts(of_strings(texts)); }, "texts"_a,
          nb::sig("def __init__(self, texts: list[str] | tuple[str, ...]) -> None"))
      .def("__len__", &BoundTexts::size)
      .def("__getitem__", &entry, "index"_a, nb::sig("def __getitem__(self, index: int, /) -> str"))
      .def("__getitem__", &part, "index"_a)
      .def(
          "__eq__",
          [](const BoundTexts& texts, nb::handle other) -> nb::object {
            if (!nb::isinstance<BoundTexts>(other)) return nb::borrow(Py_NotImplemented);
            const auto& others = nb::cast<const BoundTexts&>(other);
            bool same = false;
            {
              const Unlocked unlocked;
              same = texts == others;
            }
            return nb::bool_(same);
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "taken",
          [](const BoundTexts& texts, const Longs& numbers) {
            const auto places = checked(numbers, texts.size());
            const Unlocked unlocked;
            return std::make_shared<BoundTexts>(texts.taken(places));
          },
          "numbers"_a, "The texts with these numbers; of -1, an empty one.")
      .def_static(
          "of_parts",
          [](const std::vector<const BoundTexts*>& columns) {
            const Unlocked unlocked;
            std::vector<BoundTexts::Held> held;
            std::vector<const TextColumn*> all;
            for (const BoundTexts* texts : columns) all.push_back(held.emplace_back(texts->all()).get());
            return shared(joined(all));
          },
          "columns"_a, "The texts of several columns; their bytes stay where they are.")
      .def_static("of_buffers", &of_buffers<Longs>, "offsets"_a, "bytes"_a)
      .def_static(
          "of_buffers", &of_buffers<Ints>, "offsets"_a, "bytes"_a,
          "Texts in UTF-8 as Arrow has them, which are not copied: text i is from offsets[i] to offsets[i + 1].")
      .def(
          "__reduce__",
          [](const BoundTexts& texts) {
            return nb::make_tuple(nb::type<BoundTexts>().attr("of_buffers"), nb::cast(in_one(texts)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("joined", &in_one, "Where each text begins and the last one ends, and the bytes of all.")
      .def(
          "distinct",
          [](const BoundTexts& texts) {
            const Unlocked unlocked;
            return shared(texts.all()->distinct());
          },
          "Each text once, in the order in which they come.")
      .def(
          "filled", [](const BoundTexts& texts) { return all_texts(texts)->filled(); }, "How many texts are not empty.")
      .def("longest", &BoundTexts::longest, "No text has more bytes.")
      .def(
          "digests",
          [](const BoundTexts& texts) {
            std::vector<std::int64_t> found;
            {
              const Unlocked unlocked;
              found = texts.all()->digests();
            }
            return to_numpy(std::move(found));
          },
          "Of each text a number of 53 bits that is made of its words; sentence boundaries are none.")
      .def_prop_ro(
          "survey",
          [](const BoundTexts& texts) -> const LineSurvey* {
            return texts.lines() && texts.lines()->is_whole() ? &texts.lines()->survey() : nullptr;
          },
          nb::rv_policy::reference_internal, nb::sig("def survey(self) -> LineSurvey | None"),
          "Of all lines of a file: what they have in common.");
  nb::class_<BoundIndex>(m, "TextIndex",
                         "The texts of a column, to be looked up many at a time. Those in a file are compared by "
                         "numbers of 96 bits made of them.")
      .def(
          "__init__",
          [](BoundIndex* self, const BoundTexts& texts) {
            const Unlocked unlocked;
            new (self) BoundIndex(texts);
          },
          "column"_a)
      .def("__len__", &BoundIndex::size, "How many different texts there are.")
      .def(
          "found",
          [](const BoundIndex& index, const BoundTexts& others) {
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
      .def_prop_ro(
          "others", [](const IdLooks& looks) { return shared(TextColumn(looks.others)); },
          "The words with other characters, each once.");
  nb::class_<LineForm>(m, "LineForm", "How a line of a text says its item.")
      .def_prop_ro("head_bytes", &LineForm::head_bytes, "How many bytes are before the first item.");
  nb::class_<TrnForm, LineForm>(m, "TrnForm", "Lines of sclite's form, `word word ... (id)`.").def(nb::init<>());
  nb::class_<LineSurvey>(m, "LineSurvey", "What all lines of a text have in common, found piece by piece.")
      .def("__init__", &survey_lines, "content"_a, "begin"_a = 0, "form"_a = nb::none(), "window"_a = 1 << 18,
           nb::sig("def __init__(self, content: object, begin: int = 0, form: LineForm | None = None, window: int = "
                   "262144) -> None"),
           "Of bytes, or of an open file (`PlainBytes`), from a byte on; of a form, or of words. A file is read about "
           "`window` bytes at a time.")
      .def_prop_ro("is_text", &LineSurvey::is_text, "Whether it is UTF-8 without characters that no text has.")
      .def_prop_ro("is_plain", &LineSurvey::is_plain, "Of a form: whether columns tell all of it.")
      .def_prop_ro("lines", &LineSurvey::lines)
      .def_prop_ro("begin", &LineSurvey::begin, "The byte where they begin.")
      .def_prop_ro("up_to_words", &LineSurvey::up_to_words, "How many lines there are up to the last one with a word.")
      .def_prop_ro("filled", &LineSurvey::filled, "How many lines have a word.")
      .def_prop_ro(
          "stray", [](const LineSurvey& survey) { return std::tuple{survey.stray_line(), to_str(survey.stray())}; },
          "The number of the first line that no sentence is, and what it is; 0 where there is none.")
      .def_prop_ro("has_mark", &LineSurvey::has_mark,
                   "Whether a line begins with a byte order mark, other than that of the file.")
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
           "Whether a first word of both is known; there may be one all the same.");
  nb::class_<StoredLines>(m, "StoredLines", "Lines of an open file, which are read again where they are looked at.")
      .def(
          "__init__",
          [](StoredLines* self, nb::handle file, std::shared_ptr<const LineSurvey> survey,
             std::shared_ptr<const LineForm> form, bool has_ids, std::size_t lines, std::size_t ahead) {
            new (self) StoredLines(std::make_shared<PythonFile>(file), std::move(survey), std::move(form), has_ids,
                                   lines, std::max<std::size_t>(ahead, 1));
          },
          "file"_a, "survey"_a, "form"_a.none(), "has_ids"_a, "lines"_a, "ahead"_a,
          "So many lines, as a survey of the form has found them; without a form, of words, of which "
          "the "
          "first are ids if `has_ids`. About `ahead` lines are read together.")
      .def("__len__", &StoredLines::size)
      .def_prop_ro("ids", [](SharedLines lines) { return std::make_shared<BoundTexts>(std::move(lines), true); })
      .def_prop_ro("texts", [](SharedLines lines) { return std::make_shared<BoundTexts>(std::move(lines), false); })
      .def(
          "fields",
          [](const StoredLines& lines, std::size_t begin, std::size_t end) {
            if (begin > end || end > lines.size()) throw nb::index_error();
            const Unlocked unlocked;
            return std::make_shared<FieldRows>(lines.part(begin, end).fields);
          },
          "begin"_a, "end"_a, "Of a table: the fields of some lines.")
      .def(
          "taken",
          [](const SharedLines& lines, const Longs& numbers) {
            const auto places = checked(numbers, lines->size());
            const Unlocked unlocked;
            return lines->taken(places);
          },
          "numbers"_a, "The lines with these numbers; of -1, an empty one.");
  m.def(
      "with_signs_apart",
      [](const nb::str& text) { return nb::borrow<nb::str>(to_str(with_signs_apart(Utf8().view(text)))); }, "text"_a,
      "A text with spaces around its signs, as sacrebleu's tokenizers 13a and zh put them.");
  m.def(
      "id_looks",
      [](const BoundTexts& words) {
        const Unlocked unlocked;
        return id_looks(*words.all());
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
      "marked_trn_lines",
      [](const nb::bytes& data) {
        const auto holder = holder_of(data);
        const Unlocked unlocked;
        return as_pair(marked_trn_lines(view(data), holder));
      },
      "data"_a,
      "The same of `word { word / word } ... (id)` lines, whose texts are as they are written; None where one has no "
      "id, "
      "or an id comes twice.");
}

}  // namespace fstmetrics

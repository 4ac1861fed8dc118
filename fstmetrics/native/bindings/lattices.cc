#include "bindings/lattices.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "bindings/texts.h"
#include "formats/att.h"
#include "formats/fst_archive.h"
#include "formats/k2.h"
#include "formats/kaldi_text.h"
#include "formats/labels.h"
#include "formats/lattice_depth.h"
#include "formats/lattice_draft.h"
#include "formats/lattice_pruning.h"
#include "formats/lattice_words.h"
#include "formats/slf_lattice.h"
#include "formats/sphinx.h"
#include "support/crew.h"
#include "text/text_column.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

nb::object bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

template <class T>
nb::object optional_int(T value, bool known) {
  return known ? nb::object(nb::int_(value)) : nb::none();
}

// A number of Python's, which may count from the end.
std::size_t place_of(const LatticeColumn& column, std::int64_t i) {
  const auto size = static_cast<std::int64_t>(column.size());
  if (i < -size || i >= size) throw nb::index_error();
  return static_cast<std::size_t>(i < 0 ? i + size : i);
}

const WordLattice& row_of(const BoundColumn& bound, std::int64_t i) {
  return (*bound.column)[place_of(*bound.column, i)];
}

LabelKind label_kind(std::string_view name) {
  if (name == "words") return LabelKind::kWords;
  if (name == "numbers") return LabelKind::kNumbers;
  if (name == "table") return LabelKind::kTable;
  throw std::invalid_argument("labels are 'words', 'numbers' or 'table', not '" + std::string(name) + "'");
}

KeyForm key_form(std::string_view name) {
  if (name == "word") return KeyForm::kWord;
  if (name == "counted") return KeyForm::kCounted;
  if (name == "script") return KeyForm::kScript;
  if (name == "none") return KeyForm::kNone;
  throw std::invalid_argument("keys are 'word', 'script', 'counted' or 'none', not '" + std::string(name) + "'");
}

// A Lattice of Python's, made of a lattice of a column.
nb::object made(nb::handle column, std::size_t i) {
  return nb::module_::import_("fstmetrics.data.lattice").attr("Lattice").attr("of_column")(column, i);
}

nb::object item_at(nb::pointer_and_handle<BoundColumn> self, nb::handle index) {
  if (!PySlice_Check(index.ptr())) return made(self.h, place_of(*self.p->column, nb::cast<std::int64_t>(index)));
  const auto [start, stop, step, length] = nb::borrow<nb::slice>(index).compute(self.p->column->size());
  const LatticeColumn& column = *self.p->column;
  BoundColumn part(column.shared_vocabulary());
  const bool has_errors = self.p->errors.size() > 0;
  for (std::size_t n = 0, at = start; n < length; ++n, at += step) {
    part.column->add_shared(column, at);
    if (!has_errors) continue;
    if (const nb::int_ key(at); self.p->errors.contains(key)) part.errors[nb::int_(n)] = self.p->errors[key];
  }
  return nb::cast(std::move(part));
}

BoundColumn joined(const std::vector<const BoundColumn*>& parts) {
  if (parts.empty()) throw std::invalid_argument("no columns to join");
  BoundColumn all(parts.front()->column->shared_vocabulary());
  for (const BoundColumn* const part : parts) {
    if (part->column->shared_vocabulary() != all.column->shared_vocabulary()) {
      throw std::invalid_argument("columns of different vocabularies");
    }
    const std::size_t before = all.column->size();
    for (std::size_t i = 0; i < part->column->size(); ++i) all.column->add_shared(*part->column, i);
    for (const auto [row, error] : part->errors) all.errors[nb::int_(before + nb::cast<std::size_t>(row))] = error;
  }
  return all;
}

// The words by label, as Lattice has them.
nb::object words_of(const BoundColumn& bound, std::int64_t i) {
  const std::vector<std::int32_t>& numbers = row_of(bound, i).words;
  nb::object words = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!words.is_valid()) throw nb::python_error();
  for (std::size_t label = 0; label < numbers.size(); ++label) {
    const std::string_view word = bound.column->vocabulary().word(numbers[label]).view();
    PyTuple_SetItem(words.ptr(), static_cast<Py_ssize_t>(label), decoded(word).release().ptr());
  }
  return words;
}

// Line, byte, message and piece of what is wrong, as of Fault.
nb::object fault_of(const BoundColumn& bound, std::int64_t i) {
  const std::optional<Fault>& fault = row_of(bound, i).fault;
  if (!fault) return nb::none();
  return nb::make_tuple(optional_int(fault->line, fault->line > 0), optional_int(fault->byte, fault->byte >= 0),
                        decoded(fault->message), bytes_of(fault->piece));
}

// The limit, what was found, and the word (None where none is too long) and whether it is the id.
nb::object excess_of(const BoundColumn& bound, std::int64_t i) {
  const std::optional<Excess>& excess = row_of(bound, i).excess;
  if (!excess) return nb::none();
  const nb::object word = excess->word.empty() ? nb::none() : decoded(excess->word);
  return nb::make_tuple(excess->limit, excess->found, word, excess->is_id);
}

template <class T, class Value>
nb::object array_of(const std::vector<Value>& values) {
  return nb::cast(to_numpy(std::vector<T>(values.begin(), values.end())), nb::rv_policy::automatic);
}

TextColumn ids_of(const LatticeColumn& column) {
  std::vector<std::string_view> ids;
  std::vector<nb::object> decodings;
  Utf8 utf8;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const std::string& id = column[i].id;
    const bool is_ascii = std::ranges::all_of(id, [](char c) { return static_cast<signed char>(c) >= 0; });
    ids.push_back(is_ascii ? std::string_view(id) : utf8.view(decodings.emplace_back(decoded(id))));
  }
  return owned(ids);
}

// What of a lattice Python's Lattice has: the automaton, the frames of its arcs or the times of its states with their
// unit, its scales.
nb::tuple parts_of(const BoundColumn& bound, std::int64_t i) {
  const WordLattice& row = row_of(bound, i);
  const nb::object frames = row.has_frames ? array_of<std::int64_t>(row.frames) : nb::none();
  const nb::object times = row.times.empty()
                               ? nb::none()
                               : nb::object(nb::make_tuple(array_of<double>(row.times),
                                                           row.time_unit == TimeUnit::kFrames ? "frames" : "seconds"));
  const nb::object scales =
      row.scales ? nb::object(nb::make_tuple(row.scales->graph, row.scales->acoustic, row.scales->word_penalty))
                 : nb::none();
  return nb::make_tuple(to_str_or_replaced(row.id), row.automaton ? nb::cast(row.automaton) : nb::none(), frames, times,
                        scales, row.numbered);
}

using Limits = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

ItemLimits limits_of(const Limits& limits) { return {std::get<0>(limits), std::get<1>(limits), std::get<2>(limits)}; }

// Columns of one lattice as io/arcs.py has them, and the words of its labels.
void add_arrays(BoundColumn& bound, ItemId id, const Longs& sources, const Longs& destinations, const Ints& labels,
                const Costs& costs, const Longs& places, const Longs& finals, const Costs& final_costs,
                const Longs& final_places, std::int64_t start, std::optional<std::int64_t> num_states,
                const std::optional<Ints>& frames, std::string_view unit, nb::handle words, const Limits& limits,
                const std::optional<Doubles>& times, std::string_view time_unit) {
  LatticeDraft draft;
  draft.start = start;
  draft.num_states = num_states;
  draft.has_frames = frames.has_value();
  draft.unit = unit == "line" ? Place::kLine : unit == "byte" ? Place::kByte : Place::kArc;
  const std::size_t arcs = sources.size(), ends = finals.size();
  const bool fits = destinations.size() == arcs && labels.size() == arcs && costs.shape(0) == arcs &&
                    places.size() == arcs && (!frames || frames->size() == arcs) && final_costs.shape(0) == ends &&
                    final_places.size() == ends;
  if (!fits) throw std::invalid_argument("columns of different lengths");
  std::vector<LabelWord> names;
  Utf8 utf8;
  const std::shared_ptr<Vocabulary>& vocabulary = bound.column->shared_vocabulary();
  for_each_item(words, [&](nb::handle word) { names.push_back({vocabulary->intern(utf8.view(word)), {}}); });
  WordLattice lattice;
  lattice.id = std::move(id.bytes);
  if (times) lattice.times = to_vector<double>(*times);
  if (time_unit == "frames") lattice.time_unit = TimeUnit::kFrames;
  {
    const Unlocked unlocked;
    draft.arcs.resize(arcs);
    const std::int64_t *from = sources.data(), *to = destinations.data(), *place = places.data();
    const std::int32_t *label = labels.data(), *frame = frames ? frames->data() : nullptr;
    const double* cost = costs.data();
    bool named = true;
    for (std::size_t i = 0; i < arcs; ++i) {
      named &= label[i] >= 0 && static_cast<std::size_t>(label[i]) < names.size();
      draft.arcs[i] = {from[i], to[i], place[i], label[i], frame ? frame[i] : 0, {cost[2 * i], cost[2 * i + 1]}};
    }
    if (!named) throw std::invalid_argument("a label without a word");
    for (std::size_t i = 0; i < ends; ++i) {
      draft.finals.push_back({finals(i), final_places(i), {final_costs(i, 0), final_costs(i, 1)}});
    }
    LatticeMaker(vocabulary, limits_of(limits)).complete(draft, names, Labels(vocabulary, LabelKind::kWords), lattice);
  }
  bound.column->add(std::move(lattice));
}

void bind_labels(nb::module_& m) {
  nb::class_<Vocabulary>(
      m, "Vocabulary",
      "The words of a run: each once, with a number by which every batch knows it. Only grows; thread-safe.")
      .def(nb::init<>())
      .def("__len__", &Vocabulary::size)
      .def(
          "__getitem__",
          [](const Vocabulary& v, std::int64_t number) {
            if (number < 0 || number >= v.size()) throw nb::index_error();
            return decoded(v.word(static_cast<std::int32_t>(number)).view());
          },
          nb::sig("def __getitem__(self, number: int, /) -> str"), "The first seven stand for no word.");
  nb::class_<Labels>(m, "Labels",
                     "What the labels of files stand for: words as they are, numbers, or integers of a symbol table.")
      .def(
          "__init__",
          [](Labels* self, std::shared_ptr<Vocabulary> vocabulary, std::string_view kind,
             std::optional<nb::dict> symbols, std::optional<std::string> table) {
            const LabelKind labels = label_kind(kind);
            if (!vocabulary) throw nb::type_error("a Vocabulary, not None");
            new (self) Labels(std::move(vocabulary), labels, table.has_value(), table.value_or(""));
            if (!symbols) return;
            Utf8 utf8;
            for (const auto [key, word] : *symbols) self->name(nb::cast<std::int64_t>(key), utf8.view(word));
          },
          "vocabulary"_a, "kind"_a, "symbols"_a = nb::none(), "table"_a = nb::none(),
          nb::sig("def __init__(self, vocabulary: Vocabulary, kind: str, symbols: dict[int, str] | None = None, table: "
                  "str | None = None) -> None"),
          "`kind`: 'words', 'numbers' or 'table'. `symbols`: the word of each integer of a table. `table`: the name of "
          "the "
          "symbol table, for messages; None where the caller gave none.")
      .def_prop_ro("vocabulary", [](const Labels& labels) { return labels.vocabulary(); });
}

bool is_searchable(const LatticeColumn& column, std::size_t i) {
  const WordLattice& row = column[i];
  return row.automaton && !row.numbered && column.prepared(i)->has_path();
}

bool prepare(const LatticeColumn& column, int threads) {
  const Unlocked unlocked;
  std::atomic<bool> all{true};
  share_out(column.size(), threads, [&](std::size_t i) {
    if (all && !is_searchable(column, i)) all = false;
  });
  return all;
}

void bind_column(nb::module_& m) {
  nb::class_<BoundColumn>(
      m, "LatticeColumn", nb::sig("class LatticeColumn(Sequence[typing.Any])"),
      "Many lattices over the words of one vocabulary: a sequence of Lattice, each made when it is looked at.")
      .def(
          "__init__",
          [](BoundColumn* self, std::shared_ptr<Vocabulary> vocabulary) {
            if (!vocabulary) throw nb::type_error("a Vocabulary, not None");
            new (self) BoundColumn(std::move(vocabulary));
          },
          "vocabulary"_a)
      .def("__len__", [](const BoundColumn& bound) { return bound.column->size(); })
      .def("__getitem__", &item_at, "index"_a, nb::sig("def __getitem__(self, index: typing.Any, /) -> typing.Any"),
           "The lattice, or the column of some. Raises what `errors` has of it.")
      .def("add_arrays", &add_arrays, "id"_a, "sources"_a, "destinations"_a, "labels"_a, "costs"_a, "places"_a,
           "finals"_a, "final_costs"_a, "final_places"_a, "start"_a, "num_states"_a.none(), "frames"_a.none(), "unit"_a,
           "words"_a, "limits"_a, "times"_a = nb::none(), "time_unit"_a = "seconds",
           "Appends a lattice whose labels are indices of `words`; as of lattice_of of fstmetrics.io.arcs.")
      .def_static("joined", &joined, "columns"_a, "The lattices of several columns of one vocabulary.")
      .def_prop_ro(
          "weight", [](const BoundColumn& bound) { return bound.column->weight(); }, "States and arcs of all lattices.")
      .def_prop_ro("vocabulary", [](const BoundColumn& bound) { return bound.column->shared_vocabulary(); })
      .def_prop_ro(
          "ids", [](const BoundColumn& bound) { return shared_texts(ids_of(*bound.column)); },
          "Their ids; what is no UTF-8 in one is replaced.")
      .def_prop_ro(
          "is_searchable", [](const BoundColumn& bound) { return prepare(*bound.column, 1); },
          "Whether all lattices have words and a path from the start to a final state.")
      .def(
          "prepare", [](const BoundColumn& bound, int threads) { return prepare(*bound.column, threads); }, "threads"_a,
          "Prepares all lattices to be searched; whether they are searchable.")
      .def(
          "num_arcs", [](const BoundColumn& bound, std::int64_t i) { return row_of(bound, i).automaton->num_arcs(); },
          "index"_a)
      .def(
          "kinds_of_costs",
          [](const BoundColumn& bound, std::int64_t i) { return row_of(bound, i).automaton->kinds_of_costs(); },
          "index"_a, "Whether any graph cost, and any acoustic cost is not zero.")
      .def_prop_ro(
          "damaged",
          [](const BoundColumn& bound) {
            std::vector<std::size_t> damaged;
            for (std::size_t i = 0; i < bound.column->size(); ++i) {
              if (!(*bound.column)[i].automaton) damaged.push_back(i);
            }
            return damaged;
          },
          "The numbers of lattices that could not be read.")
      .def_prop_ro(
          "has_numbers",
          [](const BoundColumn& bound) {
            for (std::size_t i = 0; i < bound.column->size(); ++i) {
              if ((*bound.column)[i].numbered) return true;
            }
            return false;
          },
          "Whether the words of some lattice are the digits of numbers that no symbol table named.")
      .def_prop_ro(
          "errors", [](const BoundColumn& bound) { return bound.errors; },
          nb::sig("def errors(self) -> dict[int, Exception]"),
          "By number, what is raised where a damaged lattice is asked for; whoever reads fills it.")
      .def("fault", &fault_of, "index"_a,
           nb::sig("def fault(self, index: int) -> tuple[int | None, int | None, str, bytes] | None"),
           "Line and byte from the item's beginning, message and piece of what is wrong; as of Fault.")
      .def("excess", &excess_of, "index"_a,
           nb::sig("def excess(self, index: int) -> tuple[str, int, str | None, bool] | None"),
           "The limit that a lattice is beyond, what was found, the word that is too long and whether that is the id.")
      .def(
          "place",
          [](const BoundColumn& bound, std::int64_t i) {
            const WordLattice& row = row_of(bound, i);
            return std::tuple{row.line, row.begin, row.end};
          },
          "index"_a, "Lines before a lattice in the file, and its bytes in the window.")
      .def(
          "is_text_damaged", [](const BoundColumn& bound, std::int64_t i) { return row_of(bound, i).is_text_damaged; },
          "index"_a, "Whether its bytes are no UTF-8.")
      .def(
          "left_out", [](const BoundColumn& bound, std::int64_t i) { return row_of(bound, i).left_out; }, "index"_a,
          "What the file says of a lattice and is not kept.")
      .def_prop_ro(
          "counts_left_out",
          [](const BoundColumn& bound) {
            nb::dict counts;
            for (std::size_t i = 0; i < bound.column->size(); ++i) {
              for (const std::string& what : (*bound.column)[i].left_out) {
                const nb::str key(what.data(), what.size());
                counts[key] = 1 + (counts.contains(key) ? nb::cast<std::int64_t>(counts[key]) : 0);
              }
            }
            return counts;
          },
          nb::sig("def counts_left_out(self) -> dict[str, int]"), "Of how many lattices each of that is.")
      .def(
          "depths",
          [](const BoundColumn& bound, int threads) -> std::optional<nb::tuple> {
            const LatticeColumn& column = *bound.column;
            std::vector<std::optional<LatticeDepth>> found(column.size());
            std::vector<std::int64_t> units, untimed, arcs, offsets{0};
            std::vector<double> times;
            bool all = true;
            {
              const Unlocked unlocked;
              share_out(column.size(), threads, [&](std::size_t i) { found[i] = depth_of(column, i); });
              for (const std::optional<LatticeDepth>& each : found) {
                if (!(all = all && each)) break;
                units.push_back(static_cast<std::int64_t>(each->unit));
                untimed.push_back(each->untimed);
                arcs.insert(arcs.end(), each->arcs.begin(), each->arcs.end());
                times.insert(times.end(), each->times.begin(), each->times.end());
                offsets.push_back(static_cast<std::int64_t>(times.size()));
              }
            }
            if (!all) return std::nullopt;
            return nb::make_tuple(to_numpy(std::move(units)), to_numpy(std::move(offsets)), to_numpy(std::move(times)),
                                  to_numpy(std::move(arcs)), to_numpy(std::move(untimed)));
          },
          "threads"_a = 1,
          nb::sig("def depths(self, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]] | None"),
          "As of fstmetrics.data.depth, of each lattice: the unit (0 seconds, 1 frames, 2 words), where its times "
          "begin "
          "and end, all times, all arcs (one fewer of each lattice than times, if any), arcs without time. None where "
          "one "
          "has a cycle, or a time of -0.")
      .def(
          "pruned",
          [](const BoundColumn& bound, double beam, std::optional<double> lm, std::optional<double> acoustic,
             std::optional<double> word_penalty, int threads) -> std::optional<BoundColumn> {
            const LatticeColumn& column = *bound.column;
            std::vector<std::optional<WordLattice>> found(column.size());
            BoundColumn left(column.shared_vocabulary());
            {
              const Unlocked unlocked;
              std::atomic<bool> all{true};
              share_out(column.size(), threads, [&](std::size_t i) {
                if (!all) return;
                found[i] = pruned(column, i, column.scales(i, {lm, acoustic, word_penalty}), beam);
                if (!found[i]) all = false;
              });
              if (all) {
                for (std::optional<WordLattice>& each : found) left.column->add(std::move(*each));
              }
            }
            if (left.column->size() < column.size()) return std::nullopt;
            return left;
          },
          "beam"_a, "lm"_a = nb::none(), "acoustic"_a = nb::none(), "word_penalty"_a = nb::none(), "threads"_a = 1,
          "The lattices without what is on no path within a beam of the best, a negative natural log; None where one "
          "is "
          "pruned another way. Weights as of OracleSides.")
      .def("words", &words_of, "index"_a, nb::sig("def words(self, index: int) -> tuple[str, ...]"),
           "By label; \"\" is epsilon.")
      .def("parts", &parts_of, "index"_a,
           nb::sig("def parts(self, index: int) -> tuple[str, Automaton, numpy.typing.NDArray[numpy.int64] | None, "
                   "tuple[numpy.typing.NDArray[numpy.float64], typing.Literal['seconds', 'frames']] | None, "
                   "tuple[float, float, float] | None, bool]"),
           "Id, automaton, frames of arcs, times of states and their unit, scales, and whether words are numbers "
           "without "
           "names.");
}

void bind_readers(nb::module_& m) {
  nb::class_<KaldiTextReader>(m, "KaldiTextReader", "Reads windows of a Kaldi text archive, one after the other.")
      .def(
          "__init__",
          [](KaldiTextReader* self, std::shared_ptr<Labels> labels, const Limits& limits) {
            if (!labels) throw nb::type_error("Labels, not None");
            new (self) KaldiTextReader(std::move(labels), limits_of(limits));
          },
          "labels"_a, "limits"_a, "`limits`: of states, arcs and bytes of a word.")
      .def_prop_ro("line", &KaldiTextReader::line, "How many lines end before the byte where it stopped.")
      .def(
          "read",
          [](KaldiTextReader& reader, nb::bytes data, std::size_t at, bool ended, std::int64_t line,
             BoundColumn& bound) {
            if (at > data.size()) throw std::invalid_argument("`at` is no place in the data");
            const Unlocked unlocked;
            return reader.read(view(data), at, ended, line, *bound.column);
          },
          "data"_a, "at"_a, "ended"_a, "line"_a, "column"_a,
          "Appends the lattices from byte `at` to the last blank line, or to the end where the file `ended`; `line` "
          "lines come "
          "before. The byte up to which they go.");
  nb::class_<FstArchiveReader>(m, "FstArchiveReader", "Reads binary OpenFst machines under keys, many in one call.")
      .def(
          "__init__",
          [](FstArchiveReader* self, std::shared_ptr<Labels> labels, const Limits& limits, std::string_view keys) {
            if (!labels) throw nb::type_error("Labels, not None");
            new (self) FstArchiveReader(std::move(labels), limits_of(limits), key_form(keys));
          },
          "labels"_a, "limits"_a, "keys"_a,
          "`keys`: 'word' before a space, as in Kaldi's archives; 'script' for a machine of Kaldi's without one; "
          "'counted', as in OpenFst's archives; 'none' for files of one machine.")
      .def(
          "read",
          [](FstArchiveReader& reader, nb::bytes data, std::size_t at, BoundColumn& bound, std::int64_t origin,
             bool ended, std::size_t tail) {
            if (at > data.size()) throw std::invalid_argument("`at` is no place in the data");
            const Unlocked unlocked;
            return reader.read(view(data), at, *bound.column, origin, ended, tail);
          },
          "data"_a, "at"_a, "column"_a, "origin"_a = 0, "ended"_a = true, "tail"_a = 0,
          "Appends the machines from byte `at` on, up to and with one that is damaged; where the file has not `ended`, "
          "one that may be whole there is left. The byte where it stopped. `origin`: the place of the data in the "
          "file. "
          "`tail`: no machine begins in so many bytes at the end.")
      .def(
          "read_one",
          [](FstArchiveReader& reader, nb::bytes data, std::size_t at, ItemId id, BoundColumn& bound,
             std::int64_t origin) {
            if (at > data.size()) throw std::invalid_argument("`at` is no place in the data");
            const Unlocked unlocked;
            return reader.read_one(view(data), at, std::move(id.bytes), *bound.column, origin);
          },
          "data"_a, "at"_a, "id"_a, "column"_a, "origin"_a = 0,
          "Appends the machine at a byte, damaged or not; its id where it has no key. The byte behind it.")
      .def(
          "read_first",
          [](FstArchiveReader& reader, nb::bytes data, std::int64_t origin) {
            const Unlocked unlocked;
            reader.read_first(view(data), origin);
          },
          "data"_a, "origin"_a, "Takes the symbol table of the first entry of an archive, if it has one.")
      .def(
          "read_entries",
          [](FstArchiveReader& reader, nb::bytes data, const Longs& places, BoundColumn& bound, std::int64_t origin) {
            const Unlocked unlocked;
            std::size_t before = bound.column->size(), entries = places.size() ? places.size() - 1 : 0;
            if (!entries) return std::size_t{0};
            const std::int64_t begin = places(0) - origin, end = places(entries) - origin;
            if (begin < 0 || begin > end || end > static_cast<std::int64_t>(data.size())) {
              throw std::invalid_argument("`places` are not in the data");
            }
            LatticeColumn found(bound.column->shared_vocabulary());
            reader.read(view(data).substr(0, end), begin, found, origin, true, 0);
            std::size_t row = 0;
            for (; row < std::min(entries, found.size()); ++row) {
              if (!found[row].automaton || found[row].begin + origin != places(row) ||
                  found[row].end + origin != places(row + 1))
                break;
              bound.column->add_shared(found, row);
            }
            return bound.column->size() - before;
          },
          "data"_a, "places"_a, "column"_a, "origin"_a,
          "Appends machines that lie from one place of a file to the next, up to one that does not or that is damaged; "
          "how many.");
  m.def(
      "read_att",
      [](nb::bytes text, bool transducer, std::shared_ptr<Labels> integers, std::shared_ptr<Labels> words,
         const Limits& limits, ItemId id, BoundColumn& bound) {
        if (!integers || !words) throw nb::type_error("Labels, not None");
        const Unlocked unlocked;
        read_att(view(text), transducer, {integers, words}, limits_of(limits), std::move(id.bytes), *bound.column);
      },
      "text"_a, "transducer"_a, "integers"_a, "words"_a, "limits"_a, "id"_a, "column"_a,
      "Appends the machine in AT&T text; a transducer if that is said, or seen. `integers` and `words`: what labels "
      "are, if they "
      "are integers or not.");
  m.def(
      "read_k2",
      [](nb::bytes text, std::shared_ptr<Labels> integers, const Limits& limits, ItemId id, BoundColumn& bound) {
        if (!integers) throw nb::type_error("Labels, not None");
        const Unlocked unlocked;
        read_k2(view(text), integers, limits_of(limits), std::move(id.bytes), *bound.column);
      },
      "text"_a, "integers"_a, "limits"_a, "id"_a, "column"_a, "Appends the machine in k2's text.");
  m.def(
      "read_sphinx",
      [](nb::bytes text, const Limits& limits, ItemId id, BoundColumn& bound) {
        const Unlocked unlocked;
        read_sphinx(view(text), limits_of(limits), std::move(id.bytes), *bound.column);
      },
      "text"_a, "limits"_a, "id"_a, "column"_a, "Appends the lattice of a Sphinx file.");
  nb::class_<SlfCard>(m, "SlfCard", "A lattice of an SLF file in which lattices call each other.")
      .def_prop_ro(
          "name", [](const SlfCard& card) { return decoded(card.name); }, nb::sig("def name(self) -> str"))
      .def_prop_ro(
          "words",
          [](const SlfCard& card) {
            nb::list words;
            for (const std::string& word : card.words) words.append(decoded(word));
            return words;
          },
          nb::sig("def words(self) -> list[str]"))
      .def_prop_ro("start", [](const SlfCard& card) { return card.draft.start; })
      .def_prop_ro("end", [](const SlfCard& card) { return card.draft.finals.front().state; })
      .def_prop_ro(
          "arcs",
          [](const SlfCard& card) {
            nb::list arcs;
            for (const DraftArc& arc : card.draft.arcs)
              arcs.append(nb::make_tuple(arc.source, arc.destination, arc.label));
            return arcs;
          },
          nb::sig("def arcs(self) -> list[tuple[int, int, int]]"),
          "Source, destination and label: an index of the words, then of no word, then of calls by the same words.")
      .def_prop_ro(
          "costs",
          [](const SlfCard& card) {
            nb::list costs;
            for (const DraftArc& arc : card.draft.arcs) costs.append(nb::make_tuple(arc.cost[0], arc.cost[1]));
            return costs;
          },
          nb::sig("def costs(self) -> list[tuple[float, float]]"))
      .def_prop_ro(
          "scales", [](const SlfCard& card) { return std::pair(card.scales.graph, card.scales.word_penalty); },
          "Of the main lattice the weight of graph costs and the penalty of a word.");
  m.def(
      "read_slf",
      [](nb::bytes text, bool backwards, const Limits& limits, ItemId id, BoundColumn& bound) {
        const Unlocked unlocked;
        return read_slf_file(view(text), backwards, limits_of(limits), std::move(id.bytes), *bound.column);
      },
      "text"_a, "backwards"_a, "limits"_a, "id"_a, "column"_a,
      "Appends the lattice of an SLF file, or gives the lattices that call each other, the main one last. `backwards`: "
      "whether words of nodes belong to the links out of them even if the head does not say so.");
  m.def(
      "kaldi_labels_are_integers",
      [](nb::bytes data, std::size_t at, bool ended, bool by_first) {
        if (at > data.size()) throw std::invalid_argument("`at` is no place in the data");
        const Unlocked unlocked;
        return kaldi_labels_are_integers(view(data).substr(at), ended, by_first);
      },
      "data"_a, "at"_a, "ended"_a, "by_first"_a,
      "Whether the labels of the whole lattices of a Kaldi text archive are integers; None where there are no labels.");
}

void bind_sides(nb::module_& m) {
  nb::class_<OracleSides>(
      m, "OracleSides",
      "A side of a search: of each lattice of a column two items, itself and its own best path's words.")
      .def(
          "__init__",
          [](OracleSides* self, const BoundColumn& bound, std::optional<double> lm, std::optional<double> acoustic,
             std::optional<double> word_penalty, int threads) {
            const Unlocked unlocked;
            new (self) OracleSides(bound.column, {lm, acoustic, word_penalty}, threads);
          },
          "column"_a, "lm"_a = nb::none(), "acoustic"_a = nb::none(), "word_penalty"_a = nb::none(), "threads"_a = 1,
          "Weights of graph and acoustic costs and the penalty of a word; None: as each lattice's file says.")
      .def("__len__", [](const OracleSides& sides) { return 2 * sides.column().size(); })
      .def_ro("are_searchable", &OracleSides::are_searchable,
              "Whether all lattices have words and a path from the start to a final state; otherwise there is nothing "
              "else to be asked.")
      .def_ro("failure", &OracleSides::failure,
              "The first lattice that has no best path, and why; None if there is none.")
      .def(
          "arcs",
          [](const OracleSides& sides) {
            std::vector<std::int64_t> arcs;
            for (std::size_t i = 0; i < sides.column().size(); ++i)
              arcs.push_back(sides.column()[i].automaton->num_arcs());
            return to_numpy(std::move(arcs));
          },
          kOwned, "How many each lattice has.")
      .def(
          "weights",
          [](const OracleSides& sides) {
            std::vector<double> weights;
            for (std::size_t i = 0; i < sides.column().size(); ++i) {
              const LatticeScales scales = sides.scales(i);
              const auto [graph, acoustic] = sides.column()[i].automaton->kinds_of_costs();
              weights.insert(weights.end(), {scales.graph, scales.acoustic, scales.word_penalty,
                                             static_cast<double>(graph), static_cast<double>(acoustic)});
            }
            return to_numpy(std::move(weights), 5);
          },
          kOwned,
          "What each lattice's best path was found with: weights of graph and acoustic costs, the penalty of a word, "
          "and "
          "whether any graph cost, and any acoustic cost is not zero.");
}

}  // namespace

LatticeSides::LatticeSides(std::shared_ptr<const LatticeColumn> column) : column_(std::move(column)) {
  const Unlocked unlocked;
  for (std::size_t i = 0; i < column_->size(); ++i) {
    if ((*column_)[i].automaton) column_->graph(i);
  }
}

OracleSides::OracleSides(std::shared_ptr<const LatticeColumn> column, const GivenScales& weights, int threads)
    : column_(std::move(column)), weights_(weights), words_(column_->size()) {
  std::mutex mutex;
  std::atomic<bool> all{true};
  share_out(column_->size(), threads, [&](std::size_t i) {
    try {
      if (all && !is_searchable(*column_, i)) all = false;
      if (all) find_best_path(i);
    } catch (const std::invalid_argument& error) {
      const std::lock_guard lock(mutex);
      if (!failure || i < failure->first) failure = {i, error.what()};
    }
  });
  are_searchable = all;
}

void OracleSides::find_best_path(std::size_t i) {
  words_[i] = best_words(*column_, i, weights_);
  column_->graph(i);
}

void bind_lattices(nb::module_& m) {
  bind_sides(m);
  bind_labels(m);
  bind_column(m);
  bind_readers(m);
}

}  // namespace fstmetrics

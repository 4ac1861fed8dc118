#include "bindings/search.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "bindings/arrays.h"
#include "bindings/found.h"
#include "bindings/python_sides.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "bindings/texts.h"
#include "lazy/rtn.h"
#include "search/routes.h"
#include "search/strings/pair_bounds.h"
#include "search/strings/pair_costs.h"
#include "text/compounds.h"
#include "text/vocabulary.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

Reordering parse_reordering(std::string_view name) {
  if (name == "moves") return Reordering::kMoves;
  if (name == "jumps") return Reordering::kJumps;
  throw std::invalid_argument("reordering is 'moves' or 'jumps', not '" + std::string(name) + "'");
}

Route parse_route(const std::string& name) {
  for (const Route route : {Route::kAuto, Route::kBitParallel, Route::kStringPair, Route::kUnitRows, Route::kRows,
                            Route::kGraphs, Route::kChart, Route::kTopological, Route::kBestFirst, Route::kDijkstra}) {
    if (name == route_name(route)) return route;
  }
  throw std::invalid_argument(
      "route is 'auto', 'bit-parallel', 'string-pair', 'unit-rows', 'rows', 'graphs', 'chart', "
      "'topological', 'best-first' or 'dijkstra', not '" +
      name + "'");
}

Side to_side(nb::handle machine) {
  if (nb::isinstance<Automaton>(machine)) return nb::cast<std::shared_ptr<Automaton>>(machine);
  return nb::cast<std::shared_ptr<Rtn>>(machine);
}

// A tuple of its own: other threads may change a list while a search runs.
nb::tuple to_tuple(nb::handle sequence) {
  nb::object tuple = nb::steal(PySequence_Tuple(sequence.ptr()));
  if (!tuple.is_valid()) throw nb::python_error();
  return nb::borrow<nb::tuple>(tuple);
}

Found search(nb::handle hypotheses, nb::handle references, const EditAutomaton& metric, int window,
             std::string_view reordering, std::optional<std::vector<std::shared_ptr<WordCosts>>> word_costs,
             const std::string& route, int nbest, bool alignment, std::int64_t max_expanded_arcs,
             std::int64_t max_cells, std::int64_t max_nodes, int threads, bool fear, bool later) {
  if (window < 1 || window > kMaxWindow) {
    throw std::invalid_argument("a reordering window is 1 to " + std::to_string(kMaxWindow) + " words, not " +
                                std::to_string(window));
  }
  if (nbest < 1 || threads < 1) throw std::invalid_argument("nbest and threads are at least 1");
  // The caller holds the metric.
  const Question question{
      {std::shared_ptr<void>(), &metric},
      window,
      parse_reordering(reordering),
      {parse_route(route), nbest, alignment, false, fear, max_expanded_arcs, max_cells, max_nodes, later}};
  std::unique_ptr<SideColumn> h = side_column(hypotheses), r = side_column(references);
  if (h->size() != r->size() || (word_costs && word_costs->size() != h->size())) {
    throw std::invalid_argument("hypotheses, references and word costs must be equally many");
  }
  const SignalWatch watch;
  std::vector<Item> items;
  items.reserve(h->size());
  for (std::size_t i = 0; i < h->size(); ++i) {
    poll(200);
    items.push_back({h->given(i), r->given(i), word_costs ? (*word_costs)[i] : nullptr});
    if (word_costs && std::holds_alternative<Texts>(items.back().reference))
      throw nb::type_error("a reference of several texts is a Graph where words have costs of their own");
  }
  Answers answers;
  {
    const Unlocked unlocked;
    answers = solve_all(items, question, threads);
  }
  return {std::move(h), std::move(r), std::move(answers), threads};
}

using View = std::tuple<const char*, std::string, double, double, Terms>;

std::vector<View> routes(nb::handle hypothesis, nb::handle reference, std::shared_ptr<EditAutomaton> metric, int window,
                         std::string_view reordering, std::shared_ptr<WordCosts> word_costs, int nbest,
                         std::int64_t max_expanded_arcs, std::int64_t max_cells, std::int64_t max_nodes) {
  if (!metric) throw nb::type_error("a metric is an EditAutomaton, not None");
  const Question question{std::move(metric),
                          window,
                          parse_reordering(reordering),
                          {Route::kAuto, nbest, false, false, false, max_expanded_arcs, max_cells, max_nodes}};
  const PythonSides sides(nb::make_tuple(hypothesis, reference));
  const Item item{sides.given(0), sides.given(1), std::move(word_costs)};
  if (std::holds_alternative<Texts>(item.hypothesis) || std::holds_alternative<Texts>(item.reference)) {
    throw nb::type_error("several texts are as many items");
  }
  const Unlocked unlocked;
  std::vector<View> views;
  for (RouteView& view : view_routes(item, question)) {
    views.emplace_back(route_name(view.route), std::move(view.why_not), view.nanoseconds, view.bytes, view.terms);
  }
  return views;
}

// The words of each text of a side; nothing where something else is among them.
std::optional<WordLists> word_lists(const SideColumn& side) {
  WordLists lists(side.size());
  for (std::size_t i = 0; i < side.size(); ++i) {
    const Given given = side.given(i);
    if (!std::holds_alternative<Text>(given)) return std::nullopt;
    std::get<Text>(given).words(lists[i]);
  }
  return lists;
}

// Costs in units of the metric, a row for each hypothesis; nothing where pairs need a search.
std::optional<nb::ndarray<nb::numpy, std::int64_t>> costs_of_pairs(nb::handle hypotheses, nb::handle references,
                                                                   std::shared_ptr<EditAutomaton> metric, int threads) {
  if (!metric) throw nb::type_error("a metric is an EditAutomaton, not None");
  const std::optional<UnitWeights> weights = unit_weights(*metric);
  if (!weights) return std::nullopt;
  const bool is_one = hypotheses.is(references);
  const std::unique_ptr<SideColumn> h = side_column(hypotheses);
  const std::unique_ptr<SideColumn> r = is_one ? nullptr : side_column(references);
  const std::optional<WordLists> words = word_lists(*h);
  const std::optional<WordLists> others = is_one ? std::nullopt : word_lists(*r);
  if (!words || (!is_one && !others)) return std::nullopt;
  std::vector<std::int64_t> costs;
  {
    const Unlocked unlocked;
    costs = pair_costs(*words, is_one ? *words : *others, *weights, threads);
  }
  return to_numpy(std::move(costs), is_one ? words->size() : others->size());
}

// The items of which a word may be others put together; what is no text may always be.
std::vector<std::int32_t> compound_items(nb::handle hypotheses, nb::handle references) {
  const std::unique_ptr<SideColumn> h = side_column(hypotheses), r = side_column(references);
  if (h->size() != r->size()) throw std::invalid_argument("hypotheses and references must be equally many");
  const SignalWatch watch;
  CompoundTest test;
  std::vector<Word> of_hypothesis, of_reference;
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < h->size(); ++i) {
    poll(200);
    const Given hypothesis = h->given(i), reference = r->given(i);
    if (std::holds_alternative<Text>(hypothesis) && std::holds_alternative<Text>(reference)) {
      std::get<Text>(hypothesis).words(of_hypothesis);
      std::get<Text>(reference).words(of_reference);
      if (!test(of_hypothesis, of_reference)) continue;
    }
    found.push_back(static_cast<std::int32_t>(i));
  }
  return found;
}

bool are_words(nb::handle values) {
  Utf8 utf8;
  bool all = true;
  for_each_item(values, [&](nb::handle value) {
    if (!all || !PyUnicode_Check(value.ptr())) return void(all = false);
    const std::string_view word = utf8.view(value);
    all = !word.empty() && !has_space(word);
  });
  return all;
}

bool are_strings(nb::handle values) {
  bool all = true, any = false;
  for_each_item(values, [&](nb::handle value) { all = all && PyUnicode_CheckExact(value.ptr()), any = true; });
  return all && any;
}

// A text or a graph; nothing of anything else.
std::optional<Given> single_side(nb::handle side, Utf8& utf8) {
  if (PyUnicode_Check(side.ptr())) return Text{utf8.view(side), {}, false};
  if (nb::isinstance<BoundGraph>(side)) return &nb::cast<const BoundGraph&>(side).graph;
  return std::nullopt;
}

std::optional<std::pair<std::int64_t, std::int64_t>> best(nb::handle hypothesis, nb::handle reference,
                                                          const EditAutomaton& metric, int window,
                                                          std::string_view reordering, std::int64_t max_expanded_arcs,
                                                          std::int64_t max_cells, std::int64_t max_nodes) {
  // The caller holds the metric.
  const Question question{{std::shared_ptr<void>(), &metric},
                          window,
                          parse_reordering(reordering),
                          {Route::kAuto, 1, false, true, false, max_expanded_arcs, max_cells, max_nodes}};
  Utf8 utf8;
  const std::optional<Given> h = single_side(hypothesis, utf8), r = single_side(reference, utf8);
  if (!h || !r) throw nb::type_error("a side is a str or a Graph");
  const Unlocked unlocked;
  try {
    const Totals totals = best_score({*h, *r, nullptr}, question);
    return std::pair{totals.cost, totals.reference_words};
  } catch (const SearchError&) {  // search() will say why, and of which item
  } catch (const std::bad_alloc&) {}
  return std::nullopt;
}

using Failed = std::tuple<std::size_t, std::string>;
using Stats = std::tuple<const char*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Stats stats_of(const Answer& answer) {
  const Counters& c = answer.counters;
  return {route_name(answer.route), c.pushed, c.popped, c.expanded, c.hypothesis_states, c.reference_states};
}

PairBounds pair_bounds(nb::handle hypotheses, nb::handle references) {
  const std::unique_ptr<SideColumn> h = side_column(hypotheses), r = side_column(references);
  const std::optional<WordLists> of_hypotheses = word_lists(*h), of_references = word_lists(*r);
  if (!of_hypotheses || !of_references) throw nb::type_error("bounds are of texts");
  const SignalWatch watch;
  return {*of_hypotheses, *of_references};
}

std::vector<std::int64_t> lengths_of(const std::vector<PairBounds::Text>& texts) {
  std::vector<std::int64_t> lengths;
  for (const auto& text : texts) lengths.push_back(std::ssize(text.labels));
  return lengths;
}

// Of each row, whose first two columns are a hypothesis and a reference, what `bound` appends.
template <class Bound>
std::vector<std::int64_t> bounds_of(const PairBounds& bounds, const LongTable& pairs, std::size_t columns,
                                    Bound bound) {
  const std::string expected =
      "a row has " + std::to_string(columns) + " numbers, first of a hypothesis and a reference";
  if (pairs.shape(1) != columns) throw std::invalid_argument(expected);
  for (std::size_t i = 0; i < pairs.shape(0); ++i) {
    const bool fits = pairs(i, 0) >= 0 && pairs(i, 0) < std::ssize(bounds.hypotheses()) && pairs(i, 1) >= 0 &&
                      pairs(i, 1) < std::ssize(bounds.references());
    if (!fits) throw std::invalid_argument(expected);
  }
  std::vector<std::int64_t> found;
  const Unlocked unlocked;
  for (std::size_t i = 0; i < pairs.shape(0); ++i)
    bound(i, static_cast<std::size_t>(pairs(i, 0)), static_cast<std::size_t>(pairs(i, 1)), found);
  return found;
}

void bind_pair_bounds(nb::module_& m) {
  nb::class_<PairBounds>(m, "PairBounds", "How many edits part texts of two lists at least, pair by pair.")
      .def(
          "__init__",
          [](PairBounds* self, nb::handle hypotheses, nb::handle references) {
            new (self) PairBounds(pair_bounds(hypotheses, references));
          },
          "hypotheses"_a, "references"_a, "Sides as of search(), all of them texts.")
      .def_prop_ro(
          "hypothesis_words", [](const PairBounds& b) { return to_numpy(lengths_of(b.hypotheses())); }, kOwned,
          "How many words each hypothesis has.")
      .def_prop_ro(
          "reference_words", [](const PairBounds& b) { return to_numpy(lengths_of(b.references())); }, kOwned,
          "How many words each reference has.")
      .def(
          "least",
          [](const PairBounds& bounds, const LongTable& pairs) {
            return to_numpy(bounds_of(bounds, pairs, 2, [&](std::size_t, std::size_t h, std::size_t r, auto& found) {
              found.push_back(bounds.least(h, r));
            }));
          },
          "pairs"_a, kOwned,
          "Of rows of a hypothesis and a reference the edits that there are at least, at little cost.")
      .def(
          "within",
          [](const PairBounds& bounds, const LongTable& pairs) {
            return to_numpy(bounds_of(bounds, pairs, 3,
                                      [&](std::size_t i, std::size_t h, std::size_t r, auto& found) {
                                        const PairBounds::Edits edits = bounds.within(h, r, pairs(i, 2));
                                        found.insert(found.end(), {edits.least, edits.expected});
                                      }),
                            2);
          },
          "pairs"_a, kOwned,
          "Of rows of a hypothesis, a reference and a limit: the edits, twice, where they are within the limit; "
          "otherwise "
          "edits beyond it that there are at least, and a guess.");
}

void bind_graph(nb::module_& m) {
  nb::class_<BoundGraph>(m, "Graph", "A lattice or network, prepared, with the words of its labels.")
      .def(
          "__init__",
          [](BoundGraph* self, nb::object machine, nb::object words, std::optional<Longs> arc_costs,
             std::optional<Flags> only_hits) {
            nb::tuple kept = to_tuple(words);
            Utf8 utf8;
            const SignalWatch watch;
            std::vector<std::string_view> views;
            views.reserve(kept.size());
            for_each_item(kept, [&](nb::handle word) {
              poll(20);
              views.push_back(utf8.view(word));
            });
            auto costs = arc_costs ? to_vector<std::int64_t>(*arc_costs) : std::vector<std::int64_t>();
            auto hits = only_hits ? to_vector<std::uint8_t>(*only_hits) : std::vector<std::uint8_t>();
            new (self) BoundGraph{Graph(to_side(machine), views, std::move(costs), std::move(hits)), std::move(machine),
                                  std::move(kept)};
          },
          "machine"_a, "words"_a, "arc_costs"_a = nb::none(), "only_hits"_a = nb::none(),
          nb::sig("def __init__(self, machine: Automaton | Rtn, words: Sequence[str], "
                  "arc_costs: numpy.typing.NDArray[numpy.int64] | None = None, "
                  "only_hits: numpy.typing.NDArray[numpy.uint8] | None = None) -> None"),
          "`arc_costs`: what taking an arc costs beside the operation, in units of the metric, by the arc's origin. "
          "`only_hits`: not 0 for the arcs of a reference that only a match can take.")
      .def_prop_ro(
          "machine", [](const BoundGraph& g) { return g.machine; }, nb::sig("def machine(self, /) -> Automaton | Rtn"))
      .def_prop_ro(
          "words", [](const BoundGraph& g) { return g.words; }, nb::sig("def words(self, /) -> tuple[str, ...]"),
          "By label; the first stands for epsilon.");
}

void bind_characters(nb::module_& m) {
  nb::class_<CharacterSides>(m, "CharacterColumn",
                             "Many texts as sequences of characters, which are made when they are looked at.")
      .def(
          "__init__",
          [](CharacterSides* self, const BoundTexts& texts, bool as_they_are) {
            new (self) CharacterSides(all_texts(texts), as_they_are);
          },
          "texts"_a, "as_they_are"_a,
          "Unless characters are taken as they are, they are those of the words without sentence markers, and a space "
          "between one "
          "word and the next.")
      .def("__len__", &CharacterSides::size)
      .def(
          "__getitem__",
          [](const CharacterSides& sides, Py_ssize_t at) {
            const auto size = static_cast<Py_ssize_t>(sides.size());
            if (at < 0) at += size;
            if (at < 0 || at >= size) throw nb::index_error();
            std::vector<Word> characters;
            sides.text(static_cast<std::size_t>(at)).words(characters);
            nb::list made;
            for (const Word& character : characters) made.append(to_str(character.view()));
            return nb::tuple(made);
          },
          "index"_a, nb::sig("def __getitem__(self, index: int, /) -> tuple[str, ...]"));
}

// The strings of all lists and tuples, one behind the other, and where those of each begin and end. Nothing where an
// item is something else or empty, holds something else, or may be a sentence (beside what is no string, words are) or
// a record.
std::optional<std::pair<nb::list, std::vector<std::int64_t>>> strings_of_lists(nb::handle lists, bool beside_strings) {
  nb::list strings;
  std::vector<std::int64_t> begins{0};
  bool are_lists = true;
  Utf8 utf8;
  for_each_item(lists, [&](nb::handle several) {
    are_lists = are_lists && (PyList_CheckExact(several.ptr()) || PyTuple_CheckExact(several.ptr()));
    if (!are_lists) return;
    bool are_sentences = beside_strings, are_characters = true, have_space = false;
    for_each_item(several, [&](nb::handle text) {
      if (!are_lists || !PyUnicode_CheckExact(text.ptr())) return void(are_lists = false);
      const std::string_view view = utf8.view(text);
      const bool is_spaced = (!are_sentences || are_characters) && has_space(view);
      are_sentences = are_sentences || view.empty() || is_spaced;
      are_characters = are_characters && PyUnicode_GetLength(text.ptr()) == 1;
      have_space = have_space || is_spaced;
      are_lists = !view.starts_with('{');  // a record is refused elsewhere, like a string taken apart
      strings.append(text);
    });
    begins.push_back(static_cast<std::int64_t>(strings.size()));
    are_lists = are_lists && are_sentences && !(are_characters && have_space) && begins.back() > begins.end()[-2];
  });
  if (!are_lists) return std::nullopt;
  return std::pair{std::move(strings), std::move(begins)};
}

void bind_alternatives(nb::module_& m) {
  nb::class_<AlternativeTexts>(m, "AlternativeTexts", "Several texts of each item as a side, of which the best counts.")
      .def(
          "__init__",
          [](AlternativeTexts* self, nb::handle columns, std::optional<Longs> begins) {
            std::vector<std::shared_ptr<const SideColumn>> sides;
            for_each_item(columns, [&](nb::handle column) { sides.push_back(side_column(column)); });
            if (sides.empty()) throw std::invalid_argument("alternatives are at least one column");
            for (const auto& side : sides) {
              if (side->size() != sides.front()->size()) throw std::invalid_argument("columns must be equally long");
              for (std::size_t i = 0; i < side->size(); ++i) {
                if (!std::holds_alternative<Text>(side->given(i))) throw nb::type_error("alternatives are texts");
              }
            }
            auto places = begins ? to_vector<std::int64_t>(*begins) : std::vector<std::int64_t>();
            const bool fits = !begins || (sides.size() == 1 && !places.empty() && places.front() == 0 &&
                                          static_cast<std::size_t>(places.back()) == sides.front()->size() &&
                                          std::ranges::adjacent_find(places, std::greater_equal()) == places.end());
            if (!fits) throw std::invalid_argument("the places where the texts of items begin do not fit them");
            new (self) AlternativeTexts(std::move(sides), std::move(places));
          },
          "columns"_a, "begins"_a = nb::none(),
          nb::sig("def __init__(self, columns: Sequence[Sequence[typing.Any]], "
                  "begins: numpy.typing.NDArray[numpy.int64] | None = None) -> None"),
          "Columns side by side, each a side of texts as of search(); or one column in which texts begins[i] to "
          "begins[i + 1] are those of item i.")
      .def("__len__", &AlternativeTexts::size);
  m.def(
      "strings_of_lists",
      [](nb::handle lists, bool beside_strings) -> nb::object {
        auto found = strings_of_lists(lists, beside_strings);
        if (!found) return nb::none();
        return nb::make_tuple(std::move(found->first), to_numpy(std::move(found->second)));
      },
      "lists"_a, "beside_strings"_a,
      nb::sig("def strings_of_lists(lists: Sequence[object], beside_strings: bool) -> tuple[list[str], "
              "NDArray[numpy.int64]] | None"),
      "The strings of lists and tuples, one behind the other, and where those of each item begin and the last ones "
      "end. "
      "None where one is empty or holds something else, or may be the words or characters of one sentence.");
}

void bind_found(nb::module_& m) {
  nb::class_<Tally>(m, "Tally", "How many items have the same counts.")
      .def(nb::init<>())
      .def(
          "add",
          [](Tally& tally, const LongTable& rows) {
            if (rows.shape(1) != Tally::kCounts) throw std::invalid_argument("counts have seven columns");
            std::vector<std::int64_t> kinds;
            for (std::size_t i = 0; i < rows.shape(0); ++i) {
              Tally::Counts counts;
              for (std::size_t j = 0; j < counts.size(); ++j) counts[j] = rows(i, j);
              kinds.push_back(static_cast<std::int64_t>(tally.add(counts)));
            }
            return to_numpy(std::move(kinds));
          },
          kOwned, "rows"_a, "Adds counts, a row an item; returns the number of each item's among the rows.")
      .def(
          "rows",
          [](const Tally& tally) {
            std::vector<std::int64_t> all;
            all.reserve(tally.rows().size() * Tally::kCounts);
            for (const Tally::Counts& row : tally.rows()) all.insert(all.end(), row.begin(), row.end());
            return to_numpy(std::move(all), Tally::kCounts);
          },
          kOwned, "The different counts, as of Found.counts(), in the order in which they came.")
      .def(
          "times", [](const Tally& tally) { return to_numpy(std::vector<std::int64_t>(tally.times())); }, kOwned,
          "How often each of them came.");
  nb::class_<Found>(m, "Found", "What the searches of a batch found, item by item.")
      .def("__len__", &Found::size)
      .def_prop_ro(
          "failure",
          [](const Found& f) -> std::optional<Failed> {
            if (!f.failure()) return std::nullopt;
            return Failed{f.failure()->item, f.failure()->message};
          },
          "The first item whose search was refused, and why; None if there is none.")
      .def(
          "all_counts", [](const Found& f) { return to_numpy(f.all_counts(), Found::kCounts); }, kOwned,
          "counts() of every item's best path, a row an item.")
      .def(
          "add_to", [](const Found& f, Tally& tally) { return to_numpy(f.add_to(tally)); }, kOwned, "tally"_a,
          "Adds counts() of every item's best path; returns the number of each item's among the rows.")
      .def(
          "operations",
          [](const Found& f) {
            Found::Operations all;
            {
              const Unlocked unlocked;
              all = f.operations();
            }
            return nb::make_tuple(to_numpy(std::move(all.begins)), to_numpy(std::move(all.letters)),
                                  to_numpy(std::move(all.hypothesis)), to_numpy(std::move(all.closest)));
          },
          nb::sig("def operations(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint8], NDArray[numpy.int32], "
                  "NDArray[numpy.int32]]"),
          "The alignments of the best paths, one behind the other: where each begins and the last one ends, letters, "
          "words of the "
          "hypothesis as given and of the closest path, from 0; -1: none.")
      .def(
          "part",
          [](const Found& f, std::size_t first, std::size_t step) {
            return std::make_shared<Found>(f.part(first, step));
          },
          "first"_a, "step"_a, "Every so many of the items, from one on.")
      .def(
          "paths_apart",
          [](const Found& f) {
            auto [apart, offsets] = f.paths_apart();
            return std::pair{std::make_shared<Found>(std::move(apart)), to_numpy(std::move(offsets))};
          },
          "Every path of every item as an item, and where those of each item begin, with the end.")
      .def("sums", &Found::sums, "Sums of all_counts(); None where one does not fit 64 bits.")
      .def("lengths", &Found::lengths, "How many best paths have so many words of the reference.")
      .def(
          "counts", [](const Found& f, std::size_t item, std::size_t path) { return f.counts(item, path); }, "item"_a,
          "path"_a, nb::sig("def counts(self, item: int, path: int) -> list[int]"),
          "Cost, matches, substitutions, insertions, deletions, moves, words of the reference.")
      .def("paths", &Found::paths, "item"_a, "How many paths were found, best first.")
      .def(
          "stats", [](const Found& f, std::size_t item) { return stats_of(f.answer(item)); }, "item"_a,
          "Route, entries pushed and popped, states expanded, states of either side.")
      .def(
          "written",
          [](const Found& f, std::size_t item, std::size_t path, nb::handle type) {
            Written w = f.written(item, path, type);
            return nb::make_tuple(std::move(w.hypothesis), std::move(w.closest), std::move(w.alignment));
          },
          "item"_a, "path"_a, "type"_a,
          nb::sig("def written(self, item: int, path: int, type: type) "
                  "-> tuple[tuple[str, ...], tuple[str, ...], tuple[typing.Any, ...]]"),
          "Words chosen on either side, and the operations as instances of a subclass of tuple.");
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_graph(m);
  bind_characters(m);
  bind_alternatives(m);
  bind_found(m);
  bind_pair_bounds(m);
  m.def("search", &search, "hypotheses"_a, "references"_a, "metric"_a, "window"_a, "reordering"_a,
        "word_costs"_a.none(), "route"_a, "nbest"_a, "alignment"_a, "max_expanded_arcs"_a, "max_cells"_a, "max_nodes"_a,
        "threads"_a, "fear"_a = false, "later"_a = false,
        "Finds the best path of every item, the GIL released but for a look at signals now and then. Sides are a "
        "TextColumn, or a sequence of str, lists or tuples of words, and Graphs; a hypothesis may also be a tuple of "
        "tuples of "
        "words, of which the best counts. `later`: alignments may be left to be worked out when they are looked at.");
  m.def("best", &best, "hypothesis"_a, "reference"_a, "metric"_a, "window"_a, "reordering"_a, "max_expanded_arcs"_a,
        "max_cells"_a, "max_nodes"_a,
        nb::sig("def best(hypothesis: str | Graph, reference: str | Graph, metric: EditAutomaton, window: int, "
                "reordering: str, max_expanded_arcs: int, max_cells: int, max_nodes: int) -> tuple[int, int] | None"),
        "Cost and reference words of the best path that search() finds; None where that is for search() to say.");
  m.def("routes", &routes, "hypothesis"_a, "reference"_a, "metric"_a, "window"_a, "reordering"_a, "word_costs"_a.none(),
        "nbest"_a, "max_expanded_arcs"_a, "max_cells"_a, "max_nodes"_a,
        "The table of routes for one item: name, why it cannot be used (empty if it can), and what it is predicted to "
        "take: "
        "nanoseconds, bytes, and the sizes that the time is made of.");
  m.def(
      "compound_items", [](nb::handle h, nb::handle r) { return to_numpy(compound_items(h, r)); }, "hypotheses"_a,
      "references"_a, kOwned,
      "Numbers of the items of which a word of one side may be words of the other put together; sides as of search().");
  m.def("pair_costs", &costs_of_pairs, "hypotheses"_a, "references"_a, "metric"_a, "threads"_a = 1, kOwned,
        "What each hypothesis costs against each reference, a row for each hypothesis, in units of the metric; where "
        "both "
        "are one object, each pair is compared once. Sides as of search(). None under other metrics than those that "
        "weigh edits alike, or of other sides than texts.");
  m.def("are_words", &are_words, "values"_a,
        "Whether all items of a list or tuple are strings, none of them empty or with white space in it.");
  m.def("are_strings", &are_strings, "values"_a, "Whether a list or tuple has items, and all are of the type str.");
  m.def(
      "wildcard", [] { return std::string(kWildcard); },
      "The word on arcs of references that takes any word of the other side.");
  m.def(
      "sentence_markers", [] { return std::vector<std::string>(kSentenceMarkers.begin(), kSentenceMarkers.end()); },
      "The words that never count.");
  m.def(
      "epsilon_names", [] { return std::vector<std::string>(kEpsilonNames.begin() + 1, kEpsilonNames.end()); },
      "The words that stand for no word in one lattice format or another.");
}

}  // namespace fstmetrics

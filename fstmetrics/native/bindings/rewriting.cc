#include "bindings/rewriting.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>

#include "automata/rewriting.h"
#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "text/compounds.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

Lists lists(const Ints& offsets, const Ints& values) {
  Lists result{to_vector<std::int32_t>(offsets), to_vector<std::int32_t>(values)};
  const bool fits = !result.offsets.empty() && result.offsets.front() == 0 &&
                    std::is_sorted(result.offsets.begin(), result.offsets.end()) &&
                    static_cast<std::size_t>(result.offsets.back()) == result.values.size();
  if (!fits) throw std::invalid_argument("offsets must go up from 0 to the number of values");
  return result;
}

using Column = nb::ndarray<nb::numpy, std::int32_t>;

std::tuple<Column, Column, Column, Column> find(const Patterns& patterns, const Automaton& automaton,
                                                const Ints& symbol_offsets, const Ints& symbols,
                                                std::int64_t max_matches) {
  const Lists of_labels = lists(symbol_offsets, symbols);
  Matches matches;
  {
    const Unlocked unlocked;
    matches = find_matches(automaton, patterns, of_labels, max_matches);
  }
  std::vector<std::int32_t> rows;
  rows.reserve(matches.all.size() * 3);
  for (const Match& m : matches.all) rows.insert(rows.end(), {m.from, m.to, m.found});
  return {to_numpy(std::move(rows), 3), to_numpy(std::move(matches.patterns)),
          to_numpy(std::move(matches.words.offsets)), to_numpy(std::move(matches.words.values))};
}

using Flagged = nb::ndarray<nb::numpy, std::uint8_t>;

std::tuple<std::shared_ptr<Automaton>, Column, Flagged> widen(const Automaton& automaton, const IntTable& rows,
                                                              const Ints& way_offsets, const Ints& ways,
                                                              const Ints& word_offsets, const Ints& words) {
  if (rows.shape(1) != 3) throw std::invalid_argument("a match is two states and what was found");
  const Lists all_ways = lists(way_offsets, ways), all_words = lists(word_offsets, words);
  std::vector<Match> matches;
  for (std::size_t i = 0; i < rows.shape(0); ++i) matches.push_back({rows(i, 0), rows(i, 1), rows(i, 2)});
  Widened result;
  {
    const Unlocked unlocked;
    result = widened(automaton, matches, all_ways, all_words);
  }
  return {std::make_shared<Automaton>(std::move(result.automaton)), to_numpy(std::move(result.ways)),
          to_numpy(std::move(result.begins))};
}

// Strings as words, which view them.
class Views {
 public:
  explicit Views(nb::handle values) {
    for_each_item(values, [&](nb::handle value) { words_.push_back(make_word(utf8_.view(value))); });
  }
  const std::vector<Word>& words() const { return words_; }

 private:
  Utf8 utf8_;
  std::vector<Word> words_;
};

std::tuple<Column, Column, Column> partings(nb::handle wholes, nb::handle parts, std::int64_t most) {
  const SignalWatch watch;
  const Views whole(wholes), part(parts);
  WordTable table;
  table.reset(part.words().size());
  for (const Word& word : part.words()) {
    if (word.size == 0 || table.find(word) != kEpsilon) throw std::invalid_argument("a part is empty, or stands twice");
    table.intern(word);
  }
  WordParter parter(table);
  std::vector<std::int32_t> owners, offsets{0}, labels;
  for (std::size_t i = 0; i < whole.words().size(); ++i) {
    const bool all = parter.for_each_way(whole.words()[i], [&](std::span<const Label> way) {
      if (std::ssize(owners) >= most) return false;
      owners.push_back(static_cast<std::int32_t>(i));
      for (const Label label : way) labels.push_back(label - 1);
      offsets.push_back(static_cast<std::int32_t>(labels.size()));
      return true;
    });
    if (!all) throw std::length_error("words can be put together in more than " + std::to_string(most) + " ways");
  }
  return {to_numpy(std::move(owners)), to_numpy(std::move(offsets)), to_numpy(std::move(labels))};
}

}  // namespace

void bind_rewriting(nb::module_& m) {
  nb::class_<Patterns>(m, "Patterns", "Left sides of rewrite rules, as one acyclic automaton over symbols.")
      .def(
          "__init__",
          [](Patterns* self, Ints arc_offsets, Ints symbols, Ints targets, Ints end_offsets, Ints ends) {
            Patterns patterns{lists(arc_offsets, symbols), lists(arc_offsets, targets), lists(end_offsets, ends)};
            patterns.check();
            new (self) Patterns(std::move(patterns));
          },
          "arc_offsets"_a, "symbols"_a, "targets"_a, "end_offsets"_a, "ends"_a)
      .def("find", &find, "automaton"_a, "symbol_offsets"_a, "symbols"_a, "max_matches"_a,
           "Matches on the paths of a prepared automaton: rows of two states and what was found; for everything found, "
           "the pattern; and its labels, as offsets and values. `symbols` are those of each label.");

  m.def("widened", &widen, "automaton"_a, "matches"_a, "way_offsets"_a, "ways"_a, "word_offsets"_a, "words"_a,
        "The automaton with further ways to say what matches cover; for each arc the way it is part of, or -1, and "
        "whether it "
        "is the first of it.");

  m.def("partings", &partings, "wholes"_a, "parts"_a, "most"_a,
        "Ways to write each of some words as 2 to 16 of some parts, which are distinct: the number of the word, and "
        "the numbers "
        "of the parts as offsets and values.");

  m.def(
      "cheapest_path",
      [](const Automaton& automaton, Ints words, Longs costs) {
        std::vector<std::int32_t> path;
        {
          const Unlocked unlocked;
          path = cheapest_path(automaton, {words.data(), words.size()}, {costs.data(), costs.size()});
        }
        return to_numpy(std::move(path));
      },
      "automaton"_a, "words"_a, "costs"_a,
      "Origins of the arcs of the cheapest path of a prepared automaton that reads these words.");
}

}  // namespace fstmetrics

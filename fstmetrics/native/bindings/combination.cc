#include "bindings/combination.h"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "combination/median_string.h"
#include "combination/word_slots.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using SlotTable = nb::ndarray<nb::numpy, std::int32_t>;

std::tuple<SlotTable, std::int64_t> slots_of(const std::vector<Ints>& words, const std::vector<Doubles>& begins,
                                             const std::vector<Doubles>& ends, bool by_time, std::int64_t most_cells) {
  const bool have_times = !begins.empty();
  if (words.empty() || begins.size() != ends.size() || (have_times && begins.size() != words.size()))
    throw std::invalid_argument("times are those of all systems, or of none");
  std::vector<SpokenWords> systems;
  for (std::size_t system = 0; system < words.size(); ++system) {
    SpokenWords spoken{{words[system].data(), words[system].size()}, {}, {}};
    if (have_times) {
      if (begins[system].size() != words[system].size() || ends[system].size() != words[system].size())
        throw std::invalid_argument("every word has a begin and an end");
      spoken.begins = {begins[system].data(), begins[system].size()};
      spoken.ends = {ends[system].data(), ends[system].size()};
    }
    systems.push_back(spoken);
  }
  std::vector<std::int32_t> found;
  std::int64_t cells = 0;
  {
    const Unlocked unlocked;
    found = word_slots(systems, by_time && have_times, most_cells, cells);
  }
  return {to_numpy(std::move(found), words.size()), cells};
}

using WordRow = nb::ndarray<nb::numpy, std::int32_t>;
// Sources, words and destinations of arcs, and ends.
using GraphColumns = std::tuple<Ints, Ints, Ints, Ints>;

WordGraph graph_of(const GraphColumns& columns) {
  const auto& [sources, words, destinations, ends] = columns;
  std::int32_t states = 1;
  bool is_good = sources.size() == words.size() && words.size() == destinations.size() && ends.size() > 0;
  for (std::size_t arc = 0; is_good && arc < sources.size(); ++arc) {
    is_good = sources(arc) >= 0 && sources(arc) < destinations(arc) && words(arc) >= 0 &&
              (arc == 0 || sources(arc - 1) <= sources(arc));
    states = std::max(states, destinations(arc) + 1);
  }
  WordGraph graph;
  graph.is_end.assign(static_cast<std::size_t>(states), 0);
  for (std::size_t end = 0; is_good && end < ends.size(); ++end) {
    is_good = ends(end) >= 0 && ends(end) < states;
    if (is_good) graph.is_end[static_cast<std::size_t>(ends(end))] = 1;
  }
  if (!is_good) throw std::invalid_argument("arcs go by their sources to higher states, and there is an end");
  std::size_t arc = 0;
  for (std::int32_t state = 0; state < states; ++state) {
    for (; arc < sources.size() && sources(arc) == state; ++arc) graph.arcs.push_back({words(arc), destinations(arc)});
    graph.first.push_back(arc);
    if (graph.first[state] == arc && !graph.is_end[state])
      throw std::invalid_argument("an end can be reached from every state");
  }
  return graph;
}

std::tuple<WordRow, std::int64_t, std::int64_t, bool, std::int64_t> median_of(const std::vector<GraphColumns>& columns,
                                                                              const Longs& weights,
                                                                              const std::vector<Ints>& candidates,
                                                                              std::int64_t most_steps) {
  std::vector<WordGraph> graphs;
  for (const auto& each : columns) graphs.push_back(graph_of(each));
  const auto counts = to_vector<std::int64_t>(weights);
  std::int64_t total = 0;
  for (const std::int64_t count : counts) {
    if (count < 1 || count > 1'000'000) throw std::invalid_argument("a weight is at least 1");
    total += count;
  }
  if (counts.size() != graphs.size() || total < 2) throw std::invalid_argument("every graph has a weight");
  std::vector<std::vector<std::int32_t>> strings;
  for (const Ints& candidate : candidates) strings.push_back(to_vector<std::int32_t>(candidate));
  MedianString found;
  {
    const Unlocked unlocked;
    found = median_string(graphs, counts, strings, most_steps);
  }
  return {to_numpy(std::move(found.words)), found.edits, found.least, found.is_first, found.steps};
}

}  // namespace

void bind_combination(nb::module_& m) {
  m.def("word_slots", &slots_of, "words"_a, "begins"_a, "ends"_a, "by_time"_a, "most_cells"_a,
        "The slots of SCTK's rover, shape [slots, systems]: the place of each system's word, or -1. Words are numbers "
        "from 0; begins and ends in seconds, of all systems or of none. And how many "
        "cells the last table had; where these are more than most_cells, the slots are not all.");
  m.def("median_string", &median_of, "graphs"_a, "weights"_a, "candidates"_a, "most_steps"_a,
        "The string with the least total edits to word graphs (sources, words and destinations of arcs in order, and "
        "ends), each counted so often: its words, its edits, what no string is below, whether it is the first of its "
        "equals, and how many steps were made.");
}

}  // namespace fstmetrics

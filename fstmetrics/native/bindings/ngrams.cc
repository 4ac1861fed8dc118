#include "bindings/ngrams.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "automata/ngram_graph.h"
#include "bindings/arrays.h"
#include "bindings/signals.h"

namespace fstmetrics {

using namespace nb::literals;

namespace {

auto by_ngram(std::vector<double> (*find)(const NgramGraph&, std::span<const double>), const NgramGraph& g,
              Doubles costs) {
  if (costs.size() != static_cast<std::size_t>(g.machine.num_arcs())) {
    throw std::invalid_argument("costs are one an arc of the machine");
  }
  std::vector<double> found;
  {
    const Unlocked unlocked;
    found = find(g, {costs.data(), costs.size()});
  }
  return to_numpy(std::move(found));
}

}  // namespace

void bind_ngrams(nb::module_& m) {
  nb::class_<NgramGraph>(m, "NgramGraph", "A lattice whose states are split by the last words before them.")
      .def_prop_ro(
          "machine", [](const NgramGraph& g) { return std::make_shared<Automaton>(g.machine); },
          "The same paths, ending in one state; the origins of arcs are their own numbers.")
      .def_prop_ro(
          "origins", [](const NgramGraph& g) { return to_numpy(std::vector(g.origins)); }, kOwned,
          "By arc, its origin in the lattice.")
      .def_prop_ro(
          "longest", [](const NgramGraph& g) { return to_numpy(std::vector(g.longest)); }, kOwned,
          "By arc, the longest n-gram that ends with its word; 0 where it has none.")
      .def_prop_ro(
          "prefixes", [](const NgramGraph& g) { return to_numpy(std::vector(g.prefixes)); }, kOwned,
          "By n-gram, the one without its last word.")
      .def_prop_ro(
          "suffixes", [](const NgramGraph& g) { return to_numpy(std::vector(g.suffixes)); }, kOwned,
          "By n-gram, the one without its first word.")
      .def_prop_ro(
          "words", [](const NgramGraph& g) { return to_numpy(std::vector(g.words)); }, kOwned,
          "By n-gram, the label of its last word.")
      .def_prop_ro(
          "lengths", [](const NgramGraph& g) { return to_numpy(std::vector(g.lengths)); }, kOwned,
          "By n-gram, its words.")
      .def(
          "probabilities", [](const NgramGraph& g, Doubles costs) { return by_ngram(ngram_probabilities, g, costs); },
          "costs"_a, "By n-gram, how likely a path has it at least once; costs by arc.")
      .def(
          "expected_counts", [](const NgramGraph& g, Doubles costs) { return by_ngram(ngram_counts, g, costs); },
          "costs"_a, "By n-gram, how often a path is expected to have it; costs by arc.");

  m.def(
      "ngram_graph",
      [](const Automaton& lattice, std::int32_t order, std::int64_t max_arcs) -> std::optional<NgramGraph> {
        if (order < 1) throw std::invalid_argument("an n-gram has a word at least");
        return ngram_graph(lattice, order, max_arcs);
      },
      nb::call_guard<Unlocked>(), "lattice"_a, "order"_a, "max_arcs"_a,
      "The n-grams of up to so many words of an automaton with one end; None where the graph would have more arcs.");
}

}  // namespace fstmetrics

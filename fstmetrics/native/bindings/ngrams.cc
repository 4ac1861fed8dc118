#include "bindings/ngrams.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "lazy/ngram_search.h"
#include "text/common_ngrams.h"

namespace fstmetrics {

using namespace nb::literals;

namespace {

std::span<const double> span_of(const Doubles& numbers) { return {numbers.data(), numbers.size()}; }

using NgramColumn = nb::ndarray<nb::numpy, std::int32_t>;
template <class Number>
using NumbersOf = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Words of one side, and where items begin.
using SideArrays =
    std::pair<std::variant<NumbersOf<std::uint8_t>, NumbersOf<std::uint16_t>, NumbersOf<std::uint32_t>>, Longs>;

SideWords side_of(const SideArrays& arrays) {
  const auto& [words, starts] = arrays;
  const std::span<const std::int64_t> places(starts.data(), starts.size());
  const auto size = static_cast<std::int64_t>(std::visit([](const auto& all) { return all.size(); }, words));
  if (places.empty() || places.front() != 0 || places.back() != size || !std::ranges::is_sorted(places))
    throw std::invalid_argument("items are not one after the other");
  return {std::visit([](const auto& all) { return WordNumbers(std::span(all.data(), all.size())); }, words), places};
}

std::tuple<NgramColumn, NgramColumn, NgramColumn> common_ngrams_of(
    const std::vector<std::pair<SideArrays, SideArrays>>& systems, std::int32_t first, std::int32_t end,
    std::int32_t max_order) {
  if (max_order < 1) throw std::invalid_argument("n-grams of one word at least");
  std::vector<SystemWords> columns;
  for (const auto& [reference, hypothesis] : systems) {
    columns.push_back({side_of(reference), side_of(hypothesis)});
    if (columns.back().reference.starts.size() != columns.back().hypothesis.starts.size())
      throw std::invalid_argument("sides differ in their items");
  }
  CommonNgrams found;
  {
    const Unlocked unlocked;
    found = common_ngrams(columns, first, end, max_order);
  }
  return {to_numpy(std::move(found.prefixes)), to_numpy(std::move(found.words)), to_numpy(std::move(found.counts))};
}

}  // namespace

void bind_ngrams(nb::module_& m) {
  nb::class_<NgramSearch>(m, "NgramSearch",
                          "N-grams of a lattice or forest, whose states are split by more and more words before them.")
      .def(
          "__init__",
          [](NgramSearch* self, const Rtn& rtn, Doubles costs) {
            for (const Automaton& card : rtn.cards()) {
              for (const Arc& arc : card.all_arcs()) {
                if (static_cast<std::size_t>(arc.origin) >= costs.size())
                  throw std::invalid_argument("costs are one an arc");
              }
            }
            const Unlocked unlocked;
            new (self) NgramSearch(rtn, span_of(costs));
          },
          "rtn"_a, "costs"_a, "Cards with one end each; costs go by the origins of their arcs.")
      .def_prop_ro("num_arcs", &NgramSearch::num_arcs)
      .def_prop_ro(
          "prefixes", [](const NgramSearch& s) { return to_numpy(std::vector(s.ngrams().prefixes)); }, kOwned,
          "By n-gram, the one without its last word; the first is the empty one.")
      .def_prop_ro(
          "words", [](const NgramSearch& s) { return to_numpy(std::vector(s.ngrams().words)); }, kOwned,
          "By n-gram, the label of its last word.")
      .def("split", &NgramSearch::split, nb::call_guard<Unlocked>(), "max_arcs"_a,
           "Splits states by one word more; False, and nothing is done, where that takes more arcs.")
      .def("find_probabilities", &NgramSearch::find_probabilities, nb::call_guard<Unlocked>(),
           "Finds how likely a derivation has each n-gram that an arc ends.")
      .def(
          "probabilities",
          [](NgramSearch& s) {
            std::vector<double> found(s.ngrams().size());
            {
              const Unlocked unlocked;
              for (std::size_t i = 0; i < found.size(); ++i) found[i] = s.probability(static_cast<std::int32_t>(i));
            }
            return to_numpy(std::move(found));
          },
          "By n-gram, how likely a derivation has it at least once.")
      .def(
          "probability",
          [](NgramSearch& s, const std::vector<Label>& labels) {
            std::int32_t ngram = 0;
            for (const Label label : labels) ngram = s.ngram(ngram, label);
            return s.probability(ngram);
          },
          nb::call_guard<Unlocked>(), "labels"_a, "The same of the n-gram of some words, whether it is there or not.")
      .def(
          "expected_counts",
          [](const NgramSearch& s) {
            std::vector<double> found;
            {
              const Unlocked unlocked;
              found = s.expected_counts();
            }
            return to_numpy(std::move(found));
          },
          "By n-gram, how often a derivation is expected to have it.")
      .def(
          "prune", [](NgramSearch& s, const std::vector<double>& thetas, double least) { s.prune(thetas, least); },
          nb::call_guard<Unlocked>(), "thetas"_a, "least"_a,
          "Leaves out arcs on no derivation that could gain as much as the least; thetas: gains of a word, and of an "
          "n-gram "
          "by its length.")
      .def(
          "best", [](const NgramSearch& s, const std::vector<double>& thetas) { return s.best(thetas); },
          nb::call_guard<Unlocked>(), "thetas"_a, "The labels that could gain most.")
      .def(
          "upper_bounds",
          [](const NgramSearch& s, const std::vector<double>& thetas) {
            std::pair<std::shared_ptr<Rtn>, std::vector<double>> found;
            {
              const Unlocked unlocked;
              found = s.upper_bounds(thetas);
            }
            return std::pair(std::move(found.first), to_numpy(std::move(found.second)));
          },
          "thetas"_a, "What is left, cards with one end each, and the most that arcs can gain, by origin.");
  m.def("common_ngrams", common_ngrams_of, nb::arg("systems").noconvert(), "first"_a, "end"_a, "max_order"_a,
        "N-grams that references and outputs have in common, whose first word is one from `first` to `end`; of each "
        "system words of references and where items begin, and the same of hypotheses. Of n-grams in order the "
        "place of the one without its last word, or -1, the last word, and the matches of the systems, one after the "
        "other.");
}

}  // namespace fstmetrics

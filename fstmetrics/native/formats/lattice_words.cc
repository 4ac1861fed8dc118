#include "formats/lattice_words.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "automata/weighted.h"

namespace fstmetrics {
namespace {

// When the arcs of a lattice begin and end; nothing where nobody knows.
std::optional<ArcSpans> arc_spans(const LatticeColumn& column, std::size_t i) {
  const WordLattice& lattice = column[i];
  if (!lattice.times.empty()) return spans_of_times(*lattice.automaton, lattice.times);
  if (!lattice.has_frames) return std::nullopt;
  return spans_of_durations(*lattice.automaton, *column.prepared(i), lattice.frames);
}

}  // namespace

std::vector<std::string_view> best_words(const LatticeColumn& column, std::size_t i, const GivenScales& given) {
  const Automaton& lattice = *column[i].automaton;
  const std::vector<std::uint8_t> counts = column.words_that_count(i);
  const LatticeScales scales = column.scales(i, given);
  const BestPath best = best_paths(lattice, *column.prepared(i), {&scales, 1}, counts).front();
  std::vector<std::string_view> words;
  words.reserve(best.arcs.size());
  for (const std::int32_t arc : best.arcs) {
    const Label label = lattice.all_arcs()[arc].label;
    if (counts[label]) words.push_back(column.word(i, label).view());
  }
  return words;
}

std::optional<std::vector<SureWord>> sure_words(const LatticeColumn& column, std::size_t i, const GivenScales& given,
                                                double scale) {
  const Automaton& lattice = *column[i].automaton;
  const std::optional<ArcSpans> spans = arc_spans(column, i);
  std::vector<SureWord> words = sure_words(lattice, *column.prepared(i), column.scales(i, given),
                                           column.words_that_count(i), scale, spans ? &*spans : nullptr);
  for (const SureWord& word : words) {
    if (!spans || !(word.begin <= word.end)) return std::nullopt;
  }
  return words;
}

double WeightedPaths::least_cost(std::span<const std::string_view> words) const {
  std::vector<Label> labels;
  for (const std::string_view word : words) labels.push_back(graph.table().find(make_word(word)));
  return least_cost_of(*std::get<std::shared_ptr<const Automaton>>(graph.machine()), costs, labels);
}

std::optional<WeightedPaths> weighted_paths(const LatticeColumn& column, std::size_t i, const GivenScales& given,
                                            double per_nat) {
  // What a path may add up to: sums of two of them stay within 64 bits.
  constexpr double kMostUnits = 0x1p60;
  const WordLattice& lattice = column[i];
  if (std::ranges::any_of(lattice.words, Vocabulary::is_marker)) return std::nullopt;
  SingleCosts costs = single_costs(*lattice.automaton, column.scales(i, given), column.words_that_count(i));
  auto machine = std::make_shared<const Automaton>(with_one_end(*lattice.automaton, *column.prepared(i)));
  if (!machine->has_path()) throw std::invalid_argument("no path leads from its start to a final state");
  std::vector<std::int64_t> units;
  units.reserve(costs.arcs.size() + costs.ends.size());
  double most = 0.0;
  for (const std::vector<double>* some : {&costs.arcs, &costs.ends}) {
    for (const double cost : *some) {
      const double found = std::nearbyint(cost * per_nat);
      most = std::max(most, std::abs(found));
      if (!(most < kMostUnits)) return std::nullopt;
      units.push_back(static_cast<std::int64_t>(found));
    }
  }
  if (!(most * (machine->num_states() + 1) < kMostUnits)) return std::nullopt;
  std::vector<std::string_view> words;
  for (const std::int32_t word : lattice.words) words.push_back(column.vocabulary().word(word).view());
  costs.arcs.insert(costs.arcs.end(), costs.ends.begin(), costs.ends.end());
  return WeightedPaths{Graph(std::move(machine), words, std::move(units)), std::move(costs.arcs)};
}

}  // namespace fstmetrics

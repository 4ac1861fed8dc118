#include "automata/word_posteriors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "automata/weighted.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Without the arcs and ends that cost infinity, which have no costs afterwards; arcs have their old numbers as origins.
Automaton without_infinite(const Automaton& lattice, SingleCosts& costs) {
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final;
  for (StateId state = 0; state < lattice.num_states(); ++state) {
    std::int32_t number = lattice.first_arc(state);
    for (Arc arc : lattice.arcs(state)) {
      arc.origin = number++;
      if (std::isfinite(costs.arcs[arc.origin])) arcs.push_back(arc);
    }
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    is_final.push_back(lattice.is_final(state) && std::isfinite(costs.ends[state]));
    if (!is_final.back()) costs.ends[state] = 0.0;
  }
  return {lattice.start(), std::move(offsets), std::move(arcs), std::move(is_final)};
}

// The posterior of every arc; 0 of those on no path.
std::vector<double> arc_posteriors(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                                   const std::vector<std::uint8_t>& counts_as_word, double scale) {
  SingleCosts costs = single_costs(lattice, scales, counts_as_word);
  const auto is_finite = [](double cost) { return std::isfinite(cost); };
  const bool whole = std::ranges::all_of(costs.arcs, is_finite) && std::ranges::all_of(costs.ends, is_finite);
  const Automaton finite = whole ? Automaton() : without_infinite(lattice, costs);
  const Automaton machine = whole ? with_one_end(lattice, sorted) : with_one_end(finite);
  if (!machine.has_path()) throw std::invalid_argument("no path leads from its start to a final state");
  std::vector<double> by_origin;
  by_origin.reserve(costs.arcs.size() + costs.ends.size());
  const auto arcs = static_cast<std::size_t>(whole ? lattice.num_arcs() : finite.num_arcs());
  const auto number = [&](std::size_t arc) {
    return whole ? arc : static_cast<std::size_t>(finite.all_arcs()[arc].origin);
  };
  for (std::size_t arc = 0; arc < arcs; ++arc) by_origin.push_back(costs.arcs[number(arc)] * scale);
  for (const double cost : costs.ends) by_origin.push_back(cost * scale);
  const std::vector<double> logs = log_posteriors(machine, by_origin);
  std::vector<double> posteriors(lattice.num_arcs(), 0.0);
  for (std::size_t arc = 0; arc < arcs; ++arc) posteriors[number(arc)] = std::exp(std::min(logs[arc], 0.0));
  return posteriors;
}

// Where the arcs with each label of some words are.
std::vector<std::vector<std::int32_t>> arcs_of_labels(const Automaton& lattice, const std::vector<SureWord>& words) {
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(lattice.max_label()) + 1);
  std::vector<std::uint8_t> wanted(found.size(), 0);
  for (const SureWord& word : words) wanted[lattice.all_arcs()[word.arc].label] = 1;
  for (std::int32_t arc = 0; arc < lattice.num_arcs(); ++arc) {
    if (const Label label = lattice.all_arcs()[arc].label; wanted[label]) found[label].push_back(arc);
  }
  return found;
}

}  // namespace

ArcSpans spans_of_times(const Automaton& lattice, std::span<const double> times) {
  ArcSpans spans;
  spans.begins.reserve(lattice.num_arcs()), spans.ends.reserve(lattice.num_arcs());
  for (StateId state = 0; state < lattice.num_states(); ++state) {
    for (const Arc& arc : lattice.arcs(state)) {
      spans.begins.push_back(times[state]);
      spans.ends.push_back(times[arc.next]);
    }
  }
  return spans;
}

ArcSpans spans_of_durations(const Automaton& lattice, const Automaton& sorted,
                            std::span<const std::int32_t> durations) {
  const std::vector<std::int64_t> lengths(durations.begin(), durations.end());
  const std::vector<std::int64_t> longest = longest_before(sorted, lengths);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  ArcSpans spans{std::vector<double>(lattice.num_arcs(), kUnknown), std::vector<double>(lattice.num_arcs(), kUnknown)};
  for (StateId state = 0; state < sorted.num_states(); ++state) {
    for (const Arc& arc : sorted.arcs(state)) {
      spans.begins[arc.origin] = static_cast<double>(longest[state]);
      spans.ends[arc.origin] = spans.begins[arc.origin] + static_cast<double>(lengths[arc.origin]);
    }
  }
  return spans;
}

std::vector<SureWord> sure_words(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                                 const std::vector<std::uint8_t>& counts_as_word, double scale, const ArcSpans* spans) {
  const std::vector<double> posteriors = arc_posteriors(lattice, sorted, scales, counts_as_word, scale);
  const BestPath best = best_paths(lattice, sorted, {&scales, 1}, counts_as_word).front();
  std::vector<SureWord> words;
  for (const std::int32_t arc : best.arcs) {
    if (counts_as_word[lattice.all_arcs()[arc].label]) words.push_back({arc});
  }
  if (words.empty() || !spans) return words;
  const std::vector<std::vector<std::int32_t>> arcs = arcs_of_labels(lattice, words);
  for (SureWord& word : words) {
    word.begin = spans->begins[word.arc], word.end = spans->ends[word.arc];
    const double middle = (word.begin + word.end) / 2;
    const std::vector<std::int32_t>& same = arcs[lattice.all_arcs()[word.arc].label];
    poll(4 * std::ssize(same));
    double sum = 0.0;
    for (const std::int32_t arc : same) {
      const bool is_there = spans->begins[arc] <= middle && middle < spans->ends[arc];
      if (is_there || arc == word.arc) sum += posteriors[arc];
    }
    word.posterior = std::min(sum, 1.0);
  }
  return words;
}

}  // namespace fstmetrics

// The chart route: the best path over a chart (search/chart/chart.h), or the k best pairs
// (search/chart/forest_strings.h).
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "search/best_first/kbest.h"
#include "search/chart/forest_strings.h"
#include "search/plan.h"

namespace fstmetrics {

// The searches of the chart route, one or k best. `plan.chart` is there; all must outlive this object.
template <class V>
class ChartSearch {
 public:
  ChartSearch(const Plan& plan, const Ranking<V>& ranking, const Pricing<V>& pricing)
      : plan_(plan),
        sides_(*plan.chart),
        ranking_(ranking),
        flat_(sides_.side, *sides_.flat, pricing,
              flat_is_hypothesis() ? plan.alphabets.reference : plan.alphabets.hypothesis, plan.options.max_cells),
        chart_(*sides_.network, flat_, plan.options.max_cells) {}

  void run(Outcome& outcome) {
    const V best = chart_.best();
    std::int64_t strings = 0;
    if (plan_.options.nbest == 1) {
      outcome.paths.push_back({ranking_.totals(best), {}});
      if (plan_.options.alignment) outcome.paths[0].steps = chart_.trace();
    } else {
      strings = take(outcome.paths);
    }
    outcome.counters.expanded = chart_.num_cells() + strings;
    std::int64_t states = 0;
    for (const Automaton& card : sides_.network->cards()) states += card.num_states();
    const bool hypothesis = sides_.side == NetworkSide::kHypothesis;
    (hypothesis ? outcome.counters.hypothesis_states : outcome.counters.reference_states) = states;
    (hypothesis ? outcome.counters.reference_states : outcome.counters.hypothesis_states) = sides_.flat->num_states();
  }

 private:
  // The strings of the written out side against one string of the network.
  struct Others {
    Others(const ChartSearch& all, const typename ForestStrings<V>::Found& found)
        : line(line_of(found.words)),
          table(all.hypothesis(line), all.reference(line), all.flat_.pricing(), all.plan_.options.max_cells),
          taken(found.cost - table.best()),
          machine(*all.sides_.flat,
                  all.flat_is_hypothesis() ? all.plan_.alphabets.hypothesis : all.plan_.alphabets.reference),
          sequences(
              all.flat_is_hypothesis() ? SpelledOut::kHypothesis : SpelledOut::kReference, machine, line,
              all.flat_.pricing(), [this](StateId h, StateId r, int memory) { return table.at(h, r, memory); },
              all.plan_.options.max_nodes) {}
    std::optional<V> bound() const {
      const auto bound = sequences.bound();
      return bound ? std::optional<V>(*bound + taken) : std::nullopt;
    }
    const Automaton line;
    const CostToGo<V> table;
    const V taken;  // what the network's arcs cost
    ExplicitMachine machine;
    WordSequences<V> sequences;
  };

  bool flat_is_hypothesis() const { return sides_.side == NetworkSide::kReference; }
  // The sides where `line` is a string of the network.
  const Automaton& hypothesis(const Automaton& line) const { return flat_is_hypothesis() ? *sides_.flat : line; }
  const Automaton& reference(const Automaton& line) const { return flat_is_hypothesis() ? line : *sides_.flat; }

  // The k best pairs: strings of the network, best first; for each, where the other side has several, those of the
  // other side. How many nodes were expanded.
  std::int64_t take(std::vector<Path>& paths) {
    const bool one_string = sides_.flat->is_line() || std::holds_alternative<Permutations>(plan_.problem.hypothesis);
    ForestStrings<V> strings(*sides_.network, flat_, chart_);
    std::multimap<V, std::unique_ptr<Others>> open;
    std::int64_t expanded = 0;
    while (static_cast<int>(paths.size()) < plan_.options.nbest) {
      const auto next = strings.bound();
      if (!open.empty() && (!next || open.begin()->first <= *next)) {
        std::unique_ptr<Others> others = std::move(open.begin()->second);
        open.erase(open.begin());
        if (const auto found = others->sequences.advance()) {
          paths.push_back(
              aligned(others->line, paths_with_words(*sides_.flat, found->words), found->cost + others->taken));
        }
        if (const auto bound = others->bound()) {
          open.emplace(*bound, std::move(others));
        } else {
          expanded += others->sequences.expanded();
        }
        continue;
      }
      if (!next) break;
      const auto found = strings.advance();
      if (!found) continue;
      if (one_string) {
        paths.push_back(aligned(line_of(found->words), *sides_.flat, found->cost));
      } else {
        open.emplace(found->cost, std::make_unique<Others>(*this, *found));
      }
    }
    return expanded + strings.expanded();
  }

  // A pair of strings and what it costs in all, the network's arcs included, with the best alignment.
  Path aligned(const Automaton& of_network, const Automaton& of_flat, V cost) const {
    Path path{ranking_.totals(cost), {}};
    if (!plan_.options.alignment) return path;
    const bool swap = flat_is_hypothesis();
    const CostToGo<V> table(swap ? of_flat : of_network, swap ? of_network : of_flat, flat_.pricing(),
                            plan_.options.max_cells);
    path.steps = table.trace();
    return path;
  }

  const Plan& plan_;
  const ChartSides& sides_;
  const Ranking<V>& ranking_;
  FlatSteps<V> flat_;
  Chart<V> chart_;
};

}  // namespace fstmetrics

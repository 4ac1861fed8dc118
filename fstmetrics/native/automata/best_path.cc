#include "automata/best_path.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "support/poll.h"

namespace fstmetrics {

BestPath best_path(const Automaton& lattice, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word) {
  if (lattice.min_label() < 0) throw std::invalid_argument("an automaton that is not a card calls a card");
  const Automaton sorted = prepared(lattice);
  if (!sorted.has_path()) throw std::invalid_argument("no path leads from the start to a final state");
  if (has_cyclic_path(lattice)) throw std::invalid_argument("the lattice has a cycle, and hypotheses must be acyclic");
  return best_path(lattice, sorted, scales, counts_as_word, {});
}

BestPath best_path(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word, std::span<const double> card_costs) {
  const auto scaled = [&](const CostPair& cost) { return scales.graph * cost[0] + scales.acoustic * cost[1]; };
  const auto label_cost = [&](Label label) {
    if (label < 0) return card_costs[-label - 1];
    return counts_as_word.at(label) ? scales.word_penalty : 0.0;
  };

  // Prepared arcs know where they came from, but states do not: carry the lattice's state along.
  constexpr double kUnreached = std::numeric_limits<double>::infinity();
  std::vector<double> cost(sorted.num_states(), kUnreached);
  std::vector<std::int32_t> arrival(sorted.num_states(), -1);  // arc of the lattice by which it is best reached
  std::vector<StateId> previous(sorted.num_states(), -1);
  std::vector<StateId> original(sorted.num_states(), lattice.start());
  cost[0] = 0.0;
  double best = kUnreached;
  StateId last = -1;
  for (StateId state = 0; state < sorted.num_states(); ++state) {
    poll(4 + 8 * std::ssize(sorted.arcs(state)));
    for (const Arc& arc : sorted.arcs(state)) {
      original[arc.next] = lattice.all_arcs()[arc.origin].next;
      const double through = cost[state] + scaled(lattice.arc_cost(arc.origin)) + label_cost(arc.label);
      if (arrival[arc.next] < 0 || through < cost[arc.next]) {
        cost[arc.next] = through, arrival[arc.next] = arc.origin, previous[arc.next] = state;
      }
    }
    if (!sorted.is_final(state)) continue;
    const double total = cost[state] + scaled(lattice.final_cost(original[state]));
    if (last < 0 || total < best) best = total, last = state;
  }

  BestPath path{best, {}};
  for (StateId state = last; arrival[state] >= 0; state = previous[state]) path.arcs.push_back(arrival[state]);
  std::reverse(path.arcs.begin(), path.arcs.end());
  return path;
}

}  // namespace fstmetrics

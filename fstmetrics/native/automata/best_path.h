// The decoder's own best path through a lattice.
#pragma once

#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

struct LatticeScales {
  double graph = 1.0;
  double acoustic = 1.0;
  double word_penalty = 0.0;  // cost added for every arc whose label counts as a word
};

struct BestPath {
  double cost = 0.0;
  std::vector<std::int32_t> arcs;  // numbers of the arcs in `lattice`
};

// The same where arcs may call cards (lazy/rtn.h): calling card c costs `card_costs[c]`. `sorted` is prepared(lattice).
BestPath best_path(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word, std::span<const double> card_costs);

// The best path under each of several scales, in their order; one pass for as many of them as memory allows.
std::vector<BestPath> best_paths(const Automaton& lattice, std::span<const LatticeScales> scales,
                                 const std::vector<std::uint8_t>& counts_as_word);

// The path with the least scales.graph * graph + scales.acoustic * acoustic + scales.word_penalty * words.
// One pass in topological order, O(arcs); sums in double; the first of equally good paths in arc order.
// `counts_as_word` is indexed by label. Throws std::invalid_argument for a lattice that is cyclic or has no path.
BestPath best_path(const Automaton& lattice, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word);

}  // namespace fstmetrics

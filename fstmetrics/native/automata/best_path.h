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

// The path with the least scales.graph * graph + scales.acoustic * acoustic + scales.word_penalty * words, under each
// of several scales, in their order. `sorted` is prepared(lattice). `counts_as_word` is indexed by label. One pass in
// topological order for as many scales as memory allows, O(arcs) each; sums in double; the first of equally good paths
// in arc order. Throws std::invalid_argument for a lattice that is cyclic or has no path.
std::vector<BestPath> best_paths(const Automaton& lattice, const Automaton& sorted,
                                 std::span<const LatticeScales> scales,
                                 const std::vector<std::uint8_t>& counts_as_word);

// The same where arcs may call cards (lazy/rtn.h): calling card c costs `card_costs[c]`.
BestPath best_path(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word, std::span<const double> card_costs);

}  // namespace fstmetrics

// The best path through an RTN by the costs its cards carry: a forest's 1-best.
#pragma once

#include <vector>

#include "automata/best_path.h"
#include "lazy/rtn.h"

namespace fstmetrics {

struct BestDerivation {
  struct Taken {
    std::int32_t card, arc;  // the arc's number in the card as its maker had it
    Label label;
  };
  double cost = 0.0;
  std::vector<Taken> arcs;  // depth first: what is called comes right after the arc that calls it
};

// Every card's best path once, the called before those who call [Knuth 1977]: O(arcs of all cards), whatever they would
// be written out. Ties as of best_path(). Throws std::invalid_argument for a card with a cycle, and for a derivation
// of more than `max_arcs` arcs.
BestDerivation best_derivation(const Rtn& rtn, const LatticeScales& scales,
                               const std::vector<std::uint8_t>& counts_as_word, std::int64_t max_arcs);

}  // namespace fstmetrics

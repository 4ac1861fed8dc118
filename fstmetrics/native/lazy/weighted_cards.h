// Networks whose arcs have one cost each, as automata/weighted.h has them: what a decoder believes of a forest.
//
// Costs go by the origin of an arc of Rtn::with_one_end(). All of this takes a card at a time, the called before those
// who call, so nothing depends on how many derivations there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/best_path.h"
#include "lazy/rtn.h"

namespace fstmetrics {

// The costs of a network's cards as given, scaled, by the origins that arcs have after with_one_end().
std::vector<double> scaled_costs(const Rtn& rtn, const LatticeScales& scales,
                                 const std::vector<std::uint8_t>& counts_as_word);

// The most that the arcs of a derivation cost, whatever their signs.
double largest_sum(const Rtn& rtn, std::span<const std::int64_t> costs);

// The same costs of derivations, less the least, by regrets: what an arc costs, with the best of what it calls and the
// best rest of its card, beyond the best from its state. Of each arc at least 0; what is left of a card can be had for
// nothing.
struct Regrets {
  std::vector<std::int64_t> costs;
  std::int64_t least;  // cost of a derivation
};
Regrets regrets(const Rtn& rtn, std::span<const std::int64_t> costs);

// log of the sum of exp(-cost) over all derivations: the inside algorithm. Sums in double.
double log_mass(const Rtn& rtn, std::span<const double> costs);

// The same over the derivations of these words; -inf where there is none. O(arcs x words^2) at the most, and far less
// where most cards read no part of the words.
double log_mass_of(const Rtn& rtn, std::span<const double> costs, std::span<const Label> words);

// The least cost of a derivation of these words; infinity where there is none.
double least_cost_of(const Rtn& rtn, std::span<const double> costs, std::span<const Label> words);

}  // namespace fstmetrics

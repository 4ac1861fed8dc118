// Lattices whose arcs have one cost each: what a search, a beam and posteriors are made from.
//
// Costs go by the origin of an arc of with_one_end(lattice): the number of an arc of the lattice or, for the cost of
// ending in a state, num_arcs() + that state.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "automata/automaton.h"
#include "automata/best_path.h"

namespace fstmetrics {

// The same paths as prepared(), ending in one state without arcs of its own, the last: final states lead there by an
// epsilon of origin num_arcs() + the state's number in `lattice`.
// Without states where there is no path. Throws std::invalid_argument where `lattice` has a cycle.
Automaton with_one_end(const Automaton& lattice);
// The same where `sorted` is prepared(lattice).
Automaton with_one_end(const Automaton& lattice, const Automaton& sorted);

// One cost an arc; and one a state, of use for final ones.
struct SingleCosts {
  std::vector<double> arcs, ends;
};

// scales.graph * graph + scales.acoustic * acoustic + scales.word_penalty, the last for arcs whose label counts as a
// word. Infinite costs stand for arcs and ends that are not there. `counts_as_word` is indexed by label. Throws
// std::invalid_argument where a cost is not a number, or minus infinity.
SingleCosts single_costs(const Automaton& lattice, const LatticeScales& scales,
                         const std::vector<std::uint8_t>& counts_as_word);

// What least_costs_through() says of arcs that are on no path.
inline constexpr std::int64_t kOnNoPath = std::numeric_limits<std::int64_t>::max();

// The least cost of a path through each arc, by origin, for an automaton with one end. Forwards and backwards in
// topological order, O(arcs). The caller sees to it that no path adds up to 2^62.
std::vector<std::int64_t> least_costs_through(const Automaton& lattice, std::span<const std::int64_t> costs);

// The longest way from the start to each state of a sorted automaton, arcs being as long as `lengths` says, by origin.
std::vector<std::int64_t> longest_before(const Automaton& sorted, std::span<const std::int64_t> lengths);

// log of the sum of exp(-cost) over all paths of an automaton with one end. Sums in double.
double log_mass(const Automaton& lattice, std::span<const double> costs);

// By origin, log of the share that the paths through each arc have in that sum; -inf for arcs on no path. Forwards and
// backwards, O(arcs). Exact to the digits of single costs, however large their sums are.
std::vector<double> log_posteriors(const Automaton& lattice, std::span<const double> costs);

// The least cost of a path with these words, epsilons aside, of an automaton with one end, rounded once; infinite where
// there is none.
double least_cost_of(const Automaton& lattice, std::span<const double> costs, std::span<const Label> words);

// log_mass() over the paths with these words, epsilons aside; -inf where there is none.
double log_mass_of(const Automaton& lattice, std::span<const double> costs, std::span<const Label> words);

// The paths of a sorted automaton with these words, epsilons aside; arcs keep their origins.
Automaton paths_with_words(const Automaton& sorted, std::span<const Label> words);

}  // namespace fstmetrics

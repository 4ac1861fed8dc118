// The least deterministic automaton with the strings of another one.
#pragma once

#include <optional>

#include "automata/automaton.h"

namespace fstmetrics {

// The least deterministic automaton with the same strings of labels, calls being labels as words are; epsilons are
// gone, costs stay behind. The start is state 0 and the states are in the order in which a walk that goes breadth
// first, by labels, meets them, so automata with the same strings become equal. One state and no end where there is no
// path.
//
// Nothing where the deterministic automaton, before it is made minimal, has more than `most_states` states: it can be
// exponential. Subsets of states by hashing; then O(a log a) for the a arcs of the deterministic automaton.
std::optional<Automaton> minimal(const Automaton& automaton, StateId most_states);

}  // namespace fstmetrics

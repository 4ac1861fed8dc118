// How sure a lattice is of each word of its best path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/automaton.h"
#include "automata/best_path.h"

namespace fstmetrics {

// When each arc begins and ends, in any unit; nan where that is not known.
struct ArcSpans {
  std::vector<double> begins, ends;
};

// Of arcs between states with these times; and of arcs that take so long, each beginning after the longest way to its
// state.
ArcSpans spans_of_times(const Automaton& lattice, std::span<const double> times);
ArcSpans spans_of_durations(const Automaton& lattice, const Automaton& sorted, std::span<const std::int32_t> durations);

// A word of the best path: its arc, and the posterior of the word at the middle of its time.
struct SureWord {
  std::int32_t arc;
  double posterior = 0.0;
  double begin = 0.0, end = 0.0;
};

// The words of the best path [Wessel et al. 2001, C_med]: the posterior of an arc is the share of exp(-scale * cost)
// that the paths through it have, and that of a word adds up the arcs with its label that are there at the middle of
// its time. `sorted` is prepared(lattice); `counts_as_word` is indexed by label. Without `spans` words have neither
// times nor posteriors, and a word without a time has none. What the weights make infinite is on no path. O(arcs *
// words), sums in double in the order of arcs. Throws std::invalid_argument for a lattice that is cyclic or has no
// path, or a cost that the weights make no number.
std::vector<SureWord> sure_words(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                                 const std::vector<std::uint8_t>& counts_as_word, double scale, const ArcSpans* spans);

}  // namespace fstmetrics

// Edit distance under time constraints, of graphs whose words have times.
//
// A word of the reference and one of the hypothesis may match or be substituted only where their times overlap;
// touching is no overlap. Source: von Neumann et al., "MeetEval: A Toolkit for Computation of Word Error Rates for
// Meeting Transcription Systems", CHiME 2023, section 3.4. There both sides are strings; here both are acyclic
// automata.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "automata/automaton.h"
#include "speakers/edit_sums.h"

namespace fstmetrics {

struct Interval {
  double begin, end;
};

inline bool overlap(const Interval& a, const Interval& b) { return a.begin < b.end && a.end > b.begin; }

// A prepared and sorted automaton whose arcs have times; those of its arc with the origin i are begin[i] to end[i].
struct TimedGraph {
  const Automaton* graph = nullptr;
  std::span<const double> begin, end;
};

// Counts of the best pair of paths and alignment.
//
// Where the hypothesis is a string, only cells near a pair of words that overlap are computed: O(arcs of the reference
// times words in the neighbourhood). Otherwise O(arcs of the one times arcs of the other).
// Throws SearchError where that is more than max_cells cells.
EditCounts time_constrained(const TimedGraph& reference, const TimedGraph& hypothesis, std::int64_t max_cells);

// A path of a side: of each word the origin of its arc and its label.
using TimedPath = std::vector<std::pair<std::int32_t, Label>>;

// An alignment with those counts, a letter an operation: = match, S, I, D; and the paths that it is of.
struct TimedAlignment {
  std::string letters;
  TimedPath reference, hypothesis;
};

TimedAlignment time_constrained_alignment(const TimedGraph& reference, const TimedGraph& hypothesis,
                                          std::int64_t max_cells);

}  // namespace fstmetrics

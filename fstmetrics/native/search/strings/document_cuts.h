// Where a document without segment ends is cut, so that the edits of its segments to their references are the fewest.
//
// Cuts 0 = c[0] <= ... <= c[K] = N of a hypothesis of N words; segment k has the words from c[k - 1] to c[k], and one
// reference [Matusov et al. 2005]. Of equally good cuts each is as early as it can be beside those before it: c[1] the
// earliest of all best cuts, c[2] the earliest of those with that c[1], and so on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

struct DocumentCuts {
  std::vector<std::int64_t> cuts;  // c[0] to c[K]
  std::int64_t edits = 0;
};

// One string a segment: words of `references` up to ends[k - 1] are of the first k. The edits are those of the
// references in a row, and of their best paths the cuts are read from the one that lies lowest: of its every column the
// first row. Such a path has each cut at its earliest, as two best paths that cross may be joined where they do.
// O(columns * (1 + edits / 64)) time, and about sqrt(columns) * edits / 64 blocks of 24 bytes twice.
DocumentCuts string_cuts(std::span<const Label> hypothesis, std::span<const Label> references,
                         std::span<const std::int64_t> ends);

// What a segment may say, as an acyclic graph but for loops at a state. Its states are those from first_state to the
// next segment's; it ends in the last of them.
struct SegmentGraphs {
  static constexpr Label kAnyWord = -1;  // takes one word of the hypothesis, whichever it is, without an edit
  struct Arc {
    StateId source, next;
    Label label;  // kEpsilon: no word
  };

  std::vector<StateId> first_states;  // K + 1
  std::vector<StateId> starts;        // K
  std::vector<Arc> arcs;              // each within a segment, in any order
};

// One graph a segment. Costs of the rest are worked out from the last state to the first, for all positions of the
// hypothesis; then cuts are found from the first on, each where the cost up to it and that of the rest are the least.
// O(positions * arcs) time; space: about 2 * sqrt(K) rows of 4 bytes a position, and one for each state that is open.
// Throws std::invalid_argument where a segment has a cycle of several states, or no path.
DocumentCuts graph_cuts(std::span<const Label> hypothesis, const SegmentGraphs& segments);

}  // namespace fstmetrics

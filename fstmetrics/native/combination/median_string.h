// The median of several word graphs: a string with the least total edits to them, each counted by its closest path.
#pragma once

#include <cstdint>
#include <vector>

namespace fstmetrics {

// An acyclic automaton of words without epsilons: arcs by source state, all to higher states; state 0 is the start, and
// an end can be reached from every state. A string is a chain.
struct WordGraph {
  struct WordArc {
    std::int32_t word, next;
  };
  std::vector<std::size_t> first{0};  // of each state its first arc, and one more
  std::vector<WordArc> arcs;
  std::vector<std::uint8_t> is_end;  // by state

  std::int32_t states() const { return static_cast<std::int32_t>(is_end.size()); }
};

struct MedianString {
  std::vector<std::int32_t> words;
  std::int64_t edits = 0, least = 0;  // of these words; and what no string is below
  bool is_first = false;              // whether it is known to be the first of all with as few edits
  std::int64_t steps = 0;             // how many were made
};

// A* over tuples of states, one a graph. Words are numbers from 0 in the order in which equally good strings are
// compared: word by word, a string before what continues it. `weights`: how often each graph counts, at least 1. It
// stops after `most_steps` steps, and then has the best string that it knows, of `candidates` at least.
MedianString median_string(const std::vector<WordGraph>& graphs, const std::vector<std::int64_t>& weights,
                           const std::vector<std::vector<std::int32_t>>& candidates, std::int64_t most_steps);

}  // namespace fstmetrics

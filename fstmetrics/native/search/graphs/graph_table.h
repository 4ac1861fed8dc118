// The cost of reaching every pair of states of two acyclic graphs, states of one of them in vector lanes.
//
// One side, `lanes`, is worked on in groups of states that do not lead to one another; the other, `sweep`, a state at a
// time, so that each vector operation extends as many paths as a group has states. A word of the sweep side, read
// alone or paired with any other word, asks only for the least of the cells before it, taken over the predecessors of
// either side by itself: a cell costs the predecessors of both added up, not multiplied. Only matches look at pairs
// of arcs, and only at those of the same word.
//
// O(groups * arcs of the sweep side) vector operations, O(pairs of arcs with the same word) scalar ones.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "automata/state_groups.h"
#include "support/large_array.h"

namespace fstmetrics {

// One side of the product: a graph, and what makes its words comparable with the other side's.
struct PairSide {
  PairSide(const Automaton& automaton, std::span<const Label> label_keys)
      : graph(&automaton), groups(&automaton.groups()), reversed(&automaton.reversed()), keys(label_keys) {}

  const Automaton* graph;
  const StateGroups* groups;
  const ReverseArcs* reversed;
  // By label, what its word is compared by, or kEpsilon where the other side lacks it.
  std::span<const Label> keys;

  Label key_of(Label label) const { return keys[label]; }
  std::span<const ReverseArcs::Incoming> incoming(StateId state) const { return reversed->incoming(state); }
  const std::vector<StateId>& finals() const { return reversed->finals; }
  StateId num_states() const { return graph->num_states(); }
};

// Costs of the four operations, seen from the table.
struct PairCosts {
  std::int32_t match, substitution, lane_only, sweep_only;
};

struct PairProblem {
  PairSide lanes, sweep;
  PairCosts costs;
  Label last_key;  // the largest of either side

  bool same_word(Label lane_label, Label sweep_label) const {
    const Label key = lanes.key_of(lane_label);
    return key != kEpsilon && key == sweep.key_of(sweep_label);
  }
};

// T: std::uint8_t or std::int16_t. Cells of less than bound() are exact, and the others stay beyond it. With the former
// type no cost may be negative or more than 12, nor a substitution cheaper than a word of the sweep side alone; with
// the latter no path may add up to bound(), in either direction.
template <class T>
class GraphTable {
 public:
  static constexpr int kLanes = StateGroups::kLanes;
  static constexpr std::int64_t bound() { return sizeof(T) == 1 ? 240 : 1 << 13; }
  // What cells hold that are not reached. One more cost can be added, or all gains taken off.
  static constexpr T unreached() { return static_cast<T>(sizeof(T) == 1 ? 243 : 3 << 13); }

  // Keeps its memory between calls.
  void fill(const PairProblem& problem);
  // Gives the memory back if it is more than that.
  void forget_beyond(std::size_t bytes) {
    if (memory_.size() > bytes) memory_ = LargeArray<unsigned char>();
  }

  T at(StateId lane, StateId sweep) const { return row(lane)[sweep]; }
  const T* row(StateId lane) const { return rows_ + static_cast<std::size_t>(lane) * width_; }
  // Cells of a row, padded to whole vectors.
  int width() const { return width_; }

 private:
  int width_ = 0;
  LargeArray<unsigned char> memory_;
  T* rows_ = nullptr;
};

}  // namespace fstmetrics

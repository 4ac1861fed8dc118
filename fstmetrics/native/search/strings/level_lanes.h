// The levels of the bit-parallel search without reordering, all at once: for every place of a sweep and every cost, the
// string positions reached at no more than that. One pass over the graph, without asking which states matter.
//
// Unit costs. Whatever lies between two matches can be written with its words of the string first, for the same cost
// and totals: so they are read alone right after a match or at the start and nowhere else, and only there their
// doubling steps are needed.
#pragma once

#include <cstdint>

#include "automata/search_graph.h"
#include "search/rows/matching_arcs.h"
#include "search/strings/bit_string.h"
#include "search/strings/level_vectors.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class LevelLanes {
 public:
  // The least cost of reading all of the string and a path of the graph, or -1 if that is more than the lanes hold.
  int run(const SearchGraph& graph, const StringSide& string, const WordPositions& words);

  // What was found, by place, and of each place by cost; lanes of 32 bits if `narrow()`, else of 64.
  template <class Lane>
  const Lane* lanes() const {
    return static_cast<const Lane*>(memory_.data());
  }
  bool narrow() const { return narrow_; }
  int levels() const { return levels_; }
  const SweepGraph& graph() const { return *graph_; }
  const MatchingArcs& matching_arcs() const { return arcs_; }

 private:
  // Half a vector is less work, if it suffices: so it is tried where it did for as many searches before this one.
  static constexpr int kFewLevels = 8, kManyNear = 8;
  bool are_near() const { return near_ == kManyNear; }
  int cost_at_end(int length) const;

  const SweepGraph* graph_ = nullptr;
  MatchingArcs arcs_;
  VectorMemory memory_;
  int levels_ = 0;
  int near_ = 0;  // searches in a row, up to kManyNear, whose answers few levels held
  bool narrow_ = false;
};

}  // namespace fstmetrics

// Bounds for a search with reordering in a window, unit costs: at what cost at least the end can be reached.
//
// They are the exact costs of an easier problem, found by one sweep backwards. There a position is the number of words
// taken, no matter which, and of the shape only its disorder counts. Without any, words match in order only; a move, at
// the cost of one, takes one of the next words and begins disorder. In disorder those that a window lets come so late
// match for nothing; and as long as a block is read, if moves count blocks, so do those that come early, but after one
// that came late only by another move. From there all is in order again whenever that is better. Each step of the real
// search is one of these at no more cost.
#pragma once

#include <array>
#include <cstdint>

#include "search/rows/matching_arcs.h"
#include "search/strings/bit_string.h"
#include "search/strings/level_vectors.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class WindowBounds {
 public:
  // `graph` sees the arcs backwards. Returns the bound at the start, or -1 if it is more than the lanes hold.
  int fill(const SweepGraph& graph, const MatchingArcs& arcs, const StringSide& string, const WordPositions& words);

  // Numbers of words taken from which the end may cost no more than `left`.
  std::uint64_t within(SweepGraph::Place place, Disorder disorder, int left) const {
    if (left < 0) return 0;
    if (left >= levels_) return ~std::uint64_t{0};
    const std::size_t lane = (static_cast<std::size_t>(place) * kinds_ + static_cast<int>(disorder)) * levels_ + left;
    return narrow_ ? static_cast<const std::uint32_t*>(memory_.data())[lane]
                   : static_cast<const std::uint64_t*>(memory_.data())[lane];
  }

  // By word: the numbers of words taken at which it may come in order, early and late.
  struct Eased {
    std::uint64_t in_order, early, late;
  };

 private:
  void ease(const StringSide& string, const WordPositions& words);

  VectorMemory memory_;
  std::array<Eased, kMaxBitWords> eased_;
  int kinds_ = 2;  // of disorder: without blocks there is no kBlock
  int levels_ = 0;
  bool narrow_ = false;
};

}  // namespace fstmetrics

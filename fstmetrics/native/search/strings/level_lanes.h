// What every cell of a string and a graph costs, without reordering: for every place of a sweep, the string's positions
// side by side in a vector of bytes. One pass over the graph, without asking which states matter.
//
// Unit costs. A lane holds the cost of its position less the words before it: its level, which words of the string read
// alone keep, and pairs of words; a match lowers it by one, a word of the graph alone raises it by one. Whatever lies
// between two matches can be written with its words of the string first, for the same cost and totals: so they are read
// alone right after a match or at the start and nowhere else, and only there the least level of all positions before
// has to be found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/search_graph.h"
#include "search/rows/matching_arcs.h"
#include "support/simd.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class LevelLanes {
 public:
  // The least cost of reading all of the string and a path of the graph, or -1 if that is more than the lanes hold.
  int run(const SearchGraph& graph, std::span<const Label> words);

  // By place and position, in so many lanes a place. Levels near 255 may be less than they should, but not those of
  // cells that lie on best paths, and no step from others leads to these.
  const std::uint8_t* levels() const { return static_cast<const std::uint8_t*>(levels_.data()); }
  int lanes() const { return lanes_; }
  int level(int position, int cost) const { return cost - position + lanes_ - 1; }
  const SweepArcs& graph() const { return *graph_; }
  const MatchingArcs& other_arcs() const { return others_; }
  // By position, 0 where the word stands behind it.
  const std::uint8_t* misses(Label word) const { return row(misses_of_[word]); }
  const std::uint8_t* misses(const MatchingArcs::Matching& arc) const { return row((arc.word + 1) * lanes_); }

 private:
  void place_words(std::span<const Label> words, Label max_label);
  const std::uint8_t* row(std::int32_t at) const { return static_cast<const std::uint8_t*>(misses_.data()) + at; }
  int cost_at_end(int length) const;

  const SweepArcs* graph_ = nullptr;
  MatchingArcs others_;  // of the string's words, that are not the first ones of a place and a neighbour
  VectorMemory misses_, levels_;
  std::vector<Label> placed_;            // the string's words that the graph may have, once each
  std::vector<std::int32_t> misses_of_;  // by label; 0 of all that are not placed
  int lanes_ = 0;
};

}  // namespace fstmetrics

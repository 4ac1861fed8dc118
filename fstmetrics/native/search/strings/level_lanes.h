// The levels of the bit-parallel search without reordering, all at once: for every place of a sweep and every cost, the
// string positions reached at no more than that. One pass over the graph, without asking which states matter.
//
// Unit costs. Whatever lies between two matches can be written with its words of the string first, for the same cost and
// totals: so they are read alone right after a match or at the start and nowhere else, and only there their doubling
// steps are needed.
#pragma once

#include <cstdint>

#include "automata/level_graph.h"
#include "search/rows/matching_arcs.h"
#include "search/strings/bit_string.h"
#include "search/strings/level_vectors.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class LevelLanes {
 public:
  // The least cost of reading all of the string and a path of the graph, or -1 if that is more than the lanes hold.
  int run(const LevelGraph& graph, const StringSide& string, const WordPositions& words);

  // As search/strings/bit_settling.h wants it.
  // Calls visit(arc) for those of some arcs into a state that leave one that is reached at less than a cost at one of the positions
  // `less`, or at no more than it at one of `here` if the arc is an epsilon, or of `from` if it has a word of the string there.
  template <class Arcs, class Visit>
  void for_each_near(const Arcs& arcs, int cost, std::uint64_t less, std::uint64_t here, std::uint64_t from,
                     const WordPositions& words, Visit visit) const {
    narrow_ ? near_arcs<std::uint32_t>(arcs, cost, less, here, from, words, visit)
            : near_arcs<std::uint64_t>(arcs, cost, less, here, from, words, visit);
  }
  std::uint64_t exactly(StateId state, int cost, int = 0) const {
    if (cost < 0) return 0;
    const SweepGraph::Place place = graph_->place_of(state);
    return lane(place, cost) & ~(cost > 0 ? lane(place, cost - 1) : 0);
  }

 private:
  std::uint64_t lane(SweepGraph::Place place, int cost) const {
    const std::size_t at = static_cast<std::size_t>(place) * levels_ + cost;
    return narrow_ ? static_cast<const std::uint32_t*>(memory_.data())[at]
                   : static_cast<const std::uint64_t*>(memory_.data())[at];
  }
  template <class Lane, class Arcs, class Visit>
  void near_arcs(const Arcs& arcs, int cost, std::uint64_t less, std::uint64_t here, std::uint64_t from,
                 const WordPositions& words, Visit visit) const {
    const Lane* const lanes = static_cast<const Lane*>(memory_.data()) + cost;
    const SweepGraph::Place* const places = graph_->places();
    const std::uint64_t* const by_label = words.by_label();
    const std::ptrdiff_t levels = levels_, below = cost > 0 ? -1 : 0;
    if (cost == 0) less = 0;
    for (const auto& arc : arcs) {
      const Lane* const at = lanes + places[arc.source] * levels;
      const std::uint64_t wanted = (by_label[arc.label] & from) | (arc.label == kEpsilon ? here : 0);
      if (((at[below] & less) | (at[0] & wanted)) != 0) visit(arc);
    }
  }
  int cost_at_end(int length) const;

  const SweepGraph* graph_ = nullptr;
  MatchingArcs arcs_;
  VectorMemory memory_;
  int levels_ = 0;
  bool narrow_ = false;
};

}  // namespace fstmetrics

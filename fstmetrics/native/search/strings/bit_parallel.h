// Bit-parallel search for unit costs: all positions of a string move together.
//
// One side is a string of up to 63 words, or its permutations in a window; the other an acyclic graph. A cell is a
// state of the graph, a window shape (search/windows/window_shapes.h) and a position. Which cells are looked at, and in
// which order:
// - without reordering all, by a sweep with the positions side by side in vectors (search/strings/level_lanes.h);
// - with reordering those that can lie on a best path, by bounds from a sweep (search/windows/window_sweep.h);
// - where the answer is more than the lanes hold, level by level (search/strings/level_search.h).
// With reordering and level by level, the positions of a state, shape and cost are one 64-bit set [Myers 1999].
// Ties are settled afterwards, on the cells of best paths only (search/strings/lane_ties.h and bit_ties.h).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "automata/search_graph.h"
#include "search/strings/bit_ties.h"
#include "search/strings/lane_ties.h"
#include "search/strings/level_lanes.h"
#include "search/strings/level_search.h"
#include "search/windows/window_sweep.h"

namespace fstmetrics {

struct BitPath {
  Totals totals;
  std::int64_t sets = 0;    // sets, or states whose vectors of sets, that were worked on
  std::vector<Step> steps;  // labels of the graph's words only; the string's words are named by their origins
};

// Scratch space, kept by each thread between searches.
class BitParallel {
 public:
  // Beyond so many cells of 8 bytes a state it is not begun. Without reordering, all states may lie on best paths; then
  // it is unit-rows that keep little of each.
  static constexpr std::int64_t cells_of_state(bool reorders) {
    return reorders ? WindowSweep::kCellsOfState : BitTies::kCellsOfState;
  }

  // Nothing where the best path lies `most_levels()` or more beyond what the words that the string lacks cost, or the
  // sets would take more than options.max_cells of 8 bytes. Throws SearchError where what is kept of ties does.
  std::optional<BitPath> run(const SearchGraph& graph, const StringSide& string, const Options& options,
                             const std::function<int()>& most_levels);

 private:
  // `found`: what the ties are settled on.
  template <class TieBreaker, class... Found>
  void settle(const SearchGraph& graph, const StringSide& string, int cost, TieBreaker& ties, BitPath& path,
              const Found&... found);
  bool find(const SearchGraph& graph, const StringSide& string, const std::function<int()>& most_levels, BitPath& path);
  bool sweep(const SearchGraph& graph, const StringSide& string, BitPath& path);
  bool sweep_windows(const SearchGraph& graph, const StringSide& string, BitPath& path);
  bool search(const SearchGraph& graph, const StringSide& string, const std::function<int()>& most_levels,
              BitPath& path);

  const Options* options_ = nullptr;
  WordPositions words_;
  LevelLanes lanes_;
  WindowSweep windows_;
  LevelSearch levels_;
  LaneTies lane_settling_;
  BitTies settling_;
};

}  // namespace fstmetrics

// Ties of the sweeps of search/strings/level_lanes.h, by the rules of search/tie_breaker.h: of steps that make equally
// good paths the one to the highest state, and of those to one state EqualSteps::kDearest.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/search_graph.h"
#include "search/problem.h"
#include "search/strings/bit_string.h"
#include "search/strings/level_lanes.h"
#include "search/tie_rules.h"
#include "support/growing_array.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class LaneTies {
 public:
  // `least`: what the best paths cost, as `lanes` found. Throws SearchError where more than `max_cells` cells of 8
  // bytes would be kept.
  Totals settle(const SearchGraph& graph, const StringSide& string, int least, std::int64_t max_cells,
                const LevelLanes& lanes);

  // A best path, after settle() and while the graph exists.
  std::vector<Step> trace() const;

 private:
  template <int kLanes>
  class Ways;
  using Number = std::int32_t;

  // A cell on a best path and the step that is taken from it.
  struct Cell {
    std::int64_t rank;       // of the rest of the path
    Number next;             // the cell that the step leads to; -1 at the goal
    Number other;            // another cell of the same place
    SweepArcs::Place place;  //
    std::int32_t arc;        // of the graph; -1 if it stands still
    std::uint8_t position;
    Op op;
  };

  const SearchGraph* graph_ = nullptr;
  bool string_is_hypothesis_ = false;
  GrowingArray<Cell> cells_;
  Number start_ = -1;
  std::size_t most_steps_ = 0;
  std::vector<std::uint64_t> waiting_;  // bitmap over places that have cells and are not settled
  std::vector<Number> first_;           // by such a place: one of its cells
};

}  // namespace fstmetrics

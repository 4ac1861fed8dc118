// Best-first search over sets of string positions, for answers that lie too far away for search/strings/level_lanes.h.
//
// For a state of the graph, a window shape and a level, one 64-bit set holds the string positions that are first
// reached at that level. Levels are values of A*: cost so far plus, for the graph state, the fewest words still to come
// that the string does not have at all. That estimate is exact in the graph, so no arc has a negative reduced cost, and
// levels beyond the answer's are never looked at [Karakos et al. 2008]. O(levels * reached states * arcs a state *
// shapes) word operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "automata/search_graph.h"
#include "search/strings/bit_string.h"
#include "support/large_array.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class LevelSearch {
 public:
  static constexpr int kAnyLevel = std::numeric_limits<int>::max();

  // The least cost of reading all of the string and a path of the graph; -1 if that lies `most_levels` or more beyond
  // the estimate at the start, or the sets would take more than `max_cells` of 8 bytes.
  int run(const SearchGraph& graph, const StringSide& string, const WordPositions& words, std::int64_t max_cells,
          int most_levels);

  // As search/strings/bit_ties.h wants it.
  bool maybe(StateId, int, std::uint64_t) const { return true; }
  std::uint64_t exactly(StateId state, int cost, int shape) const {
    const int level = cost + unmatched_[state] - unmatched_[graph_->automaton().start()];
    if (cost < 0 || level < 0 || level >= levels_) return 0;
    const bool active = (active_[level * bitmap_ + (state >> 6)] >> (state & 63)) & 1;
    return active ? sets_[(static_cast<std::size_t>(state) * levels_ + level) * shapes_ + shape] : 0;
  }
  std::int64_t worked() const { return worked_; }

 private:
  void estimate();
  void open_levels(int levels);
  bool search(int levels);
  void work(StateId state, int level);
  std::uint64_t take_new(StateId state, int level);
  void take_words();
  void follow(const Arc& arc, StateId state, int level);
  void add(StateId state, int level, const std::uint64_t* positions);
  // The set of a state at a level, empty when first asked for.
  std::uint64_t* set(StateId state, int level);

  const SearchGraph* graph_ = nullptr;
  const StringSide* string_ = nullptr;
  const WordPositions* words_ = nullptr;
  int shapes_ = 1, levels_ = 0, goal_level_ = -1;
  std::size_t bitmap_ = 0;  // 64-bit words of a bitmap over states
  std::int64_t worked_ = 0;

  std::vector<std::int32_t> unmatched_;  // by state: the estimate
  std::vector<std::uint64_t> active_;    // by level: bitmap over states that have a set
  // By state, level and shape: positions. Written before it is read, so never cleared as a whole.
  LargeArray<std::uint64_t> sets_;
  std::vector<std::uint64_t> seen_;           // by state and shape: positions reached at lower levels
  std::vector<std::uint64_t> here_;           // by shape: what is new
  std::vector<std::uint64_t> plain_, moved_;  // by shape: positions after taking a word, without a move and with one
};

}  // namespace fstmetrics

// Bit-parallel best-first search for unit costs: all positions of a string move together.
//
// One side is a string of up to 63 words, or its permutations in a window; the other an acyclic graph. For a
// state of the graph, a window shape (search/window_shapes.h) and a level, one 64-bit set holds the string positions
// that are first reached at that level. Levels are values of A*: cost so far plus, for the graph state, the
// fewest words still to come that the string does not have at all. That estimate is exact in the graph, so
// no arc has a negative reduced cost, and levels beyond the answer's are never looked at [Myers 1999 for the sets;
// Karakos et al. 2008 for the estimate].
// Without reordering all levels are first tried at once, without the estimate (search/level_lanes.h).
// Ties are settled afterwards: of the cells on best paths only, the ranked totals are added up from the end.
//
// O(levels * reached states * arcs a state * shapes) word operations.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "automata/level_graph.h"
#include "search/level_lanes.h"
#include "search/problem.h"
#include "search/ranking.h"
#include "search/window_shapes.h"

namespace fstmetrics {

// The string side. Labels are those of the graph; kNoMatch where the graph does not have the word.
struct StringSide {
  std::span<const Label> words;
  const WindowShapes& shapes;
  bool is_hypothesis;  // otherwise the string is the reference, and the graph reads the hypothesis
};

struct BitPath {
  Totals totals;
  std::int64_t sets = 0;    // sets that were worked on
  std::vector<Step> steps;  // labels of the graph's words only; the string's words are named by their origins
};

inline constexpr int kMaxBitWords = 63;

// Scratch space, kept by each thread between searches.
class BitParallel {
 public:
  BitPath run(const LevelGraph& graph, const StringSide& string, bool alignment);

 private:
  // What the operations are worth; see search/ranking.h.
  struct Weights {
    std::int64_t match, substitution, string_only, graph_only, move;
  };
  struct Cell {
    std::int64_t rank;
    std::int32_t arc;  // taken next; -1 if the graph stands still
    std::uint8_t op, shape, position, moves;  // of what comes next
  };

  void prepare_words();
  void estimate();
  // Calls visit(taking, positions) for the takings of every shape that has positions; most have none.
  template <class Visit>
  void for_each_taking(const std::uint64_t* positions, int shapes, Visit visit) const {
    const WindowShapes& all = string_->shapes;
    for (int shape = 0; shape < shapes; ++shape) {
      if (positions[shape] == 0) continue;
      for (int i = all.first_taking[shape]; i < all.first_taking[shape + 1]; ++i) {
        visit(all.takings[i], positions[shape]);
      }
    }
  }
  bool search_lanes();
  bool search(int levels);
  void open_levels(int levels);
  void work(StateId state, int level);
  template <int kShapes>
  void work_on(StateId state, int level);
  void clear_words();
  Totals totals();
  void settle();
  void settle_state(StateId state);
  void offer(StateId state, int shape, int position, const Cell& cell);
  std::vector<Step> trace() const;

  // Positions first reached at a level.
  std::uint64_t found(StateId state, int level, int shape) const {
    if (in_lanes_) return lanes_.exactly(state, level);
    const bool active = (active_[level * bitmap_ + (state >> 6)] >> (state & 63)) & 1;
    return active ? sets_[(static_cast<std::size_t>(state) * levels_ + level) * shapes_ + shape] : 0;
  }
  // The set of a state at a level, empty when first asked for.
  template <int kShapes>
  std::uint64_t* set(StateId state, int level) {
    const int shapes = kShapes ? kShapes : shapes_;
    std::uint64_t* found = sets_.get() + (static_cast<std::size_t>(state) * levels_ + level) * shapes;
    std::uint64_t& active = active_[level * bitmap_ + (state >> 6)];
    const std::uint64_t mark = std::uint64_t{1} << (state & 63);
    if (!(active & mark)) {
      active |= mark;
      std::fill(found, found + shapes, 0);
    }
    return found;
  }

  const LevelGraph* graph_ = nullptr;
  const StringSide* string_ = nullptr;
  Weights weights_{};
  int length_ = 0, shapes_ = 1;
  int levels_ = 0;
  int goal_level_ = -1;
  bool in_lanes_ = false;  // whether the levels are those of lanes_; then the estimate is zero
  LevelLanes lanes_;
  std::size_t bitmap_ = 0;  // 64-bit words of a bitmap over states
  std::int64_t worked_ = 0;

  std::vector<std::uint64_t> match_;       // by label: positions of the word
  std::vector<std::uint64_t> valid_;       // by offset: leftmost positions at which that word exists
  std::vector<std::int16_t> unmatched_;    // by state: the estimate
  std::vector<std::uint64_t> active_;      // by level: bitmap over states that have a set
  // By state, level and shape: positions. Written before it is read, so never cleared as a whole.
  std::unique_ptr<std::uint64_t[]> sets_;
  std::size_t sets_size_ = 0;
  std::vector<std::uint64_t> seen_;        // by state and shape: positions reached at lower levels
  std::vector<std::uint64_t> step_;        // by moves and shape: positions after taking a word
  std::vector<std::uint64_t> live_states_;
  std::vector<std::uint32_t> live_slots_;
  std::vector<std::uint64_t> live_;        // by live state and shape
  std::vector<Cell> cells_;                // by live state, shape and position
};

}  // namespace fstmetrics

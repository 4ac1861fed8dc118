// Ties of the graphs route: ranked weights added up from the goal back to the start, over the cells of best paths.
#pragma once

#include <cstdint>
#include <vector>

#include "search/graphs/graph_table.h"
#include "search/problem.h"
#include "support/growing_array.h"
#include "support/poll.h"
#include "support/sparse_cells.h"

namespace fstmetrics {

// What the operations are worth among paths of equal cost; see search/ranking.h.
struct PairWeights {
  std::int64_t match, substitution, lane_only, sweep_only;
};

template <class T>
class GraphSettling {
 public:
  // `best` is the least cost in `table` at a pair of final states. Both must outlive this object.
  // Throws SearchError where more than `max_cells` cells of 8 bytes would be kept.
  GraphSettling(const PairProblem& problem, const GraphTable<T>& table, const PairWeights& weights, std::int64_t best,
                std::int64_t max_cells);

  // What the best of the best paths adds up to.
  std::int64_t rank() const;
  // One such path.
  std::vector<Step> trace(bool lanes_are_hypothesis) const;

 private:
  class Walk;

  void settle(StateId lane);
  void settle_cell(StateId lane, StateId sweep);
  void settle_substitutions(StateId lane);
  // A cell on a best path, what its path adds up to from there on.
  void offer(StateId lane, StateId sweep, std::int64_t rank);
  void offer_half(StateId sweep, std::int64_t rank);
  void link_words(StateId lane);
  void unlink_words(StateId lane);

  std::int64_t key(StateId lane, StateId sweep) const { return std::int64_t{lane} * table_.width() + sweep; }
  std::size_t blocks() const { return static_cast<std::size_t>(table_.width()) / 64; }
  bool is_live(StateId lane, StateId sweep) const {
    return slots_[lane] >= 0 && ((live_[slots_[lane] * blocks() + (sweep >> 6)] >> (sweep & 63)) & 1);
  }

  Polls poll_;
  const PairProblem& problem_;
  const GraphTable<T>& table_;
  const PairWeights weights_;
  const std::int64_t best_;
  std::vector<std::int32_t> slots_;  // by lane state; -1 for those that are on no best path
  GrowingArray<std::uint64_t> live_;  // by slot: sweep states
  SparseCells<std::int64_t> ranks_;
  // By sweep state, where a word of it has been paired and one that leads to the lane state at hand has not yet.
  std::vector<std::uint64_t> half_live_;
  std::vector<std::int64_t> half_ranks_;
  std::vector<T> below_;  // the least of the rows before the lane state at hand
  // Words that lead to the lane state at hand: by key the last, by each the one before it; -1 where there is none.
  std::vector<std::int32_t> last_with_, before_it_;
};

}  // namespace fstmetrics

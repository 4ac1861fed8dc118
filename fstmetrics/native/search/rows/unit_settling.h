// Ties of rows of unit costs: of the cells that lie on best paths only, the totals that ties are decided by.
//
// O(cells of best paths * arcs into a state + states / 64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.h"
#include "search/rows/unit_rows.h"
#include "support/growing_array.h"
#include "support/poll.h"

namespace fstmetrics {

// Scratch space, to be kept between searches.
class UnitSettling {
 public:
  // From the final states of `graph` that reach the end of `words` with `cost` edits, back to the start. All three must
  // outlive the calls below. False where more than `max_cells` cells of 8 bytes would be kept.
  bool settle(const UnitRows& rows, const LevelGraph& graph, std::span<const Label> words, bool string_is_hypothesis,
              int cost, std::int64_t max_cells);

  Totals totals() const;
  // In order; words of the string are named by their positions only.
  std::vector<Step> trace() const;

  // Gives back scratch space that is too large to be kept for the next search.
  void release_if_large() {
    if (offers_.capacity() + settled_.capacity() > (std::size_t{1} << 21)) *this = UnitSettling();
  }

  // Whether totals fit what is kept of them.
  static bool fits(std::int64_t words) { return words < kRadix / 2; }

 private:
  // Totals to the end in one integer, the greater the better: reference words, matches, fewest deletions.
  static constexpr std::int64_t kRadix = std::int64_t{1} << 21;
  struct Cell {
    std::int64_t rank;
    std::int32_t position;
    std::int32_t arc;  // taken next; -1 if the graph stands still
    Op op;             // next; epsilon without an arc at the end
  };
  struct Offer {
    Cell cell;
    std::int32_t next;  // the one before of the same state, or -1
  };
  struct Range {
    std::ptrdiff_t begin = 0, end = 0;
  };

  std::int64_t kept_cells() const {
    return static_cast<std::int64_t>((offers_.size() * sizeof(Offer) + settled_.size() * sizeof(Cell)) / 8);
  }
  void offer(StateId state, const Cell& cell);
  void settle_state(StateId state);
  void settle_cell(StateId state, const Cell& cell, Cell& before);
  std::int64_t worth(Op op) const;
  const Cell& cell_at(StateId state, std::int32_t position) const;

  Polls poll_;
  const UnitRows* rows_ = nullptr;
  const LevelGraph* graph_ = nullptr;
  std::span<const Label> words_;
  Op string_only_ = Op::kInsertion, graph_only_ = Op::kDeletion;
  int cost_ = 0;
  std::vector<std::uint64_t> live_;   // bitmap over states that have an offer
  std::vector<std::int32_t> latest_;  // by live state: its last offer
  GrowingArray<Offer> offers_;
  std::vector<Cell> of_state_;        // the offers to a state in order
  std::vector<Range> range_;          // by live state: its cells in settled_, positions falling
  GrowingArray<Cell> settled_;
};

}  // namespace fstmetrics

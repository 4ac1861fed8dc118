// Ties of rows of unit costs: those of search/rows/row_settling.h, with scratch space that is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/rows/row_settling.h"
#include "search/rows/unit_rows.h"

namespace fstmetrics {

// Scratch space, to be kept between searches.
class UnitSettling {
 public:
  // From the final states of `graph` that reach the end of `words` with `cost` edits, back to the start. False where more
  // than `max_cells` cells of 8 bytes would be kept.
  bool settle(const UnitRows& rows, const LevelGraph& graph, std::span<const Label> words, bool string_is_hypothesis,
              int cost, std::int64_t max_cells);

  const Totals& totals() const { return totals_; }
  // In order, while the graph exists; words of the string are named by their positions only.
  std::vector<Step> trace() const { return steps_of(cells_, graph_->automaton().all_arcs(), string_is_hypothesis_); }

  // Gives back scratch space that is too large to be kept for the next search.
  void release_if_large() {
    if (cells_.capacity() > (std::size_t{1} << 21)) *this = UnitSettling();
  }

  static bool fits(std::int64_t words) { return words < std::int64_t{1} << 20; }

 private:
  const LevelGraph* graph_ = nullptr;
  bool string_is_hypothesis_ = false;
  Totals totals_;
  Settling<Wide> cells_;
};

}  // namespace fstmetrics

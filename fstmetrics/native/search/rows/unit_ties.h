// Ties of rows of unit costs (search/tie_breaker.h): of steps that make equally good paths EqualSteps::kDearest is
// shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/rows/unit_rows.h"
#include "search/tie_breaker.h"

namespace fstmetrics {

// Scratch space, to be kept between searches.
class UnitTies {
 public:
  // From the final states of `graph` that reach the end of `words` with `cost` edits, back to the start. False where
  // more than `max_cells` cells of 8 bytes would be kept.
  bool settle(const UnitRows& rows, const SearchGraph& graph, std::span<const Label> words, bool string_is_hypothesis,
              int cost, std::int64_t max_cells);

  const Totals& totals() const { return totals_; }
  // In order, while the graph exists; words of the string are named by their positions only.
  std::vector<Step> trace() const;

  // Gives back scratch space that is too large to be kept for the next search.
  void release_if_large() {
    if (narrow_.capacity() + wide_.capacity() > (std::size_t{1} << 21)) *this = UnitTies();
  }

  static bool fits(std::int64_t words) { return words < std::int64_t{1} << 20; }

 private:
  const SearchGraph* graph_ = nullptr;
  bool string_is_hypothesis_ = false;
  Totals totals_;
  // Ranks of strings of up to some thousand words fit the machine's width.
  bool has_wide_ranks_ = false;
  TieBreaker<std::int64_t> narrow_;
  TieBreaker<Wide> wide_;
};

}  // namespace fstmetrics

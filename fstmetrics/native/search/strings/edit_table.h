// Levenshtein's table of two strings, a column at a time, 64 rows in a machine word.
//
// Rows belong to the string `down`, columns to the string `across`. A block of 64 rows is kept as the differences
// between neighbouring rows, which are -1, 0 or 1 [Myers 1999, in the form of Hyyrö 2003]. Of a column only those
// blocks are kept that a path of at most `limit` edits can pass [Ukkonen 1985]: what is beyond is taken for its upper
// bound, so cells on such paths are exact and all others are too large or exact. How many edits a path needs from a
// cell on is bounded by what is left of the lengths, and by the pieces that one string has left and the other does not
// have (search/strings/missing_pieces.h).
//
// O(columns * kept blocks) word operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "automata/automaton.h"
#include "search/strings/missing_pieces.h"
#include "support/simd.h"

namespace fstmetrics {

class EditTable {
 public:
  static constexpr std::int32_t kRows = 64;  // of a block

  struct Block {
    std::uint64_t up = ~std::uint64_t{0};  // rows that cost one more than the row above
    std::uint64_t down = 0;                // rows that cost one less
    std::int64_t bottom = 0;               // cost of the last row
  };
  // The difference between neighbouring columns at the foot of a block, as two bits.
  struct Carry {
    std::uint64_t more = 1, less = 0;
  };
  struct Column {
    std::int32_t index = 0;  // words of `across` that are read
    std::int32_t first = 0;  // block of blocks[0]
    std::vector<Block> blocks;
    std::int32_t last() const { return first + static_cast<std::int32_t>(blocks.size()) - 1; }
  };
  // Where the best ways into the 64 cells of a block come from.
  struct Ways {
    std::uint64_t above;      // from the row above, with one edit
    std::uint64_t before;     // from the column before, with one edit
    std::uint64_t unchanged;  // cost no more than the cell diagonally before
  };
  // Where paths are to lead: to one of these rows, after so many columns, with so many edits at most.
  struct Goal {
    std::int64_t first_row, last_row, column, limit;
  };
  // The ways into one column: ways[b - first] is of block b.
  struct WaysOfColumn {
    std::int32_t first;
    std::size_t begin;  // in the vector that they were appended to
  };

  // One block of a column from the same block of the column before. `same`: rows whose word is the column's.
  static FSTMETRICS_INLINE Ways work(Block& block, std::uint64_t same, Carry& carry) {
    const std::uint64_t start = same | carry.less;
    const std::uint64_t unchanged = (((start & block.up) + block.up) ^ block.up) | start | block.down;
    const std::uint64_t more = block.down | ~(unchanged | block.up), less = block.up & unchanged;
    const std::uint64_t more_above = (more << 1) | carry.more, less_above = (less << 1) | carry.less;
    block.up = less_above | ~(unchanged | more_above);
    block.down = more_above & unchanged;
    carry = {more >> 63, less >> 63};
    block.bottom += static_cast<std::int64_t>(carry.more) - static_cast<std::int64_t>(carry.less);
    return {block.up, more, unchanged};
  }
  // Of the last row that has a word, from the last block of a column; `below`: how many have none.
  static std::int64_t cost(const Block& block, std::int64_t below);

  // Labels that are not positive match nothing.
  EditTable(std::span<const Label> down, std::span<const Label> across);

  // Finds the pieces, of which none are counted before; some 50 operations a word.
  void find_pieces() { find_pieces(WordRuns(down_), WordRuns(across_)); }
  // The same with the runs of words that are down and across.
  void find_pieces(const WordRuns& of_down, const WordRuns& of_across);
  bool has_pieces() const { return has_pieces_; }
  // Edits that there are at least.
  std::int64_t least() const {
    return std::max({std::abs(num_rows() - num_columns()), std::int64_t{pieces_across_.front()},
                     std::int64_t{pieces_down_.front()}});
  }

  Goal end(std::int64_t limit) const { return {num_rows(), num_rows(), num_columns(), limit}; }
  Column first_column(std::int64_t limit) const;
  // Leaves the blocks through which no path leads to the goal.
  void narrow(Column& column, const Goal& goal) const;
  // Goes on to the next column. False if no path to the goal is left.
  bool advance(Column& column, const Goal& goal) { return advance<false>(column, goal, nullptr).second; }
  bool advance(Column& column, std::int64_t limit) { return advance(column, end(limit)); }
  // The same, appending the ways into the new column.
  WaysOfColumn advance(Column& column, const Goal& goal, std::vector<Ways>& ways) {
    return advance<true>(column, goal, &ways).first;
  }
  WaysOfColumn advance(Column& column, std::int64_t limit, std::vector<Ways>& ways) {
    return advance(column, end(limit), ways);
  }
  // Of a cell that is kept.
  static std::int64_t cost(const Column& column, std::int64_t row);
  // Of all of both strings, once the last column is reached; beyond any limit if the last row is no longer kept.
  std::int64_t cost(const Column& column) const;

  std::int64_t num_rows() const { return static_cast<std::int64_t>(down_.size()); }
  std::int64_t num_columns() const { return static_cast<std::int64_t>(across_.size()); }
  std::int64_t blocks_worked() const { return worked_; }

 private:
  struct Occurrences {
    std::int32_t block;
    std::uint64_t rows;
  };

  template <bool kKeepWays>
  std::pair<WaysOfColumn, bool> advance(Column& column, const Goal& goal, std::vector<Ways>* ways);
  void find_occurrences();
  const Occurrences* occurrences_from(Label word, std::int32_t block) const;
  bool can_enter_below(const Column& column, const Goal& goal) const;
  bool beyond(const Column& column, std::int32_t block, const Goal& goal) const;

  // Edits that the pieces left take from any cell of a block of the column on; where the goal is not the end, none are
  // counted.
  std::int64_t left_of_pieces(const Column& column, std::int32_t block, const Goal& goal) const {
    if (!has_pieces_ || goal.column < num_columns()) return 0;
    return std::max(pieces_across_[column.index], pieces_down_[block + 1]);
  }

  std::span<const Label> down_, across_;
  std::int32_t num_blocks_;
  bool has_pieces_ = false;
  std::vector<std::int32_t> pieces_across_;     // left after each word
  std::vector<std::int32_t> pieces_down_;       // left at the beginning, and after each block
  std::vector<std::int32_t> first_occurrence_;  // by label
  std::vector<Occurrences> occurrences_;        // by label and block, each label's closed by one of no block
  std::int64_t worked_ = 0;
};

}  // namespace fstmetrics

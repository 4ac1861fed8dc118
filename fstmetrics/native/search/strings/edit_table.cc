#include "search/strings/edit_table.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::int32_t kNoBlock = std::numeric_limits<std::int32_t>::max();

}  // namespace

EditTable::EditTable(std::span<const Label> down, std::span<const Label> across)
    : down_(down),
      across_(across),
      num_blocks_(std::max<std::int32_t>(1, static_cast<std::int32_t>((down.size() + kRows - 1) / kRows))),
      pieces_across_(across.size() + 1, 0),
      pieces_down_(static_cast<std::size_t>(num_blocks_) + 1, 0) {
  find_occurrences();
}

void EditTable::find_pieces(const WordRuns& of_down, const WordRuns& of_across) {
  has_pieces_ = true;
  pieces_across_ = missing_pieces(across_, of_down);
  const std::vector<std::int32_t> pieces = missing_pieces(down_, of_across);
  for (std::size_t row = 0; row < down_.size(); row += kRows) pieces_down_[row / kRows] = pieces[row];
}

void EditTable::find_occurrences() {
  Label last = 0;
  for (const Label word : down_) last = std::max(last, word);
  for (const Label word : across_) last = std::max(last, word);
  // 1. How many blocks hold each word, and one more for the end.
  std::vector<std::int32_t> next(last + 2, 1), last_block(last + 1, kNoBlock);
  for (std::size_t row = 0; row < down_.size(); ++row) {
    const Label word = down_[row];
    const auto block = static_cast<std::int32_t>(row / kRows);
    if (word > kEpsilon && last_block[word] != block) last_block[word] = block, ++next[word];
  }
  // 2. Where each word's begin.
  std::int32_t total = 0;
  for (std::int32_t& count : next) total += std::exchange(count, total);
  first_occurrence_ = next;
  occurrences_.assign(total, {kNoBlock, 0});
  // 3. The rows.
  for (std::size_t row = 0; row < down_.size(); ++row) {
    const Label word = down_[row];
    if (word <= kEpsilon) continue;
    const auto block = static_cast<std::int32_t>(row / kRows);
    std::int32_t at = next[word];
    if (at > first_occurrence_[word] && occurrences_[at - 1].block == block) {
      --at;
    } else {
      ++next[word];
    }
    occurrences_[at].block = block;
    occurrences_[at].rows |= std::uint64_t{1} << (row % kRows);
  }
}

const EditTable::Occurrences* EditTable::occurrences_from(Label word, std::int32_t block) const {
  static constexpr Occurrences kNone{kNoBlock, 0};
  if (word <= kEpsilon) return &kNone;
  const auto begin = occurrences_.begin() + first_occurrence_[word],
             end = occurrences_.begin() + first_occurrence_[word + 1];
  return &*std::lower_bound(begin, end - 1, block, [](const Occurrences& o, std::int32_t b) { return o.block < b; });
}

EditTable::Column EditTable::first_column(std::int64_t limit) const {
  Column column;
  do {
    column.blocks.push_back({~std::uint64_t{0}, 0, static_cast<std::int64_t>(column.blocks.size() + 1) * kRows});
  } while (column.last() + 1 < num_blocks_ && can_enter_below(column, end(limit)));
  return column;
}

// Whether a path may go from the last kept block to the one below within this column's cells.
bool EditTable::can_enter_below(const Column& column, const Goal& goal) const {
  const std::int64_t row = static_cast<std::int64_t>(column.last() + 1) * kRows + 1;
  const std::int64_t columns = goal.column - column.index;
  const std::int64_t left = std::max({goal.first_row - row - columns, columns - (goal.last_row - row),
                                      left_of_pieces(column, column.last() + 1, goal)});
  return column.blocks.back().bottom - 1 + left <= goal.limit;
}

// Whether all paths through a block's cells in this column take more edits than the goal allows. A cell costs at most
// as much less than the bottom as it lies above it; from there on the difference in length has to be made up for.
bool EditTable::beyond(const Column& column, std::int32_t block, const Goal& goal) const {
  const std::int64_t bottom = (static_cast<std::int64_t>(block) + 1) * kRows;
  const std::int64_t top =
      block == 0 ? 0 : bottom - kRows + 1;  // the row before the first is entered from the first block
  // The rows from which only pairs need be left.
  const std::int64_t first = goal.first_row - goal.column + column.index,
                     last = goal.last_row - goal.column + column.index;
  const std::int64_t cost = column.blocks[block - column.first].bottom;
  return cost - bottom + std::max(first, top + std::max<std::int64_t>(0, top - last)) > goal.limit ||
         cost - (bottom - top) + left_of_pieces(column, block, goal) > goal.limit;
}

void EditTable::narrow(Column& column, const Goal& goal) const {
  while (!column.blocks.empty() && beyond(column, column.last(), goal)) column.blocks.pop_back();
  std::int32_t above = column.first;
  while (above <= column.last() && beyond(column, above, goal)) ++above;
  if (above == column.first) return;
  column.blocks.erase(column.blocks.begin(), column.blocks.begin() + (above - column.first));
  column.first = above;
}

template <bool kKeepWays>
std::pair<EditTable::WaysOfColumn, bool> EditTable::advance(Column& column, const Goal& goal, std::vector<Ways>* ways) {
  const Label word = across_[column.index++];
  poll(4 * std::ssize(column.blocks));
  WaysOfColumn kept{column.first, kKeepWays ? ways->size() : 0};
  const Occurrences* next = occurrences_from(word, column.first);
  Carry carry;
  std::int32_t number = column.first;
  const auto work_on = [&](Block& block) {
    const bool here = next->block == number++;
    const Ways into = work(block, here ? next->rows : 0, carry);
    next += here;
    return into;
  };
  // 1. The blocks of the column before.
  if constexpr (kKeepWays) ways->resize(ways->size() + column.blocks.size());
  Ways* out = kKeepWays ? ways->data() + kept.begin : nullptr;
  for (Block& block : column.blocks) {
    const Ways into = work_on(block);
    if constexpr (kKeepWays) *out++ = into;
  }
  // 2. Blocks that are entered now: in the column before, each of their rows costs one more than the one above.
  while (number < num_blocks_ && can_enter_below(column, goal)) {
    const std::int64_t before =
        column.blocks.back().bottom - static_cast<std::int64_t>(carry.more) + static_cast<std::int64_t>(carry.less);
    column.blocks.push_back({~std::uint64_t{0}, 0, before + kRows});
    const Ways into = work_on(column.blocks.back());
    if constexpr (kKeepWays) ways->push_back(into);
  }
  worked_ += number - column.first;
  // 3. Blocks that are left for good.
  narrow(column, goal);
  return {kept, !column.blocks.empty()};
}

std::int64_t EditTable::cost(const Column& column) const {
  if (column.last() < num_blocks_ - 1) return std::numeric_limits<std::int64_t>::max();
  return cost(column.blocks.back(), static_cast<std::int64_t>(num_blocks_) * kRows - num_rows());
}

std::int64_t EditTable::cost(const Column& column, std::int64_t row) {
  if (row == 0) return column.index;
  const std::int64_t block = (row - 1) / kRows;
  return cost(column.blocks[block - column.first], (block + 1) * kRows - row);
}

std::int64_t EditTable::cost(const Block& block, std::int64_t below) {
  const std::uint64_t mask = below == 0 ? 0 : ~std::uint64_t{0} << (kRows - below);
  return block.bottom - std::popcount(block.up & mask) + std::popcount(block.down & mask);
}

template std::pair<EditTable::WaysOfColumn, bool> EditTable::advance<false>(Column&, const Goal&, std::vector<Ways>*);
template std::pair<EditTable::WaysOfColumn, bool> EditTable::advance<true>(Column&, const Goal&, std::vector<Ways>*);

}  // namespace fstmetrics

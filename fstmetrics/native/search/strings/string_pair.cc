#include "search/strings/string_pair.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <utility>

#include "search/string_side.h"
#include "search/strings/block_pair.h"
#include "search/strings/edit_table.h"
#include "search/strings/limit_search.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::int32_t kNoRow = -1;

// What is kept must not take more memory than this, in bytes.
class Memory {
 public:
  explicit Memory(const Options& options) : cells_(options.max_cells) {}
  void check(std::size_t bytes) const {
    if (static_cast<std::int64_t>(bytes / 4) <= cells_) return;
    throw SearchError("two strings with very many equally good alignments: what has to be kept exceeds the limit of " +
                      std::to_string(cells_) + " cells of 4 bytes; raise " + kMaxCells + ", or ask for no alignment");
  }

 private:
  std::int64_t cells_;
};

// The cells of best paths, from the last column to the first, each with the most matches from there to the end.
class PairTies {
 public:
  PairTies(EditTable& table, std::span<const Label> down, std::span<const Label> across, const LimitSearch& sweep,
           const Memory& memory, bool alignment)
      : table_(table), down_(down), across_(across), memory_(memory), alignment_(alignment) {
    cells_.push_back({static_cast<std::int32_t>(down.size()), 0, Way::kEnd});
    column_ = static_cast<std::int32_t>(across.size());
    cost_ = table.num_rows();  // if there is no column
    if (alignment) ends_.push_back(0);
    EditTable::Goal goal = table.end(sweep.limit());
    for (std::size_t i = sweep.stretches().size(); i-- > 0;) {
      const EditTable::Column& begin = sweep.stretches()[i];
      settle_stretch(begin, goal);
      goal = goal_of(begin);
    }
    settle_column(nullptr, 0);
  }

  std::int64_t cost() const { return cost_; }
  std::int64_t matches() const { return matches_; }

  // In order from the start; origins are positions.
  std::vector<Way> trace() const {
    std::vector<Way> ways;
    std::int32_t row = 0;
    for (std::size_t column = 0; column < ends_.size();) {
      const Way way = way_from(row, column);
      if (way == Way::kEnd) break;
      ways.push_back(way);
      row += way != Way::kAcross;
      column += way != Way::kDown;
    }
    return ways;
  }

 private:
  struct Cell {
    std::int32_t row;
    std::int32_t matches;
    Way way;  // that is taken next
  };

  // That of the stretch before this one: the cells at its end that lie on best paths.
  EditTable::Goal goal_of(const EditTable::Column& column) const {
    std::int64_t most = 0;
    for (const Cell& cell : cells_) most = std::max(most, EditTable::cost(column, cell.row));
    return {cells_.back().row, cells_.front().row, column.index, most};
  }

  void settle_stretch(EditTable::Column column, const EditTable::Goal& goal) {
    ways_.clear(), columns_.clear();
    table_.narrow(column, goal);
    while (column.index < column_) columns_.push_back(table_.advance(column, goal, ways_));
    memory_.check(ways_.size() * sizeof(EditTable::Ways));
    if (column.index == table_.num_columns()) cost_ = table_.cost(column);
    for (; !columns_.empty(); columns_.pop_back()) {
      settle_column(ways_.data() + columns_.back().begin, columns_.back().first);
      cells_.swap(before_);
      --column_;
    }
  }

  // Breaks the ties of the cells of a column, upwards, and gathers those of the column before.
  void settle_column(const EditTable::Ways* ways, std::int32_t first) {
    before_.clear();
    poll(10 * std::ssize(cells_));
    Cell above{kNoRow, 0, Way::kDown};  // found from the cell below it
    for (std::size_t at = 0; at < cells_.size() || above.row != kNoRow;) {
      Cell cell = std::exchange(above, {kNoRow, 0, Way::kDown});
      if (at < cells_.size() && cells_[at].row >= cell.row) {
        if (cells_[at].row > cell.row || cells_[at].matches >= cell.matches) cell = cells_[at];
        ++at;
      }
      if (alignment_) kept_.push_back(static_cast<std::uint32_t>(cell.row) << 2 | static_cast<std::uint32_t>(cell.way));
      if (cell.row == 0 && column_ == 0) {
        matches_ = cell.matches;
      } else if (cell.row == 0) {
        offer({0, cell.matches, Way::kAcross});
      } else if (column_ == 0) {
        above = {cell.row - 1, cell.matches, Way::kDown};
      } else {
        settle_cell(cell, ways[(cell.row - 1) / EditTable::kRows - first], above);
      }
    }
    if (alignment_) ends_.push_back(kept_.size()), memory_.check(kept_.size() * sizeof(std::uint32_t));
  }

  void settle_cell(const Cell& cell, const EditTable::Ways& ways, Cell& above) {
    const std::uint64_t bit = std::uint64_t{1} << ((cell.row - 1) % EditTable::kRows);
    const Label word = down_[cell.row - 1];
    const bool same = word == across_[column_ - 1] && word > kEpsilon;
    if (ways.before & bit) offer({cell.row, cell.matches, Way::kAcross});
    if (same || !(ways.unchanged & bit)) offer({cell.row - 1, cell.matches + same, Way::kPair});
    if (ways.above & bit) above = {cell.row - 1, cell.matches, Way::kDown};
  }

  // To the column before. Rows never rise, so a cell that is there already is the last.
  void offer(const Cell& cell) {
    if (before_.empty() || before_.back().row != cell.row) {
      before_.push_back(cell);
    } else if (before_.back().matches < cell.matches) {
      before_.back() = cell;
    }
  }

  // ends_[c]: where the cells of the c-th column from the last end in kept_.
  Way way_from(std::int32_t row, std::size_t column) const {
    const std::size_t from_last = ends_.size() - 2 - column;
    const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(ends_[from_last]);
    const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(ends_[from_last + 1]);
    const auto found =
        std::partition_point(begin, end, [&](std::uint32_t c) { return static_cast<std::int32_t>(c >> 2) > row; });
    return static_cast<Way>(*found & 3);
  }

  EditTable& table_;
  std::span<const Label> down_, across_;
  const Memory& memory_;
  const bool alignment_;
  std::int32_t column_;
  std::int64_t cost_, matches_ = 0;
  std::vector<Cell> cells_, before_;
  std::vector<EditTable::Ways> ways_;  // of a stretch
  std::vector<EditTable::WaysOfColumn> columns_;
  std::deque<std::uint32_t> kept_;  // rows and ways of settled cells, for the trace; grows without being copied
  std::vector<std::size_t> ends_;
};

// The alignment; `down_is_hypothesis`: which of the strings goes down.
std::vector<Step> steps_of(const std::vector<Way>& ways, const StringPair& pair, bool down_is_hypothesis) {
  std::vector<Step> steps;
  steps.reserve(ways.size());
  std::int32_t h = 0, r = 0;
  for (const Way way : ways) {
    const bool reads_hypothesis = way == Way::kPair || (way == Way::kDown) == down_is_hypothesis;
    const bool reads_reference = way == Way::kPair || !reads_hypothesis;
    Step step{reads_reference ? Op::kDeletion : Op::kInsertion};
    if (way == Way::kPair) step.op = pair.same(h, r) ? Op::kMatch : Op::kSubstitution;
    if (reads_hypothesis) step.hypothesis = pair.hypothesis[h], step.origin = h, ++h;
    if (reads_reference) step.reference = pair.reference[r], step.reference_origin = r, ++r;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

Outcome solve_string_pair(Task& task) {
  const StringPair* const pair = task.string_pair();
  const Options& options = task.options();
  // Few long columns cost less than many short ones.
  const bool down_is_hypothesis = pair->hypothesis.size() >= pair->reference.size();
  const std::span<const Label> down = down_is_hypothesis ? pair->labels : pair->reference;
  const std::span<const Label> across = down_is_hypothesis ? pair->reference : pair->labels;
  const auto totals = [&](std::int64_t cost, std::int64_t matches) {
    return pair_totals(pair->hypothesis.size(), pair->reference.size(), cost, matches);
  };
  Path path;
  Outcome outcome{Route::kStringPair, {}, {}};
  std::vector<Way> ways;
  thread_local BlockPair small;
  if (const auto best = small.run(down, across, options.max_cells, options.alignment)) {
    path.totals = totals(best->cost, best->matches);
    if (options.alignment) small.trace([&](Way way) { ways.push_back(way); });
    outcome.counters.expanded = best->blocks;
  } else {
    const Memory memory(options);
    EditTable table(down, across);
    const LimitSearch sweep(table, [&](std::size_t bytes) { memory.check(bytes); });
    const PairTies settled(table, down, across, sweep, memory, options.alignment);
    path.totals = totals(settled.cost(), settled.matches());
    if (options.alignment) ways = settled.trace();
    outcome.counters.expanded = table.blocks_worked();
  }
  if (options.alignment) path.steps = steps_of(ways, *pair, down_is_hypothesis);
  outcome.paths.push_back(std::move(path));
  outcome.counters.hypothesis_states = static_cast<std::int64_t>(pair->hypothesis.size()) + 1;
  outcome.counters.reference_states = static_cast<std::int64_t>(pair->reference.size()) + 1;
  return outcome;
}

}  // namespace fstmetrics

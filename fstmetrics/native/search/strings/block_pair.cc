#include "search/strings/block_pair.h"

#include <algorithm>

#include "search/strings/alike_ends.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::int32_t kAboveAll = -1;
std::uint32_t kept_cell(std::int32_t row, Way way) {
  return static_cast<std::uint32_t>(row) << 2 | static_cast<std::uint32_t>(way);
}

constexpr auto kRows = static_cast<std::size_t>(EditTable::kRows);

}  // namespace

Totals pair_totals(std::size_t hypothesis, std::size_t reference, std::int64_t cost, std::int64_t matches) {
  const auto h = static_cast<std::int64_t>(hypothesis), r = static_cast<std::int64_t>(reference);
  const std::int64_t insertions = cost - (r - matches);  // what is not a substitution or a deletion
  return {cost, r, cost, 0, matches, insertions + r - h};
}

std::optional<BlockPair::Best> BlockPair::run(Labels down, Labels across, std::int64_t max_cells, bool alignment) {
  down_ = down, across_ = across, alignment_ = alignment;
  if (!fits(max_cells)) return std::nullopt;
  const std::int64_t cost = fill();
  if (!settle(max_cells)) return std::nullopt;
  return Best{cost, matches_, static_cast<std::int64_t>(num_blocks_ * across.size())};
}

std::optional<BlockPair::Alignment> BlockPair::run(Labels hypothesis, Labels reference, const UnitWeights& weights,
                                                   std::int64_t max_cells) {
  const std::size_t h = hypothesis.size(), r = reference.size();
  const AlikeEnds alike(hypothesis, reference);
  down_ = alike.middle(hypothesis), across_ = alike.middle(reference);
  if (down_.size() < across_.size()) std::swap(down_, across_);
  alignment_ = false;
  if (!fits(max_cells)) return std::nullopt;
  const std::int64_t edits = fill(), uneven = edits - std::ssize(down_) + std::ssize(across_);
  // Edits beyond the difference in length are substitutions, or pairs of an insertion and a deletion.
  if (uneven <= 1) {
    matches_ = std::ssize(across_) - uneven;
  } else if (!settle(max_cells)) {
    return std::nullopt;
  }
  Totals totals = pair_totals(h, r, edits, matches_ + static_cast<std::int64_t>(alike.begin + alike.end));
  totals.cost = weights.cost(edits, static_cast<std::int64_t>(h), static_cast<std::int64_t>(r));
  return Alignment{totals, static_cast<std::int64_t>(num_blocks_ * across_.size())};
}

std::optional<std::int64_t> BlockPair::edits(std::span<const Word> hypothesis, std::span<const Word> reference,
                                             std::int64_t max_cells) {
  lay_out(hypothesis, reference);
  return fits(max_cells) ? std::optional(fill()) : std::nullopt;
}

std::optional<BlockPair::Alignment> BlockPair::run(std::span<const Word> hypothesis, std::span<const Word> reference,
                                                   std::int64_t max_cells, std::vector<Op>* ops) {
  const bool down_is_hypothesis = lay_out(hypothesis, reference);
  return down_is_hypothesis ? run(down_, across_, max_cells, ops) : run(across_, down_, max_cells, ops);
}

std::optional<BlockPair::Alignment> BlockPair::run(Labels hypothesis, Labels reference, std::int64_t max_cells,
                                                   std::vector<Op>* ops) {
  const bool down_is_hypothesis = hypothesis.size() >= reference.size();
  const Labels down = down_is_hypothesis ? hypothesis : reference, across = down_is_hypothesis ? reference : hypothesis;
  const std::optional<Best> best = run(down, across, max_cells, ops != nullptr);
  if (!best) return std::nullopt;
  if (ops) {
    ops->reserve(down.size() + across.size());
    const Op of_down = down_is_hypothesis ? Op::kInsertion : Op::kDeletion;
    const Op of_across = down_is_hypothesis ? Op::kDeletion : Op::kInsertion;
    auto d = down.begin(), a = across.begin();
    trace([&](Way way) {
      ops->push_back(way == Way::kDown     ? of_down
                     : way == Way::kAcross ? of_across
                     : *d == *a            ? Op::kMatch
                                           : Op::kSubstitution);
      d += way != Way::kAcross, a += way != Way::kDown;
    });
  }
  return Alignment{pair_totals(hypothesis.size(), reference.size(), best->cost, best->matches), best->blocks};
}

bool BlockPair::can_align(std::int64_t hypothesis, std::int64_t reference, std::int64_t max_cells) {
  const auto [across, down] = std::minmax(hypothesis, reference);
  const std::int64_t blocks = (down + EditTable::kRows - 1) / EditTable::kRows * across;
  // What is kept of best paths: in each column, and before the first, at most all rows and one more.
  return blocks <= std::min<std::int64_t>(kMostBlocks, max_cells / (4 * EditTable::kRows));
}

// Of the words across only those that are down, too, have labels.
bool BlockPair::lay_out(std::span<const Word> hypothesis, std::span<const Word> reference) {
  const bool down_is_hypothesis = hypothesis.size() >= reference.size();
  const std::span<const Word> down = down_is_hypothesis ? hypothesis : reference;
  const std::span<const Word> across = down_is_hypothesis ? reference : hypothesis;
  poll(20 * std::ssize(down) + 20 * std::ssize(across));
  table_.reset(down.size());
  down_labels_.clear(), across_labels_.clear();
  for (const Word& word : down) down_labels_.push_back(table_.intern(word));
  for (const Word& word : across) across_labels_.push_back(table_.find(word));
  down_ = down_labels_, across_ = across_labels_;
  return down_is_hypothesis;
}

// Whether the table is small enough.
bool BlockPair::fits(std::int64_t max_cells) {
  num_blocks_ = std::max<std::size_t>(1, (down_.size() + kRows - 1) / kRows);
  const auto blocks = static_cast<std::int64_t>(num_blocks_ * across_.size());
  return blocks <= std::min<std::int64_t>(kMostBlocks, max_cells / (sizeof(EditTable::Ways) / 4));
}

void BlockPair::number_words() {
  Label last = 0;
  for (const Label word : down_) last = std::max(last, word);
  for (const Label word : across_) last = std::max(last, word);
  // What may find no memory comes before rows_of_ is filled.
  if (rows_of_.size() <= static_cast<std::size_t>(last)) rows_of_.resize(static_cast<std::size_t>(last) + 1, 0);
  if (const std::size_t most = (across_.size() + 1) * num_blocks_; rows_.size() < most) rows_.resize(most);
  rows_of_column_.resize(across_.size());
  // Words that are down alone have none: there may be very many where few words are across.
  std::size_t end = num_blocks_;
  for (std::size_t column = 0; column < across_.size(); ++column) {
    const Label word = across_[column];
    std::size_t begin = 0;
    if (word > kEpsilon) {
      std::size_t& known = rows_of_[static_cast<std::size_t>(word)];
      if (known == 0) known = end, end += num_blocks_;
      begin = known;
    }
    rows_of_column_[column] = begin;
  }
  std::fill_n(rows_.begin(), end, 0);
  for (std::size_t row = 0; row < down_.size(); ++row) {
    const std::size_t begin = down_[row] > kEpsilon ? rows_of_[static_cast<std::size_t>(down_[row])] : 0;
    if (begin != 0) rows_[begin + row / kRows] |= std::uint64_t{1} << (row % kRows);
  }
  for (const Label word : across_) {
    if (word > kEpsilon) rows_of_[static_cast<std::size_t>(word)] = 0;
  }
}

// Returns the cost.
std::int64_t BlockPair::fill() {
  number_words();
  column_.assign(num_blocks_, {});
  column_.back().bottom = static_cast<std::int64_t>(num_blocks_ * kRows);
  ways_.resize(num_blocks_ * across_.size());
  EditTable::Ways* out = ways_.data();
  Polls poll;
  for (const std::size_t begin : rows_of_column_) {
    poll(5 * static_cast<std::int64_t>(num_blocks_));
    const std::uint64_t* same = rows_.data() + begin;
    EditTable::Carry carry;
    for (EditTable::Block& block : column_) *out++ = EditTable::work(block, *same++, carry);
  }
  return EditTable::cost(column_.back(), static_cast<std::int64_t>(num_blocks_ * kRows) - std::ssize(down_));
}

// False where more would have to be kept.
bool BlockPair::settle(std::int64_t max_cells) {
  const std::size_t most = down_.size() + 1;  // cells of a column
  if (cells_.size() < most) cells_.resize(most), before_.resize(most);
  kept_size_ = 0, ends_.clear();
  cells_[0] = {static_cast<std::int32_t>(down_.size()), 0, Way::kEnd};
  std::size_t size = 1;
  if (alignment_) ends_.push_back(0);
  Polls poll;
  for (std::size_t column = across_.size();; --column) {
    if (size == 1 && !alignment_) {  // no other step leads to more matches
      for (Cell& cell = cells_[0]; column > 0 && cell.row > 0; --column, --cell.row, ++cell.matches) {
        const Label word = across_[column - 1];
        if (word != down_[static_cast<std::size_t>(cell.row) - 1] || word <= kEpsilon) break;
      }
    }
    poll(10 * static_cast<std::int64_t>(size));
    if (kept_.size() < kept_size_ + most) kept_.resize(2 * (kept_size_ + most));
    if (column == 0) {
      settle_first_column(size);
    } else {
      size = settle_column(column, size);
    }
    if (alignment_) ends_.push_back(kept_size_);
    if (static_cast<std::int64_t>(kept_size_) > max_cells) return false;
    if (column == 0) return true;
    cells_.swap(before_);
  }
}

// No word across is left: all lead upwards.
void BlockPair::settle_first_column(std::size_t size) {
  std::uint32_t* kept = kept_.data() + kept_size_;
  const auto keep = [&](std::int32_t row, Way way) { *kept = kept_cell(row, way), kept += alignment_; };
  Cell cell = cells_[0];
  for (std::size_t next = 1;; ++next) {
    const std::int32_t above = next == size ? kAboveAll : cells_[next].row;
    keep(cell.row, cell.way);
    for (std::int32_t row = cell.row - 1; row > above; --row) keep(row, Way::kDown);
    if (next == size) break;
    const std::int32_t matches = cell.matches;
    cell = cells_[next];
    if (matches > cell.matches) cell.matches = matches, cell.way = Way::kDown;
  }
  matches_ = cell.matches;
  kept_size_ = static_cast<std::size_t>(kept - kept_.data());
}

// Breaks the ties of the cells of a column, upwards, and gathers those of the column before; returns how many these
// are.
std::size_t BlockPair::settle_column(std::size_t column, std::size_t size) {
  const EditTable::Ways* const ways = ways_.data() + (column - 1) * num_blocks_;
  const Label word = across_[column - 1];
  std::uint32_t* kept = kept_.data() + kept_size_;
  Cell* const before = before_.data();
  std::size_t offered = 0;
  // Rows never rise, so a cell that is there already is the last.
  const auto offer = [&](std::int32_t row, std::int32_t matches, Way way) {
    if (offered == 0 || before[offered - 1].row != row) {
      before[offered++] = {row, matches, way};
    } else if (before[offered - 1].matches < matches) {
      before[offered - 1] = {row, matches, way};
    }
  };
  Cell above{kAboveAll, 0, Way::kDown};  // found from the cell below it
  const Cell *next = cells_.data(), *const end = next + size;
  while (true) {
    Cell cell = above;
    if (next != end && next->row >= cell.row) {
      if (next->row > cell.row || next->matches >= cell.matches) cell = *next;
      ++next;
    } else if (cell.row == kAboveAll) {
      break;
    }
    *kept = kept_cell(cell.row, cell.way), kept += alignment_;
    if (cell.row == 0) {
      offer(0, cell.matches, Way::kAcross);
      break;
    }
    const auto row = static_cast<std::size_t>(cell.row - 1);
    const EditTable::Ways& into = ways[row / kRows];
    const std::uint64_t bit = std::uint64_t{1} << (row % kRows);
    const bool same = down_[row] == word && word > kEpsilon;
    if (same && !alignment_) {  // no other step leads to more matches
      offer(cell.row - 1, cell.matches + 1, Way::kPair);
      above = {kAboveAll, 0, Way::kDown};
      continue;
    }
    if (into.before & bit) offer(cell.row, cell.matches, Way::kAcross);
    if (same || !(into.unchanged & bit)) offer(cell.row - 1, cell.matches + same, Way::kPair);
    above = {(into.above & bit) ? cell.row - 1 : kAboveAll, cell.matches, Way::kDown};
  }
  kept_size_ = static_cast<std::size_t>(kept - kept_.data());
  return offered;
}

Way BlockPair::way_from(std::int32_t row, std::size_t column) const {
  const std::size_t from_last = ends_.size() - 2 - column;
  const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(ends_[from_last]);
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(ends_[from_last + 1]);
  const auto is_below = [&](std::uint32_t c) { return static_cast<std::int32_t>(c >> 2) > row; };
  // Most columns have a cell or two.
  constexpr std::ptrdiff_t kFew = 8;
  const auto found =
      end - begin <= kFew ? std::find_if_not(begin, end, is_below) : std::partition_point(begin, end, is_below);
  return static_cast<Way>(*found & 3);
}

}  // namespace fstmetrics

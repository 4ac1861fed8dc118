#include "search/strings/limit_search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fstmetrics {
namespace {

// Edits that are allowed for at first, beyond those that there are at least; by how many times as many they grow at
// most.
constexpr std::int64_t kFirstExcess = 63, kFastest = 32;
// Beyond so many edits, finding the pieces takes less than the blocks that are not looked at then.
constexpr std::int64_t kFewEdits = 1'500;

}  // namespace

LimitSearch::LimitSearch(EditTable& table, const std::function<void(std::size_t)>& check)
    : table_(table), check_(check) {
  stretch_ = 1 + static_cast<std::int64_t>(std::sqrt(static_cast<double>(table.num_columns())));
  const std::int64_t longest = std::max(table.num_rows(), table.num_columns());
  std::int64_t limit = table.least() + kFirstExcess;
  while (!try_limit(std::min(limit, longest))) {
    limit = next_limit(limit);
    if (limit <= kFewEdits || table.has_pieces()) continue;
    table.find_pieces();
    limit = std::max(limit, table.least() + kFirstExcess);
  }
}

bool LimitSearch::try_limit(std::int64_t limit) {
  stretches_.clear();
  std::size_t bytes = 0;
  EditTable::Column column = table_.first_column(limit);
  for (reached_ = 0; reached_ < table_.num_columns(); ++reached_) {
    if (reached_ % stretch_ == 0) {
      stretches_.push_back(column);
      check_(bytes += column.blocks.size() * sizeof(EditTable::Block));
    }
    if (!table_.advance(column, limit)) return false;
  }
  cost_ = table_.cost(column);
  return cost_ <= limit;
}

// As many edits as there will be if the rest of the strings is as different as what was read until the limit was
// passed.
std::int64_t LimitSearch::next_limit(std::int64_t limit) const {
  if (reached_ == table_.num_columns() && cost_ < table_.num_rows()) return cost_;  // no less than the true one
  const double share = static_cast<double>(table_.num_columns()) / static_cast<double>(reached_ + 1);
  const std::int64_t excess = limit - table_.least();
  // Of few edits the share is known less well.
  const double seen = static_cast<double>(excess), room = 1.05 + 2 / std::sqrt(seen);
  const auto expected = static_cast<std::int64_t>(room * share * seen);
  return table_.least() + std::clamp(expected, excess + excess / 4, kFastest * excess);
}

}  // namespace fstmetrics

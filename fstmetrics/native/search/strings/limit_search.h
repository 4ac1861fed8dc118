// How many edits part two strings, and copies of columns of their table from which it can be worked out anew.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "search/strings/edit_table.h"

namespace fstmetrics {

// A limit of edits that suffices, found with ever larger ones, and the columns at which stretches begin: about the
// square root of their number apart.
class LimitSearch {
 public:
  // `check` is told how many bytes the copies take, and throws where that is too many.
  LimitSearch(EditTable& table, const std::function<void(std::size_t)>& check);

  // The edits, which are a limit that suffices.
  std::int64_t limit() const { return cost_; }
  const std::vector<EditTable::Column>& stretches() const { return stretches_; }

 private:
  bool try_limit(std::int64_t limit);
  std::int64_t next_limit(std::int64_t limit) const;

  EditTable& table_;
  const std::function<void(std::size_t)>& check_;
  std::int64_t stretch_ = 0, reached_ = 0, cost_ = 0;
  std::vector<EditTable::Column> stretches_;
};

}  // namespace fstmetrics

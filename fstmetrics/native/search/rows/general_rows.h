// Rows for any metric: one for each state and memory, forwards through the graph.
//
// Per arc and memory a minimum of rows is taken, and the positions of the arc's own word are looked at; substitution,
// insertion and deletion are done once a state on that minimum.
#pragma once

#include <memory>

#include "search/rows/row_table.h"
#include "support/large_array.h"

namespace fstmetrics {

template <class T>
class GeneralRows {
 public:
  explicit GeneralRows(const RowProblem& problem);

  // Best cost of reaching a state and memory with `position` words of the string read.
  std::int64_t at(StateId state, int memory, int position) const {
    return rows_[(static_cast<std::size_t>(state) * memories_ + memory) * width_ + position];
  }

 private:
  int memories_, width_;
  LargeArray<T> rows_;
};

}  // namespace fstmetrics

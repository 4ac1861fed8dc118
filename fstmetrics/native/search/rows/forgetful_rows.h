// Rows for metrics whose errors forget the past: substitution, insertion and deletion all lead to one memory, each at a
// cost that is the same from every memory. All metrics shipped are of this kind; N-GRR counts words in a row, which any
// error ends.
//
// Of what came before an error only the least cost over all memories matters: one row a state is enough for all arcs,
// taken once for each pair of neighbouring states. The other memories are met only along arcs whose words the string
// has. And errors between two matches can be written in any order, for the same cost and totals: so words of the string
// are read alone right after a match or at the start, and nowhere else.
// O((neighbouring states + matching arcs * memories) * words / lanes) time.
#pragma once

#include <vector>

#include "search/rows/matching_arcs.h"
#include "search/rows/row_table.h"
#include "support/simd.h"

namespace fstmetrics {

bool errors_forget(const RowProblem& problem);

template <class T>
class ForgetfulRows {
 public:
  // Rows are made of blocks of this many cells.
  static constexpr int kCells = 64 / static_cast<int>(sizeof(T));

  // errors_forget(problem) must hold.
  explicit ForgetfulRows(const RowProblem& problem);

  // Best cost of reaching a state and memory with `position` words of the string read.
  std::int64_t at(StateId state, int memory, int position) const {
    const SweepGraph::Place place = graph_.place_of(state);
    const T* rows = static_cast<const T*>(memory_.data()) + place * stride_ * kCells;
    if (lively_[place]) return rows[(1 + memory) * blocks_ * kCells + position];
    return memory == target_ ? rows[position] : unreached<T>();
  }

  // Where a word stands in one block of a row: these cells hold the least value of T, the others unreached().
  struct Standing {
    alignas(64) T mask[kCells];
    std::int32_t block;
    std::int32_t next;  // of the same word; -1 after the last
  };

 private:
  void find_words(const RowProblem& problem);

  const SweepGraph& graph_;
  int blocks_, target_;
  // By place: the row of the least costs of all memories and, where the place is lively, a row for each memory. A place
  // that is not has memory target_ only.
  std::size_t stride_;  // in blocks
  VectorMemory memory_;
  std::vector<std::uint8_t> lively_;
  MatchingArcs arcs_;
  std::vector<Label> labels_;                 // of the string's different words
  std::vector<std::int32_t> first_standing_;  // by word
  std::vector<Standing> standings_;
};

}  // namespace fstmetrics

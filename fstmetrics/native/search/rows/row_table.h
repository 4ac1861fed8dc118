// The table behind search/rows/rows.h: the best cost of reaching every state, memory and string position. It is filled
// by search/rows/forgetful_rows.h if the metric allows it, else by search/rows/general_rows.h.
#pragma once

#include <cstdint>
#include <span>

#include "automata/search_graph.h"
#include "metric/edit_automaton.h"

namespace fstmetrics {

// What a row program reads: a graph, a string in the graph's labels, and a metric seen from the string: which operation
// reads a word of the string alone and which a word of the graph alone.
struct RowProblem {
  const SearchGraph& graph;
  std::span<const Label> words;
  const EditAutomaton& metric;
  Op string_only, graph_only;
  int memories() const { return metric.num_memories(); }
  const Transition& transition(int memory, Op op) const { return metric.transitions[memory][static_cast<int>(op)]; }
  // Calls visit(memory, cost) for the memories from which an operation leads to one.
  template <class Visit>
  void for_each_before(int memory, Op op, Visit visit) const {
    for (int before = 0; before < memories(); ++before) {
      const Transition& t = transition(before, op);
      if (t.next == memory) visit(before, static_cast<std::int32_t>(t.cost));
    }
  }
};

// Cells hold T, std::int16_t or std::int32_t. Sums along paths must lie below this; cells beyond are not reached.
template <class T>
constexpr std::int64_t row_bound() {
  return std::int64_t{1} << (sizeof(T) * 8 - 3);
}
// What such a cell holds at most; gains cannot bring it below row_bound().
template <class T>
constexpr T unreached() {
  return static_cast<T>(3 * row_bound<T>());
}

}  // namespace fstmetrics

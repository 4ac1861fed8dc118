// The rows themselves: filled forwards through a graph, one row a state and memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "automata/level_graph.h"
#include "metric/edit_automaton.h"

namespace fstmetrics {

// What a row program reads: a graph, a string in the graph's labels, and a metric seen from the string: which operation
// reads a word of the string alone and which a word of the graph alone.
struct RowProblem {
  const LevelGraph& graph;
  std::span<const Label> words;
  const EditAutomaton& metric;
  Op string_only, graph_only;
  int memories() const { return metric.num_memories(); }
  const Transition& transition(int memory, Op op) const {
    return metric.transitions[memory][static_cast<int>(op)];
  }
};

// T: std::int16_t or std::int32_t. All sums must lie within bound().
template <class T>
class RowTable {
 public:
  static constexpr std::int64_t bound() { return std::int64_t{1} << (sizeof(T) * 8 - 3); }

  explicit RowTable(const RowProblem& problem);

  // Best cost of reaching a state and memory with `position` words of the string read. Beyond bound() if there is no way.
  T at(StateId state, int memory, int position) const { return row(state, memory)[position]; }

  // What the kernel works on; public for it alone.
  struct Work {
    const RowProblem* problem;
    int length, width, memories;
    T* rows;                        // by state, memory and position
    T* below;                       // by memory: the minimum of the rows before a state; one guard cell in front
    T* scan[2];                     // two rows, each with a row of guards in front
    const std::int32_t* first_at;   // by label: the last position of the word, or -1
    const std::int32_t* next_at;    // by position: the position of the same word before it, or -1
  };

 private:
  const T* row(StateId state, int memory) const {
    return rows_.get() + (static_cast<std::size_t>(state) * memories_ + memory) * width_;
  }

  int memories_, width_;
  std::unique_ptr<T[]> rows_;
};

}  // namespace fstmetrics

#include "search/rows/general_rows.h"

#include <algorithm>
#include <vector>

#include "support/poll.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

// Rows are padded to whole vectors of the widest instruction set.
constexpr int kVectorBytes = 64;

// Cells of a row from which on every arc polls.
constexpr int kLongRow = 4096;

template <class T>
struct GeneralWork {
  const RowProblem* problem;
  int length, width, memories;
  T* rows;                       // by state, memory and position
  T* below;                      // by memory: the minimum of the rows before a state; one guard cell in front
  T* scan[2];                    // two rows, each with a row of guards in front
  const std::int32_t* first_at;  // by label: the last position of the word, or -1
  const std::int32_t* next_at;   // by position: the position of the same word before it, or -1
};

template <class T>
FSTMETRICS_INLINE void lower(T* to, const T* from, int width) {
  for (int i = 0; i < width; ++i) to[i] = std::min(to[i], from[i]);
}

template <class T>
FSTMETRICS_INLINE void lower_by(T* to, const T* from, T cost, int width) {
  for (int i = 0; i < width; ++i) to[i] = std::min(to[i], static_cast<T>(from[i] + cost));
}

// row[p + 1] = min(row[p + 1], row[p] + cost) for all p in turn: a running minimum of row[p] - cost * p, by doubling
// steps.
template <class T>
FSTMETRICS_INLINE void run_along(T* row, T cost, int width, T* const scan[2]) {
  T* now = scan[0];
  T* next = scan[1];
  for (int i = 0; i < width; ++i) now[i] = static_cast<T>(row[i] - cost * i);
  for (int step = 1; step < width; step *= 2) {
    for (int i = 0; i < width; ++i) next[i] = std::min(now[i], now[i - step]);
    std::swap(now, next);
  }
  for (int i = 0; i < width; ++i) row[i] = std::min(unreached<T>(), static_cast<T>(now[i] + cost * i));
}

template <class T>
FSTMETRICS_INLINE T cost_of(const RowProblem& problem, int memory, Op op) {
  return static_cast<T>(problem.transition(memory, op).cost);
}

// Everything that leads into a state from the states before it.
template <class T>
FSTMETRICS_INLINE void take_arcs(const GeneralWork<T>& w, StateId state, T* rows) {
  Polls poll;
  const RowProblem& problem = *w.problem;
  const std::size_t stride = static_cast<std::size_t>(w.memories) * w.width;
  bool any_word = false;
  for (const SearchGraph::Incoming& in : problem.graph.incoming(state)) {
    if (w.width >= kLongRow) poll(static_cast<std::int64_t>(stride) / 8);
    const T* before = w.rows + static_cast<std::size_t>(in.source) * stride;
    if (in.label == kEpsilon) {
      lower(rows, before, static_cast<int>(stride));
      continue;
    }
    for (int m = 0; m < w.memories; ++m) {
      T* below = w.below + m * (w.width + kVectorBytes);
      if (any_word) {
        lower(below, before + m * w.width, w.width);
      } else {
        std::copy(before + m * w.width, before + (m + 1) * w.width, below);
      }
    }
    any_word = true;
    for (std::int32_t at = w.first_at[in.label]; at >= 0; at = w.next_at[at]) {
      for (int m = 0; m < w.memories; ++m) {
        const Transition& match = problem.transition(m, Op::kMatch);
        T& cell = rows[match.next * w.width + at + 1];
        cell = std::min(cell, static_cast<T>(before[m * w.width + at] + static_cast<T>(match.cost)));
      }
    }
  }
  if (!any_word) return;
  for (int m = 0; m < w.memories; ++m) {
    const T* below = w.below + m * (w.width + kVectorBytes);
    const Transition& alone = problem.transition(m, problem.graph_only);
    lower_by(rows + alone.next * w.width, below, static_cast<T>(alone.cost), w.width);
    const Transition& other = problem.transition(m, Op::kSubstitution);
    lower_by(rows + other.next * w.width, below - 1, static_cast<T>(other.cost), w.width);  // below[-1] is a guard
  }
}

// Words of the string read alone, within a state.
template <class T>
FSTMETRICS_INLINE void take_words(const GeneralWork<T>& w, T* rows) {
  const RowProblem& problem = *w.problem;
  const int target = problem.transition(0, problem.string_only).next;
  bool one_target = true;
  for (int m = 0; m < w.memories; ++m) one_target &= problem.transition(m, problem.string_only).next == target;
  if (one_target) {
    T* to = rows + target * w.width;
    for (int m = 0; m < w.memories; ++m) {
      if (m == target) continue;
      const T cost = cost_of<T>(problem, m, problem.string_only);
      for (int i = w.width - 1; i > 0; --i) {
        to[i] = std::min(to[i], static_cast<T>(rows[m * w.width + i - 1] + cost));
      }
    }
    run_along(to, cost_of<T>(problem, target, problem.string_only), w.width, w.scan);
  } else {
    for (int i = 0; i < w.length; ++i) {
      for (int m = 0; m < w.memories; ++m) {
        const Transition& t = problem.transition(m, problem.string_only);
        T& cell = rows[t.next * w.width + i + 1];
        cell = std::min(cell, static_cast<T>(rows[m * w.width + i] + static_cast<T>(t.cost)));
      }
    }
  }
  const int size = w.memories * w.width;
  for (int i = 0; i < size; ++i) rows[i] = std::min(rows[i], unreached<T>());
}

template <class T>
struct FillGeneral {
  template <int kBytes>
  FSTMETRICS_INLINE static void run(const GeneralWork<T>& w) {
    Polls poll;
    const std::size_t stride = static_cast<std::size_t>(w.memories) * w.width;
    const StateId states = w.problem->graph.num_states();
    for (StateId state = 0; state < states; ++state) {
      T* rows = w.rows + static_cast<std::size_t>(state) * stride;
      std::fill(rows, rows + stride, unreached<T>());
      if (state == w.problem->graph.automaton().start()) rows[0] = 0;
      poll(static_cast<std::int64_t>(stride) * (2 + std::ssize(w.problem->graph.incoming(state))) / 8);
      take_arcs<T>(w, state, rows);
      take_words<T>(w, rows);
    }
  }
};

}  // namespace

template <class T>
GeneralRows<T>::GeneralRows(const RowProblem& problem) : memories_(problem.memories()) {
  const int length = static_cast<int>(problem.words.size());
  constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));
  width_ = (length + 1 + kLanes - 1) / kLanes * kLanes;
  rows_ = LargeArray<T>(static_cast<std::size_t>(problem.graph.num_states()) * memories_ * width_);

  std::vector<std::int32_t> first_at(problem.graph.automaton().max_label() + 1, -1), next_at(length, -1);
  for (int i = 0; i < length; ++i) {
    if (problem.words[i] <= kEpsilon) continue;
    next_at[i] = first_at[problem.words[i]];
    first_at[problem.words[i]] = i;
  }
  const int padded = width_ + kVectorBytes;
  std::vector<T> below(static_cast<std::size_t>(memories_) * padded + kVectorBytes, unreached<T>());
  std::vector<T> scan(4 * static_cast<std::size_t>(width_), unreached<T>());
  const GeneralWork<T> work{&problem,
                            length,
                            width_,
                            memories_,
                            rows_.data(),
                            below.data() + kVectorBytes,
                            {scan.data() + width_, scan.data() + 3 * width_},
                            first_at.data(),
                            next_at.data()};
  run_kernel<FillGeneral<T>>(work);
}

template class GeneralRows<std::int16_t>;
template class GeneralRows<std::int32_t>;

}  // namespace fstmetrics

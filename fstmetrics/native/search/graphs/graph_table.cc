#include "search/graphs/graph_table.h"

#include <algorithm>
#include <cstring>

#include "support/poll.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

// Half of a vector of lanes: the unit of transposition, which every instruction set has.
constexpr int kHalfBytes = 16;

constexpr StateId kStatesBetweenPolls = 64;

template <class T>
struct Vectors {
  typedef T Lanes __attribute__((vector_size(GraphTable<T>::kLanes * sizeof(T)), may_alias));
  typedef T Half __attribute__((vector_size(kHalfBytes), may_alias));
};

using Bytes = Vectors<std::uint8_t>::Half;
using WordLanes = Vectors<std::int16_t>::Half;

// Elements of a and b in turns: those of the lower halves, and those of the upper.
FSTMETRICS_INLINE Bytes zip_low(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
FSTMETRICS_INLINE Bytes zip_high(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
FSTMETRICS_INLINE WordLanes zip_low(WordLanes a, WordLanes b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
FSTMETRICS_INLINE WordLanes zip_high(WordLanes a, WordLanes b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// Elements in a half vector, and the rows and columns of what is transposed at once.
template <class T>
constexpr int kSquare = kHalfBytes / static_cast<int>(sizeof(T));

template <class T>
FSTMETRICS_INLINE void transpose_square(const T* from, std::size_t from_stride, T* to, std::size_t to_stride) {
  using Half = typename Vectors<T>::Half;
  constexpr int kSize = kSquare<T>;
  Half a[kSize], b[kSize];
  for (int i = 0; i < kSize; ++i) std::memcpy(&a[i], from + i * from_stride, kHalfBytes);
  for (int round = 1; round < kSize; round *= 2) {
    for (int i = 0; i < kSize / 2; ++i) {
      b[2 * i] = zip_low(a[i], a[i + kSize / 2]);
      b[2 * i + 1] = zip_high(a[i], a[i + kSize / 2]);
    }
    for (int i = 0; i < kSize; ++i) a[i] = b[i];
  }
  for (int i = 0; i < kSize; ++i) std::memcpy(to + i * to_stride, &a[i], kHalfBytes);
}

// Arcs by what their words are compared by.
class ArcsByKey {
 public:
  struct Ends {
    StateId source, next;
  };
  ArcsByKey(const PairSide& side, Label last_key);
  // None for kEpsilon.
  std::span<const Ends> of(Label key) const { return {ends_.data() + first_[key], ends_.data() + first_[key + 1]}; }

 private:
  std::vector<std::int32_t> first_;
  std::vector<Ends> ends_;
};

ArcsByKey::ArcsByKey(const PairSide& side, Label last_key) : first_(last_key + 2, 0) {
  Polls poll;
  const auto visit = [&](auto take) {
    for (StateId state = 0; state < side.num_states(); ++state) {
      poll(4 + 4 * std::ssize(side.incoming(state)));
      for (const ReverseArcs::Incoming& in : side.incoming(state)) {
        const Label key = side.key_of(in.label);
        if (key != kEpsilon) take(key, Ends{in.source, state});
      }
    }
  };
  visit([&](Label key, const Ends&) { ++first_[key + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  ends_.resize(first_.back());
  std::vector<std::int32_t> fill(first_.begin(), first_.end() - 1);
  visit([&](Label key, const Ends& ends) { ends_[fill[key]++] = ends; });
}

template <class T>
struct Work {
  const PairProblem* problem;
  const ArcsByKey* sweep_arcs;
  int width;
  T* rows;   // by lane state and sweep state
  T* below;  // by lane and sweep state: the least over the states before the lane's
  // By sweep state and lane:
  T* before;   // `below`, transposed
  T* cells;    // what is known so far, then the cells themselves
  T* through;  // the cheaper of a cell and, less the difference of the costs, `before`

  T* row(StateId lane) const { return rows + static_cast<std::size_t>(lane) * width; }
  T* row_below(int lane) const { return below + static_cast<std::size_t>(lane) * width; }
};

using Group = std::span<const StateId>;

// Bytes may alias anything, so the width is a value of its own.
template <class T>
FSTMETRICS_INLINE void lower(T* to, const T* from, int width) {
  for (int i = 0; i < width; ++i) to[i] = std::min(to[i], from[i]);
}

// 1. For each lane, the least of the rows of the states before it.
template <class T>
FSTMETRICS_INLINE void take_lane_words(const Work<T>& w, Group group) {
  Polls poll;
  std::fill(w.below, w.row_below(GraphTable<T>::kLanes), GraphTable<T>::unreached());
  for (std::size_t lane = 0; lane < group.size(); ++lane) {
    T* below = w.row_below(static_cast<int>(lane));
    for (const StateId source : w.problem->lanes.groups->before_by_words(group[lane])) {
      poll(w.width / 16);
      lower(below, w.row(source), w.width);
    }
  }
}

// 2. What needs no cell of the same state of the lane side: the start, the lane side's epsilons, and matches.
template <class T>
FSTMETRICS_INLINE void take_pairs(const Work<T>& w, Group group) {
  Polls poll;
  constexpr int kLanes = GraphTable<T>::kLanes;
  const PairProblem& p = *w.problem;
  const T match = static_cast<T>(p.costs.match);
  std::fill(w.cells, w.cells + static_cast<std::size_t>(w.width) * kLanes, GraphTable<T>::unreached());
  for (std::size_t lane = 0; lane < group.size(); ++lane) {
    T* cells = w.cells + lane;
    const StateId state = group[lane];
    if (state == p.lanes.graph->start()) cells[p.sweep.graph->start() * kLanes] = 0;
    for (const StateId source : p.lanes.groups->before_by_epsilons(state)) {
      const T* row = w.row(source);
      poll(w.width);
      const StateId end = p.sweep.num_states();
      for (StateId i = 0; i < end; ++i) cells[i * kLanes] = std::min(cells[i * kLanes], row[i]);
    }
    for (const ReverseArcs::Incoming& in : p.lanes.incoming(state)) {
      const T* row = w.row(in.source);
      poll(2 * std::ssize(w.sweep_arcs->of(p.lanes.key_of(in.label))));
      for (const ArcsByKey::Ends& arc : w.sweep_arcs->of(p.lanes.key_of(in.label))) {
        T& cell = cells[arc.next * kLanes];
        cell = std::min(cell, static_cast<T>(row[arc.source] + match));
      }
    }
  }
}

template <class T>
FSTMETRICS_INLINE void transpose_below(const Work<T>& w) {
  constexpr int kLanes = GraphTable<T>::kLanes, kSize = kSquare<T>;
  const int width = w.width;
  for (int i = 0; i < width; i += kSize) {
    for (int lane = 0; lane < kLanes; lane += kSize) {
      transpose_square(w.row_below(lane) + i, w.width, w.before + i * kLanes + lane, kLanes);
    }
  }
}

// 3. Words of the sweep side, a state after another, all lanes at once.
template <class T>
FSTMETRICS_INLINE void sweep(const Work<T>& w) {
  Polls poll;
  using Lanes = typename Vectors<T>::Lanes;
  const PairCosts& costs = w.problem->costs;
  const StateGroups& groups = *w.problem->sweep.groups;
  const T lane_only = static_cast<T>(costs.lane_only), sweep_only = static_cast<T>(costs.sweep_only);
  const T dearer = static_cast<T>(costs.substitution - costs.sweep_only);
  const auto* before = reinterpret_cast<const Lanes*>(w.before);
  auto* cells = reinterpret_cast<Lanes*>(w.cells);
  auto* through = reinterpret_cast<Lanes*>(w.through);
  const StateId end = w.problem->sweep.num_states();
  for (StateId state = 0; state < end; ++state) {
    if (state % kStatesBetweenPolls == 0) poll(10 * kStatesBetweenPolls);
    Lanes least = Lanes{} + GraphTable<T>::unreached();
    for (const StateId source : groups.before_by_words(state))
      least = through[source] < least ? through[source] : least;
    Lanes cell = cells[state];
    for (const StateId source : groups.before_by_epsilons(state)) cell = cells[source] < cell ? cells[source] : cell;
    least += sweep_only;
    cell = least < cell ? least : cell;
    const Lanes other = before[state] + lane_only;
    cell = other < cell ? other : cell;
    cells[state] = cell;
    const Lanes paired = before[state] + dearer;
    through[state] = paired < cell ? paired : cell;
  }
}

// 4. The cells back to the rows of their states.
template <class T>
FSTMETRICS_INLINE void keep(const Work<T>& w, Group group) {
  constexpr int kLanes = GraphTable<T>::kLanes, kSize = kSquare<T>;
  const int lanes = static_cast<int>(group.size()), width = w.width;
  for (int i = 0; i < width; i += kSize) {
    for (int lane = 0; lane < lanes; lane += kSize) {
      transpose_square(w.cells + i * kLanes + lane, kLanes, w.row_below(lane) + i, w.width);
    }
  }
  for (int lane = 0; lane < lanes; ++lane) std::copy(w.row_below(lane), w.row_below(lane + 1), w.row(group[lane]));
}

// Lanes are as wide as a group whatever the instruction set.
template <class T>
struct Fill {
  template <int kBytes>
  FSTMETRICS_INLINE static void run(const Work<T>& w) {
    const StateGroups& groups = *w.problem->lanes.groups;
    for (int i = 0; i < groups.num_groups(); ++i) {
      take_lane_words(w, groups.group(i));
      take_pairs(w, groups.group(i));
      transpose_below(w);
      sweep(w);
      keep(w, groups.group(i));
    }
  }
};

}  // namespace

template <class T>
void GraphTable<T>::fill(const PairProblem& problem) {
  constexpr int kPadding = 64;
  width_ = (problem.sweep.num_states() + kPadding - 1) / kPadding * kPadding;
  const ArcsByKey sweep_arcs(problem.sweep, problem.last_key);
  const std::size_t table = static_cast<std::size_t>(problem.lanes.num_states()) * width_;
  const std::size_t block = static_cast<std::size_t>(kLanes) * width_;
  const std::size_t size = (table + 4 * block) * sizeof(T) + kPadding;
  if (size > memory_.size()) memory_ = LargeArray<unsigned char>(), memory_ = LargeArray<unsigned char>(size);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  T* blocks = reinterpret_cast<T*>(memory_.data() + (kPadding - address % kPadding) % kPadding);
  rows_ = blocks + 4 * block;
  run_kernel<Fill<T>>(
      Work<T>{&problem, &sweep_arcs, width_, rows_, blocks, blocks + block, blocks + 2 * block, blocks + 3 * block});
}

template class GraphTable<std::uint8_t>;
template class GraphTable<std::int16_t>;

}  // namespace fstmetrics

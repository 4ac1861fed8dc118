#include "search/level_lanes.h"

#include "search/simd.h"

// Vectors of 64 bytes stay within this file, so how they would be passed to functions does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace fstmetrics {
namespace {

constexpr std::size_t kVectorBytes = 64;

using Narrow [[gnu::vector_size(64)]] = std::uint32_t;  // 16 levels
using Wide [[gnu::vector_size(64)]] = std::uint64_t;    // 8 levels

// Every lane takes the set of the lane `kBy` levels below it; the lowest are empty.
template <int kBy>
FSTMETRICS_INLINE Narrow raised(Narrow v) {
  constexpr int k = 16 - kBy;  // lanes of (zeros, v)
  return __builtin_shufflevector(Narrow{}, v, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7, k + 8, k + 9, k + 10,
                                 k + 11, k + 12, k + 13, k + 14, k + 15);
}
template <int kBy>
FSTMETRICS_INLINE Wide raised(Wide v) {
  constexpr int k = 8 - kBy;
  return __builtin_shufflevector(Wide{}, v, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7);
}

// Words of the string read alone: j of them take j levels and j positions, for all j at once.
FSTMETRICS_INLINE Narrow with_words(Narrow v) {
  v |= raised<1>(v << 1);
  v |= raised<2>(v << 2);
  v |= raised<4>(v << 4);
  return v | raised<8>(v << 8);
}
FSTMETRICS_INLINE Wide with_words(Wide v) {
  v |= raised<1>(v << 1);
  v |= raised<2>(v << 2);
  return v | raised<4>(v << 4);
}

struct Task {
  const LevelGraph* graph;
  const std::uint64_t* match;
  void* vectors;
};

template <class Vector, class Lane>
FSTMETRICS_INLINE void fill_lanes(const Task& task) {
  auto* const vectors = static_cast<Vector*>(task.vectors);
  const StateId states = task.graph->num_states();
  const StateId start = task.graph->automaton().start();
  for (StateId state = 0; state < states; ++state) {
    Vector any{}, matched{}, same{};
    for (const LevelGraph::Incoming& in : task.graph->incoming(state)) {
      const Vector before = vectors[in.source];
      if (in.label == kEpsilon) {
        same |= before;
        continue;
      }
      any |= before;
      matched |= before & static_cast<Lane>(task.match[in.label]);
    }
    if (state == start) same |= Vector{} + Lane{1};
    // A word of the graph alone, or paired with another word, takes one level.
    vectors[state] = with_words(same | (matched << 1) | raised<1>(any | (any << 1)));
  }
}

FSTMETRICS_CLONES void fill_narrow(const Task& task) { fill_lanes<Narrow, std::uint32_t>(task); }
FSTMETRICS_CLONES void fill_wide(const Task& task) { fill_lanes<Wide, std::uint64_t>(task); }

}  // namespace

int LevelLanes::fill(const LevelGraph& graph, const std::uint64_t* match, int length) {
  const auto states = static_cast<std::size_t>(graph.num_states());
  if (states > states_) {
    memory_ = std::make_unique_for_overwrite<unsigned char[]>((states + 1) * kVectorBytes);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    vectors_ = memory_.get() + (kVectorBytes - address % kVectorBytes) % kVectorBytes;
    states_ = states;
  }
  narrow_ = length <= 31;
  const Task task{&graph, match, vectors_};
  narrow_ ? fill_narrow(task) : fill_wide(task);
  for (int level = 0; level < (narrow_ ? 16 : 8); ++level) {
    for (const StateId state : graph.finals()) {
      if ((lane(state, level) >> length) & 1) return level;
    }
  }
  return -1;
}

}  // namespace fstmetrics

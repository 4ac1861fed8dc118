// Sets of string positions by level, side by side in vectors: lane e holds those that cost at most e. What the sweeps
// of search/strings/level_lanes.h and search/windows/window_bounds.h compute with.
#pragma once

#include <cstdint>

#include "automata/sweep_graph.h"
#include "support/simd.h"

namespace fstmetrics {

// A place takes a few nanoseconds of a sweep, so not each of them polls.
inline constexpr SweepGraph::Place kPlacesBetweenPolls = 64;

// More levels are not kept side by side.
inline constexpr int kMaxLevels = 32;

// Calls fill(levels), twice as many each time, until it says that the levels sufficed; whether any did.
template <class Fill>
bool with_enough_levels(int first, Fill fill) {
  for (int levels = first; levels <= kMaxLevels; levels *= 2) {
    if (fill(levels)) return true;
  }
  return false;
}
// As many as a vector of 64 bytes holds.
constexpr int first_levels(bool narrow) { return narrow ? 16 : 8; }

// Runs Sweep<Lane, kLevels>: sets of up to 32 positions if `narrow`, else of up to 64; in vectors of at most kWidest
// bytes. `levels` are those of first_levels or more.
template <template <class, int> class Sweep, int kWidest, class Task>
void run_sweep(const Task& task, bool narrow, int levels) {
  if (levels == 8) return run_kernel<Sweep<std::uint64_t, 8>, kWidest>(task);
  if (levels == 16) {
    if (narrow) return run_kernel<Sweep<std::uint32_t, 16>, kWidest>(task);
    return run_kernel<Sweep<std::uint64_t, 16>, kWidest>(task);
  }
  narrow ? run_kernel<Sweep<std::uint32_t, 32>, kWidest>(task) : run_kernel<Sweep<std::uint64_t, 32>, kWidest>(task);
}

// All levels of a place, in vectors of kBytes. A step is one position on, or one back.
template <class Lane, int kLevels, Direction kDirection, int kBytes>
struct Levels : Block<Lane, kLevels, kBytes> {
  using Base = Block<Lane, kLevels, kBytes>;
  using Base::kParts;
  using Base::part;

  // One position, and all that words read alone lead to from there.
  FSTMETRICS_INLINE static Levels from(int position) {
    Levels result{};
    for (int i = 0; i < kParts; ++i) result.part[i] += Lane{1} << position;
    result.add_words();
    return result;
  }
  FSTMETRICS_INLINE void add(const Levels& other) {
    for (int i = 0; i < kParts; ++i) part[i] |= other.part[i];
  }
  FSTMETRICS_INLINE void add_at(const Levels& other, Lane positions) {
    for (int i = 0; i < kParts; ++i) part[i] |= other.part[i] & positions;
  }
  template <int kSteps>
  FSTMETRICS_INLINE Levels stepped() const {
    Levels result;
    for (int i = 0; i < kParts; ++i) {
      result.part[i] = kDirection == Direction::kForwards ? part[i] << kSteps : part[i] >> kSteps;
    }
    return result;
  }
  // All sets kBy levels higher; the lowest are empty.
  template <int kBy>
  FSTMETRICS_INLINE Levels raised() const {
    return {this->template moved_up<kBy>(Base{})};
  }
  // Words of the string read alone: j of them take j levels and j steps, for all j at once.
  template <int kBy = 1>
  FSTMETRICS_INLINE void add_words() {
    if constexpr (kBy < kLevels) {
      add(stepped<kBy>().template raised<kBy>());
      add_words<2 * kBy>();
    }
  }
};

}  // namespace fstmetrics

// Sets of string positions by level, side by side in vectors: lane e holds those that cost at most e. What the sweeps
// of search/windows/window_bounds.h compute with.
#pragma once

#include <cstdint>

#include "automata/sweep_graph.h"
#include "support/simd.h"

namespace fstmetrics {

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

// Runs Sweep<Lane, kLevels>: sets of up to 32 positions if `narrow`, else of up to 64. `levels` are those of
// first_levels or more.
template <template <class, int> class Sweep, class Task>
void run_sweep(const Task& task, bool narrow, int levels) {
  if (levels == 8) return run_kernel<Sweep<std::uint64_t, 8>>(task);
  if (levels == 16) {
    if (narrow) return run_kernel<Sweep<std::uint32_t, 16>>(task);
    return run_kernel<Sweep<std::uint64_t, 16>>(task);
  }
  narrow ? run_kernel<Sweep<std::uint32_t, 32>>(task) : run_kernel<Sweep<std::uint64_t, 32>>(task);
}

// All levels of a place, in vectors of kBytes. A step is one position back.
template <class Lane, int kLevels, int kBytes>
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
    for (int i = 0; i < kParts; ++i) result.part[i] = part[i] >> kSteps;
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

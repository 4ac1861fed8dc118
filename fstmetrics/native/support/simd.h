// Kernels for several instruction sets in one library; the best that the machine has is chosen at run time.
//
// A kernel is a type with a static function template run<kBytes>(task), where kBytes is the size of a vector. It and
// all it calls are FSTMETRICS_INLINE, so that it is compiled anew for each instruction set. The plain version is right
// on every machine of the architecture. Not by clones that the loader chooses from (target_clones): what a poll throws
// out of such a function may leave the caller with wrong registers (GCC 12).
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "support/instruction_set.h"
#include "support/large_array.h"

#define FSTMETRICS_INLINE inline __attribute__((always_inline))

// Compilers that do not know the names of x86-64-v3 (AVX2) and x86-64-v4 (AVX-512) make the plain version only.
#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__)
#define FSTMETRICS_WIDE_KERNELS 1
#else
#define FSTMETRICS_WIDE_KERNELS 0
#endif

// Vectors stay within a kernel, so how they would be passed to functions does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace fstmetrics {

#if FSTMETRICS_WIDE_KERNELS
template <class Kernel, class Task>
__attribute__((target("arch=x86-64-v3"))) void run_v3(const Task& task) {
  Kernel::template run<32>(task);
}
template <class Kernel, class Task>
__attribute__((target("arch=x86-64-v4"))) void run_v4(const Task& task) {
  Kernel::template run<64>(task);
}
#endif

// In vectors of at most kWidest bytes: 32 where wider ones gain nothing, as each set takes as long to compile.
template <class Kernel, int kWidest = 64, class Task>
void run_kernel(const Task& task) {
#if FSTMETRICS_WIDE_KERNELS
  if constexpr (kWidest == 64) {
    if (vector_bytes == 64) return run_v4<Kernel>(task);
  }
  if (vector_bytes >= 32) return run_v3<Kernel>(task);
#endif
  Kernel::template run<16>(task);
}

// Lanes of a vector of kBytes bytes.
template <class Lane, int kBytes>
using Vector [[gnu::vector_size(kBytes)]] = Lane;

// As many vectors of kBytes as hold kTotal lanes.
template <class Lane, int kTotal, int kBytes>
struct Block {
  using V = Vector<Lane, kBytes>;
  static constexpr int kLanes = kBytes / static_cast<int>(sizeof(Lane));
  static constexpr int kParts = kTotal / kLanes;
  V part[kParts];

  // Every lane of (below, *this) moves up by kBy; what is then in the upper half.
  template <int kBy>
  FSTMETRICS_INLINE Block moved_up(const Block& below) const {
    constexpr int kWhole = kBy / kLanes, kRest = kBy % kLanes;
    const auto part_of_both = [&](int i) { return i < 0 ? below.part[kParts + i] : part[i]; };
    Block result;
    for (int i = 0; i < kParts; ++i) {
      if constexpr (kRest == 0) {
        result.part[i] = part_of_both(i - kWhole);
      } else {
        result.part[i] =
            joined<kRest>(part_of_both(i - kWhole - 1), part_of_both(i - kWhole), std::make_index_sequence<kLanes>());
      }
    }
    return result;
  }

 private:
  // The last kBy lanes of `below`, then the first of `v`.
  template <int kBy, std::size_t... kLane>
  FSTMETRICS_INLINE static V joined(V below, V v, std::index_sequence<kLane...>) {
    return __builtin_shufflevector(below, v, (kLanes - kBy + kLane)...);
  }
};

// Memory for vectors of any size, kept between searches.
class VectorMemory {
 public:
  void reserve(std::size_t bytes) {
    if (bytes <= memory_.size()) return;
    memory_ = LargeArray<unsigned char>();
    memory_ = LargeArray<unsigned char>(bytes);
  }
  void* data() { return memory_.data(); }
  const void* data() const { return memory_.data(); }

 private:
  LargeArray<unsigned char> memory_;
};

}  // namespace fstmetrics

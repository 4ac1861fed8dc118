#include "agreement/exceeding_sums.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "support/poll.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

struct RowTask {
  const PermutedSums& given;
  std::size_t system;           // compared with all behind it
  std::vector<double>& shares;  // grows by one for each of them
};

struct RowKernel {
  // Systems compared with one at a time.
  static constexpr std::size_t kOthers = 4;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const RowTask& task) {
    const std::size_t systems = task.given.observed.size(), permutations = task.given.permutations();
    for (std::size_t j = task.system + 1; j < systems; j += kOthers) {
      const std::size_t together = std::min(kOthers, systems - j);
      std::int64_t counts[kOthers];
      count<kBytes>(task, j, together, counts);
      for (std::size_t k = 0; k < together; ++k)
        task.shares.push_back(static_cast<double>(counts[k]) / static_cast<double>(permutations));
    }
  }

  template <int kBytes>
  FSTMETRICS_INLINE static void count(const RowTask& task, std::size_t first, std::size_t together,
                                      std::int64_t* counts) {
    using V = Vector<double, kBytes>;
    constexpr std::size_t kLanes = kBytes / sizeof(double);
    const std::size_t permutations = task.given.permutations(), i = task.system;
    const double *const own = task.given.sums.data() + i * permutations, *others[kOthers];
    double least[kOthers];
    Vector<std::int64_t, kBytes> found[kOthers]{};
    for (std::size_t k = 0; k < kOthers; ++k) {
      const std::size_t j = first + std::min(k, together - 1);
      others[k] = task.given.sums.data() + j * permutations;
      least[k] = task.given.observed[i] - task.given.observed[j] - task.given.slack;
    }
    std::size_t p = 0;
    for (; p + kLanes <= permutations; p += kLanes) {
      V mine, other;
      std::memcpy(&mine, own + p, kBytes);
      for (std::size_t k = 0; k < kOthers; ++k) {
        std::memcpy(&other, others[k] + p, kBytes);
        found[k] -= mine - other >= least[k];
      }
    }
    for (std::size_t k = 0; k < kOthers; ++k) {
      counts[k] = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) counts[k] += found[k][lane];
      for (std::size_t q = p; q < permutations; ++q) counts[k] += own[q] - others[k][q] >= least[k];
    }
  }
};

}  // namespace

std::vector<double> exceeding_shares(const PermutedSums& given) {
  const std::size_t systems = given.observed.size();
  std::vector<double> shares;
  shares.reserve(systems * (systems - 1) / 2);
  for (std::size_t i = 0; i < systems; ++i) {
    run_kernel<RowKernel>(RowTask{given, i, shares});
    poll(static_cast<std::int64_t>((systems - i) * given.permutations()));
  }
  return shares;
}

}  // namespace fstmetrics

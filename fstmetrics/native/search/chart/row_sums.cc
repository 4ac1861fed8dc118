#include "search/chart/row_sums.h"

#include <algorithm>

#include "support/simd.h"

namespace fstmetrics {
namespace {

template <class V>
FSTMETRICS_INLINE void relax_each(const V* from, std::size_t count, V cost, V* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = std::min(to[i], from[i] + cost);
}

template <class V>
FSTMETRICS_INLINE V least_of_sums(const V* one, const V* other, std::size_t count) {
  V least = Ranking<V>::infinity();
  for (std::size_t i = 0; i < count; ++i) least = std::min(least, one[i] + other[i]);
  return least;
}

struct Relax {
  const std::int64_t* from;
  std::size_t count;
  std::int64_t cost;
  std::int64_t* to;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const Relax& task) {
    relax_each(task.from, task.count, task.cost, task.to);
  }
};

struct LeastSum {
  const std::int64_t *one, *other;
  std::size_t count;
  std::int64_t* least;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const LeastSum& task) {
    *task.least = least_of_sums(task.one, task.other, task.count);
  }
};

}  // namespace

void relax(const std::int64_t* from, std::size_t count, std::int64_t cost, std::int64_t* to) {
  run_kernel<Relax>(Relax{from, count, cost, to});
}
void relax(const Wide* from, std::size_t count, Wide cost, Wide* to) { relax_each(from, count, cost, to); }

std::int64_t least_sum(const std::int64_t* one, const std::int64_t* other, std::size_t count) {
  std::int64_t least;
  run_kernel<LeastSum>(LeastSum{one, other, count, &least});
  return least;
}
Wide least_sum(const Wide* one, const Wide* other, std::size_t count) { return least_of_sums(one, other, count); }

}  // namespace fstmetrics

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

}  // namespace

FSTMETRICS_CLONES void relax(const std::int64_t* from, std::size_t count, std::int64_t cost, std::int64_t* to) {
  relax_each(from, count, cost, to);
}
void relax(const Wide* from, std::size_t count, Wide cost, Wide* to) { relax_each(from, count, cost, to); }

FSTMETRICS_CLONES std::int64_t least_sum(const std::int64_t* one, const std::int64_t* other, std::size_t count) {
  return least_of_sums(one, other, count);
}
Wide least_sum(const Wide* one, const Wide* other, std::size_t count) { return least_of_sums(one, other, count); }

}  // namespace fstmetrics

// Between numpy arrays and vectors.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

namespace nb = nanobind;

using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using DoubleTable = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using IntTable = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using LongTable = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Costs = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// State and increment of numpy's PCG64, high and low halves.
using Seeded = nb::ndarray<const std::uint64_t, nb::shape<4>, nb::c_contig, nb::device::cpu>;

template <class T, class Array>
std::vector<T> to_vector(const Array& array) {
  return {array.data(), array.data() + array.size()};
}

inline std::vector<CostPair> to_costs(const std::optional<Costs>& costs) {
  std::vector<CostPair> pairs;
  if (costs) {
    for (std::size_t i = 0; i < costs->shape(0); ++i) pairs.push_back({(*costs)(i, 0), (*costs)(i, 1)});
  }
  return pairs;
}

// For properties that make a new array: it belongs to nobody else.
inline constexpr auto kOwned = nb::rv_policy::automatic;

// A numpy array that owns `values`, with `columns` columns (0: one-dimensional).
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::size_t columns = 0) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t rows = columns ? kept->size() / columns : kept->size();
  const std::size_t shape[] = {rows, columns};
  return nb::ndarray<nb::numpy, T>(kept->data(), columns ? 2 : 1, shape, owner);
}

}  // namespace fstmetrics

#include <algorithm>
#include <cmath>
#include <numeric>

#include "resampling/exchange_loop.h"
#include "resampling/exchange_tests.h"
#include "support/poll.h"
#include "support/sharing.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

// Systems stand side by side in blocks of so many lanes, which are one vector where vectors are widest.
constexpr std::size_t kLanes = 16;
// Sums are made of tables that have all sums of so many segments with their signs; of so many tables at a time, which stay
// in the nearest cache.
constexpr std::size_t kSegmentsOfTable = 5, kPatterns = std::size_t{1} << kSegmentsOfTable, kTables = 4;
constexpr std::size_t kSegmentsTogether = kSegmentsOfTable * kTables;
// Sums have 30 bits, and so do their differences.
constexpr double kMostSum = 1 << 29;

// Scores of two metrics as whole numbers, block by block of systems, and segment by segment with a lane for each system, so
// that sums are exact.
struct SoftPair {
  std::vector<std::int32_t> first, second;
  std::vector<std::int32_t> all;  // sums of both metrics' scores by block and permutation, and at last those without one
  std::int32_t slack = 0;         // differences of sums that are equal but for the rounding of scores
};

// How many there are.
struct SoftSizes {
  std::size_t systems, segments, permutations, blocks, padded_segments;

  SoftSizes(std::size_t systems, std::size_t segments, std::size_t permutations)
      : systems(systems),
        segments(segments),
        permutations(permutations),
        blocks((systems + kLanes - 1) / kLanes),
        padded_segments((segments + kSegmentsTogether - 1) / kSegmentsTogether * kSegmentsTogether) {}
  std::size_t rows() const { return permutations + 1; }
  std::size_t pairs() const { return systems * (systems - 1) / 2; }
  // Where a segment's lane of a system is.
  std::size_t cell(std::size_t system, std::size_t segment) const {
    return (system / kLanes * padded_segments + segment) * kLanes + system % kLanes;
  }
};

SoftPair soft_pair(const ScoredPoints& points, const MetricPair& pair, const SoftSizes& sizes) {
  const auto first = points.metric(pair.first), second = points.metric(pair.second);
  const std::size_t segments = sizes.segments;
  double most = 0;
  for (std::size_t i = 0; i < sizes.systems; ++i) {
    double sum = 0;
    for (std::size_t s = i * segments; s < (i + 1) * segments; ++s) sum += std::abs(first[s]) + std::abs(second[s]);
    most = std::max(most, sum);
  }
  // Roundings add up to a segment each at most.
  const double scale = most > 0 ? (kMostSum - static_cast<double>(2 * segments)) / most : 0;
  const std::size_t cells = sizes.blocks * sizes.padded_segments * kLanes;
  SoftPair found{std::vector<std::int32_t>(cells), std::vector<std::int32_t>(cells), {}, static_cast<std::int32_t>(segments)};
  for (std::size_t i = 0; i < sizes.systems; ++i) {
    for (std::size_t s = 0; s < segments; ++s) {
      found.first[sizes.cell(i, s)] = static_cast<std::int32_t>(std::lround(first[i * segments + s] * scale));
      found.second[sizes.cell(i, s)] = static_cast<std::int32_t>(std::lround(second[i * segments + s] * scale));
    }
  }
  return found;
}

// For every kSegmentsTogether segments and permutation: of each table the place of the sum with its signs. The last row has no
// sign.
std::vector<std::uint8_t> places_of(std::span<const std::uint8_t> signs, const SoftSizes& sizes) {
  const std::size_t bytes = (sizes.segments + 7) / 8;
  std::vector<std::uint8_t> places(sizes.padded_segments / kSegmentsOfTable * sizes.rows());
  for (std::size_t s = 0; s < sizes.padded_segments; ++s) {
    for (std::size_t row = 0; row < sizes.rows(); ++row) {
      const unsigned is_kept = row == sizes.permutations ? 1 : s < sizes.segments ? signs[row * bytes + s / 8] >> (s % 8) & 1 : 0;
      const std::size_t table = s % kSegmentsTogether / kSegmentsOfTable;
      places[(s / kSegmentsTogether * sizes.rows() + row) * kTables + table] |= static_cast<std::uint8_t>(is_kept << (s % kSegmentsOfTable));
    }
  }
  return places;
}

struct SoftDrawn {
  SoftPair& pair;
  const SoftSizes& sizes;
  const std::vector<std::uint8_t>& places;
  std::span<const double> confidences;
  std::span<const std::int32_t> units;
  const Words& words;
  int wanted;
  VectorMemory& memory;
  Values& first;
  Values& second;
};

struct SoftKernel {
  template <int kBytes>
  using V = Vector<std::int32_t, kBytes>;
  // A block of systems is kParts vectors. So many permutations of exchanges are gone through together that their sums are four
  // vectors: what finds the places in the tables is then done once for them.
  template <int kBytes>
  static constexpr std::size_t kParts = kLanes * sizeof(std::int32_t) / kBytes;
  template <int kBytes>
  static constexpr std::size_t kAbreast = 4 / kParts<kBytes>;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const SoftDrawn& block) {
    constexpr std::size_t kWidth = 4;  // vectors of the permutations abreast
    constexpr std::size_t kAcross = kAbreast<kBytes>;
    const SoftSizes& sizes = block.sizes;
    const std::size_t rows = sizes.rows(), cells = sizes.blocks * sizes.padded_segments * kLanes, row_cells = rows * sizes.blocks * kLanes;
    Cut cut(block.memory, kBytes, (cells + row_cells) * kAcross * sizeof(std::int32_t) + 2 * row_cells * sizeof(std::int32_t) +
                                      kTables * kPatterns * kWidth * kBytes + cells * sizeof(std::uint64_t) +
                                      sizes.pairs() * sizeof(double));
    auto* const chosen = cut.take<std::int32_t>(cells * kAcross);  // by segment, permutation and lane
    auto* const sums = cut.take<std::int32_t>(row_cells * kAcross);
    auto* const one = cut.take<std::int32_t>(row_cells);  // by permutation of signs and lane
    auto* const two = cut.take<std::int32_t>(row_cells);
    auto* const tables = cut.take<V<kBytes>>(kTables * kPatterns * kWidth);
    auto* const words = cut.take<std::uint64_t>(cells);
    auto* const distances = cut.take<double>(sizes.pairs());
    if (block.pair.all.empty()) {
      for (std::size_t i = 0; i < cells; ++i) {
        for (std::size_t p = 0; p < kAcross; ++p) chosen[(i / kLanes * kAcross + p) * kLanes + i % kLanes] = block.pair.first[i] + block.pair.second[i];
      }
      add_up<kBytes>(block, chosen, tables, sums);
      block.pair.all.resize(row_cells);
      for (std::size_t i = 0; i < row_cells; ++i) block.pair.all[i] = sums[i / kLanes * kAcross * kLanes + i % kLanes];
    }
    for (std::size_t i = 0; i < cells; ++i) words[i] = 0;
    for (std::size_t i = 0; i < sizes.systems; ++i) {
      for (std::size_t s = 0; s < sizes.segments; ++s) words[sizes.cell(i, s)] = block.words[block.units[i * sizes.segments + s]];
    }
    for (int begin = 0; begin < block.wanted; begin += static_cast<int>(kAcross)) {
      choose<kAcross>(block, words, begin, chosen, cells);
      add_up<kBytes>(block, chosen, tables, sums);
      const int end = std::min(block.wanted, begin + static_cast<int>(kAcross));
      for (int number = begin; number < end; ++number) {
        apart<kAcross>(block, sums, static_cast<std::size_t>(number - begin), one, two);
        block.first[number] = accuracy<kBytes>(block, one, distances);
        block.second[number] = accuracy<kBytes>(block, two, distances);
      }
    }
  }

  // Parts of a piece of memory, each of whole vectors.
  struct Cut {
    Cut(VectorMemory& memory, std::size_t unit, std::size_t bytes) : unit(unit) {
      memory.reserve(bytes + 8 * unit);
      next = (reinterpret_cast<std::uintptr_t>(memory.data()) + unit - 1) / unit * unit;
    }
    template <class T>
    T* take(std::size_t count) {
      auto* const found = reinterpret_cast<T*>(next);
      next += (count * sizeof(T) + unit - 1) / unit * unit;
      return found;
    }
    std::size_t unit;
    std::uintptr_t next;
  };

  // The first metric's scores after the exchanges of permutation `begin` and those after it.
  template <std::size_t kAcross>
  FSTMETRICS_INLINE static void choose(const SoftDrawn& block, const std::uint64_t* words, int begin, std::int32_t* chosen,
                                       std::size_t cells) {
    const std::int32_t *const first = block.pair.first.data(), *const second = block.pair.second.data();
    for (std::size_t from = 0; from < cells; from += kLanes) {
      for (std::size_t p = 0; p < kAcross; ++p) {
        const int number = begin + static_cast<int>(p);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const auto is_first = -static_cast<std::int32_t>(words[from + lane] >> number & 1);
          chosen[from * kAcross + p * kLanes + lane] = (first[from + lane] & is_first) | (second[from + lane] & ~is_first);
        }
      }
    }
  }

  // Of each permutation of signs the sums of the chosen scores.
  template <int kBytes>
  FSTMETRICS_INLINE static void add_up(const SoftDrawn& block, const std::int32_t* chosen, V<kBytes>* tables, std::int32_t* sums) {
    constexpr std::size_t kWidth = 4;
    const std::size_t rows = block.sizes.rows(), groups = block.sizes.padded_segments / kSegmentsTogether;
    for (std::size_t b = 0; b < block.sizes.blocks; ++b) {
      const auto* const scores = reinterpret_cast<const V<kBytes>*>(chosen) + b * block.sizes.padded_segments * kWidth;
      auto* const own = reinterpret_cast<V<kBytes>*>(sums) + b * rows * kWidth;
      for (std::size_t i = 0; i < rows * kWidth; ++i) own[i] = V<kBytes>{};
      for (std::size_t group = 0; group < groups; ++group) {
        for (std::size_t i = 0; i < kTables; ++i) {
          fill<kBytes>(scores + (group * kSegmentsTogether + i * kSegmentsOfTable) * kWidth, tables + i * kPatterns * kWidth);
        }
        const std::uint8_t* places = block.places.data() + group * rows * kTables;
        for (std::size_t row = 0; row < rows; ++row, places += kTables) {
          V<kBytes>* const sum = own + row * kWidth;
          V<kBytes> a = sum[0], b = sum[1], c = sum[2], d = sum[3];
          for (std::size_t i = 0; i < kTables; ++i) {
            const V<kBytes>* const entry = tables + (i * kPatterns + places[i]) * kWidth;
            a += entry[0], b += entry[1], c += entry[2], d += entry[3];
          }
          sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d;
        }
      }
    }
  }

  // All sums of kSegmentsOfTable segments: a bit that is 1 adds a score, others subtract it.
  template <int kBytes>
  FSTMETRICS_INLINE static void fill(const V<kBytes>* scores, V<kBytes>* table) {
    constexpr std::size_t kWidth = 4;
    for (std::size_t i = 0; i < kWidth; ++i) {
      V<kBytes> least{};
      for (std::size_t s = 0; s < kSegmentsOfTable; ++s) least -= scores[s * kWidth + i];
      table[i] = least;
    }
    for (std::size_t half = 1, s = 0; half < kPatterns; half *= 2, ++s) {
      for (std::size_t i = 0; i < kWidth; ++i) {
        const V<kBytes> twice = 2 * scores[s * kWidth + i];
        for (std::size_t j = 0; j < half; ++j) table[(half + j) * kWidth + i] = table[j * kWidth + i] + twice;
      }
    }
  }

  // Of one of the permutations abreast the sums of both metrics, less those without signs; by row, block and lane.
  template <std::size_t kAcross>
  FSTMETRICS_INLINE static void apart(const SoftDrawn& block, const std::int32_t* sums, std::size_t number, std::int32_t* one,
                                      std::int32_t* two) {
    const std::size_t rows = block.sizes.rows(), blocks = block.sizes.blocks;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int32_t* const all = block.pair.all.data() + b * rows * kLanes;
      const std::int32_t* const own = sums + (b * rows * kAcross + number) * kLanes;
      const std::int32_t *const all_whole = all + (rows - 1) * kLanes, *const own_whole = own + (rows - 1) * kAcross * kLanes;
      for (std::size_t row = 0; row < rows - 1; ++row) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const std::size_t to = (row * blocks + b) * kLanes + lane;
          const std::int32_t sum = own[row * kAcross * kLanes + lane];
          one[to] = sum - own_whole[lane];
          two[to] = (all[row * kLanes + lane] - sum) - (all_whole[lane] - own_whole[lane]);
        }
      }
    }
  }

  // 1 minus the mean distance of confidences from people's; `sums` are less those without signs.
  template <int kBytes>
  FSTMETRICS_INLINE static double accuracy(const SoftDrawn& block, const std::int32_t* sums, double* distances) {
    constexpr std::size_t kVector = kBytes / sizeof(std::int32_t), kCounted = 8;
    const std::size_t systems = block.sizes.systems, stride = block.sizes.blocks * kLanes, rows = block.sizes.permutations;
    for (std::size_t i = 0; i < systems; i += kCounted) {
      for (std::size_t from = i / kVector * kVector; from < systems; from += kVector) {
        V<kBytes> counts[kCounted]{};
        for (std::size_t row = 0; row < rows; ++row) {
          const std::int32_t* const values = sums + row * stride;
          const V<kBytes> others = *reinterpret_cast<const V<kBytes>*>(values + from) - block.pair.slack;
          for (std::size_t k = 0; k < kCounted; ++k) counts[k] -= (V<kBytes>{} + values[i + k]) >= others;
        }
        for (std::size_t k = 0; k < kCounted; ++k) {
          for (std::size_t lane = 0; lane < kVector; ++lane) {
            const std::size_t a = i + k, b = from + lane;
            if (b <= a || b >= systems) continue;
            // Pairs of systems are numbered row by row.
            const std::size_t pair = a * (2 * systems - a - 1) / 2 + (b - a - 1);
            distances[pair] = std::abs(static_cast<double>(counts[k][lane]) / static_cast<double>(rows) - block.confidences[pair]);
          }
        }
      }
    }
    // In the order of pairs, so that all machines round alike.
    const double sum = std::accumulate(distances, distances + block.sizes.pairs(), 0.0);
    return block.sizes.pairs() ? 1 - sum / static_cast<double>(block.sizes.pairs()) : 0;
  }
};

}  // namespace

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, const SoftAccuracy& accuracy,
                                         std::span<const MetricPair> pairs, const Generator& generator, const Stopping& stopping,
                                         int threads) {
  const std::size_t systems = points.row_ends.size(), segments = points.units.size() / systems;
  const SoftSizes sizes(systems, segments, accuracy.signs.size() / ((segments + 7) / 8));
  const std::vector<std::uint8_t> places = places_of(accuracy.signs, sizes);
  std::vector<ExchangeTest> tests(pairs.size());
  SharedWork(pairs.size()).run(threads, [&] {
    return [&, words = Words(points.num_units), memory = VectorMemory()](std::size_t i) mutable {
      SoftPair pair = soft_pair(points, pairs[i], sizes);
      tests[i] = tested(
          [&](const Words& drawn, int wanted, Values& first, Values& second) {
            run_kernel<SoftKernel>(SoftDrawn{pair, sizes, places, accuracy.confidences, points.units, drawn, wanted, memory, first, second});
            poll(static_cast<std::int64_t>(sizes.permutations * segments));
          },
          generator, stopping, words);
    };
  });
  return tests;
}

}  // namespace fstmetrics

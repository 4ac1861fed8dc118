// Soft pairwise accuracy under exchanges. It compares systems by sums of their scores, of as many random
// halves of the segments as it has permutations itself (those whose sign is exchanged), so a test needs these
// sums of every pair of metrics after every exchange. They are made of sums of single metrics: with H the
// half and M the segments whose scores stay where they are,
//   sum over H of what the first metric has after the exchange
//     = second's sum over H + first's over H and M - second's over H and M.
// So sums are made once a metric, not once a pair; and as only differences of the last two are needed, once a
// metric but one: of differences from that one. Scores are whole numbers, so that nothing depends on the
// order of additions.
//
// For m metrics, n systems and s segments, and r permutations of the coefficient, O(m n s r /
// kSegmentsOfTable) additions an exchange for the sums, and O(n^2 r) comparisons for each pair of metrics.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "resampling/exchange_loop.h"
#include "resampling/exchange_tests.h"
#include "support/poll.h"
#include "support/sharing.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

// Systems stand side by side in blocks of so many lanes, which are one vector where vectors are widest.
constexpr std::size_t kLanes = 8;
// Sums have so many bits, which leaves two for differences of them.
constexpr int kBitsOfSum = 51;
// Sums are made of tables that have all sums of so many segments; of so many tables at a time, which stay in
// the nearest cache.
constexpr std::size_t kSegmentsOfTable = 5, kPatterns = std::size_t{1} << kSegmentsOfTable, kTables = 4;
constexpr std::size_t kSegmentsTogether = kSegmentsOfTable * kTables;
// Vectors of sums that are made together: what finds the places in the tables is then done once for them.
constexpr std::size_t kWidth = 4;

// Whole numbers; as doubles, which every machine compares fast.
using Whole = double;
using Wholes = LargeArray<Whole>;

Wholes zeros(std::size_t size) {
  Wholes found(size);
  std::fill_n(found.data(), size, 0);
  return found;
}

// How many there are.
struct SoftSizes {
  std::size_t systems, segments, rows;  // rows are the coefficient's permutations
  std::size_t blocks, padded_segments, padded_rows;

  SoftSizes(std::size_t systems, std::size_t segments, std::size_t rows)
      : systems(systems),
        segments(segments),
        rows(rows),
        blocks((systems + kLanes - 1) / kLanes),
        padded_segments((segments + kSegmentsTogether - 1) / kSegmentsTogether * kSegmentsTogether),
        padded_rows((rows + kLanes - 1) / kLanes * kLanes) {}
  std::size_t pairs() const { return systems * (systems - 1) / 2; }
  std::size_t cells() const { return blocks * padded_segments * kLanes; }
  // Sums of all systems, system by system.
  std::size_t sums() const { return blocks * kLanes * padded_rows; }
};

// The metrics' scores as whole numbers, and the segments of which they are added up.
struct SoftScores {
  SoftSizes sizes;
  std::vector<Wholes> metrics;          // by block of systems, segment and lane
  std::vector<std::uint8_t> places;     // for every kSegmentsTogether segments and row, in each table that of the sum
  Whole slack;                          // differences of sums that are equal but for the rounding of scores
  std::span<const double> confidences;  // people's

  SoftScores(const ScoredPoints& points, const SoftAccuracy& accuracy);
};

SoftSizes sizes_of(const ScoredPoints& points, const SoftAccuracy& accuracy) {
  const std::size_t systems = points.row_ends.size(), segments = points.units.size() / systems;
  return {systems, segments, accuracy.signs.size() / ((segments + 7) / 8)};
}

SoftScores::SoftScores(const ScoredPoints& points, const SoftAccuracy& accuracy)
    : sizes(sizes_of(points, accuracy)), confidences(accuracy.confidences) {
  const std::size_t segments = sizes.segments, bytes = (segments + 7) / 8;
  places.resize(sizes.padded_segments / kSegmentsOfTable * sizes.rows);
  std::size_t most_added = 0;
  for (std::size_t row = 0; row < sizes.rows; ++row) {
    std::size_t added = 0;
    for (std::size_t s = 0; s < segments; ++s) {
      const unsigned is_added = ~accuracy.signs[row * bytes + s / 8] >> (s % 8) & 1;
      const std::size_t table = s % kSegmentsTogether / kSegmentsOfTable;
      places[(s / kSegmentsTogether * sizes.rows + row) * kTables + table] |=
          static_cast<std::uint8_t>(is_added << (s % kSegmentsTogether % kSegmentsOfTable));
      added += is_added;
    }
    most_added = std::max(most_added, added);
  }
  // The squares of a metric's scores add up to how many there are, those of both metrics' to twice that, so
  // that sums of so many of them are at most this (Cauchy and Schwarz). The scale does not depend on which
  // metrics there are.
  const auto number = static_cast<double>(points.units.size());
  const double most = std::sqrt(2 * number * static_cast<double>(most_added + 1));
  const double scale = std::ldexp(1.0, kBitsOfSum) / most;
  // Half a score is rounded off or added on, twice; and scores were rounded before, as those that `spa` is
  // given.
  slack = static_cast<Whole>(most_added) + std::ceil(kRounding * number * scale);
  for (std::size_t begin = 0; begin < points.metrics.size(); begin += points.units.size()) {
    Wholes& cells = metrics.emplace_back(zeros(sizes.cells()));
    for (std::size_t i = 0; i < sizes.systems; ++i) {
      for (std::size_t s = 0; s < segments; ++s) {
        const std::size_t cell = (i / kLanes * sizes.padded_segments + s) * kLanes + i % kLanes;
        cells[cell] = std::nearbyint(points.metrics[begin + i * segments + s] * scale);
      }
    }
  }
}

// Which scores stay where they are: by block of systems and segment a bit a lane.
using Lanes = std::uint8_t;
using Kept = std::vector<Lanes>;

void find_kept(const SoftSizes& sizes, std::span<const std::int32_t> units, const Words& words, std::int64_t number,
               Kept& kept) {
  kept.assign(sizes.blocks * sizes.padded_segments, 0);
  for (std::size_t i = 0; i < sizes.systems; ++i) {
    Lanes* const lanes = kept.data() + i / kLanes * sizes.padded_segments;
    for (std::size_t s = 0; s < sizes.segments; ++s) {
      lanes[s] |= static_cast<Lanes>((words[units[i * sizes.segments + s]] >> number & 1) << (i % kLanes));
    }
  }
}

// Sums to be made: of each system's scores of a metric less those of another, where they are kept.
struct Column {
  const Whole *scores, *less;
  const Lanes* kept;
  Whole* sums;
};

struct SumTask {
  const SoftScores& scores;
  std::span<const Column> columns;
  VectorMemory& memory;
};

template <class T>
T* aligned(VectorMemory& memory, std::size_t bytes, std::size_t unit) {
  memory.reserve(bytes + unit);
  return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(memory.data()) + unit - 1) / unit * unit);
}

struct SumKernel {
  template <int kBytes>
  using V = Vector<Whole, kBytes>;
  // A block of systems is kParts vectors.
  template <int kBytes>
  static constexpr std::size_t kParts = kLanes * sizeof(Whole) / kBytes;
  template <int kBytes>
  static constexpr std::size_t kAcross = kWidth / kParts<kBytes>;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const SumTask& task) {
    const SoftSizes& sizes = task.scores.sizes;
    V<kBytes>* const tables =
        aligned<V<kBytes>>(task.memory, (kTables * kPatterns + sizes.rows) * kWidth * kBytes, kBytes);
    V<kBytes>* const sums = tables + kTables * kPatterns * kWidth;
    for (std::size_t begin = 0; begin < task.columns.size(); begin += kAcross<kBytes>) {
      Column columns[kAcross<kBytes>];
      for (std::size_t c = 0; c < kAcross<kBytes>; ++c)
        columns[c] = task.columns[std::min(begin + c, task.columns.size() - 1)];
      for (std::size_t block = 0; block < sizes.blocks; ++block) {
        add_up<kBytes>(task.scores, columns, block, tables, sums);
        for (std::size_t c = 0; c < kAcross<kBytes>; ++c)
          turn<kBytes>(sizes, sums, c, columns[c].sums + block * kLanes * sizes.padded_rows);
      }
    }
  }

  template <int kBytes>
  FSTMETRICS_INLINE static void add_up(const SoftScores& scores, const Column* columns, std::size_t block,
                                       V<kBytes>* tables, V<kBytes>* sums) {
    const SoftSizes& sizes = scores.sizes;
    const std::uint8_t* places = scores.places.data();
    for (std::size_t i = 0; i < sizes.rows * kWidth; ++i) sums[i] = V<kBytes>{};
    for (std::size_t begin = 0; begin < sizes.padded_segments; begin += kSegmentsTogether) {
      for (std::size_t c = 0; c < kAcross<kBytes>; ++c) {
        for (std::size_t i = 0; i < kTables; ++i) {
          fill<kBytes>(columns[c], block * sizes.padded_segments + begin + i * kSegmentsOfTable,
                       tables + i * kPatterns * kWidth + c * kParts<kBytes>);
        }
      }
      for (std::size_t row = 0; row < sizes.rows; ++row, places += kTables) {
        V<kBytes> sum[kWidth];
        for (std::size_t k = 0; k < kWidth; ++k) sum[k] = sums[row * kWidth + k];
        for (std::size_t i = 0; i < kTables; ++i) {
          const V<kBytes>* const entry = tables + (i * kPatterns + places[i]) * kWidth;
          for (std::size_t k = 0; k < kWidth; ++k) sum[k] += entry[k];
        }
        for (std::size_t k = 0; k < kWidth; ++k) sums[row * kWidth + k] = sum[k];
      }
    }
  }

  // All sums of kSegmentsOfTable segments from this one: a bit that is 1 adds a score.
  template <int kBytes>
  FSTMETRICS_INLINE static void fill(const Column& column, std::size_t segment, V<kBytes>* table) {
    constexpr std::size_t kVector = kBytes / sizeof(Whole);
    using I = Vector<std::int64_t, kBytes>;
    I bits;
    for (std::size_t lane = 0; lane < kVector; ++lane) bits[lane] = std::int64_t{1} << lane;
    for (std::size_t part = 0; part < kParts<kBytes>; ++part) {
      table[part] = V<kBytes>{};
      for (std::size_t half = 1, s = segment; half < kPatterns; half *= 2, ++s) {
        const auto score = *reinterpret_cast<const V<kBytes>*>(column.scores + s * kLanes + part * kVector) -
                           *reinterpret_cast<const V<kBytes>*>(column.less + s * kLanes + part * kVector);
        const std::int64_t kept = column.kept[s] >> (part * kVector);
        const auto added = reinterpret_cast<V<kBytes>>(reinterpret_cast<I>(score) & (((I{} + kept) & bits) != I{}));
        for (std::size_t j = 0; j < half; ++j) table[(half + j) * kWidth + part] = table[j * kWidth + part] + added;
      }
    }
  }

  // Sums by row as sums by system.
  template <int kBytes>
  FSTMETRICS_INLINE static void turn(const SoftSizes& sizes, const V<kBytes>* sums, std::size_t column, Whole* turned) {
    const Whole* const own = reinterpret_cast<const Whole*>(sums) + column * kLanes;
    constexpr std::size_t kStride = kAcross<kBytes> * kLanes;
    for (std::size_t row = 0; row < sizes.padded_rows; row += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t r = row; r < row + kLanes; ++r)
          turned[lane * sizes.padded_rows + r] = r < sizes.rows ? own[r * kStride + lane] : 0;
      }
    }
  }
};

// Sums of both metrics, all and those kept.
struct AccuracyTask {
  const SoftScores& scores;
  const Whole *first_all, *second_all, *first_kept, *second_kept;
  VectorMemory& memory;
  double& first;
  double& second;
};

struct AccuracyKernel {
  // Systems compared with one at a time.
  static constexpr std::size_t kOthers = 4;

  template <int kBytes>
  using V = Vector<Whole, kBytes>;
  template <int kBytes>
  using I = Vector<std::int64_t, kBytes>;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const AccuracyTask& task) {
    constexpr std::size_t kVector = kBytes / sizeof(Whole);
    const SoftSizes& sizes = task.scores.sizes;
    const std::size_t vectors = sizes.padded_rows / kVector, cells = sizes.systems * vectors;
    auto* const one = aligned<V<kBytes>>(task.memory, 2 * cells * kBytes + 2 * sizes.pairs() * sizeof(double), kBytes);
    auto* const two = one + cells;
    auto* const first = reinterpret_cast<double*>(two + cells);
    auto* const second = first + sizes.pairs();
    exchange<kBytes>(task, cells, one, two);
    for (std::size_t i = 0, pair = 0; i < sizes.systems; ++i) {
      for (std::size_t j = i + 1; j < sizes.systems; j += kOthers) {
        I<kBytes> counts[kOthers]{}, other_counts[kOthers]{};
        const V<kBytes>*others[kOthers], *other_others[kOthers];
        for (std::size_t k = 0; k < kOthers; ++k) {
          others[k] = one + std::min(j + k, sizes.systems - 1) * vectors;
          other_others[k] = two + std::min(j + k, sizes.systems - 1) * vectors;
        }
        for (std::size_t v = 0; v < vectors; ++v) {
          const V<kBytes> own = one[i * vectors + v] - task.scores.slack,
                          other_own = two[i * vectors + v] - task.scores.slack;
          for (std::size_t k = 0; k < kOthers; ++k) {
            counts[k] -= own <= others[k][v];
            other_counts[k] -= other_own <= other_others[k][v];
          }
        }
        for (std::size_t k = 0; k < kOthers && j + k < sizes.systems; ++k, ++pair) {
          first[pair] = distance<kBytes>(task.scores, counts[k], pair),
          second[pair] = distance<kBytes>(task.scores, other_counts[k], pair);
        }
      }
    }
    task.first = accuracy(sizes, first), task.second = accuracy(sizes, second);
  }

  // The sums of both metrics after the exchange.
  template <int kBytes>
  FSTMETRICS_INLINE static void exchange(const AccuracyTask& task, std::size_t cells, V<kBytes>* one, V<kBytes>* two) {
    const auto vectors = [](const Whole* sums) { return reinterpret_cast<const V<kBytes>*>(sums); };
    const V<kBytes>*const first = vectors(task.first_all), *const second = vectors(task.second_all);
    const V<kBytes>*const first_kept = vectors(task.first_kept), *const second_kept = vectors(task.second_kept);
    for (std::size_t i = 0; i < cells; ++i) {
      const V<kBytes> more = first_kept[i] - second_kept[i];
      one[i] = second[i] + more, two[i] = first[i] - more;
    }
  }

  // Of the confidence in a pair of systems from people's. Rows that only fill a vector are equal, and so were
  // counted.
  template <int kBytes>
  FSTMETRICS_INLINE static double distance(const SoftScores& scores, const I<kBytes>& counts, std::size_t pair) {
    std::int64_t count = 0;
    for (std::size_t lane = 0; lane < kBytes / sizeof(Whole); ++lane) count += counts[lane];
    count -= static_cast<std::int64_t>(scores.sizes.padded_rows - scores.sizes.rows);
    return std::abs(static_cast<double>(count) / static_cast<double>(scores.sizes.rows) - scores.confidences[pair]);
  }

  // 1 minus the mean distance; in the order of pairs, so that all machines round alike.
  FSTMETRICS_INLINE static double accuracy(const SoftSizes& sizes, const double* distances) {
    const double sum = std::accumulate(distances, distances + sizes.pairs(), 0.0);
    return sizes.pairs() ? 1 - sum / static_cast<double>(sizes.pairs()) : 0;
  }
};

// All tests at once, a round of permutations after the other.
class SoftTests {
 public:
  SoftTests(const ScoredPoints& points, const SoftAccuracy& accuracy, std::span<const MetricPair> pairs,
            const Stopping& stopping, int threads)
      : points_(points),
        scores_(points, accuracy),
        pairs_(pairs),
        stopping_(stopping),
        threads_(threads),
        none_(zeros(scores_.sizes.cells())) {}

  std::vector<ExchangeTest> made(const Generator& generator) {
    begin();
    Words words(points_.num_units);
    for (std::int64_t begin = 0, end; begin < stopping_.permutations && !open_.empty(); begin = end) {
      if (begin % kPermutationsTogether == 0) draw(generator, begin / kPermutationsTogether, words);
      // A round ends with its random words, and where a test may stop.
      end = std::min({begin / kPermutationsTogether * kPermutationsTogether + kPermutationsTogether,
                      (begin / stopping_.block + 1) * stopping_.block, stopping_.permutations});
      round(words, begin % kPermutationsTogether, end - begin);
    }
    std::vector<ExchangeTest> found;
    for (const RunningTest& test : tests_) found.push_back(test.so_far());
    return found;
  }

 private:
  struct Scratch {
    VectorMemory sums, work;
    std::vector<Kept> kept;
    std::vector<Column> columns;
  };
  struct Both {
    double first, second;
  };

  // Sums of all scores, and the coefficients of the metrics as they are.
  void begin() {
    const SoftSizes& sizes = scores_.sizes;
    all_.resize(scores_.metrics.size());
    const Kept kept(sizes.blocks * sizes.padded_segments, 0xFF);
    SharedWork(all_.size()).run(threads_, [&] {
      return [&, memory = VectorMemory()](std::size_t i) mutable {
        all_[i] = Wholes(sizes.sums());
        const Column column{scores_.metrics[i].data(), none_.data(), kept.data(), all_[i].data()};
        run_kernel<SumKernel, 32>(SumTask{scores_, {&column, 1}, memory});
      };
    });
    VectorMemory memory;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Whole *const first = all_[pairs_[i].first].data(), *const second = all_[pairs_[i].second].data();
      Both both;
      run_kernel<AccuracyKernel, 32>(
          AccuracyTask{scores_, first, second, first, second, memory, both.first, both.second});
      tests_.emplace_back(both.first, both.second);
      open_.push_back(i);
    }
  }

  // So many permutations of the words, from this one.
  void round(const Words& words, std::int64_t from, std::int64_t count) {
    std::vector<std::int32_t> metrics;  // of open tests
    for (const std::size_t i : open_) metrics.insert(metrics.end(), {pairs_[i].first, pairs_[i].second});
    std::sort(metrics.begin(), metrics.end());
    metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
    // Few metrics leave room for sums of several permutations at a time.
    const std::size_t together = (kWidth + metrics.size() - 2) / std::max<std::size_t>(metrics.size() - 1, 1);
    const std::size_t number = static_cast<std::size_t>(count);
    std::vector<Both> found(number * open_.size());
    SharedWork((number + together - 1) / together).run(threads_, [&] {
      return [&, scratch = Scratch()](std::size_t i) mutable {
        const std::size_t begin = i * together, end = std::min(number, begin + together);
        permute(words, metrics, from, begin, end, found, scratch);
      };
    });
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      bool is_clear = false;
      for (std::size_t i = 0; i < number; ++i) {
        const Both& both = found[i * open_.size() + k];
        is_clear = tests_[open_[k]].add(both.first, both.second, stopping_);
      }
      if (!is_clear) open.push_back(open_[k]);
    }
    open_ = std::move(open);
  }

  void permute(const Words& words, const std::vector<std::int32_t>& metrics, std::int64_t from, std::size_t begin,
               std::size_t end, std::vector<Both>& found, Scratch& scratch) const {
    const SoftSizes& sizes = scores_.sizes;
    const std::size_t count = metrics.size();
    auto* const sums = aligned<Whole>(scratch.sums, (end - begin) * count * sizes.sums() * sizeof(Whole), 64);
    const auto sums_of = [&](std::size_t permutation, std::int32_t metric) {
      const auto place =
          static_cast<std::size_t>(std::lower_bound(metrics.begin(), metrics.end(), metric) - metrics.begin());
      return sums + ((permutation - begin) * count + place) * sizes.sums();
    };
    scratch.columns.clear(), scratch.kept.resize(end - begin);
    const Whole* const less = scores_.metrics[metrics.front()].data();
    for (std::size_t permutation = begin; permutation < end; ++permutation) {
      Kept& kept = scratch.kept[permutation - begin];
      find_kept(sizes, points_.units, words, from + static_cast<std::int64_t>(permutation), kept);
      // Those of the first are differences from itself.
      std::fill_n(sums_of(permutation, metrics.front()), sizes.sums(), 0);
      for (std::size_t k = 1; k < count; ++k) {
        scratch.columns.push_back(
            {scores_.metrics[metrics[k]].data(), less, kept.data(), sums_of(permutation, metrics[k])});
      }
    }
    if (count > 1) run_kernel<SumKernel, 32>(SumTask{scores_, scratch.columns, scratch.work});
    for (std::size_t permutation = begin; permutation < end; ++permutation) {
      for (std::size_t k = 0; k < open_.size(); ++k) {
        const MetricPair& pair = pairs_[open_[k]];
        Both& both = found[permutation * open_.size() + k];
        run_kernel<AccuracyKernel, 32>(AccuracyTask{scores_, all_[pair.first].data(), all_[pair.second].data(),
                                                    sums_of(permutation, pair.first), sums_of(permutation, pair.second),
                                                    scratch.work, both.first, both.second});
      }
    }
    poll(static_cast<std::int64_t>((end - begin) * sizes.rows *
                                   (sizes.segments * count + sizes.systems * open_.size())));
  }

  const ScoredPoints& points_;
  SoftScores scores_;
  std::span<const MetricPair> pairs_;
  Stopping stopping_;
  int threads_;
  Wholes none_;              // scores that are 0
  std::vector<Wholes> all_;  // sums of each metric's scores
  std::vector<RunningTest> tests_;
  std::vector<std::size_t> open_;  // tests that have not stopped
};

}  // namespace

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, const SoftAccuracy& accuracy,
                                         std::span<const MetricPair> pairs, const Generator& generator,
                                         const Stopping& stopping, int threads) {
  return SoftTests(points, accuracy, pairs, stopping, threads).made(generator);
}

}  // namespace fstmetrics

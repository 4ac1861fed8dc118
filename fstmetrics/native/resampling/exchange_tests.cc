#include "resampling/exchange_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/poll.h"
#include "support/sharing.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

constexpr int kTogether = 64;  // permutations in a block
// Differences that are equal but for rounding count as equal.
constexpr double kRounding = 1e-12;
// A row whose variance is a smaller share of the squares of both metrics' scores is constant but for rounding.
constexpr double kVariance = 1e-13;
// Counts of pairs of more points would not fit into 32 bits.
constexpr std::int64_t kMostPointsOfRow32 = 40'000;

using Words = std::vector<std::uint64_t>;
using Values = std::array<double, kTogether>;

// A score of either metric in sorted order.
struct Slot {
  std::int32_t unit;
  std::int32_t rank;     // of people's score: 1, 2, ...
  std::int32_t centred;  // people's mean rank, twice its distance from the middle
  std::int32_t rest;     // Kendall: of all slots before this one's equals, those of lower rank minus those of higher rank
  bool is_second;
  bool is_last;  // of equal scores
};

struct Point {
  std::int32_t unit;
  double first, second, human;
};

struct Row {
  std::vector<Slot> slots;
  std::vector<Point> points;
  std::int32_t ranks = 0;
  double human_square = 0;  // of people's centred scores or ranks
  double untied_human = 0;  // pairs that people do not tie
};

// Two metrics' scores, ready for permutations.
struct Prepared {
  std::vector<Row> rows;
  std::vector<double> human;  // of means: people's
  std::vector<std::int32_t> human_ranks;
  std::vector<std::int32_t> human_centred;
  double human_square = 0, untied_human = 0;
  std::int32_t most_ranks = 0;
  std::int64_t most_points = 0;
};

struct Ranked {
  std::vector<std::int32_t> dense, centred;
  std::int32_t count = 0;
  double square = 0, untied = 0;
};

Ranked ranked(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return values[a] < values[b]; });
  Ranked found;
  found.dense.resize(n), found.centred.resize(n);
  found.untied = static_cast<double>(n) * (static_cast<double>(n) - 1) / 2;
  for (std::size_t begin = 0, end; begin < n; begin = end) {
    for (end = begin; end < n && values[order[end]] == values[order[begin]]; ++end) {}
    ++found.count;
    const auto middle = static_cast<std::int32_t>(begin + end) - static_cast<std::int32_t>(n);
    for (std::size_t i = begin; i < end; ++i) found.dense[order[i]] = found.count, found.centred[order[i]] = middle;
    const auto equal = static_cast<double>(end - begin);
    found.square += equal * middle * static_cast<double>(middle);
    found.untied -= equal * (equal - 1) / 2;
  }
  return found;
}

void sort_slots(Row& row, std::span<const double> first, std::span<const double> second, std::span<const double> human,
                std::span<const std::int32_t> units) {
  const Ranked people = ranked(human);
  row.ranks = people.count, row.human_square = people.square, row.untied_human = people.untied;
  const std::size_t n = human.size();
  std::vector<std::int32_t> order(2 * n);
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](std::size_t i) { return i < n ? first[i] : second[i - n]; };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return value(a) < value(b); });
  row.slots.resize(2 * n);
  std::vector<std::int32_t> tree(people.count + 1, 0), own(people.count + 1, 0);
  for (std::size_t begin = 0, end; begin < 2 * n; begin = end) {
    for (end = begin; end < 2 * n && value(order[end]) == value(order[begin]); ++end) {
      const std::size_t point = static_cast<std::size_t>(order[end]) % n;
      const std::int32_t rank = people.dense[point];
      std::int32_t lower = 0;
      for (std::int32_t node = rank - 1; node > 0; node &= node - 1) lower += tree[node];
      const auto rest = static_cast<std::int32_t>(2 * lower + own[rank] - static_cast<std::int32_t>(begin));
      row.slots[end] = {units[point], rank, people.centred[point], rest, static_cast<std::size_t>(order[end]) >= n, false};
    }
    row.slots[end - 1].is_last = true;
    for (std::size_t i = begin; i < end; ++i) {
      ++own[row.slots[i].rank];
      for (std::int32_t node = row.slots[i].rank; node <= people.count; node += node & -node) ++tree[node];
    }
  }
}

void keep_points(Row& row, std::span<const double> first, std::span<const double> second, std::span<const std::int32_t> units) {
  for (std::size_t i = 0; i < first.size(); ++i) row.points.push_back({units[i], first[i], second[i], 0});
}

// Takes off the mean of both metrics' scores, and that of people's.
void centre(Row& row, std::span<const double> human) {
  const auto n = static_cast<double>(human.size());
  const bool varies = std::any_of(human.begin(), human.end(), [&](double value) { return value != human.front(); });
  const double people = std::accumulate(human.begin(), human.end(), 0.0) / n;
  double middle = 0;
  for (const Point& point : row.points) middle += (point.first + point.second) / (2 * n);
  for (std::size_t i = 0; i < human.size(); ++i) {
    Point& point = row.points[i];
    point.first -= middle, point.second -= middle, point.human = varies ? human[i] - people : 0;
    row.human_square += point.human * point.human;
  }
}

Prepared prepared(const ScoredPoints& points, Coefficient coefficient, const MetricPair& pair) {
  Prepared found;
  const auto first = points.metric(pair.first), second = points.metric(pair.second);
  std::int64_t begin = 0;
  for (const std::int64_t end : points.row_ends) {
    const auto part = [&](const auto& side) { return side.subspan(begin, end - begin); };
    if (points.of_means || end - begin > 1) {
      Row& row = found.rows.emplace_back();
      if (points.of_means || coefficient == Coefficient::kPearson) {
        keep_points(row, part(first), part(second), part(points.units));
        if (!points.of_means) centre(row, part(points.human));
      } else {
        sort_slots(row, part(first), part(second), part(points.human), part(points.units));
      }
      found.most_ranks = std::max(found.most_ranks, row.ranks);
      found.most_points = std::max(found.most_points, end - begin);
    }
    begin = end;
  }
  if (points.of_means) {
    found.human.assign(points.human.begin(), points.human.end());
    const Ranked people = ranked(found.human);
    found.human_ranks = people.dense, found.human_centred = people.centred;
    found.untied_human = people.untied;
    found.human_square = people.square;
  }
  return found;
}

// What a kernel is given, and where it puts the coefficients of both metrics by permutation.
struct Drawn {
  const Prepared& pair;
  Coefficient coefficient;
  const Words& words;
  bool of_means, wide;
  VectorMemory& memory;
  Values& first;
  Values& second;
};

// Means of rows.
struct Mean {
  std::array<double, kTogether> sums{}, counts{};
  FSTMETRICS_INLINE void add(int lane, double value) { sums[lane] += value, counts[lane] += 1; }
  double of(int lane) const { return counts[lane] > 0 ? sums[lane] / counts[lane] : 0; }
};

struct Kernel {
  template <int kBytes>
  FSTMETRICS_INLINE static void run(const Drawn& block) {
    if (block.of_means) return means<kBytes>(block);
    if (block.coefficient == Coefficient::kPearson) return pearson<kBytes>(block);
    if (block.coefficient == Coefficient::kSpearman) return spearman<kBytes>(block);
    if (block.wide) return kendall<std::int64_t, kBytes>(block);
    kendall<std::int32_t, kBytes>(block);
  }

  // The bits of some permutations as lanes of -1 and 0.
  template <class Int, int kBytes>
  struct Taken {
    using V = Vector<Int, kBytes>;
    static constexpr int kLanes = kBytes / static_cast<int>(sizeof(Int));
    V bits;
    FSTMETRICS_INLINE Taken() {
      for (int lane = 0; lane < kLanes; ++lane) bits[lane] = Int{1} << lane;
    }
    FSTMETRICS_INLINE V operator()(std::uint64_t word, int from) const {
      const Int some = static_cast<Int>(word >> from & ((std::uint64_t{1} << kLanes) - 1));
      return (V{} + some & bits) != V{};
    }
  };

  // A value in lanes that are -1, 0 in those that are 0. (Compilers make ?: of vectors one lane after the other.)
  template <int kBytes>
  FSTMETRICS_INLINE static Vector<double, kBytes> where(Vector<std::int64_t, kBytes> lanes, double value) {
    using D = Vector<double, kBytes>;
    using I = Vector<std::int64_t, kBytes>;
    return reinterpret_cast<D>(reinterpret_cast<I>(D{} + value) & lanes);
  }

  template <int kBytes>
  FSTMETRICS_INLINE static void pearson(const Drawn& block) {
    using D = Vector<double, kBytes>;
    constexpr int kLanes = kBytes / 8;
    const Taken<std::int64_t, kBytes> taken;
    Mean one, two;
    for (int from = 0; from < kTogether; from += kLanes) {
      for (const Row& row : block.pair.rows) {
        D sum{}, square{}, product{};
        double all = 0, all_square = 0, all_product = 0;
        for (const Point& point : row.points) {
          const auto chosen = taken(block.words[point.unit], from);
          const D x = where<kBytes>(chosen, point.first) + where<kBytes>(~chosen, point.second);
          sum += x, square += x * x, product += x * point.human;
          all += point.first + point.second;
          all_square += point.first * point.first + point.second * point.second;
          all_product += (point.first + point.second) * point.human;
        }
        const auto n = static_cast<double>(row.points.size());
        for (int lane = 0; lane < kLanes; ++lane) {
          const double least = kVariance * all_square;
          add(one, from + lane, sum[lane], square[lane], product[lane], n, row.human_square, least);
          add(two, from + lane, all - sum[lane], all_square - square[lane], all_product - product[lane], n, row.human_square, least);
        }
      }
    }
    finish(block, one, two);
  }

  FSTMETRICS_INLINE static void add(Mean& mean, int lane, double sum, double square, double product, double n, double human,
                                    double least) {
    const double variance = square - sum * sum / n;
    if (variance > least && human > 0) mean.add(lane, product / std::sqrt(variance * human));
  }

  template <int kBytes>
  FSTMETRICS_INLINE static void spearman(const Drawn& block) {
    using D = Vector<double, kBytes>;
    using I = Vector<std::int64_t, kBytes>;
    constexpr int kLanes = kBytes / 8;
    const Taken<std::int64_t, kBytes> taken;
    Mean one, two;
    for (int from = 0; from < kTogether; from += kLanes) {
      for (const Row& row : block.pair.rows) {
        const auto n = static_cast<double>(row.slots.size() / 2);
        // Taken so far, of all slots before; of the equal ones how many, and their centred ranks.
        D taken_before{}, product{}, rest_product{}, ties{}, rest_ties{};
        D equal{}, equal_ranks{};
        double before = 0, all_equal = 0, all_ranks = 0;
        for (const Slot& slot : row.slots) {
          I chosen = taken(block.words[slot.unit], from);
          if (slot.is_second) chosen = ~chosen;
          equal += where<kBytes>(chosen, 1.0);
          equal_ranks += where<kBytes>(chosen, static_cast<double>(slot.centred));
          all_equal += 1, all_ranks += slot.centred;
          if (!slot.is_last) continue;
          // Twice the mean rank of the equal ones, less n + 1, which the product does not need: centred ranks add up to 0.
          product += equal_ranks * (2.0 * taken_before + equal);
          rest_product += (all_ranks - equal_ranks) * (2.0 * (before - taken_before) + (all_equal - equal));
          if (all_equal > 1) {
            ties += equal * (equal * equal - 1.0);
            const D rest = all_equal - equal;
            rest_ties += rest * (rest * rest - 1.0);
          }
          taken_before += equal, before += all_equal;
          equal = D{}, equal_ranks = D{}, all_equal = 0, all_ranks = 0;
        }
        const double whole = n * (n * n - 1);
        for (int lane = 0; lane < kLanes; ++lane) {
          const double variance = (whole - ties[lane]) / 3, rest_variance = (whole - rest_ties[lane]) / 3;
          if (variance > 0 && row.human_square > 0) one.add(from + lane, product[lane] / std::sqrt(variance * row.human_square));
          if (rest_variance > 0 && row.human_square > 0) {
            two.add(from + lane, rest_product[lane] / std::sqrt(rest_variance * row.human_square));
          }
        }
      }
    }
    finish(block, one, two);
  }

  template <class Int, int kBytes>
  FSTMETRICS_INLINE static void kendall(const Drawn& block) {
    using V = Vector<Int, kBytes>;
    constexpr int kLanes = kBytes / static_cast<int>(sizeof(Int));
    const Taken<Int, kBytes> taken;
    const auto nodes = static_cast<std::size_t>(block.pair.most_ranks) + 1;
    block.memory.reserve(2 * nodes * sizeof(V) + kBytes);
    V* const tree = reinterpret_cast<V*>((reinterpret_cast<std::uintptr_t>(block.memory.data()) + kBytes - 1) / kBytes * kBytes);
    V* const own = tree + nodes;  // by rank, how many are taken
    Mean one, two;
    for (int from = 0; from < kTogether; from += kLanes) {
      for (const Row& row : block.pair.rows) {
        const Int ranks = row.ranks;
        for (Int node = 0; node <= ranks; ++node) tree[node] = V{}, own[node] = V{};
        V before{}, above{}, rest_above{}, ties{}, rest_ties{};
        const std::size_t count = row.slots.size();
        for (std::size_t begin = 0, end; begin < count; begin = end) {
          V equal{};
          end = begin;
          do {
            const Slot& slot = row.slots[end];
            V chosen = taken(block.words[slot.unit], from);
            if (slot.is_second) chosen = ~chosen;
            V lower{};
            for (Int node = slot.rank - 1; node > 0; node &= node - 1) lower += tree[node];
            const V difference = 2 * lower + own[slot.rank] - before;
            above += chosen & difference;
            rest_above += ~chosen & (static_cast<Int>(slot.rest) - difference);
            equal -= chosen;
          } while (!row.slots[end++].is_last);
          if (end - begin > 1) {
            const V rest = static_cast<Int>(end - begin) - equal;
            ties += equal * (equal - 1) / 2, rest_ties += rest * (rest - 1) / 2;
          }
          for (std::size_t i = begin; i < end; ++i) {
            const Slot& slot = row.slots[i];
            V chosen = taken(block.words[slot.unit], from);
            if (slot.is_second) chosen = ~chosen;
            own[slot.rank] -= chosen;
            for (Int node = slot.rank; node <= ranks; node += node & -node) tree[node] -= chosen;
          }
          before += equal;
        }
        const double n = static_cast<double>(count / 2), all = n * (n - 1) / 2;
        for (int lane = 0; lane < kLanes; ++lane) {
          add_tau(one, from + lane, static_cast<double>(above[lane]), all - static_cast<double>(ties[lane]), row.untied_human);
          add_tau(two, from + lane, static_cast<double>(rest_above[lane]), all - static_cast<double>(rest_ties[lane]),
                  row.untied_human);
        }
      }
    }
    finish(block, one, two);
  }

  FSTMETRICS_INLINE static void add_tau(Mean& mean, int lane, double above, double untied, double untied_human) {
    if (untied > 0 && untied_human > 0) mean.add(lane, above / std::sqrt(untied * untied_human));
  }

  // The means of the rows, and the coefficient of these few points, pair by pair.
  template <int kBytes>
  FSTMETRICS_INLINE static void means(const Drawn& block) {
    using D = Vector<double, kBytes>;
    constexpr int kLanes = kBytes / 8;
    const Taken<std::int64_t, kBytes> taken;
    const std::size_t rows = block.pair.rows.size();
    block.memory.reserve(2 * rows * sizeof(D) + kBytes);
    D* const one = reinterpret_cast<D*>((reinterpret_cast<std::uintptr_t>(block.memory.data()) + kBytes - 1) / kBytes * kBytes);
    D* const two = one + rows;
    for (int from = 0; from < kTogether; from += kLanes) {
      for (std::size_t i = 0; i < rows; ++i) {
        const Row& row = block.pair.rows[i];
        D sum{}, rest{};
        for (const Point& point : row.points) {
          const auto chosen = taken(block.words[point.unit], from);
          sum += where<kBytes>(chosen, point.first) + where<kBytes>(~chosen, point.second);
          rest += where<kBytes>(~chosen, point.first) + where<kBytes>(chosen, point.second);
        }
        const auto n = static_cast<double>(row.points.size());
        one[i] = sum / n, two[i] = rest / n;
      }
      for (int lane = 0; lane < kLanes; ++lane) {
        block.first[from + lane] = of_few<kBytes>(block, one, lane);
        block.second[from + lane] = of_few<kBytes>(block, two, lane);
      }
    }
  }

  template <int kBytes>
  FSTMETRICS_INLINE static double of_few(const Drawn& block, const Vector<double, kBytes>* values, int lane) {
    const Prepared& pair = block.pair;
    const std::size_t n = pair.human.size();
    if (block.coefficient == Coefficient::kPearson) {
      double mean = 0, people = 0, square = 0, human_square = 0, product = 0;
      for (std::size_t i = 0; i < n; ++i) mean += values[i][lane], people += pair.human[i];
      mean /= static_cast<double>(n), people /= static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i) {
        const double x = values[i][lane] - mean, y = pair.human[i] - people;
        square += x * x, human_square += y * y, product += x * y;
      }
      return square > kRounding * kRounding && pair.untied_human > 0 ? product / std::sqrt(square * human_square) : 0;
    }
    double product = 0, rank_square = 0, above = 0, untied = 0, right = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double rank = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const double above_other = values[i][lane] - values[j][lane];
        const int order = (above_other > kRounding) - (above_other < -kRounding);
        const int people = (pair.human_ranks[i] > pair.human_ranks[j]) - (pair.human_ranks[i] < pair.human_ranks[j]);
        rank += order;
        above += order * people, untied += order != 0;
        right += people != 0 && order == people;
      }
      product += rank * pair.human_centred[i], rank_square += rank * rank;
    }
    if (pair.untied_human == 0) return 0;
    if (block.coefficient == Coefficient::kSpearman) {
      return rank_square > 0 ? product / std::sqrt(rank_square * pair.human_square) : 0;
    }
    if (block.coefficient == Coefficient::kAccuracy) return right / 2 / pair.untied_human;
    return untied > 0 ? above / 2 / std::sqrt(untied / 2 * pair.untied_human) : 0;
  }

  FSTMETRICS_INLINE static void finish(const Drawn& block, const Mean& one, const Mean& two) {
    for (int i = 0; i < kTogether; ++i) block.first[i] = one.of(i), block.second[i] = two.of(i);
  }
};

// Scores of two metrics as whole numbers, segment by segment with a lane for each system, so that sums are exact.
struct SoftPair {
  std::vector<std::int32_t> first, second;
  std::int32_t slack = 0;  // differences of sums that are equal but for the rounding of scores
};

// Sums have 30 bits, and so do their differences.
constexpr double kMostSum = 1 << 29;

SoftPair soft_pair(const ScoredPoints& points, const MetricPair& pair, std::size_t lanes) {
  const auto first = points.metric(pair.first), second = points.metric(pair.second);
  const std::size_t systems = points.row_ends.size(), segments = points.units.size() / systems;
  double most = 0;
  for (std::size_t i = 0; i < systems; ++i) {
    double sum = 0;
    for (std::size_t s = i * segments; s < (i + 1) * segments; ++s) sum += std::abs(first[s]) + std::abs(second[s]);
    most = std::max(most, sum);
  }
  // Roundings add up to a segment each at most.
  const double scale = most > 0 ? (kMostSum - static_cast<double>(2 * segments)) / most : 0;
  SoftPair found{std::vector<std::int32_t>(segments * lanes), std::vector<std::int32_t>(segments * lanes),
                 static_cast<std::int32_t>(segments)};
  for (std::size_t i = 0; i < systems; ++i) {
    for (std::size_t s = 0; s < segments; ++s) {
      found.first[s * lanes + i] = static_cast<std::int32_t>(std::lround(first[i * segments + s] * scale));
      found.second[s * lanes + i] = static_cast<std::int32_t>(std::lround(second[i * segments + s] * scale));
    }
  }
  return found;
}

// How many bytes a row of systems takes in the widest vectors.
constexpr std::size_t kWidest = 64;

struct SoftDrawn {
  const SoftPair& pair;
  const std::vector<std::uint16_t>& signs;  // by 32 segments and permutation: for each 4 where their sum is in the tables
  std::span<const double> confidences;
  std::span<const std::int32_t> units;
  const Words& words;
  std::size_t systems, segments, permutations, lanes;
  int wanted;
  VectorMemory& memory;
  Values& first;
  Values& second;
};

struct SoftKernel {
  // Segments whose sums are made together: in tables of the sums of 4 each.
  static constexpr std::size_t kTogether = 32, kSums = 16, kTables = kTogether / 4;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const SoftDrawn& block) {
    using V = Vector<std::int32_t, kBytes>;
    const std::size_t parts = block.lanes * sizeof(std::int32_t) / kBytes, rows = block.permutations;
    const std::size_t padded = (block.segments + kTogether - 1) / kTogether * kTogether;
    const std::size_t cells = (3 * padded + kTables * kSums + 3 * (rows + 1)) * parts;
    block.memory.reserve(cells * sizeof(V) + kBytes);
    V* const scores = reinterpret_cast<V*>((reinterpret_cast<std::uintptr_t>(block.memory.data()) + kBytes - 1) / kBytes * kBytes);
    V* const table = scores + padded * parts;
    V* const all = table + kTables * kSums * parts;  // sums of both metrics' scores by permutation, and at last those without one
    V* const sums = all + (rows + 1) * parts;
    V* const rest = sums + (rows + 1) * parts;
    auto* const words = reinterpret_cast<std::uint64_t*>(rest + (rows + 1) * parts);  // by segment and lane
    const std::int32_t *const first = block.pair.first.data(), *const second = block.pair.second.data();
    const auto lanes_of = [&](V* vectors) { return reinterpret_cast<std::int32_t*>(vectors); };
    std::int32_t* const chosen = lanes_of(scores);
    for (std::size_t i = 0; i < padded * parts; ++i) scores[i] = V{};
    for (std::size_t i = 0; i < block.segments * block.lanes; ++i) chosen[i] = block.pair.first[i] + block.pair.second[i];
    add_up<V>(block, scores, table, all, parts);
    for (std::size_t s = 0; s < block.segments; ++s) {
      for (std::size_t i = 0; i < block.lanes; ++i) {
        words[s * block.lanes + i] = i < block.systems ? block.words[block.units[i * block.segments + s]] : 0;
      }
    }
    for (int number = 0; number < block.wanted; ++number) {
      for (std::size_t cell = 0; cell < block.segments * block.lanes; ++cell) {
        const auto is_first = -static_cast<std::int32_t>(words[cell] >> number & 1);
        chosen[cell] = (first[cell] & is_first) | (second[cell] & ~is_first);
      }
      add_up<V>(block, scores, table, sums, parts);
      for (std::size_t i = 0; i < rows * parts; ++i) {
        const std::size_t whole = rows * parts + i % parts;
        rest[i] = (all[i] - sums[i]) - (all[whole] - sums[whole]);
        sums[i] -= sums[whole];
      }
      block.first[number] = accuracy<V>(block, sums, parts);
      block.second[number] = accuracy<V>(block, rest, parts);
    }
  }

  // Of each permutation the sums of scores with its signs; in the last row those of the scores as they are. All sums of 4
  // segments are made before, for 32 segments at a time.
  template <class V>
  FSTMETRICS_INLINE static void add_up(const SoftDrawn& block, const V* scores, V* tables, V* sums, std::size_t parts) {
    const std::size_t rows = block.permutations;
    for (std::size_t i = 0; i < (rows + 1) * parts; ++i) sums[i] = V{};
    for (std::size_t begin = 0, group = 0; begin < block.segments; begin += kTogether, ++group) {
      const std::uint16_t* const signs = block.signs.data() + group * (rows + 1) * kTables;
      for (std::size_t part = 0; part < parts; ++part) {
        for (std::size_t i = 0; i < kTables; ++i) {
          const V* const four = scores + (begin + 4 * i) * parts + part;
          V* const table = tables + i * kSums;
          table[0] = -(four[0] + four[parts] + four[2 * parts] + four[3 * parts]);
          for (std::size_t half = 1, at = 0; half < kSums; half *= 2, ++at) {
            const V twice = 2 * four[at * parts];
            for (std::size_t j = 0; j < half; ++j) table[half + j] = table[j] + twice;
          }
        }
        for (std::size_t row = 0; row <= rows; ++row) {
          const std::uint16_t* const places = signs + row * kTables;
          V sum = sums[row * parts + part];
          for (std::size_t i = 0; i < kTables; ++i) sum += tables[places[i]];
          sums[row * parts + part] = sum;
        }
      }
    }
  }

  // 1 minus the mean distance of confidences from people's; `sums` are less those without permutation.
  template <class V>
  FSTMETRICS_INLINE static double accuracy(const SoftDrawn& block, const V* sums, std::size_t parts) {
    constexpr std::size_t kLanes = sizeof(V) / sizeof(std::int32_t);
    const auto* const values = reinterpret_cast<const std::int32_t*>(sums);
    double distance = 0;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < block.systems; ++i) {
      for (std::size_t part = (i + 1) / kLanes; part < parts; ++part) {
        V count{};
        for (std::size_t row = 0; row < block.permutations; ++row) {
          count -= (V{} + (values[row * block.lanes + i] + block.pair.slack)) >= sums[row * parts + part];
        }
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const std::size_t j = part * kLanes + lane;
          if (j <= i || j >= block.systems) continue;
          distance += std::abs(static_cast<double>(count[lane]) / static_cast<double>(block.permutations) - block.confidences[pair++]);
        }
      }
    }
    return pair ? 1 - distance / static_cast<double>(pair) : 0;
  }
};

// The random words of block `number`, by unit.
void draw(const Generator& generator, std::int64_t number, Words& words) {
  const Jump stretch = Jump::of(kStretch * static_cast<Word128>(number), generator.increment);
  Pcg64 random(stretch(generator.state), generator.increment);
  for (std::uint64_t& word : words) word = random();
}

// Finds the coefficients of the permutations of `words`: bits that are 1 leave a unit's scores where they are.
template <class Coefficients>
ExchangeTest tested(Coefficients coefficients, const Generator& generator, const Stopping& stopping, Words& words) {
  Values first, second;
  std::fill(words.begin(), words.end(), ~std::uint64_t{0});
  coefficients(words, 1, first, second);
  ExchangeTest test{first[0], second[0], 0, 0};
  const double observed = test.first - test.second;
  for (std::int64_t begin = 0; begin < stopping.permutations; begin += kTogether) {
    draw(generator, begin / kTogether, words);
    const auto wanted = static_cast<int>(std::min<std::int64_t>(kTogether, stopping.permutations - begin));
    coefficients(words, wanted, first, second);
    for (int i = 0; i < wanted; ++i) {
      test.exceeding += first[i] - second[i] >= observed - kRounding;
      ++test.permutations;
      if (test.permutations % stopping.block) continue;
      const double p = static_cast<double>(test.exceeding) / static_cast<double>(test.permutations);
      if (p < stopping.low || p > stopping.high) return test;
    }
  }
  return test;
}

}  // namespace

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, Coefficient coefficient, std::span<const MetricPair> pairs,
                                         const Generator& generator, const Stopping& stopping, int threads) {
  std::vector<ExchangeTest> tests(pairs.size());
  SharedWork(pairs.size()).run(threads, [&] {
    return [&, words = Words(points.num_units), memory = VectorMemory()](std::size_t i) mutable {
      const Prepared pair = prepared(points, coefficient, pairs[i]);
      const auto size = static_cast<std::int64_t>(points.units.size());
      poll(200 * size);
      const bool wide = pair.most_points > kMostPointsOfRow32;
      tests[i] = tested(
          [&](const Words& drawn, int, Values& first, Values& second) {
            run_kernel<Kernel>(Drawn{pair, coefficient, drawn, points.of_means, wide, memory, first, second});
            poll(100 * size);
          },
          generator, stopping, words);
    };
  });
  return tests;
}

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, const SoftAccuracy& accuracy,
                                         std::span<const MetricPair> pairs, const Generator& generator, const Stopping& stopping,
                                         int threads) {
  const std::size_t systems = points.row_ends.size(), segments = points.units.size() / systems;
  const std::size_t groups = (segments + 7) / 8, permutations = accuracy.signs.size() / groups;
  const std::size_t widest = kWidest / sizeof(std::int32_t), lanes = (systems + widest - 1) / widest * widest;
  // The last row has no sign.
  constexpr std::size_t kTables = SoftKernel::kTables;
  std::vector<std::uint16_t> signs((segments + SoftKernel::kTogether - 1) / SoftKernel::kTogether * (permutations + 1) * kTables);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const std::size_t table = i % kTables, row = i / kTables % (permutations + 1), four = i / kTables / (permutations + 1) * kTables + table;
    const unsigned both = row == permutations ? 0xFF : four / 2 < groups ? accuracy.signs[row * groups + four / 2] : 0;
    signs[i] = static_cast<std::uint16_t>(table * SoftKernel::kSums + (both >> (four % 2 * 4) & 0xF));
  }
  std::vector<ExchangeTest> tests(pairs.size());
  SharedWork(pairs.size()).run(threads, [&] {
    return [&, words = Words(points.num_units), memory = VectorMemory()](std::size_t i) mutable {
      const SoftPair pair = soft_pair(points, pairs[i], lanes);
      tests[i] = tested(
          [&](const Words& drawn, int wanted, Values& first, Values& second) {
            run_kernel<SoftKernel>(SoftDrawn{pair, signs, accuracy.confidences, points.units, drawn, systems, segments,
                                             permutations, lanes, wanted, memory, first, second});
            poll(static_cast<std::int64_t>(permutations * segments));
          },
          generator, stopping, words);
    };
  });
  return tests;
}

}  // namespace fstmetrics

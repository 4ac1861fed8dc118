#include "resampling/exchange_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "resampling/exchange_loop.h"
#include "support/poll.h"
#include "support/sharing.h"
#include "support/simd.h"

namespace fstmetrics {
namespace {

constexpr int kTogether = kPermutationsTogether;
// A row whose variance is a smaller share of the squares of both metrics' scores is constant but for rounding.
constexpr double kVariance = 1e-13;
// Counts of pairs of more points would not fit into 32 bits.
constexpr std::int64_t kMostPointsOfRow32 = 40'000;

// A score of either metric in sorted order.
struct Slot {
  std::int32_t unit;
  std::int32_t rank;     // of people's score: 1, 2, ...
  std::int32_t centred;  // people's mean rank, twice its distance from the middle
  std::int32_t rest;  // Kendall: of all slots before this one's equals, those of lower rank minus those of higher rank
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
      row.slots[end] = {units[point], rank, people.centred[point], rest, static_cast<std::size_t>(order[end]) >= n,
                        false};
    }
    row.slots[end - 1].is_last = true;
    for (std::size_t i = begin; i < end; ++i) {
      ++own[row.slots[i].rank];
      for (std::int32_t node = row.slots[i].rank; node <= people.count; node += node & -node) ++tree[node];
    }
  }
}

void keep_points(Row& row, std::span<const double> first, std::span<const double> second,
                 std::span<const std::int32_t> units) {
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
      return ((V{} + some) & bits) != V{};
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
          add(two, from + lane, all - sum[lane], all_square - square[lane], all_product - product[lane], n,
              row.human_square, least);
        }
      }
    }
    finish(block, one, two);
  }

  FSTMETRICS_INLINE static void add(Mean& mean, int lane, double sum, double square, double product, double n,
                                    double human, double least) {
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
          // Twice the mean rank of the equal ones, less n + 1, which the product does not need: centred ranks add up to
          // 0.
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
          if (variance > 0 && row.human_square > 0)
            one.add(from + lane, product[lane] / std::sqrt(variance * row.human_square));
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
    V* const tree =
        reinterpret_cast<V*>((reinterpret_cast<std::uintptr_t>(block.memory.data()) + kBytes - 1) / kBytes * kBytes);
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
          add_tau(one, from + lane, static_cast<double>(above[lane]), all - static_cast<double>(ties[lane]),
                  row.untied_human);
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
    D* const one =
        reinterpret_cast<D*>((reinterpret_cast<std::uintptr_t>(block.memory.data()) + kBytes - 1) / kBytes * kBytes);
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

}  // namespace

std::vector<ExchangeTest> exchange_tests(const ScoredPoints& points, Coefficient coefficient,
                                         std::span<const MetricPair> pairs, const Generator& generator,
                                         const Stopping& stopping, int threads) {
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

}  // namespace fstmetrics

#include "agreement/right_together.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>

#include "support/poll.h"
#include "support/sharing.h"

namespace fstmetrics {
namespace {

constexpr std::size_t kBits = 64;
// Points whose pairs with later ones are one piece of work.
constexpr std::size_t kPointsOfPiece = 64;

struct Row {
  std::size_t points;
  std::vector<double> metrics;  // metric after metric
  std::vector<double> human;
};

struct Piece {
  std::size_t row, begin, end;  // its first points
};

std::vector<Row> known_rows(const MetricsOfRows& scores) {
  const std::size_t number = scores.epsilons.size(), all = scores.human.size();
  std::vector<Row> rows;
  std::vector<std::size_t> known;
  for (std::size_t begin = 0; begin < all; begin += scores.columns) {
    known.clear();
    for (std::size_t i = begin; i < begin + scores.columns; ++i) {
      bool is_known = std::isfinite(scores.human[i]);
      for (std::size_t m = 0; m < number; ++m) is_known = is_known && std::isfinite(scores.metrics[m * all + i]);
      if (is_known) known.push_back(i);
    }
    if (known.size() < 2) continue;
    Row row{known.size(), {}, {}};
    for (std::size_t m = 0; m < number; ++m) {
      for (const std::size_t i : known) row.metrics.push_back(scores.metrics[m * all + i]);
    }
    for (const std::size_t i : known) row.human.push_back(scores.human[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Adds up pairs of one piece after the other.
class Counter {
 public:
  explicit Counter(std::span<const double> epsilons)
      : epsilons_(epsilons), right_(epsilons.size()), counts_(epsilons.size() * epsilons.size()) {}

  const std::vector<std::int64_t>& count(const Row& row, const Piece& piece) {
    std::fill(counts_.begin(), counts_.end(), 0);
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      for (std::size_t j = i + 1; j < row.points; j += kBits) add(row, i, j, std::min(kBits, row.points - j));
      poll(static_cast<std::int64_t>((row.points - i) * epsilons_.size() / 8));
    }
    return counts_;
  }

 private:
  // Pairs of point i and `number` points from j on: a bit each.
  void add(const Row& row, std::size_t i, std::size_t j, std::size_t number) {
    double order[kBits];
    for (std::size_t k = 0; k < number; ++k) {
      order[k] =
          static_cast<double>(row.human[i] > row.human[j + k]) - static_cast<double>(row.human[i] < row.human[j + k]);
    }
    for (std::size_t m = 0; m < epsilons_.size(); ++m) {
      const double* const x = row.metrics.data() + m * row.points;
      const double epsilon = epsilons_[m];
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < number; ++k) {
        const double gap = x[i] - x[j + k];
        // Bits, not branches: half of them would be guessed wrong.
        const bool is_right = (gap * order[k] > epsilon) | ((order[k] == 0) & (std::abs(gap) <= epsilon));
        bits |= std::uint64_t{is_right} << k;
      }
      right_[m] = bits;
    }
    for (std::size_t one = 0; one < right_.size(); ++one) {
      std::int64_t* const counts = counts_.data() + one * right_.size();
      for (std::size_t other = 0; other <= one; ++other) counts[other] += std::popcount(right_[one] & right_[other]);
    }
  }

  std::span<const double> epsilons_;
  std::vector<std::uint64_t> right_;
  std::vector<std::int64_t> counts_;
};

}  // namespace

RightTogether right_together(const MetricsOfRows& scores, int threads) {
  const std::vector<Row> rows = known_rows(scores);
  const std::size_t number = scores.epsilons.size(), size = number * number;
  RightTogether found{std::vector<std::int64_t>(rows.size() * size), {}};
  std::vector<Piece> pieces;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t points = rows[row].points;
    found.pairs.push_back(static_cast<std::int64_t>(points * (points - 1) / 2));
    for (std::size_t i = 0; i + 1 < points; i += kPointsOfPiece)
      pieces.push_back({row, i, std::min(i + kPointsOfPiece, points - 1)});
  }
  std::mutex adding;
  SharedWork(pieces.size()).run(threads, [&] {
    return [&, counter = Counter(scores.epsilons)](std::size_t i) mutable {
      const std::vector<std::int64_t>& counts = counter.count(rows[pieces[i].row], pieces[i]);
      const std::lock_guard lock(adding);
      std::int64_t* const sums = found.counts.data() + pieces[i].row * size;
      for (std::size_t k = 0; k < size; ++k) sums[k] += counts[k];
    };
  });
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::int64_t* const counts = found.counts.data() + row * size;
    for (std::size_t one = 0; one < number; ++one) {
      for (std::size_t other = 0; other < one; ++other) counts[other * number + one] = counts[one * number + other];
    }
  }
  return found;
}

}  // namespace fstmetrics

#include "search/strings/similar_pairs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "search/problem.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// A cost and, below it, matches: more than any string has.
constexpr std::int64_t kMatches = std::int64_t{1} << 31;
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
// Cells of a pair of places: the way from the begin, that to the end, and the distances so far.
constexpr std::int64_t kCellsOfPlace = 3;

std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> found;
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if ((value & 0xC0U) == 0x80U && !found.empty()) {
      found.back() = found.back() << 6 | (value & 0x3FU);
    } else {
      found.push_back(value);  // the bits that say how many bytes follow tell code points apart as well
    }
  }
  return found;
}

class SimilarPairs {
 public:
  using Words = std::span<const std::string_view>;

  SimilarPairs(Words reference, Words hypothesis, std::int64_t substitution, std::int64_t gap)
      : reference_(reference),
        hypothesis_(hypothesis),
        substitution_(substitution * kMatches),
        gap_(gap * kMatches),
        columns_(hypothesis.size() + 1),
        before_((reference.size() + 1) * columns_, kFar),
        after_(before_.size(), kFar),
        unlike_(before_.size(), kFar) {
    fill_costs();
    fill_distances();
  }

  std::string operations() const {
    std::string letters;
    std::size_t i = reference_.size(), j = hypothesis_.size();
    while (i > 0 || j > 0) {
      if (i > 0 && j > 0 && is_best(i - 1, j - 1, i, j, step(i - 1, j - 1)) &&
          unlike_[at(i - 1, j - 1)] + known(i - 1, j - 1) == unlike_[at(i, j)]) {
        letters += reference_[i - 1] == hypothesis_[j - 1] ? '=' : 'S';
        --i, --j;
      } else if (i > 0 && is_best(i - 1, j, i, j, gap_) && unlike_[at(i - 1, j)] == unlike_[at(i, j)]) {
        letters += 'D';
        --i;
      } else {
        letters += 'I';
        --j;
      }
    }
    std::reverse(letters.begin(), letters.end());
    return letters;
  }

 private:
  std::size_t at(std::size_t i, std::size_t j) const { return i * columns_ + j; }
  std::int64_t step(std::size_t i, std::size_t j) const { return reference_[i] == hypothesis_[j] ? -1 : substitution_; }
  // Whether a step is on a best way.
  bool is_best(std::size_t i, std::size_t j, std::size_t to_i, std::size_t to_j, std::int64_t cost) const {
    return before_[at(i, j)] + cost + after_[at(to_i, to_j)] == after_[0];
  }

  void fill_costs() {
    const std::size_t rows = reference_.size(), columns = hypothesis_.size();
    before_[0] = 0;
    for (std::size_t i = 0; i <= rows; ++i) {
      poll(static_cast<std::int64_t>(4 * columns_));
      for (std::size_t j = 0; j <= columns; ++j) {
        std::int64_t& cell = before_[at(i, j)];
        if (i > 0) cell = std::min(cell, before_[at(i - 1, j)] + gap_);
        if (j > 0) cell = std::min(cell, before_[at(i, j - 1)] + gap_);
        if (i > 0 && j > 0) cell = std::min(cell, before_[at(i - 1, j - 1)] + step(i - 1, j - 1));
      }
    }
    after_.back() = 0;
    for (std::size_t i = rows + 1; i-- > 0;) {
      poll(static_cast<std::int64_t>(4 * columns_));
      for (std::size_t j = columns + 1; j-- > 0;) {
        std::int64_t& cell = after_[at(i, j)];
        if (i < rows) cell = std::min(cell, after_[at(i + 1, j)] + gap_);
        if (j < columns) cell = std::min(cell, after_[at(i, j + 1)] + gap_);
        if (i < rows && j < columns) cell = std::min(cell, after_[at(i + 1, j + 1)] + step(i, j));
      }
    }
  }

  void fill_distances() {
    unlike_[0] = 0;
    for (std::size_t i = 0; i <= reference_.size(); ++i) {
      for (std::size_t j = 0; j <= hypothesis_.size(); ++j) {
        std::int64_t& cell = unlike_[at(i, j)];
        if (i > 0 && is_best(i - 1, j, i, j, gap_)) cell = std::min(cell, unlike_[at(i - 1, j)]);
        if (j > 0 && is_best(i, j - 1, i, j, gap_)) cell = std::min(cell, unlike_[at(i, j - 1)]);
        if (i > 0 && j > 0 && is_best(i - 1, j - 1, i, j, step(i - 1, j - 1))) {
          cell = std::min(cell, unlike_[at(i - 1, j - 1)] + distance(i - 1, j - 1));
        }
      }
    }
  }

  std::int64_t distance(std::size_t i, std::size_t j) {
    if (reference_[i] == hypothesis_[j]) return 0;
    const auto [place, is_new] = distances_.try_emplace({reference_[i], hypothesis_[j]}, 0);
    if (is_new) place->second = spelling_distance(reference_[i], hypothesis_[j]);
    return place->second;
  }
  std::int64_t known(std::size_t i, std::size_t j) const {
    return reference_[i] == hypothesis_[j] ? 0 : distances_.at({reference_[i], hypothesis_[j]});
  }

  const Words reference_, hypothesis_;
  const std::int64_t substitution_, gap_;
  const std::size_t columns_;
  std::vector<std::int64_t> before_, after_, unlike_;
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> distances_;
};

}  // namespace

std::int64_t spelling_distance(std::string_view one, std::string_view other) {
  const std::vector<std::uint32_t> a = code_points(one), b = code_points(other);
  if (a.empty() && b.empty()) return 0;
  poll(static_cast<std::int64_t>(a.size() * b.size() + 1));
  std::vector<std::int64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::int64_t>(j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::int64_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::int64_t up = row[j + 1];
      row[j + 1] = std::min({diagonal + (a[i] != b[j]), up + 1, row[j] + 1});
      diagonal = up;
    }
  }
  return row.back() * kMillion / static_cast<std::int64_t>(std::max(a.size(), b.size()));
}

std::string similar_operations(std::span<const std::string_view> reference,
                               std::span<const std::string_view> hypothesis, std::int64_t substitution_cost,
                               std::int64_t gap_cost, std::int64_t max_cells) {
  const auto cells = kCellsOfPlace * static_cast<std::int64_t>(reference.size() + 1) *
                     static_cast<std::int64_t>(hypothesis.size() + 1);
  if (cells > max_cells) {
    throw SearchError("similar pairs need " + std::to_string(cells) + " cells, the limit is " +
                      std::to_string(max_cells) + "; --max cells=N changes it");
  }
  return SimilarPairs(reference, hypothesis, substitution_cost, gap_cost).operations();
}

}  // namespace fstmetrics

#include "search/strings/beam_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {

// The row after i > 0 words; row 0 is whole.
BeamDistance::Row BeamDistance::row(std::int64_t i, const Cell* cells) const {
  const auto most = static_cast<std::int64_t>(reference_.size()) + 1;
  const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * slope_));
  const bool is_last = i == static_cast<std::int64_t>(hypothesis_.size());
  return {cells, std::max<std::int64_t>(0, diagonal - beam_), is_last ? most : std::min(most, diagonal + beam_)};
}

void BeamDistance::fill(const Row& before, const Row& row, Cell* cells, std::int32_t word) const {
  std::int32_t left = kInfinity;
  for (std::int64_t j = row.begin; j < row.end; ++j) {
    const std::int32_t up = before.cost(j) + 1;
    Cell best{up, PairStep::kInsertion};
    if (j > 0) {
      const bool is_match = word == reference_[j - 1];
      const std::int32_t pair = before.cost(j - 1) + (is_match ? 0 : 1);
      if (pair <= up) best = {pair, is_match ? PairStep::kMatch : PairStep::kSubstitution};
      if (left + 1 < best.cost) best = {left + 1, PairStep::kDeletion};
    }
    best.cost = std::min(best.cost, kInfinity);
    left = best.cost;
    cells[j - row.begin] = best;
  }
  poll(2 * (row.end - row.begin));
}

int BeamDistance::load(Words hypothesis, Words reference) {
  hypothesis_ = hypothesis, reference_ = reference;
  const auto rows = static_cast<std::int64_t>(hypothesis.size()), most = static_cast<std::int64_t>(reference.size());
  slope_ = rows ? static_cast<double>(most) / static_cast<double>(rows) : 1;
  beam_ = kBeam < slope_ / 2 ? static_cast<std::int64_t>(std::ceil(slope_ / 2 + kBeam)) : kBeam;
  stride_ = std::min(most, 2 * beam_) + 2;
  first_.resize(most + 1);
  for (std::int64_t j = 0; j <= most; ++j) first_[j] = {static_cast<std::int32_t>(j), PairStep::kDeletion};
  rows_.resize(rows * stride_);
  Row before{first_.data(), 0, most + 1};
  for (std::int64_t i = 1; i <= rows; ++i) {
    Cell* const cells = rows_.data() + (i - 1) * stride_;
    const Row next = row(i, cells);
    fill(before, next, cells, hypothesis[i - 1]);
    before = next;
  }
  return before.cost(most);
}

int BeamDistance::of_rotation(std::size_t begin, std::size_t middle, std::size_t end) {
  spare_.resize(2 * stride_);
  Row before = begin == 0 ? Row{first_.data(), 0, static_cast<std::int64_t>(first_.size())}
                          : row(static_cast<std::int64_t>(begin), rows_.data() + (begin - 1) * stride_);
  for (std::size_t i = begin; i < hypothesis_.size(); ++i) {
    const std::size_t from = i >= end ? i : i < begin + (end - middle) ? i + (middle - begin) : i - (end - middle);
    Cell* const cells = spare_.data() + (i % 2) * stride_;
    const Row next = row(static_cast<std::int64_t>(i) + 1, cells);
    fill(before, next, cells, hypothesis_[from]);
    before = next;
  }
  return before.cost(static_cast<std::int64_t>(reference_.size()));
}

void BeamDistance::trace(std::vector<PairStep>& steps) const {
  steps.clear();
  auto i = static_cast<std::int64_t>(hypothesis_.size()), j = static_cast<std::int64_t>(reference_.size());
  while (i > 0 || j > 0) {
    PairStep step = PairStep::kDeletion;
    if (i > 0) {
      const Row here = row(i, rows_.data() + (i - 1) * stride_);
      step = here.cells[j - here.begin].step;
    }
    steps.push_back(step);
    if (step != PairStep::kDeletion) --i;
    if (step != PairStep::kInsertion) --j;
  }
  std::reverse(steps.begin(), steps.end());
}

}  // namespace fstmetrics

#include "search/strings/program_alignments.h"

#include <algorithm>

namespace fstmetrics {
namespace {

constexpr std::uint8_t kPair = 0, kInsertion = 1, kDeletion = 2;
constexpr std::int32_t kSubstitutionCost = 4, kGapCost = 3;
constexpr std::size_t kBits = 64;

}  // namespace

void ProgramAlignments::add(std::int64_t item, std::int64_t place, std::int64_t operation) {
  errors_.items.push_back(item);
  errors_.places.push_back(place);
  errors_.operations.push_back(operation);
}

void ProgramAlignments::turn(std::size_t first) {
  const auto at = static_cast<std::ptrdiff_t>(first);
  std::reverse(errors_.places.begin() + at, errors_.places.end());
  std::reverse(errors_.operations.begin() + at, errors_.operations.end());
}

void ProgramAlignments::add_sclite(std::int64_t item, Words reference, Words hypothesis) {
  // A pair of equal words at the end is always one of the cheapest ways.
  while (!reference.empty() && !hypothesis.empty() && reference.back() == hypothesis.back()) {
    reference = reference.first(reference.size() - 1);
    hypothesis = hypothesis.first(hypothesis.size() - 1);
  }
  const std::size_t rows = reference.size(), columns = hypothesis.size();
  costs_.resize(columns + 1);
  steps_.resize(rows * columns);
  for (std::size_t j = 0; j <= columns; ++j) costs_[j] = static_cast<std::int32_t>(j) * kGapCost;
  for (std::size_t i = 0; i < rows; ++i) {
    std::int32_t before = costs_[0];
    costs_[0] = static_cast<std::int32_t>(i + 1) * kGapCost;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::int32_t pair = before + (reference[i] == hypothesis[j] ? 0 : kSubstitutionCost);
      const std::int32_t deletion = costs_[j + 1] + kGapCost, insertion = costs_[j] + kGapCost;
      before = costs_[j + 1];
      const bool is_pair = pair <= deletion && pair <= insertion;
      steps_[i * columns + j] = is_pair ? kPair : deletion < insertion ? kDeletion : kInsertion;
      costs_[j + 1] = std::min({pair, deletion, insertion});
    }
  }
  const std::size_t first = errors_.places.size();
  std::size_t i = rows, j = columns;
  while (i > 0 || j > 0) {
    const std::uint8_t step = i == 0 ? kInsertion : j == 0 ? kDeletion : steps_[(i - 1) * columns + j - 1];
    if (step == kInsertion) {
      add(item, 2 * static_cast<std::int64_t>(i) - 1, kInsertion);
    } else if (step == kDeletion || reference[i - 1] != hypothesis[j - 1]) {
      add(item, 2 * static_cast<std::int64_t>(i) - 2, step);
    }
    i -= step != kInsertion;
    j -= step != kDeletion;
  }
  turn(first);
}

void ProgramAlignments::fill_bits(Words reference, Words hypothesis, std::size_t blocks) {
  std::int32_t used = 0;
  masks_.clear();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    std::int32_t& slot = slots_[static_cast<std::size_t>(reference[i])];
    if (slot < 0) {
      slot = used++;
      masks_.resize(masks_.size() + blocks, 0);
    }
    masks_[static_cast<std::size_t>(slot) * blocks + i / kBits] |= std::uint64_t{1} << (i % kBits);
  }
  rises_.resize(hypothesis.size() * blocks);
  falls_.resize(hypothesis.size() * blocks);
  for (std::size_t j = 0; j < hypothesis.size(); ++j) {
    const std::int32_t slot = slots_[static_cast<std::size_t>(hypothesis[j])];
    std::uint64_t rise_before = 1, fall_before = 0;  // along the hypothesis, into a block
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint64_t rise = j == 0 ? ~std::uint64_t{0} : rises_[(j - 1) * blocks + b];
      const std::uint64_t fall = j == 0 ? 0 : falls_[(j - 1) * blocks + b];
      const std::uint64_t equal = (slot < 0 ? 0 : masks_[static_cast<std::size_t>(slot) * blocks + b]) | fall_before;
      const std::uint64_t level = (((equal & rise) + rise) ^ rise) | equal | fall;
      std::uint64_t along_rise = fall | ~(level | rise), along_fall = level & rise;
      const std::uint64_t rise_after = along_rise >> (kBits - 1), fall_after = along_fall >> (kBits - 1);
      along_rise = (along_rise << 1) | rise_before;
      along_fall = (along_fall << 1) | fall_before;
      rises_[j * blocks + b] = along_fall | ~(level | along_rise);
      falls_[j * blocks + b] = along_rise & level;
      rise_before = rise_after, fall_before = fall_after;
    }
  }
  for (const std::int32_t word : reference) slots_[static_cast<std::size_t>(word)] = -1;
}

void ProgramAlignments::add_rapidfuzz(std::int64_t item, Words reference, Words hypothesis) {
  const std::size_t shorter = std::min(reference.size(), hypothesis.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && reference[front] == hypothesis[front]) ++front;
  while (back < shorter - front && reference[reference.size() - 1 - back] == hypothesis[hypothesis.size() - 1 - back]) {
    ++back;
  }
  reference = reference.subspan(front, reference.size() - front - back);
  hypothesis = hypothesis.subspan(front, hypothesis.size() - front - back);
  const std::size_t blocks = (reference.size() + kBits - 1) / kBits;
  if (!reference.empty() && !hypothesis.empty()) fill_bits(reference, hypothesis, blocks);
  const std::size_t first = errors_.places.size();
  const auto start = 2 * static_cast<std::int64_t>(front);
  std::size_t i = reference.size(), j = hypothesis.size();
  const auto is_set = [&](const std::vector<std::uint64_t>& rows, std::size_t row) {
    return (rows[row * blocks + (i - 1) / kBits] >> ((i - 1) % kBits)) & 1;
  };
  while (i > 0 || j > 0) {
    const auto at = start + 2 * static_cast<std::int64_t>(i);
    if (j == 0 || (i > 0 && is_set(rises_, j - 1))) {
      add(item, at - 2, kDeletion);
      --i;
    } else if (i == 0 || (j > 1 && is_set(falls_, j - 2))) {
      add(item, at - 1, kInsertion);
      --j;
    } else {
      if (reference[i - 1] != hypothesis[j - 1]) add(item, at - 2, kPair);
      --i, --j;
    }
  }
  turn(first);
}

}  // namespace fstmetrics

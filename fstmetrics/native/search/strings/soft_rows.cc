#include "search/strings/soft_rows.h"

#include <limits>
#include <vector>

namespace fstmetrics {

namespace {

// The Jaccard similarities of a piece's characters with every piece of the hypothesis; `known` is all zeros, and is so
// again afterwards.
void FillSoftSimilarities(std::span<const std::int32_t> characters, bool is_mark, const PieceSets& hypothesis,
                          std::vector<std::uint8_t>& known, double* found) {
  for (const std::int32_t c : characters) known[c] = 1;
  for (std::size_t piece = 0; piece < hypothesis.size(); ++piece) {
    if ((hypothesis.are_marks[piece] != 0) != is_mark) {
      found[piece] = -std::numeric_limits<double>::infinity();
      continue;
    }
    const auto others = hypothesis.of(piece);
    std::size_t shared = 0;
    for (const std::int32_t c : others) shared += known[c];
    const std::size_t all = characters.size() + others.size() - shared;
    found[piece] = all ? static_cast<double>(shared) / static_cast<double>(all) : 0.0;
  }
  for (const std::int32_t c : characters) known[c] = 0;
}

// One row, over the one above; with steps where they are wanted.
template <bool kWithSteps>
void FillSoftRow(const double* similarities, std::span<const std::int32_t> columns, std::span<double> sums,
                 std::uint8_t* steps) {
  double diagonal = sums[0];
  double left = sums[0];
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double above = sums[j + 1];
    const double pair = diagonal + similarities[columns[j]];
    const double either = pair > above ? pair : above;  // does not wait for the cell on the left
    const double best = either > left ? either : left;
    if constexpr (kWithSteps) {
      const auto alone = static_cast<std::uint8_t>(above >= left ? SoftStep::kReference : SoftStep::kHypothesis);
      steps[j] = pair >= best ? static_cast<std::uint8_t>(SoftStep::kPair) : alone;
    }
    sums[j + 1] = left = best;
    diagonal = above;
  }
}

}  // namespace

void SoftRows(const PieceSets& references, std::span<const std::int32_t> rows, const PieceSets& hypothesis,
              std::span<const std::int32_t> columns, std::size_t alphabet, std::span<double> sums,
              std::span<std::uint8_t> steps) {
  std::vector<std::uint8_t> known(alphabet);
  std::vector<double> similarities(references.size() * hypothesis.size());
  for (std::size_t piece = 0; piece < references.size(); ++piece) {
    FillSoftSimilarities(references.of(piece), references.are_marks[piece] != 0, hypothesis, known,
                         similarities.data() + piece * hypothesis.size());
  }
  std::uint8_t* step = steps.data();
  for (const std::int32_t piece : rows) {
    const double* const row = similarities.data() + static_cast<std::size_t>(piece) * hypothesis.size();
    if (steps.empty()) {
      FillSoftRow<false>(row, columns, sums, nullptr);
    } else {
      FillSoftRow<true>(row, columns, sums, step);
      step += columns.size();
    }
  }
}

}  // namespace fstmetrics

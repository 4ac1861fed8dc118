// Rows of the table of soft re-segmentation: the best sums of similarities of two texts, without a price for gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fstmetrics {

// What a cell is reached by; of equally good ways the first of these.
enum class SoftStep : std::uint8_t { kPair, kReference, kHypothesis };

// Different pieces of words: the numbers of their different characters, those of piece i from offsets[i] on, and
// whether a piece is a punctuation mark.
struct PieceSets {
  std::span<const std::int32_t> offsets;
  std::span<const std::int32_t> characters;
  std::span<const std::uint8_t> are_marks;

  std::size_t size() const { return are_marks.size(); }
  std::span<const std::int32_t> of(std::size_t piece) const {
    return characters.subspan(offsets[piece], offsets[piece + 1] - offsets[piece]);
  }
};

// The rows of some pieces of the references.
//
// `rows` and `columns` number the pieces of both texts in `references` and `hypothesis`; characters are numbers below
// `alphabet`. `sums` is the row above, one longer than `columns`, and becomes the last row; its first sum is always 0.
// `steps`, unless it is empty, gets a row of steps for each piece.
void SoftRows(const PieceSets& references, std::span<const std::int32_t> rows, const PieceSets& hypothesis,
              std::span<const std::int32_t> columns, std::size_t alphabet, std::span<double> sums,
              std::span<std::uint8_t> steps);

}  // namespace fstmetrics

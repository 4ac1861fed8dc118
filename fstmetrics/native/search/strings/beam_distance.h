// Edit distance near the diagonal, with the steps that sacrebleu's TER takes: the definition that bit-parallel rows are
// compared with (search/strings/shift_search.h).
//
// Row i, after i words of the hypothesis, has cells within 25 of i * reference words / hypothesis words, and within
// more where the reference is more than 50 times as long; the last row reaches to its end. Cells outside cost
// infinitely much. Of equally cheap steps into a cell the pair comes first, then the hypothesis's word alone, then the
// reference's.
//
// O(beam * rows) time and bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// A step of an alignment: both words, equal or not; a word of the hypothesis, or of the reference, alone.
enum class PairStep : std::uint8_t { kMatch, kSubstitution, kInsertion, kDeletion };

class BeamDistance {
 public:
  using Words = std::span<const std::int32_t>;

  static constexpr int kBeam = 25;

  // The distance; rows are kept.
  int load(Words hypothesis, Words reference);
  // The distance of the hypothesis with its words from `begin` to `end` turned so that the one at `middle` comes first.
  int of_rotation(std::size_t begin, std::size_t middle, std::size_t end);
  // The steps of the best alignment of what was loaded, from the beginning.
  void trace(std::vector<PairStep>& steps) const;

 private:
  struct Cell {
    std::int32_t cost;
    PairStep step;
  };
  // A row's cells, of the reference's positions from `begin`.
  struct Row {
    const Cell* cells;
    std::int64_t begin, end;
    std::int32_t cost(std::int64_t j) const { return j >= begin && j < end ? cells[j - begin].cost : kInfinity; }
  };
  static constexpr std::int32_t kInfinity = 1 << 29;

  Row row(std::int64_t i, const Cell* cells) const;
  void fill(const Row& before, const Row& row, Cell* cells, std::int32_t word) const;

  Words hypothesis_, reference_;
  double slope_ = 1;  // reference words by hypothesis words
  std::int64_t beam_ = kBeam, stride_ = 0;
  std::vector<Cell> first_, rows_, spare_;
};

}  // namespace fstmetrics

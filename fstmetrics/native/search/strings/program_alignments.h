// Alignments of two strings as other programs show them, where several have the least cost.
//
// Both rules go from the end of the strings backwards.
//
// sclite (weights 4, 3, 3): a pair of words if that is one of the cheapest ways, otherwise an insertion, otherwise a
// deletion (SCTK, net_dp.c). O(n m) time and bytes.
//
// rapidfuzz (edits, without what both strings begin or end with): a deletion if that is one of the cheapest ways,
// otherwise an insertion if it leads to a cell cheaper than the pair does, otherwise a pair (rapidfuzz-cpp,
// Levenshtein, recover_alignment). O(n m / 64) time, and as many words of 16 bytes: bit-parallel [Hyyrö 2003].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// Errors of many pairs, in order: which pair; where, 2 i at word i of the reference and 2 i - 1 for insertions before
// it; and what, 0 a substitution, 1 an insertion, 2 a deletion.
struct ErrorList {
  std::vector<std::int64_t> items, places, operations;
};

class ProgramAlignments {
 public:
  using Words = std::span<const std::int32_t>;

  // Words are numbers from 0, less than `vocabulary`.
  explicit ProgramAlignments(std::int32_t vocabulary) : slots_(static_cast<std::size_t>(vocabulary), -1) {}

  void add_sclite(std::int64_t item, Words reference, Words hypothesis);
  void add_rapidfuzz(std::int64_t item, Words reference, Words hypothesis);

  ErrorList& errors() { return errors_; }

 private:
  void add(std::int64_t item, std::int64_t place, std::int64_t operation);
  // Errors from `first` on are put into the order of the words.
  void turn(std::size_t first);
  void fill_bits(Words reference, Words hypothesis, std::size_t blocks);

  ErrorList errors_;
  std::vector<std::int32_t> costs_;   // sclite: of a row
  std::vector<std::uint8_t> steps_;   // sclite: into every cell
  std::vector<std::int32_t> slots_;   // rapidfuzz: of each word that the reference has, where its masks are
  std::vector<std::uint64_t> masks_;  // rapidfuzz: of each such word, where it stands
  std::vector<std::uint64_t> rises_,
      falls_;  // rapidfuzz: of every row, where the cost rises and falls along the reference
};

}  // namespace fstmetrics

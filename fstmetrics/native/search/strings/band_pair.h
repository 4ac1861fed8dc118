// Counts of two strings: Levenshtein's table in a band of diagonals, a machine word of each column for 64 of them
// [Ukkonen 1985; Hyyrö 2003, section 4]. The band is 64 diagonals first; where a best path may leave it, it is wider.
//
// Rows belong to the longer string, columns to the other. Bits are diagonals, so a match leads to the same bit of the
// column before: a way back along matches has nothing to do.
//
// O(columns * (1 + edits / 64)) time; the way back, where it is needed, touches each cell of best paths beside matches
// once. 32 bytes a column and machine word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// Scratch space, kept by each thread between pairs.
class BandPair {
 public:
  using Bytes = std::span<const unsigned char>;
  using Labels = std::span<const Label>;

  struct Best {
    std::int64_t edits, matches;  // the fewest, and the most among alignments with so few
    std::int64_t words;           // worked out, of the machine
  };

  // Nothing where the strings are too far apart, or too long: some 1,000 edits fit, or a difference in length of as
  // many. Nothing either where a band of more than one word would be as wide as the table. No byte is 255.
  std::optional<Best> run(Bytes hypothesis, Bytes reference);
  // The same of labels from 0, of which the hypothesis has at most 253 where the strings are not alike.
  std::optional<Best> run(Labels hypothesis, Labels reference);

 private:
  // Of 64 diagonals, by bits: which steps lead to a cell on a best way.
  struct Ways {
    std::uint64_t same;       // a match
    std::uint64_t unchanged;  // if not this, a pair
    std::uint64_t across;     // one word of the column's string
    std::uint64_t down;       // one word of the other string; of the cell one bit lower
  };

  std::optional<Best> run_middle(Bytes down, Bytes across);
  template <int kWords>
  std::optional<Best> run_band(Bytes down, Bytes across);
  template <int kWords>
  bool fill(Bytes down, Bytes across);
  template <int kWords>
  std::int64_t fewest_substitutions() const;

  std::int64_t columns_ = 0;
  std::int64_t longer_ = 0;   // so many rows more
  std::int64_t above_ = 0;    // bits before that of the diagonal on which the strings begin
  std::int64_t uneven_ = 0;   // edits beyond those
  std::int64_t reached_ = 0;  // the column up to which they are counted
  std::vector<unsigned char> rows_;
  std::vector<Ways> ways_;             // by column and machine word
  std::vector<unsigned char> narrow_;  // by label, which byte it is; of all the same between runs
  std::vector<unsigned char> down_, across_;
};

}  // namespace fstmetrics

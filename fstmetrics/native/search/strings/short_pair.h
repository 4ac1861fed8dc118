// Edit distance of two strings that are short, but for what they begin and end with alike: all positions of one of them
// in one machine word, a column for each word of the other, which keeps only the differences between neighbouring
// cells [Myers 1999; Hyyrö 2003, fig. 8].
//
// For any costs that weigh edits alike (unit_weights()): WER, WRR, HyTER without reordering. Both lengths are given, so
// all totals follow from the number of edits and of matches: S + I + D = edits, M + S + I and M + S + D the lengths. Of
// the alignments with the fewest edits, the one with the most matches is wanted (docs/scores.md, "Ties"); the columns
// are gone through backwards for it, over the cells of best alignments only.
//
// O(columns) time for the distance; the way back touches each cell of a best alignment once.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "metric/edit_automaton.h"
#include "search/strings/alike_ends.h"
#include "search/tie_rules.h"
#include "text/words.h"

namespace fstmetrics {

// What a path costs under a metric by which only edits tell alignments of two given strings apart.
struct UnitWeights {
  std::int64_t edit, hypothesis_word, reference_word;
  std::int64_t cost(std::int64_t edits, std::int64_t hypothesis_words, std::int64_t reference_words) const {
    return edit * edits + hypothesis_word * hypothesis_words + reference_word * reference_words;
  }
};

// Nothing where alignments of the same strings differ otherwise than by their edits. With one memory, the costs must be
// edit * (0, 1, 1, 1) + hypothesis_word * (1, 1, 1, 0) + reference_word * (1, 1, 0, 1).
std::optional<UnitWeights> unit_weights(const EditAutomaton& metric);

// Scratch space, kept by each thread between pairs.
class ShortPair {
 public:
  using Words = std::span<const Word>;

  static constexpr std::size_t kMaxWords = 63;         // of one string: a bit each, and one for the beginning
  static constexpr std::size_t kMaxColumns = 100'000;  // words of the other, about 100 bytes each

  // Whether run() is for strings of these words, or of labels of theirs.
  template <class Symbol>
  static bool fits(std::span<const Symbol> hypothesis, std::span<const Symbol> reference) {
    const AlikeEnds alike(hypothesis, reference);
    return fits(alike.middle(hypothesis).size(), alike.middle(reference).size());
  }

  // The fewest edits; nothing as of run().
  std::optional<int> edits(Words hypothesis, Words reference);

  // Nothing where the strings, without their common beginning and end, are longer than that. `ops`, if given, receives
  // the operations of a best alignment.
  std::optional<Totals> run(Words hypothesis, Words reference, const UnitWeights& weights, std::vector<Op>* ops);

  // The operations of the best alignment, where there is only one. False where there are more, or either string is too
  // long.
  bool run_if_only(Words hypothesis, Words reference, std::vector<Op>& ops);

 private:
  // A word and where it stands downwards: a hash table small enough to stay in the nearest cache.
  struct Entry {
    std::uint64_t positions = 0;  // none: the entry is free
    Word word;
  };
  static constexpr unsigned kEntries = 128;

  // By bits, cell i being the one after i words downwards: which steps lead to it on a best way.
  struct Column {
    std::uint64_t match, pair, up, left;  // both words, equal or not; a word downwards; one across
  };
  // The step that a best alignment takes from a cell.
  enum Next : std::uint8_t { kMatch, kPair, kUp, kLeft };

  static bool fits(std::size_t one, std::size_t other) {
    return std::min(one, other) <= kMaxWords && std::max(one, other) <= kMaxColumns;
  }
  // Lays out what is between a common beginning and end. Nothing where it is too long.
  std::optional<AlikeEnds> lay_out_middle(Words hypothesis, Words reference);
  void lay_out(Words hypothesis, Words reference);
  unsigned entry_of(const Word& word) const;
  int fill();
  int fill_columns();
  int most_matches();
  bool has_one_way();
  void trace(std::vector<Op>& ops) const;

  Words down_, across_;  // the words down a column, and across the columns
  bool down_is_hypothesis_ = false;
  Entry entries_[kEntries];
  std::vector<Column> columns_;     // before any word across, and after each
  std::vector<std::uint8_t> next_;  // by column and cell; written for cells of best alignments only
};

}  // namespace fstmetrics

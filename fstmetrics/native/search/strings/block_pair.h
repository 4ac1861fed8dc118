// Two strings of some hundred words with unit costs: Levenshtein's table whole, then ties on best paths only.
//
// Between two strings cost and lengths leave one total open: the matches. A step across any two columns is kept for 64
// rows in three machine words (search/strings/edit_table.h), so the way back, from the last column to the first, works
// nothing out anew. The longer string goes down, the hypothesis where both are as long. Of ways that are equally good
// one word of both is read before one across, and that before one down.
//
// O(columns * rows / 64 + cells of best paths) time; 24 bytes a block of 64 rows, and 4 a cell of a best path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/strings/edit_table.h"
#include "search/strings/short_pair.h"
#include "search/tie_rules.h"
#include "text/word_table.h"

namespace fstmetrics {

// A step of an alignment, as the table sees it.
enum class Way : std::uint32_t { kPair, kDown, kAcross, kEnd };

// All totals of two strings of so many words, from the cost and the matches.
Totals pair_totals(std::size_t hypothesis, std::size_t reference, std::int64_t cost, std::int64_t matches);

// Scratch space, kept by each thread between pairs.
class BlockPair {
 public:
  using Labels = std::span<const Label>;

  struct Best {
    std::int64_t cost, matches;
    std::int64_t blocks;  // worked out
  };

  // Nothing where the table, or what is kept of best paths, is larger than this is for, or than so many cells of 4
  // bytes. Words are the same whose labels are equal and positive. `across` is no longer than `down`.
  std::optional<Best> run(Labels down, Labels across, std::int64_t max_cells, bool alignment);

  struct Alignment {
    Totals totals;
    std::int64_t blocks;
  };

  // The same of two texts, or of their labels. `ops`, if given, receives the operations of a best alignment.
  std::optional<Alignment> run(std::span<const Word> hypothesis, std::span<const Word> reference,
                               std::int64_t max_cells, std::vector<Op>* ops);
  std::optional<Alignment> run(Labels hypothesis, Labels reference, std::int64_t max_cells, std::vector<Op>* ops);

  // Whether texts of so many words have an alignment for sure, by ShortPair or here.
  static bool can_align(std::int64_t hypothesis, std::int64_t reference, std::int64_t max_cells);

  // The same of two strings of labels, without an alignment.
  std::optional<Alignment> run(Labels hypothesis, Labels reference, const UnitWeights& weights, std::int64_t max_cells);

  // The fewest edits; nothing as of run().
  std::optional<std::int64_t> edits(std::span<const Word> hypothesis, std::span<const Word> reference,
                                    std::int64_t max_cells);

  // The ways of a best path from the start, if the last run was to find it.
  template <class Visit>
  void trace(Visit visit) const {
    std::int32_t row = 0;
    for (std::size_t column = 0;;) {
      const Way way = way_from(row, column);
      if (way == Way::kEnd) break;
      visit(way);
      row += way != Way::kAcross;
      column += way != Way::kDown;
    }
  }

 private:
  // Tables of at most so many blocks: 1.5 MB.
  static constexpr std::int64_t kMostBlocks = 1 << 16;

  struct Cell {
    std::int32_t row, matches;
    Way way;  // that is taken next
  };

  // Of two texts; whether the hypothesis goes down.
  bool lay_out(std::span<const Word> hypothesis, std::span<const Word> reference);
  bool fits(std::int64_t max_cells);
  void number_words();
  std::int64_t fill();
  bool settle(std::int64_t max_cells);
  void settle_first_column(std::size_t size);
  std::size_t settle_column(std::size_t column, std::size_t size);
  Way way_from(std::int32_t row, std::size_t column) const;

  WordTable table_;
  std::vector<Label> down_labels_, across_labels_;  // of texts
  Labels down_, across_;
  bool alignment_ = false;
  std::size_t num_blocks_ = 0;
  // By label, where its rows begin; 0: it is not across, as all are between runs. And by column.
  std::vector<std::size_t> rows_of_, rows_of_column_;
  std::vector<std::uint64_t> rows_;  // those that have a word, by block; first of no word
  std::vector<EditTable::Block> column_;
  std::vector<EditTable::Ways> ways_;  // into the cells, by column and block
  std::vector<Cell> cells_, before_;   // of best paths in a column, and in the one before, upwards
  std::int64_t matches_ = 0;
  std::vector<std::uint32_t> kept_;  // rows and ways of these cells, for the trace
  std::size_t kept_size_ = 0;
  std::vector<std::size_t> ends_;  // where those of the columns end, from the last
};

}  // namespace fstmetrics

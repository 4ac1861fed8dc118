// Edits and moves of blocks from a hypothesis to a reference: TER [Snover et al. 2006], by Tercom's search as sacrebleu
// has it.
//
// The fewest edits with moves is NP-hard to find, so the search is greedy: the move that saves the most edits is made,
// until none saves any. A move takes up to 10 words, which the reference has too at most 50 words away, to where the
// alignment has the reference's; neither side's words may be aligned without an error already. Of equally good moves
// the longest is made, then the first in the hypothesis, then the one to the first place. After 1000 tries altogether
// no move is made any more.
//
// The distance of every try is found by bit-parallel rows over the reference [Hyyrö 2003], from the first word moved
// on, and only until the rows are those without the move again. By definition the distance is that of a beam
// (search/strings/beam_distance.h). Both are equal, alignments too, where every best path is inside the beam: a path of
// d edits between lengths that differ by k leaves the diagonal by (d + k) / 2 at most. Otherwise the beam itself is
// asked.
//
// O(tries * hypothesis * reference / 64) time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/strings/beam_distance.h"

namespace fstmetrics {

// A move: `length` words from `start` on are taken out, and put where the first of them is then word number `to`.
struct Shift {
  std::int64_t start, length, to;
};

// Scratch space for many searches.
class ShiftSearch {
 public:
  using Words = std::span<const std::int32_t>;

  // Words are numbers from 0, less than `vocabulary`.
  explicit ShiftSearch(std::int32_t vocabulary) : slots_(static_cast<std::size_t>(vocabulary), -1) {}

  // The number of edits, moves among them.
  std::int64_t run(Words hypothesis, Words reference);

  // Of the last run: the moves made, where the words of the moved hypothesis stood at first, and the alignment with it.
  const std::vector<Shift>& shifts() const { return shifts_; }
  const std::vector<std::int64_t>& order() const { return order_; }
  const std::vector<PairStep>& steps() const { return steps_; }

 private:
  struct Rotation {
    std::size_t begin, middle, end;
  };
  struct Try {
    int gain;
    std::size_t length, start, target;
    bool better_than(const Try& other) const;
  };

  void lay_out(Words reference);
  void load();
  void trace();
  void align();
  bool find_shift(Try& best);
  void try_targets(std::size_t start, std::size_t place, std::size_t length, Try& best);
  int distance(const Rotation& rotation);
  int distance_by_bits(const Rotation& rotation);
  bool beam_is_whole(int distance) const;
  Rotation rotation_of(const Try& move) const;
  const std::uint64_t* masks_of(std::int32_t word) const;
  int advance(const std::uint64_t* masks, std::uint64_t* rises, std::uint64_t* falls, std::uint64_t* downs,
              std::uint64_t* ups) const;

  Words reference_;
  std::vector<std::int32_t> words_;  // the hypothesis after the moves made
  std::vector<std::int64_t> order_;
  std::vector<Shift> shifts_;
  std::size_t tries_ = 0;

  // Of the reference, by the slot of each different word.
  std::vector<std::int32_t> slots_;
  std::vector<std::vector<std::int32_t>> places_;
  std::vector<std::uint64_t> masks_;
  std::size_t slots_used_ = 0, blocks_ = 0;
  bool by_bits_ = true;

  // Rows after each word of the hypothesis: where the cost rises and falls along the reference, where it rises and
  // falls since the row before, and the cost at the end.
  std::vector<std::uint64_t> rises_, falls_, downs_, ups_;
  std::vector<std::uint64_t> try_rises_, try_falls_;
  std::vector<int> ends_;
  int distance_ = 0;
  BeamDistance beam_;
  bool beam_loaded_ = false;

  // The alignment of the hypothesis as it is: by place in the reference the word of the hypothesis, -1 before all;
  // errors up to each place.
  std::vector<PairStep> steps_;
  std::vector<std::int64_t> aligned_;
  std::vector<std::int32_t> reference_errors_, hypothesis_errors_;
};

}  // namespace fstmetrics

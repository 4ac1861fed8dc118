// Whether few edits part texts of two lists: this tells texts that are much alike from others, and takes less than
// finding how many edits part the others.
//
// Each text is split, and each different word given a number, once, not once a pair.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/automaton.h"
#include "search/strings/missing_pieces.h"
#include "search/strings/pair_costs.h"

namespace fstmetrics {

class PairBounds {
 public:
  PairBounds(const WordLists& hypotheses, const WordLists& references);

  // Edits that there are at least, of a hypothesis and a reference. O(words) time.
  std::int64_t least(std::size_t hypothesis, std::size_t reference) const;

  struct Edits {
    std::int64_t least;     // all there are, if they are within the limit; otherwise at least one more than it
    std::int64_t expected;  // the same if they are, otherwise a guess
  };
  // O(words + columns read * limit / 64) time: reading ends where each alignment takes more edits than the limit.
  Edits within(std::size_t hypothesis, std::size_t reference, std::int64_t limit) const;

  struct Text {
    explicit Text(std::vector<Label> labels) : labels(std::move(labels)), runs(this->labels) {}
    std::vector<Label> labels;
    WordRuns runs;
  };
  const std::vector<Text>& hypotheses() const { return hypotheses_; }
  const std::vector<Text>& references() const { return references_; }

 private:
  std::vector<Text> hypotheses_, references_;
};

}  // namespace fstmetrics

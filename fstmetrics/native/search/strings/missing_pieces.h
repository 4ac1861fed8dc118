// Pieces of a string that another does not have: each takes an edit at least, so they say how different what is still
// to be read is at least. Such pieces are the seeds of Groot Koerkamp and Ivanov, "Exact global alignment using A* with
// chaining seed heuristic and match pruning", Bioinformatics 40 (2024), but as long as each has to be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// The runs of up to four words that a string has. Of others a few are taken to be among them.
class WordRuns {
 public:
  static constexpr std::size_t kLongest = 4;

  // Labels that are not positive match nothing. 8 to 16 bytes a word.
  explicit WordRuns(std::span<const Label> words);

  bool may_have(std::span<const Label> run) const;

 private:
  static std::uint64_t longer(std::uint64_t key, Label word);
  std::uint64_t place_of(std::uint64_t key) const;

  int shift_;
  std::vector<std::uint64_t> bits_;
};

// For each place of a string, the end among them, how many pieces there are behind it that the other does not have,
// none overlapping another: as many edits at least are needed from there on. O(words) time.
std::vector<std::int32_t> missing_pieces(std::span<const Label> words, const WordRuns& other);

}  // namespace fstmetrics

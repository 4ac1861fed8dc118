// Words that are put together of other words: "someone" of "some" and "one". Where a word is parted is found by its
// bytes, so this works in any language. A compound has at most kMostCompoundParts parts and kMostCompoundBytes bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "text/word_table.h"

namespace fstmetrics {

// Longer ones are no compounds that anybody writes; it keeps what is looked at small.
inline constexpr int kMostCompoundParts = 16;
inline constexpr std::size_t kMostCompoundBytes = 256;

// Parts words into two or more words of a table.
// O(bytes of the word * bytes of the longest part) look-ups a word, and the time of what is visited.
class WordParter {
 public:
  // The table must outlive this object, and stay as it is.
  explicit WordParter(const WordTable& parts);

  // Whether there is a way at all.
  bool can_part(const Word& whole);
  // Calls visit(labels) for every way, until that returns false; says whether it never did.
  bool for_each_way(const Word& whole, const std::function<bool(std::span<const Label>)>& visit);

 private:
  void find_ends(const Word& whole);
  bool go_on(const Word& whole, std::size_t from, const std::function<bool(std::span<const Label>)>& visit);

  struct Piece {
    std::size_t end;
    Label label;
  };

  const WordTable& parts_;
  std::size_t shortest_ = 0, longest_ = 0;
  std::vector<std::vector<Piece>> pieces_;  // by where they begin; only those from which the end can be reached
  std::vector<int> fewest_;                 // by where they begin: pieces to the end
  std::vector<Label> way_;
};

// Whether a word of the hypothesis is adjacent words of the reference put together, or a word of the reference is words
// of the hypothesis put together, which need not be adjacent.
class CompoundTest {
 public:
  bool operator()(std::span<const Word> hypothesis, std::span<const Word> reference);

 private:
  bool joins(std::span<const Word> hypothesis, std::span<const Word> reference);

  WordTable words_;
  std::string joined_;
};

}  // namespace fstmetrics

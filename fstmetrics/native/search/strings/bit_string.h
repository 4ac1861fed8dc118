// A string of at most 63 words as sets of positions, each in one machine word. Position p has p words before it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "search/windows/window_shapes.h"

namespace fstmetrics {

inline constexpr int kMaxBitWords = 63;

constexpr std::uint64_t bit(int position) { return std::uint64_t{1} << position; }

// Calls visit(number) for every bit of a set, from the lowest.
template <class Visit>
void for_each_bit(std::uint64_t set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(std::countr_zero(set));
}

// The string side of a search. Labels are those of the graph; kNoMatch where the graph does not have the word.
struct StringSide {
  std::span<const Label> words;
  const WindowShapes& shapes;
  bool is_hypothesis;  // otherwise the string is the reference, and the graph reads the hypothesis
  int length() const { return static_cast<int>(words.size()); }
};

// Where the words of a string stand. Kept between searches, for its table over labels.
class WordPositions {
 public:
  void set(std::span<const Label> words, Label max_label);

  // Positions of a label of the graph, which is not epsilon.
  std::uint64_t of(Label label) const { return by_label_[label]; }
  const std::uint64_t* by_label() const { return by_label_.data(); }  // none of epsilon
  // The different words that the graph may have, and their positions.
  std::span<const Label> labels() const { return {labels_.data(), static_cast<std::size_t>(size_)}; }
  const std::uint64_t* positions() const { return positions_.data(); }
  // Leftmost positions from which there is a word at `offset`.
  std::uint64_t before_word(int offset) const { return before_word_[offset]; }

 private:
  int size_ = 0;
  std::array<Label, kMaxBitWords> labels_;
  std::array<std::uint64_t, kMaxBitWords> positions_;
  std::array<std::uint64_t, WindowShapes::kMaxShapeWindow> before_word_;
  std::vector<std::uint64_t> by_label_;
};

}  // namespace fstmetrics

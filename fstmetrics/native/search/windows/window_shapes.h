// What a reordering window looks like apart from where it stands: the words taken beyond the leftmost one not
// yet taken, and, where moves are counted, the word that would continue the block just read.
#pragma once

#include <cstdint>
#include <vector>

#include "lazy/window_machine.h"

namespace fstmetrics {

// Taking the word at leftmost + offset turns one shape into another and moves the leftmost on.
struct Taking {
  std::uint8_t from, to;
  std::uint8_t offset;
  std::uint8_t advance;
  std::uint8_t moves;  // 0 or 1
};

// Coarser than shapes: what search/windows/window_bounds.h tells apart.
enum class Disorder : std::uint8_t {
  kNone,   // no word is taken out of order
  kSome,   // some are
  kBlock,  // and the word that would continue the block just read has at least as many to its left as have been read
};
inline constexpr int kDisorders = 3;

// Numbered from the empty one, those of fewer taken words first: a taking that does not advance leads to a higher
// number.
struct WindowShapes {
  // Throws std::invalid_argument for a window outside 1 to kMaxShapeWindow.
  WindowShapes(int window, Reordering reordering);

  int size() const { return static_cast<int>(whole.size()); }

  Disorder most_disorder() const { return reordering == Reordering::kMoves ? Disorder::kBlock : Disorder::kSome; }

  int window;
  Reordering reordering;
  std::vector<std::uint8_t> whole;        // by shape: whether none is, so that the string may end here
  std::vector<std::uint8_t> taken;        // by shape: words taken beyond the leftmost not yet taken
  std::vector<Disorder> disorder;         // by shape
  std::vector<Taking> takings;            // sorted by `from`
  std::vector<int> first_taking;          // by shape, and one more: where its takings begin
  std::vector<std::vector<Taking>> into;  // by shape: the takings that lead to it

  static constexpr int kMaxShapeWindow = 6;
  static constexpr int kMaxShapes = 64;  // of that window, with moves
};

// The shapes of a window, made once a thread.
const WindowShapes& window_shapes(int window, Reordering reordering);

}  // namespace fstmetrics

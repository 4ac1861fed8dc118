// Rows of unit costs: a string against an acyclic graph, 64 positions of the string in a vector of bytes.
//
// A row holds, for one graph state, the fewest edits with which each position of the string is reached there. Costs of
// neighbouring positions differ by at most one. So where paths meet and read a word, the minimum `any` of the rows
// before gives all but the matches as u(p) = min(any(p), any(p - 1)) + 1; a match lowers that by at most one, and
// reading words of the string alone carries the lower cost on for as long as u rises by one from position to position.
// That is carry propagation, an addition of sets of positions [the idea of Myers 1999, on rows that are kept as costs,
// whose minimum is cheap]. Costs are bytes as long as the answer is below 255, and 16 bits beyond.
//
// O(arcs * words / 64) vector operations, states * words bytes; twice that with 16 bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "automata/search_graph.h"
#include "search/rows/unit_rows_kernel.h"
#include "support/large_array.h"

namespace fstmetrics {

// Scratch space, to be kept between searches.
class UnitRows {
 public:
  static constexpr int kTooMany = 65535;  // edits, or more

  // `words` in the graph's labels; others match nothing. Returns the fewest edits between all of the string and a path
  // of the graph; kTooMany if the rows cannot hold that many, kNoMemory if they would take more than `max_bytes`.
  int fill(const SearchGraph& graph, std::span<const Label> words, std::int64_t max_bytes);
  static constexpr int kNoMemory = -1;

  // Fewest edits of reaching a state with `position` words of the string read.
  int at(StateId state, std::int64_t position) const {
    const std::int64_t cell = state * width_ + position;
    return wide_ ? reinterpret_cast<const std::uint16_t*>(rows_)[cell] : rows_[cell];
  }

  // The rows by state, of width() cells each: std::uint16_t if are_wide(), else std::uint8_t.
  bool are_wide() const { return wide_; }
  std::int64_t width() const { return width_; }
  template <class Cell>
  const Cell* rows() const {
    return reinterpret_cast<const Cell*>(rows_);
  }

  // Gives back scratch space that is too large to be kept for the next search.
  void release_if_large() {
    if (memory_.size() > kKeptBytes) memory_ = LargeArray<unsigned char>();
  }

 private:
  class Placed;
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 26;

  template <class Cell>
  int fill_cells(const SearchGraph& graph, std::span<const Label> words, std::int64_t max_bytes);
  template <class Cell>
  void place_words(std::span<const Label> words);

  bool wide_ = false;
  std::int64_t width_ = 0;  // cells of a row
  std::vector<std::int32_t> row_of_word_;
  LargeArray<unsigned char> memory_;
  unsigned char* misses_ = nullptr;
  unsigned char* rows_ = nullptr;
};

}  // namespace fstmetrics

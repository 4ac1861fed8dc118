#include "search/rows/unit_rows.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fstmetrics {

// Forgets the rows of words again, however the search ends.
class UnitRows::Placed {
 public:
  Placed(UnitRows& rows, std::span<const Label> words) : rows_(rows), words_(words) {}
  ~Placed() {
    for (const Label word : words_) {
      if (word > kEpsilon) rows_.row_of_word_[word] = 0;
    }
  }

 private:
  UnitRows& rows_;
  std::span<const Label> words_;
};

int UnitRows::fill(const SearchGraph& graph, std::span<const Label> words, std::int64_t max_bytes) {
  const std::size_t labels = static_cast<std::size_t>(graph.automaton().max_label()) + 1;
  if (row_of_word_.size() < labels) row_of_word_.resize(labels, 0);
  wide_ = false;
  const int cost = fill_cells<std::uint8_t>(graph, words, max_bytes);
  if (cost != std::numeric_limits<std::uint8_t>::max()) return cost;
  wide_ = true;
  return fill_cells<std::uint16_t>(graph, words, max_bytes);
}

template <class Cell>
int UnitRows::fill_cells(const SearchGraph& graph, std::span<const Label> words, std::int64_t max_bytes) {
  constexpr std::int64_t kCells = kUnitVectorBytes / static_cast<std::int64_t>(sizeof(Cell));
  const auto length = static_cast<std::int64_t>(words.size());
  width_ = (length + kCells) / kCells * kCells;
  const std::int64_t rows = graph.num_states() + std::min<std::int64_t>(length, graph.automaton().max_label()) + 1;
  const std::int64_t needed = rows * width_ * static_cast<std::int64_t>(sizeof(Cell));
  if (needed > max_bytes) return kNoMemory;
  if (memory_.size() < static_cast<std::size_t>(needed)) {
    memory_ = LargeArray<unsigned char>();
    memory_ = LargeArray<unsigned char>(needed);
  }
  misses_ = memory_.data();
  const Placed placed(*this, words);
  place_words<Cell>(words);
  const ReverseArcs& reversed = graph.automaton().reversed();
  fill_unit_rows(UnitWork<Cell>{graph.num_states(), graph.automaton().start(), reversed.offsets.data(),
                                reversed.arcs.data(), width_, reinterpret_cast<Cell*>(rows_), row_of_word_.data(),
                                reinterpret_cast<const Cell*>(misses_)});
  int best = std::numeric_limits<Cell>::max();
  for (const StateId state : graph.finals()) best = std::min(best, at(state, length));
  return best;
}

// Row 0 of `misses_` is of the words that the string lacks; the rows of the graph come after those of the words.
template <class Cell>
void UnitRows::place_words(std::span<const Label> words) {
  const std::int64_t row_bytes = width_ * static_cast<std::int64_t>(sizeof(Cell));
  std::int32_t used = 1;
  std::memset(misses_, 255, row_bytes);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] <= kEpsilon) continue;
    std::int32_t& row = row_of_word_[words[i]];
    if (row == 0) {
      row = used++;
      std::memset(misses_ + row * row_bytes, 255, row_bytes);
    }
    std::memset(misses_ + row * row_bytes + i * sizeof(Cell), 0, sizeof(Cell));
  }
  rows_ = misses_ + used * row_bytes;
}

}  // namespace fstmetrics

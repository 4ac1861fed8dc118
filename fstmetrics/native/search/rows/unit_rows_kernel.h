// The kernels of search/rows/unit_rows.h, one an instruction set.
#pragma once

#include <cstdint>

#include "automata/automaton.h"

namespace fstmetrics {

inline constexpr std::int64_t kUnitVectorBytes = 64;

// Rows are aligned to vectors, and whole numbers of them. Cell: std::uint8_t or std::uint16_t; its largest value stands
// for itself and all beyond.
template <class Cell>
struct UnitWork {
  StateId states, start;
  const std::int32_t* offsets;  // of the arcs into a state
  const ReverseArcs::Incoming* arcs;
  std::int64_t width;               // cells of a row
  Cell* rows;                       // by state
  const std::int32_t* row_of_word;  // by label; 0 for words that the string lacks
  const Cell* misses;               // by row of a word and position: 0 where the word stands, otherwise all bits
};

// Fill all rows, with the widest instructions that this machine has.
void fill_unit_rows(const UnitWork<std::uint8_t>& work);
void fill_unit_rows(const UnitWork<std::uint16_t>& work);

}  // namespace fstmetrics

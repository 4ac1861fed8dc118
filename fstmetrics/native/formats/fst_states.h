// States and arcs of OpenFst's binary form; readers/fst_binary.py describes it and reads the header.
#pragma once

#include <string_view>
#include <vector>

#include "formats/columns.h"

namespace fstmetrics {

// How an arc type writes its weight.
struct FstWeight {
  int numbers = 1;          // one, or graph and acoustic cost
  bool doubles = false;     // of 8 bytes each rather than 4
  bool has_string = false;  // and then a string of transition ids
};

// Throws std::invalid_argument for arc types that are not read.
FstWeight fst_weight(std::string_view arc_type);

// Columns whose labels are the output labels, and the byte after the last state.
struct FstStates {
  ArcColumns columns;
  std::int64_t end = 0;
};

// Of vector machines: `states` states from byte `at` on. Throws Fault.
FstStates read_vector_states(std::string_view data, std::int64_t at, std::int64_t states, FstWeight weight);

// Of const machines, whose weights are one number each, as they lie in OpenFst's memory. Throws Fault.
struct ConstLayout {
  FstWeight weight;
  bool aligned = false;     // whether states and arcs begin at multiples of 16 bytes
  std::int64_t origin = 0;  // in the file, of the data's first byte
};
FstStates read_const_states(std::string_view data, std::int64_t at, std::int64_t states, std::int64_t arcs,
                            const ConstLayout& layout);

// Symbols of a table: `size` of them from byte `at` on. Throws Fault.
struct FstSymbols {
  std::vector<std::string_view> words;  // views into the data; not necessarily UTF-8
  std::vector<std::int64_t> keys;
  std::int64_t end = 0;
};
FstSymbols read_fst_symbols(std::string_view data, std::int64_t at, std::int64_t size);

}  // namespace fstmetrics

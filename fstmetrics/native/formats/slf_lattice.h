// What an SLF file means, as io/formats/slf.py describes it: a lattice, or a network of what `read_slf` finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// A sub-lattice, or the main lattice that calls it. Labels of arcs are indices of `words`, then of one that stands for
// no word, and then of calls, by what `words` has at the same place.
struct SlfCard {
  std::string name;  // of the main lattice none
  std::vector<std::string> words;
  LatticeDraft draft;    // whose arcs all have finite costs
  LatticeScales scales;  // of the main lattice
};

// Appends the lattice of a file, whose fault is the parser's or of what it says. Of a file whose lattices call each
// other nothing is appended: the cards are returned, sub-lattices first, and the main one last. `backwards`: whether
// words of nodes belong to the links out of them, even if the head does not say so.
std::vector<SlfCard> read_slf_file(std::string_view text, bool backwards, const ItemLimits& limits, std::string id,
                                   LatticeColumn& column);

}  // namespace fstmetrics

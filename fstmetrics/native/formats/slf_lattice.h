// What an SLF file means, as SlfDraft of readers/formats/slf.py has it: a lattice of what `read_slf` finds.
#pragma once

#include <string>
#include <string_view>

#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Appends the lattice of a file. False, and no lattice, where something is wrong, where there are sub-lattices, and where
// scores are probabilities or nodes have no lines: that is for the reader in Python. `backwards`: whether words of nodes
// belong to the links out of them, even if the head does not say so.
bool read_slf_lattice(std::string_view text, bool backwards, const ItemLimits& limits, std::string id,
                      LatticeColumn& column);

}  // namespace fstmetrics

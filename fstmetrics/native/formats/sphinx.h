// Lattices of Sphinx-3 and pocketsphinx, as io/formats/sphinx.py describes them.
#pragma once

#include <string>
#include <string_view>

#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Appends the lattice of a file, whose fault is the parser's or of what it says.
void read_sphinx(std::string_view text, const ItemLimits& limits, std::string id, LatticeColumn& column);

}  // namespace fstmetrics

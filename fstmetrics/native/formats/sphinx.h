// Lattices of Sphinx-3 and pocketsphinx, as readers/formats/sphinx.py describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Lines of two states and a score from byte `at` on, three numbers each, and the byte where they end: at a line of
// another kind.
struct SphinxEdges {
  std::vector<std::int64_t> numbers;
  std::size_t end = 0;
};
SphinxEdges read_sphinx_edges(std::string_view text, std::size_t at);

// Appends the lattice of a file. False, and no lattice, where something is wrong: that is for the reader in Python.
bool read_sphinx(std::string_view text, const ItemLimits& limits, std::string id, LatticeColumn& column);

}  // namespace fstmetrics

// Edges of Sphinx lattices, as readers/formats/sphinx.py describes them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fstmetrics {

// Lines of two states and a score from byte `at` on, three numbers each, and the byte where they end: at a line of
// another kind.
struct SphinxEdges {
  std::vector<std::int64_t> numbers;
  std::size_t end = 0;
};
SphinxEdges read_sphinx_edges(std::string_view text, std::size_t at);

}  // namespace fstmetrics

// Edges of Sphinx lattices.
#include "formats/sphinx.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const SphinxEdges edges = read_sphinx_edges(fuzz::view(data, size), 0);
  fuzz::require(edges.end <= size && edges.numbers.size() % 3 == 0 && 2 * edges.numbers.size() <= edges.end);
  return 0;
}

// Lattices of Sphinx, and their edges alone.
#include "formats/sphinx.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view text = fuzz::view(data, size);
  const SphinxEdges edges = read_sphinx_edges(text, 0);
  fuzz::require(edges.end <= size && edges.numbers.size() % 3 == 0 && 2 * edges.numbers.size() <= edges.end);
  LatticeColumn column(std::make_shared<Vocabulary>());
  const bool is_read = read_sphinx(text, {}, "id", column);
  fuzz::require(column.size() == is_read);
  fuzz::check(column, text);
  if (is_read && column[0].automaton) {
    fuzz::require(std::ssize(column[0].times) == column[0].automaton->num_states());
  }
  return 0;
}

// Lattices of Sphinx.
#include "formats/sphinx.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view text = fuzz::view(data, size);
  LatticeColumn column(std::make_shared<Vocabulary>());
  read_sphinx(text, {}, "id", column);
  fuzz::require(column.size() == 1);
  if (size > 0) fuzz::check(column, text);
  if (column[0].automaton) { fuzz::require(std::ssize(column[0].times) == column[0].automaton->num_states()); }
  return 0;
}

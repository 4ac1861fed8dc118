// HTK's standard lattice format.
#include "formats/slf.h"

#include <memory>

#include "formats/slf_lattice.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  LatticeColumn column(std::make_shared<Vocabulary>());
  const bool is_read = read_slf_lattice(fuzz::view(data, size), size % 2, {}, "id", column);
  fuzz::require(column.size() == is_read);
  fuzz::check(column, fuzz::view(data, size));
  if (is_read && column[0].automaton && !column[0].times.empty()) {
    fuzz::require(std::ssize(column[0].times) == column[0].automaton->num_states());
  }
  return fuzz::run(data, size, [](std::string_view text) {
    const std::vector<SlfText> lattices = read_slf(text);
    fuzz::require(!lattices.empty());
    for (const SlfText& slf : lattices) {
      const auto words = static_cast<std::int32_t>(slf.links.words.size());
      fuzz::check(slf.links, text, kNoWord);
      fuzz::require(slf.pronunciation.size() == slf.links.labels.size());
      fuzz::require(slf.nodes.size() == slf.node_labels.size() && slf.nodes.size() == slf.node_calls.size());
      fuzz::require(slf.nodes.size() == slf.times.size());
      for (const std::int32_t label : slf.node_labels) fuzz::require(label >= 0 && label < words);
      for (const std::int32_t call : slf.node_calls) fuzz::require(call >= kNoWord && call < words);
    }
  });
}

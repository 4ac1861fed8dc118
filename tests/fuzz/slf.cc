// HTK's standard lattice format.
#include "formats/slf.h"

#include <memory>

#include "formats/slf_lattice.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  LatticeColumn column(std::make_shared<Vocabulary>());
  const std::vector<SlfCard> cards = read_slf_file(fuzz::view(data, size), size % 2, {}, "id", column);
  fuzz::require(column.size() == (cards.empty() ? 1 : 0));
  if (size > 0) fuzz::check(column, fuzz::view(data, size));
  for (const SlfCard& card : cards) {
    for (const DraftArc& arc : card.draft.arcs) {
      const std::int64_t states = *card.draft.num_states;
      fuzz::require(arc.source >= 0 && arc.source < states && arc.destination >= 0 && arc.destination < states);
      fuzz::require(arc.label >= 0 && arc.label <= 2 * static_cast<std::int32_t>(card.words.size()));
    }
  }
  if (column.size() && column[0].automaton && !column[0].times.empty()) {
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

#include "formats/lattice_words.h"

namespace fstmetrics {
namespace {

// When the arcs of a lattice begin and end; nothing where nobody knows.
std::optional<ArcSpans> arc_spans(const LatticeColumn& column, std::size_t i) {
  const WordLattice& lattice = column[i];
  if (!lattice.times.empty()) return spans_of_times(*lattice.automaton, lattice.times);
  if (!lattice.has_frames) return std::nullopt;
  return spans_of_durations(*lattice.automaton, *column.prepared(i), lattice.frames);
}

}  // namespace

std::vector<std::string_view> best_words(const LatticeColumn& column, std::size_t i, const GivenScales& given) {
  const Automaton& lattice = *column[i].automaton;
  const std::vector<std::uint8_t> counts = column.words_that_count(i);
  const LatticeScales scales = column.scales(i, given);
  const BestPath best = best_paths(lattice, *column.prepared(i), {&scales, 1}, counts).front();
  std::vector<std::string_view> words;
  words.reserve(best.arcs.size());
  for (const std::int32_t arc : best.arcs) {
    const Label label = lattice.all_arcs()[arc].label;
    if (counts[label]) words.push_back(column.word(i, label).view());
  }
  return words;
}

std::optional<std::vector<SureWord>> sure_words(const LatticeColumn& column, std::size_t i, const GivenScales& given,
                                                double scale) {
  const Automaton& lattice = *column[i].automaton;
  const std::optional<ArcSpans> spans = arc_spans(column, i);
  std::vector<SureWord> words = sure_words(lattice, *column.prepared(i), column.scales(i, given),
                                           column.words_that_count(i), scale, spans ? &*spans : nullptr);
  for (const SureWord& word : words) {
    if (!spans || !(word.begin <= word.end)) return std::nullopt;
  }
  return words;
}

}  // namespace fstmetrics

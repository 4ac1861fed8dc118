#include "formats/lattice_column.h"

#include <algorithm>

namespace fstmetrics {
namespace {

// The same arcs with other labels, and without costs.
std::shared_ptr<const Automaton> relabelled(const Automaton& automaton, const std::vector<Label>& labels) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::uint8_t> is_final;
  std::vector<Arc> arcs(automaton.all_arcs().begin(), automaton.all_arcs().end());
  offsets.reserve(automaton.num_states() + 1);
  is_final.reserve(automaton.num_states());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    arcs[i].label = labels[arcs[i].label];
    arcs[i].origin = static_cast<std::int32_t>(i);
  }
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(automaton.arcs(state).size()));
    is_final.push_back(automaton.is_final(state));
  }
  return std::make_shared<const Automaton>(automaton.start(), std::move(offsets), std::move(arcs), std::move(is_final));
}

}  // namespace

std::int64_t LatticeColumn::weight() const {
  std::int64_t weight = 0;
  for (const auto& row : rows_) {
    if (const Automaton* automaton = row->lattice.automaton.get())
      weight += automaton->num_states() + automaton->num_arcs();
  }
  return weight;
}

std::vector<std::uint8_t> LatticeColumn::words_that_count(std::size_t i) const {
  const std::vector<std::int32_t>& words = rows_[i]->lattice.words;
  std::vector<std::uint8_t> counts(words.size(), 0);
  for (std::size_t label = 1; label < words.size(); ++label) counts[label] = !Vocabulary::is_marker(words[label]);
  return counts;
}

const std::shared_ptr<const Automaton>& LatticeColumn::prepared(std::size_t i) const {
  Row& row = *rows_[i];
  row.prepared_once(row.mutex, [&] { row.prepared = prepared_of(row.lattice.automaton); });
  return row.prepared;
}

const Graph& LatticeColumn::graph(std::size_t i) const {
  Row& row = *rows_[i];
  row.graph_once(row.mutex, [&] {
    const std::vector<std::int32_t>& numbers = row.lattice.words;
    thread_local std::vector<Word> words;
    thread_local std::vector<Label> labels;
    words.clear();
    labels.assign(numbers.size(), kEpsilon);
    for (std::size_t label = 0; label < numbers.size(); ++label) {
      if (Vocabulary::is_marker(numbers[label])) continue;
      labels[label] = static_cast<Label>(words.size());
      words.push_back(vocabulary_->word(numbers[label]));
    }
    const bool same = words.size() == numbers.size();
    row.graph.emplace(same ? prepared(i) : prepared_of(relabelled(*row.lattice.automaton, labels)),
                      std::span<const Word>(words));
  });
  return *row.graph;
}

}  // namespace fstmetrics

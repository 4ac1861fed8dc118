#include "formats/lattice_column.h"

namespace fstmetrics {

const std::shared_ptr<const Automaton>& LatticeColumn::prepared(std::size_t i) const {
  Row& row = *rows_[i];
  row.prepared_once(row.mutex, [&] { row.prepared = prepared_of(row.lattice.automaton); });
  return row.prepared;
}

const Graph& LatticeColumn::graph(std::size_t i) const {
  Row& row = *rows_[i];
  row.graph_once(row.mutex, [&] {
    std::vector<Word> words;
    words.reserve(row.lattice.words.size());
    for (const std::int32_t number : row.lattice.words) words.push_back(vocabulary_->word(number));
    row.graph.emplace(prepared(i), std::span<const Word>(words));
  });
  return *row.graph;
}

}  // namespace fstmetrics

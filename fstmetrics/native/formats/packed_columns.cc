#include "formats/packed_columns.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace fstmetrics {
namespace {

// Ends the list of a row where its array ends now.
void end_list(PackedArrays::Offsets& offsets, std::size_t end) {
  if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::length_error("a batch of packed lattices has room for 2^31 - 1 arcs, words and bytes");
  }
  offsets.push_back(static_cast<std::int32_t>(end));
}

template <class Value, class Values>
void append(std::vector<Value>& array, PackedArrays::Offsets& offsets, const Values& values) {
  array.insert(array.end(), values.begin(), values.end());
  end_list(offsets, array.size());
}

void append(std::vector<double>& array, const CostPair& pair) { array.insert(array.end(), pair.begin(), pair.end()); }

std::int32_t& slot(std::vector<std::int32_t>& numbers, std::int32_t word) {
  if (static_cast<std::size_t>(word) >= numbers.size()) numbers.resize(static_cast<std::size_t>(word) + 1, -1);
  return numbers[static_cast<std::size_t>(word)];
}

}  // namespace

PackedColumns::PackedColumns() { number_of(""); }

std::int32_t PackedColumns::number_of(std::string_view word) {
  const std::int32_t own = own_.intern(word);
  std::int32_t& number = slot(by_own_, own);
  if (number < 0) {
    number = static_cast<std::int32_t>(dictionary_.size());
    dictionary_.push_back(own);
  }
  return number;
}

void PackedColumns::add(const LatticeColumn& column, std::size_t i, std::string_view id) {
  const WordLattice& lattice = column[i];
  if (!lattice.automaton) throw std::invalid_argument("a damaged lattice is not packed");
  if (other_ != column.shared_vocabulary()) {
    other_ = column.shared_vocabulary();
    by_other_.clear();
  }
  for (const std::int32_t word : lattice.words) {
    std::int32_t& number = slot(by_other_, word);
    if (number < 0) number = number_of(other_->word(word).view());
    arrays_.word_numbers.push_back(number);
  }
  end_list(arrays_.words, arrays_.word_numbers.size());
  add_automaton(*lattice.automaton);
  PackedRow row;
  row.id = id;
  row.numbered = lattice.numbered;
  const LatticeScales scales = lattice.scales.value_or(LatticeScales());
  row.scales = {scales.graph, scales.acoustic, scales.word_penalty};
  std::vector<std::int64_t> durations;
  if (!lattice.times.empty()) {
    row.times = lattice.times;
    row.unit = lattice.time_unit == TimeUnit::kFrames ? "frames" : "seconds";
  } else if (lattice.has_frames) {
    durations.assign(lattice.frames.begin(), lattice.frames.end());
    row.durations = durations;
    row.unit = "frames";
  }
  add_row(row);
}

void PackedColumns::add(const Automaton& automaton, std::span<const std::string_view> words, const PackedRow& row) {
  for (const std::string_view word : words) arrays_.word_numbers.push_back(number_of(word));
  end_list(arrays_.words, arrays_.word_numbers.size());
  add_automaton(automaton);
  add_row(row);
}

void PackedColumns::add_automaton(const Automaton& automaton) {
  const bool has_costs = automaton.has_costs();
  arrays_.states.push_back(automaton.num_states());
  arrays_.starts.push_back(automaton.start());
  states_ += static_cast<std::size_t>(automaton.num_states());
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    for (const Arc& arc : automaton.arcs(state)) {
      arrays_.sources.push_back(state);
      arrays_.destinations.push_back(arc.next);
      arrays_.labels.push_back(arc.label);
    }
    if (!automaton.is_final(state)) continue;
    arrays_.final_states.push_back(state);
    if (has_costs) append(arrays_.final_cost_pairs, automaton.final_cost(state));
  }
  if (has_costs) {
    for (std::int32_t arc = 0; arc < automaton.num_arcs(); ++arc)
      append(arrays_.arc_cost_pairs, automaton.arc_cost(arc));
  }
  end_list(arrays_.arcs, arrays_.sources.size());
  end_list(arrays_.finals, arrays_.final_states.size());
  end_list(arrays_.arc_costs, arrays_.arc_cost_pairs.size() / 2);
  end_list(arrays_.final_costs, arrays_.final_cost_pairs.size() / 2);
}

void PackedColumns::add_row(const PackedRow& row) {
  arrays_.numbered.push_back(row.numbered);
  arrays_.scales.insert(arrays_.scales.end(), row.scales.begin(), row.scales.end());
  append(arrays_.id_bytes, arrays_.ids, row.id);
  append(arrays_.unit_bytes, arrays_.units, row.unit);
  append(arrays_.times, arrays_.state_times, row.times);
  append(arrays_.durations, arrays_.arc_durations, row.durations);
}

PackedArrays PackedColumns::take() {
  states_ = 0;
  return std::exchange(arrays_, PackedArrays());
}

std::vector<std::string_view> PackedColumns::take_words() {
  std::vector<std::string_view> words;
  for (; taken_words_ < dictionary_.size(); ++taken_words_)
    words.push_back(own_.word(dictionary_[taken_words_]).view());
  return words;
}

}  // namespace fstmetrics

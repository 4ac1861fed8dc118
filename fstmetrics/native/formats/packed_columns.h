// Columns of a batch of packed lattices, filled from lattices: what PackedReader reads (formats/packed.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "automata/automaton.h"
#include "formats/lattice_column.h"
#include "text/vocabulary.h"

namespace fstmetrics {

// The arrays of a batch. Lists of row r are [offsets[r], offsets[r + 1]) of what is in them.
struct PackedArrays {
  using Offsets = std::vector<std::int32_t>;

  std::vector<std::int32_t> states, starts;
  std::vector<std::uint8_t> numbered;
  std::vector<double> scales;  // three a row
  Offsets ids{0}, words{0}, arcs{0}, arc_costs{0}, finals{0}, final_costs{0}, state_times{0}, arc_durations{0},
      units{0};
  std::vector<std::uint8_t> id_bytes, unit_bytes;
  std::vector<std::int32_t> word_numbers, sources, destinations, labels, final_states;
  std::vector<double> arc_cost_pairs, final_cost_pairs, times;
  std::vector<std::int64_t> durations;
};

// What of a lattice is not in its automaton; of times at most one kind is there.
struct PackedRow {
  std::string_view id;
  std::array<double, 3> scales = {1, 1, 0};
  std::span<const double> times;            // of states
  std::span<const std::int64_t> durations;  // of arcs
  std::string_view unit;                    // of either; empty: neither is there
  bool numbered = false;
};

// Fills batches, and the dictionary of words that all batches of a file have in common. Word 0 is no word.
class PackedColumns {
 public:
  PackedColumns();

  // Appends a lattice of a column under an id; one that is damaged throws std::invalid_argument.
  void add(const LatticeColumn& column, std::size_t i, std::string_view id);
  // Appends a lattice whose labels stand for these words.
  void add(const Automaton& automaton, std::span<const std::string_view> words, const PackedRow& row);

  std::size_t rows() const { return arrays_.states.size(); }
  // Arcs and states of all.
  std::size_t size() const { return arrays_.sources.size() + states_; }
  // What has been added since the last time.
  PackedArrays take();
  // Words that are new in the dictionary since the last time, in order.
  std::vector<std::string_view> take_words();

 private:
  void add_automaton(const Automaton& automaton);
  void add_row(const PackedRow& row);
  std::int32_t number_of(std::string_view word);

  PackedArrays arrays_;
  std::size_t states_ = 0;
  Vocabulary own_;                        // each word once
  std::vector<std::int32_t> by_own_;      // number in the dictionary, of words of own_; -1: not in it
  std::vector<std::int32_t> dictionary_;  // words of own_, by number in the dictionary
  std::size_t taken_words_ = 0;
  std::shared_ptr<const Vocabulary> other_;  // of the column that was added from last
  std::vector<std::int32_t> by_other_;       // number in the dictionary, of its words; -1: not looked up yet
};

}  // namespace fstmetrics

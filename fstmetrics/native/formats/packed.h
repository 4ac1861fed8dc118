// Batches of packed lattices: columns of a mapped file become lattices. io/formats/packed_lattices.py describes them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "formats/labels.h"
#include "formats/lattice_column.h"

namespace fstmetrics {

// Lists of a column: those of row r are [offsets[r], offsets[r + 1]) of what is in them.
struct PackedLists {
  std::span<const std::int32_t> offsets;

  std::size_t begin(std::size_t row) const { return static_cast<std::size_t>(offsets[row]); }
  std::size_t size(std::size_t row) const { return static_cast<std::size_t>(offsets[row + 1] - offsets[row]); }
  template <class Value>
  std::span<const Value> of(std::size_t row, std::span<const Value> values, std::size_t width = 1) const {
    return values.subspan(begin(row) * width, size(row) * width);
  }
};

// The columns of a batch, or of some of its rows. Lists lie within the arrays that they are of; what is in the arrays
// is checked here.
struct PackedBatch {
  std::span<const std::int32_t> states, starts;
  std::span<const std::uint8_t> numbered;
  std::span<const double> scales;  // three a row
  PackedLists ids, words, arcs, arc_costs, finals, final_costs, state_times, arc_durations, units;
  std::span<const char> id_bytes, unit_bytes;
  std::span<const std::int32_t> word_numbers, sources, destinations, labels, final_states;
  std::span<const double> arc_cost_pairs, final_cost_pairs, times;
  std::span<const std::int64_t> durations;
};

class PackedReader {
 public:
  // `most_states`: of a lattice; states take memory, whether or not arcs lead there. `labels`: the symbol table of
  // lattices whose words are numbers; null where there is none.
  PackedReader(std::shared_ptr<Vocabulary> vocabulary, std::int64_t most_states,
               std::shared_ptr<const Labels> labels = nullptr)
      : vocabulary_(std::move(vocabulary)), most_states_(most_states), labels_(std::move(labels)) {}

  // Further words of the file's dictionary.
  void add_words(PackedLists words, std::span<const char> bytes);
  // Appends the lattices of a batch. One that is not as it should be, or has what a column has no room for, is an entry
  // without an automaton: the slow reader then says what it is.
  void read(const PackedBatch& batch, LatticeColumn& column) const;

 private:
  WordLattice lattice(const PackedBatch& batch, std::size_t row) const;
  bool take_words(const PackedBatch& batch, std::size_t row, WordLattice& lattice) const;
  bool name_words(const PackedBatch& batch, std::size_t row, WordLattice& lattice,
                  std::vector<std::int32_t>& renamed) const;

  std::shared_ptr<Vocabulary> vocabulary_;
  std::int64_t most_states_;
  std::vector<std::int32_t> numbers_;  // in the vocabulary, of the words of the dictionary
  std::shared_ptr<const Labels> labels_;
  std::vector<std::int32_t> named_;  // the same of what the table has for them, or what is wrong
};

}  // namespace fstmetrics

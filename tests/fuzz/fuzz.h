// What the fuzz targets share. A parser makes something of any bytes, or throws Fault: all else is a fault of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/columns.h"
#include "formats/fault.h"
#include "formats/lattice_column.h"

namespace fstmetrics::fuzz {

// Stops the fuzzer, which then keeps the input.
inline void require(bool good) {
  if (!good) __builtin_trap();
}

inline std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// The text with which a Fault may come, and a place that is in the file.
inline void check(const Fault& fault, std::string_view text) {
  require(!fault.message.empty());
  require(fault.byte <= static_cast<std::int64_t>(text.size()));
  require(fault.line <= static_cast<std::int64_t>(text.size()) + 1);
}

// Columns of one length, labels that are words (or the integers of a binary file, where there are no words), and no
// more arcs than bytes.
inline void check(const ArcColumns& columns, std::string_view text, std::int32_t lowest_label = 0) {
  const std::size_t arcs = columns.sources.size(), finals = columns.finals.size();
  require(columns.destinations.size() == arcs && columns.labels.size() == arcs);
  require(columns.costs.size() == arcs && columns.places.size() == arcs);
  require(columns.final_costs.size() == finals && columns.final_places.size() == finals);
  require(arcs + finals <= text.size() + 1);
  require((columns.start >= 0) == (arcs + finals > 0) || lowest_label < 0);
  if (columns.words.empty()) return;
  for (const std::int32_t label : columns.labels) {
    require(label >= lowest_label && label < static_cast<std::int32_t>(columns.words.size()));
  }
}

// Lattices whose labels have words, or a fault with a place in the file.
inline void check(const LatticeColumn& column, std::string_view text) {
  for (std::size_t i = 0; i < column.size(); ++i) {
    const WordLattice& lattice = column[i];
    require(lattice.begin < lattice.end && lattice.end <= static_cast<std::int64_t>(text.size()));
    if (lattice.fault) check(*lattice.fault, text);
    require((lattice.automaton == nullptr) == (lattice.fault || lattice.excess || lattice.is_text_damaged));
    if (!lattice.automaton) continue;
    require(lattice.automaton->max_label() < static_cast<Label>(lattice.words.size()));
    require(!lattice.has_frames || std::ssize(lattice.frames) == lattice.automaton->num_arcs());
    require(column.graph(i).table().size() <
            static_cast<Label>(lattice.words.size()));  // fewer with sentence boundaries
  }
}

// The same lattices, however their file was cut.
inline void check_same(const LatticeColumn& a, const LatticeColumn& b) {
  require(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    require(a[i].id == b[i].id && a[i].line == b[i].line && a[i].words == b[i].words);
    require(a[i].fault.has_value() == b[i].fault.has_value() &&
            (a[i].automaton == nullptr) == (b[i].automaton == nullptr));
    if (a[i].fault) require(a[i].fault->message == b[i].fault->message && a[i].fault->line == b[i].fault->line);
    if (a[i].automaton) require(a[i].automaton->num_arcs() == b[i].automaton->num_arcs());
  }
}

template <class Parse>
int run(const std::uint8_t* data, std::size_t size, Parse parse) {
  const std::string_view text = view(data, size);
  try {
    parse(text);
  } catch (const Fault& fault) { check(fault, text); }
  return 0;
}

}  // namespace fstmetrics::fuzz

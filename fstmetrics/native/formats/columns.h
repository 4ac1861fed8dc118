// One lattice as a parser leaves it: columns, an entry an arc or final state. Nothing is checked yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "automata/automaton.h"
#include "formats/numbers.h"
#include "formats/symbols.h"

namespace fstmetrics {

struct ArcColumns {
  std::vector<std::int64_t> sources, destinations;
  std::vector<std::int32_t> labels;  // indices of `words`, or the integers of a binary file
  std::vector<CostPair> costs;
  std::vector<std::int32_t> frames;  // that each arc takes; none at all where the format does not say
  std::vector<std::int64_t> places;  // lines from 1, or bytes from 0
  std::vector<std::int64_t> finals;
  std::vector<CostPair> final_costs;
  std::vector<std::int64_t> final_places;
  std::vector<std::string> words;  // distinct, in the order in which the arcs name them
  bool integer_words = true;       // whether all of them are label numbers
  std::int64_t start = -1;         // the first state named; -1 where there is none

  void add_arc(std::int64_t source, std::int64_t destination, std::int32_t label, CostPair cost, std::int64_t place) {
    if (start < 0) start = source;
    sources.push_back(source);
    destinations.push_back(destination);
    labels.push_back(label);
    costs.push_back(cost);
    places.push_back(place);
  }
  void add_final(std::int64_t state, CostPair cost, std::int64_t place) {
    if (start < 0) start = state;
    finals.push_back(state);
    final_costs.push_back(cost);
    final_places.push_back(place);
  }
  void set_words(const Symbols& symbols) {
    words.assign(symbols.words().begin(), symbols.words().end());
    integer_words = std::all_of(words.begin(), words.end(), is_label_number);
  }
  void reserve(std::size_t arcs) {
    for (auto* column : {&sources, &destinations, &places}) column->reserve(arcs);
    labels.reserve(arcs);
    costs.reserve(arcs);
  }
};

}  // namespace fstmetrics

// The arcs of a graph whose words a string has, by where a sweep meets them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/sweep_graph.h"

namespace fstmetrics {

class MatchingArcs {
 public:
  struct Matching {
    SweepGraph::Place neighbour;
    std::int32_t next;  // of the same place; -1 after the last
    std::int32_t word;  // number among the words
    std::int32_t arc;   // number among all arcs of the automaton
  };

  // `graph`: a SweepGraph, or SweepArcs; then it is about the arcs that these list by label.
  template <class Graph>
  void list(const Graph& graph, std::span<const Label> words) {
    first_.assign(graph.size(), -1);
    std::size_t size = 0;
    for (const Label word : words) size += graph.arcs_of(word).size();
    if (arcs_.size() < size) arcs_.resize(size);
    std::int32_t number = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (const SweepOrder::LabelledArc& arc : graph.arcs_of(words[word])) {
        arcs_[number] = {arc.neighbour, first_[arc.place], static_cast<std::int32_t>(word), arc.arc};
        first_[arc.place] = number++;
      }
    }
  }

  // Number of the first such arc of a place, -1 if there is none.
  std::int32_t first(SweepGraph::Place place) const { return first_[place]; }
  const Matching& operator[](std::int32_t number) const { return arcs_[number]; }
  const std::int32_t* firsts() const { return first_.data(); }  // by place
  const Matching* arcs() const { return arcs_.data(); }         // by number

 private:
  std::vector<std::int32_t> first_;
  std::vector<Matching> arcs_;  // and room for more
};

}  // namespace fstmetrics

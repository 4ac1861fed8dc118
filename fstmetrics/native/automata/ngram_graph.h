// N-grams of a lattice: which of them an arc ends, and how likely a path has them.
//
// What an arc ends depends on the words before it. So states are split by their last words, and every path of the
// lattice stays one path [Tromble et al. 2008, §4].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// A lattice whose states are split by the last words before them. N-grams are numbered from 1; 0 is the empty one.
struct NgramGraph {
  Automaton machine;                  // with one end, sorted; the origins of its arcs are their own numbers
  std::vector<std::int32_t> origins;  // by arc: its origin in the lattice
  std::vector<std::int32_t> longest;  // by arc: the longest n-gram that ends with its word; 0 where it has none
  // By n-gram: without its last word; without its first; its last word; its length.
  std::vector<std::int32_t> prefixes;
  std::vector<std::int32_t> suffixes;
  std::vector<Label> words;
  std::vector<std::int32_t> lengths;
};

// The n-grams of up to `order` words of an automaton with one end (automata/weighted.h). Nothing where the graph would
// have more than `max_arcs` arcs.
std::optional<NgramGraph> ngram_graph(const Automaton& lattice, std::int32_t order, std::int64_t max_arcs);

// By n-gram, how likely a path has it at least once. `costs`: by arc of the graph's machine, natural logs.
//
// A path that has an n-gram has it first at one arc: over the arcs that end it, the sum of the probability to reach the
// arc without it, times that of the arc [Blackwood et al. 2010, §3]. The former is summed over again only for states
// behind one such arc and before another.
std::vector<double> ngram_probabilities(const NgramGraph& graph, std::span<const double> costs);

// By n-gram, how often a path is expected to have it.
std::vector<double> ngram_counts(const NgramGraph& graph, std::span<const double> costs);

}  // namespace fstmetrics

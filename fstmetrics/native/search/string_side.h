// Problems one side of which is a string: finding the string, the graph, and the string's words in the graph's labels.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "automata/search_graph.h"
#include "search/item.h"
#include "search/problem.h"

namespace fstmetrics {

struct StringAndGraph {
  std::vector<Label> words;    // in the string's own labels, for alignments only
  std::vector<Label> labels;   // the same in the graph's; kNoMatch where the graph does not have the word
  bool is_hypothesis = false;  // otherwise the string is the reference
  std::shared_ptr<const SearchGraph> graph;
};

// Nothing where neither side is a string of at most `max_words` words (the hypothesis may be permuted), or the other
// is not acyclic, has no path, or has more than `max_arcs` arcs.
std::optional<StringAndGraph> string_and_graph(const Problem& problem, std::size_t max_words, std::int64_t max_arcs);

// The same of a text and a graph whose arcs cost nothing, at a fraction of the time that making a problem of them
// takes; the string's own labels only where an alignment is asked for. Nothing, likewise, or where the item is
// something else.
std::optional<StringAndGraph> string_and_graph(const Item& item, const Question& question);

// Whether the string is a path of the graph, word by word; false, too, where more than `max_arcs` arcs would have to be
// looked at.
bool is_a_path(const StringAndGraph& sides, std::int64_t max_arcs);

struct StringPair {
  std::vector<Label> hypothesis, reference;  // each in its own labels
  std::vector<Label> labels;                 // the hypothesis in the reference's; kNoMatch for words that it lacks
  bool same(std::size_t h, std::size_t r) const { return labels[h] == reference[r]; }
};

// Nothing where a side is not a plain string.
std::optional<StringPair> string_pair(const Problem& problem);
// The same of texts, without a problem made of them; nothing where the item is something else.
std::optional<StringPair> string_pair(const Item& item);

// A side as a graph; null where it is permutations, cyclic, without a path, or of more than `max_arcs` arcs.
std::shared_ptr<const SearchGraph> search_graph(const Side& side, std::int64_t max_arcs);

// Completes the steps of a search in the graph: the string's words by their positions.
void name_words(std::vector<Step>& steps, const StringAndGraph& sides);

}  // namespace fstmetrics

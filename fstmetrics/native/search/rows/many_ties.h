// Whether settling ties afterwards, as unit-rows and rows do, would mean going over nearly the whole table once more.
#pragma once

#include <span>

#include "automata/search_graph.h"

namespace fstmetrics {

// Whether nearly all cells of a string against a graph lie on best paths: the graph's paths are at least twice as long
// as the string, and all words of the string can be placed on the first half of one. They can then be placed just as
// well at many places after that. `words` by the graph's labels. O(1) for most graphs, O(arcs) for much longer ones. A
// guess: it chooses routes, and no answer depends on it.
bool nearly_all_tie(const SearchGraph& graph, std::span<const Label> words);

}  // namespace fstmetrics

#include "search/rows/many_ties.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/poll.h"

namespace fstmetrics {

bool nearly_all_tie(const SearchGraph& graph, std::span<const Label> words) {
  Polls poll;
  const auto length = static_cast<std::int64_t>(words.size());
  const std::int64_t half = graph.automaton().least_words() / 2;
  if (length > half) return false;
  // By state: words of the shortest way there, and how many words of the string some way there has in their order, each
  // taken as soon as it comes. What the graph lacks is paired with any word.
  struct Reached {
    std::int32_t depth, placed;
  };
  std::vector<Reached> reached(graph.num_states(), {graph.num_states(), 0});
  const StateId start = graph.automaton().start();
  reached[start].depth = 0;
  for (StateId state = start; state < graph.num_states(); ++state) {
    Reached& here = reached[state];
    poll(4 + 4 * std::ssize(graph.incoming(state)));
    for (const SearchGraph::Incoming& in : graph.incoming(state)) {
      const auto [depth, placed] = reached[in.source];
      const bool takes =
          in.label != kEpsilon && placed < length && (words[placed] == in.label || words[placed] <= kEpsilon);
      here.depth = std::min(here.depth, depth + (in.label != kEpsilon));
      here.placed = std::max(here.placed, placed + takes);
    }
    if (here.placed == length && here.depth <= half) return true;
  }
  return false;
}

}  // namespace fstmetrics

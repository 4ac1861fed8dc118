#include "search/strings/bit_parallel.h"

namespace fstmetrics {

std::optional<BitPath> BitParallel::run(const SearchGraph& graph, const StringSide& string, const Options& options,
                                        const std::function<int()>& most_levels) {
  if (graph.num_states() > options.max_cells / cells_of_state(string.shapes.size() > 1)) return std::nullopt;
  options_ = &options;
  words_.set(string.words, graph.automaton().max_label());
  BitPath path;
  if (!find(graph, string, most_levels, path)) return std::nullopt;
  return path;
}

bool BitParallel::find(const SearchGraph& graph, const StringSide& string, const std::function<int()>& most_levels,
                       BitPath& path) {
  const bool reorders = string.shapes.size() > 1;
  return (reorders ? sweep_windows(graph, string, path) : sweep(graph, string, path)) ||
         search(graph, string, most_levels, path);
}

template <class TieBreaker, class Found>
void BitParallel::settle(const SearchGraph& graph, const StringSide& string, int cost, const Found& found,
                         TieBreaker& ties, BitPath& path) {
  if (options_->score_only && !string.is_hypothesis) {  // the length of the reference is known
    path.totals.cost = cost, path.totals.reference_words = string.length();
  } else {
    path.totals = ties.settle(graph, string, words_, cost, options_->max_cells, found);
    if (options_->alignment) path.steps = ties.trace();
  }
}

bool BitParallel::sweep(const SearchGraph& graph, const StringSide& string, BitPath& path) {
  const int cost = lanes_.run(graph, string, words_);
  if (cost < 0) return false;
  path.sets = graph.num_states();
  settle(graph, string, cost, lanes_, lane_settling_, path);
  return true;
}

bool BitParallel::sweep_windows(const SearchGraph& graph, const StringSide& string, BitPath& path) {
  const int cost = windows_.run(graph, string, words_, options_->max_cells);
  if (cost < 0) return false;
  path.sets = windows_.worked();
  settle(graph, string, cost, windows_, settling_, path);
  return true;
}

bool BitParallel::search(const SearchGraph& graph, const StringSide& string, const std::function<int()>& most_levels,
                         BitPath& path) {
  const int cost = levels_.run(graph, string, words_, options_->max_cells, most_levels());
  if (cost < 0) return false;
  path.sets = levels_.worked();
  settle(graph, string, cost, levels_, settling_, path);
  return true;
}

}  // namespace fstmetrics

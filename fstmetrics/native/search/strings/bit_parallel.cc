#include "search/strings/bit_parallel.h"

namespace fstmetrics {

std::optional<BitPath> BitParallel::run(const SearchGraph& graph, const StringSide& string, const Options& options,
                                        const std::function<int()>& most_levels) {
  if (graph.num_states() > options.max_cells / cells_of_state(string.shapes.size() > 1)) return std::nullopt;
  options_ = &options;
  BitPath path;
  if (!find(graph, string, most_levels, path)) return std::nullopt;
  return path;
}

bool BitParallel::find(const SearchGraph& graph, const StringSide& string, const std::function<int()>& most_levels,
                       BitPath& path) {
  const bool reorders = string.shapes.size() > 1;
  if (!reorders && sweep(graph, string, path)) return true;
  words_.set(string.words, graph.automaton().max_label());
  return (reorders && sweep_windows(graph, string, path)) || search(graph, string, most_levels, path);
}

template <class TieBreaker, class... Found>
void BitParallel::settle(const SearchGraph& graph, const StringSide& string, int cost, TieBreaker& ties, BitPath& path,
                         const Found&... found) {
  if (options_->score_only && !string.is_hypothesis) {  // the length of the reference is known
    path.totals.cost = cost, path.totals.reference_words = string.length();
  } else {
    path.totals = ties.settle(graph, string, cost, options_->max_cells, found...);
    if (options_->alignment) path.steps = ties.trace();
  }
}

bool BitParallel::sweep(const SearchGraph& graph, const StringSide& string, BitPath& path) {
  const int cost = lanes_.run(graph, string.words);
  if (cost < 0) return false;
  path.sets = graph.num_states();
  settle(graph, string, cost, lane_settling_, path, lanes_);
  return true;
}

bool BitParallel::sweep_windows(const SearchGraph& graph, const StringSide& string, BitPath& path) {
  const int cost = windows_.run(graph, string, words_, options_->max_cells);
  if (cost < 0) return false;
  path.sets = windows_.worked();
  settle(graph, string, cost, settling_, path, words_, windows_);
  return true;
}

bool BitParallel::search(const SearchGraph& graph, const StringSide& string, const std::function<int()>& most_levels,
                         BitPath& path) {
  const int cost = levels_.run(graph, string, words_, options_->max_cells, most_levels());
  if (cost < 0) return false;
  path.sets = levels_.worked();
  settle(graph, string, cost, settling_, path, words_, levels_);
  return true;
}

}  // namespace fstmetrics

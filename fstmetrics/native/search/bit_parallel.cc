#include "search/bit_parallel.h"

namespace fstmetrics {

std::optional<BitPath> BitParallel::run(const LevelGraph& graph, const StringSide& string, bool alignment,
                                        int most_levels) {
  words_.set(string.words, graph.automaton().max_label());
  BitPath path;
  const bool reorders = string.shapes.size() > 1;
  const bool near = reorders ? sweep_windows(graph, string, path) : sweep(graph, string, path);
  if (!near && !search(graph, string, most_levels, path)) return std::nullopt;
  if (alignment) path.steps = settling_.trace();
  return path;
}

bool BitParallel::sweep(const LevelGraph& graph, const StringSide& string, BitPath& path) {
  const int cost = lanes_.run(graph, string, words_);
  if (cost < 0) return false;
  path.sets = graph.num_states();
  path.totals = settling_.settle(graph, string, words_, cost, lanes_);
  return true;
}

bool BitParallel::sweep_windows(const LevelGraph& graph, const StringSide& string, BitPath& path) {
  const int cost = windows_.run(graph, string, words_);
  if (cost < 0) return false;
  path.sets = windows_.worked();
  path.totals = settling_.settle(graph, string, words_, cost, windows_);
  return true;
}

bool BitParallel::search(const LevelGraph& graph, const StringSide& string, int most_levels, BitPath& path) {
  const int cost = levels_.run(graph, string, words_, most_levels);
  if (cost < 0) return false;
  path.sets = levels_.worked();
  path.totals = settling_.settle(graph, string, words_, cost, levels_);
  return true;
}

}  // namespace fstmetrics

#include "search/text_scorer.h"

#include <limits>

#include "search/bit_parallel.h"
#include "search/string_side.h"
#include "search/unit_route.h"

namespace fstmetrics {
namespace {

constexpr std::int64_t kMaxArcs = 20'000'000;

}  // namespace

std::optional<double> error_rate(const Graph& graph, std::string_view text, bool text_is_hypothesis, int window,
                                 Reordering reordering) {
  if (window < 1 || window > WindowShapes::kMaxShapeWindow || graph.arc_costs()) return std::nullopt;
  const auto levels = level_graph(graph.machine(), kMaxArcs);
  if (!levels) return std::nullopt;
  thread_local std::vector<Word> words;
  thread_local std::vector<Label> labels;
  words.clear();
  labels.clear();
  split_words(text, words);
  for (const Word& word : words) {
    const Label label = graph.table().find(word);
    labels.push_back(label != kEpsilon && label <= levels->automaton().max_label() ? label : kNoMatch);
  }
  const bool plain = window == 1;
  if (plain && labels.size() > kWordsLeftToLevels) {
    if (const auto rate = unit_rows_error_rate(*levels, labels, text_is_hypothesis)) return rate;
  }
  if (labels.size() > static_cast<std::size_t>(kMaxBitWords)) return std::nullopt;
  thread_local BitParallel search;
  const StringSide string{labels, window_shapes(window, reordering), text_is_hypothesis};
  const auto found = search.run(*levels, string, false, plain ? kLevelsBeforeRows : LevelSearch::kAnyLevel);
  if (!found) return unit_rows_error_rate(*levels, labels, text_is_hypothesis);
  const Totals& totals = found->totals;
  const auto errors = static_cast<double>(totals.edits + totals.moves);
  if (totals.reference_words == 0) return errors == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return errors / static_cast<double>(totals.reference_words);
}

}  // namespace fstmetrics

#include "search/unit_route.h"

#include <limits>

#include "search/ties.h"
#include "search/unit_rows.h"
#include "search/unit_settling.h"

namespace fstmetrics {
namespace {

// Of a prepared side's rows; beyond, the search proper goes by its limits.
constexpr std::int64_t kMostRowBytes = 1'600'000'000;

// Kept by each thread between searches.
struct Scratch {
  UnitRows rows;
  UnitSettling settling;
};

Scratch& scratch() {
  thread_local Scratch kept;
  return kept;
}

bool found(int cost) { return cost != UnitRows::kTooMany && cost != UnitRows::kNoMemory; }

// A best path has at most so many words more than the string as it has edits.
bool fits(std::size_t words) { return UnitSettling::fits(static_cast<std::int64_t>(words) + UnitRows::kTooMany); }

}  // namespace

std::optional<Outcome> solve_unit_rows(const Problem& problem, const StringAndGraph& sides, const Options& options) {
  if (!has_unit_costs(problem) || !fits(sides.words.size())) return std::nullopt;
  auto& [rows, settling] = scratch();
  const int cost = rows.fill(*sides.graph, sides.labels, 4 * options.max_cells);
  if (!found(cost)) return std::nullopt;

  settling.settle(rows, *sides.graph, sides.labels, sides.is_hypothesis, cost);
  Path path{settling.totals(), {}};
  if (options.alignment) path.steps = settling.trace();
  rows.release_if_large(), settling.release_if_large();
  name_words(path.steps, sides);
  Outcome outcome{Route::kUnitRows, {std::move(path)}, {}};
  const auto positions = static_cast<std::int64_t>(sides.words.size()) + 1;
  outcome.counters.expanded = positions * sides.graph->num_states();
  outcome.counters.hypothesis_states = sides.is_hypothesis ? positions : sides.graph->num_states();
  outcome.counters.reference_states = sides.is_hypothesis ? sides.graph->num_states() : positions;
  return outcome;
}

std::optional<double> unit_rows_error_rate(const LevelGraph& graph, std::span<const Label> words, bool string_is_hypothesis) {
  if (!fits(words.size()) || (string_is_hypothesis && nearly_all_tie(graph, words))) return std::nullopt;
  auto& [rows, settling] = scratch();
  const int cost = rows.fill(graph, words, kMostRowBytes);
  if (!found(cost)) return std::nullopt;
  auto reference_words = static_cast<std::int64_t>(words.size());
  if (string_is_hypothesis) {  // otherwise no ties need be settled
    settling.settle(rows, graph, words, true, cost);
    reference_words = settling.totals().reference_words;
  }
  rows.release_if_large(), settling.release_if_large();
  if (reference_words == 0) return cost == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return static_cast<double>(cost) / static_cast<double>(reference_words);
}

}  // namespace fstmetrics

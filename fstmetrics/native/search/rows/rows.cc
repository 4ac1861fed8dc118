#include "search/rows/rows.h"

#include <algorithm>
#include <limits>

#include "search/rows/forgetful_rows.h"
#include "search/rows/general_rows.h"
#include "search/rows/row_ties.h"
#include "search/tie_rules.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Whether every future that is open after one memory is open after another at no more cost: the largest relation for
// which each operation is no dearer and leads to memories so related.
std::vector<std::vector<bool>> dominance(const EditAutomaton& metric) {
  const int memories = metric.num_memories();
  std::vector<std::vector<bool>> at_least(memories, std::vector<bool>(memories, true));
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < memories; ++a) {
      for (int b = 0; b < memories; ++b) {
        for (int op = 0; op < kNumOps && at_least[a][b]; ++op) {
          const Transition& better = metric.transitions[a][op];
          const Transition& worse = metric.transitions[b][op];
          if (better.cost > worse.cost || !at_least[better.next][worse.next]) at_least[a][b] = false, changed = true;
        }
      }
    }
  }
  return at_least;
}

bool never_pays_to_mismatch(const EditAutomaton& metric) {
  const auto& only = metric.transitions[0];
  if (metric.num_memories() == 1)
    return only[static_cast<int>(Op::kMatch)].cost <= only[static_cast<int>(Op::kSubstitution)].cost;
  const auto at_least = dominance(metric);
  return std::all_of(metric.transitions.begin(), metric.transitions.end(), [&](const auto& ops) {
    const Transition& match = ops[static_cast<int>(Op::kMatch)];
    const Transition& other = ops[static_cast<int>(Op::kSubstitution)];
    return match.cost <= other.cost && at_least[match.next][other.next];
  });
}

std::int64_t largest_cost(const EditAutomaton& metric) {
  std::int64_t largest = 1;
  for (const auto& ops : metric.transitions) {
    for (const Transition& t : ops) largest = std::max(largest, std::abs(t.cost));
  }
  return largest;
}

template <class Table>
Path best_path(const RowProblem& problem, const Table& table, const TotalBounds& bounds, const Options& options) {
  const int end = static_cast<int>(problem.words.size());
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (const StateId state : problem.graph.finals()) {
    for (int m = 0; m < problem.memories(); ++m) best = std::min(best, table.at(state, m, end));
  }
  const bool longest = problem.metric.length_tie == LengthTie::kLongest || best > 0;
  const auto ranking = make_ranking<Wide>(bounds, longest);
  TieBreaker<Wide> cells;
  check_kept(settle_rows(problem, table, ranking, best, options.max_cells, cells), options.max_cells);
  Path path{ranking.totals(cells.start().rank + best * ranking.cost), {}};
  if (options.alignment)
    path.steps = steps_of(cells, problem.graph.automaton().all_arcs(), problem.string_only == Op::kInsertion);
  return path;
}

// The same from a table, yet to be filled, whose sums fit T.
template <class T>
Path best_path(const RowProblem& problem, const TotalBounds& bounds, const Options& options) {
  return errors_forget(problem) ? best_path(problem, ForgetfulRows<T>(problem), bounds, options)
                                : best_path(problem, GeneralRows<T>(problem), bounds, options);
}

}  // namespace

bool rows_take(const EditAutomaton& metric) { return never_pays_to_mismatch(metric); }

std::optional<Outcome> solve_rows(Task& task) {
  const StringAndGraph& sides = *task.string_and_graph();
  const EditAutomaton& metric = task.metric();
  const Options& options = task.options();
  const std::int64_t words = std::ssize(sides.labels);
  const std::int64_t graph_words = sides.graph->automaton().most_words();
  const TotalBounds bounds{sides.is_hypothesis ? words : graph_words, sides.is_hypothesis ? graph_words : words, false,
                           largest_cost(metric)};
  if (width_needed(bounds) == Width::kTooWide) return std::nullopt;
  const std::int64_t cells = (words + 1) * sides.graph->num_states();

  const RowProblem rows{*sides.graph, sides.labels, metric, sides.is_hypothesis ? Op::kInsertion : Op::kDeletion,
                        sides.is_hypothesis ? Op::kDeletion : Op::kInsertion};
  const std::int64_t sum = (words + graph_words + 1) * bounds.operation_cost;
  // The limit is meant for the topological route, whose cells take 8 bytes; these take 2 or 4.
  const bool narrow = sum < row_bound<std::int16_t>();
  const std::int64_t per_cell = narrow ? 4 : 2;
  if (cells > per_cell * options.max_cells / metric.num_memories()) return std::nullopt;
  if (!narrow && sum >= row_bound<std::int32_t>()) return std::nullopt;
  Path path = narrow ? best_path<std::int16_t>(rows, bounds, options) : best_path<std::int32_t>(rows, bounds, options);
  name_words(path.steps, sides);
  Outcome outcome{Route::kRows, {std::move(path)}, {}};
  outcome.counters.expanded = cells * metric.num_memories();
  outcome.counters.hypothesis_states = sides.is_hypothesis ? words + 1 : sides.graph->num_states();
  outcome.counters.reference_states = sides.is_hypothesis ? sides.graph->num_states() : words + 1;
  return outcome;
}

}  // namespace fstmetrics

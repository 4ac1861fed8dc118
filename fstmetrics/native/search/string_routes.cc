#include "search/string_routes.h"

#include "search/rows/rows.h"
#include "search/rows/ties.h"
#include "search/rows/unit_route.h"
#include "search/strings/bit_route.h"
#include "search/topological/line_table.h"

namespace fstmetrics {
namespace {

// Steps of the topological route that Route::kAuto takes for tables that rows cannot hold: a minute or two.
constexpr double kMostLineSteps = 1e10;

std::int64_t words_of(const StringProblem& problem) { return std::ssize(problem.sides.labels); }

bool topological_holds(const StringProblem& problem, std::int64_t max_cells) {
  const std::int64_t words = words_of(problem), states = problem.sides.graph->num_states();
  const int memories = problem.metric.num_memories();
  const bool whole = (words + 1) * states <= kMostWholeCells / memories;
  return (whole ? (words + 1) * states * memories : LineTable<std::int64_t>::kept_cells(words, states, memories)) <= max_cells;
}

// Whether the topological route takes less time and memory than rows and settling, as it carries ties along. Metrics with memories tie
// less, and their topological tables are larger.
bool ties_are_carried_along(const StringProblem& problem) {
  if (problem.metric.num_memories() != 1) return false;
  const std::int64_t words = words_of(problem), states = problem.sides.graph->num_states();
  const bool is_large = words * states > kMostWholeCells;
  return (is_large && words / 2 >= states) || nearly_all_tie(*problem.sides.graph, problem.sides.labels);
}

// Whether what no row table holds is for the topological route: sides so unlike in length that best-first would look at all there is.
bool line_is_long(const StringProblem& problem) {
  const Automaton& graph = problem.sides.graph->automaton();
  const std::int64_t words = words_of(problem);
  const bool unlike = words / 2 >= graph.num_states() || words * 2 <= graph.least_words();
  const double steps = static_cast<double>(words) * graph.num_arcs() * problem.metric.num_memories();
  return unlike && steps <= kMostLineSteps;
}

}  // namespace

StringAnswer solve_string(const StringProblem& problem, const Options& options) {
  const auto wanted = [&](Route route) { return options.route == Route::kAuto || options.route == route; };
  if (wanted(Route::kBitParallel)) {
    if (auto outcome = solve_bit_parallel(problem, options)) return {std::move(outcome)};
  }
  const bool any = options.route == Route::kAuto;
  if (!problem.rows_take || !(wanted(Route::kUnitRows) || wanted(Route::kRows))) return {};
  const bool topological = any && topological_holds(problem, options.max_cells);
  // Of a score, ties decide about the length of the reference only; and where settling them would be too much, there is another route.
  const bool settles = !(options.score_only && !problem.sides.is_hypothesis && topological);
  if (settles && topological && ties_are_carried_along(problem)) return {std::nullopt, true};
  if (wanted(Route::kUnitRows)) {
    UnitRowsAnswer answer = solve_unit_rows(problem, options, settles);
    if (answer.outcome) return {std::move(answer.outcome)};
    if (answer.too_many_ties && topological) return {std::nullopt, true};
  }
  if (wanted(Route::kRows)) {
    if (auto outcome = solve_rows(problem, options)) return {std::move(outcome)};
  }
  return {std::nullopt, topological && line_is_long(problem)};
}

std::optional<Totals> solve_text(std::string_view text, const Graph& graph, bool text_is_hypothesis, const EditAutomaton& metric,
                                 int window, Reordering reordering, const Options& options) {
  const auto sides = string_and_graph(text, graph, text_is_hypothesis, options.max_expanded_arcs);
  if (!sides) return std::nullopt;
  const bool reorders = window > 1;
  const StringProblem problem{*sides, metric, has_unit_costs(metric, reorders), !reorders && rows_take(metric), window, reordering};
  const StringAnswer answer = solve_string(problem, options);
  return answer.outcome ? std::optional(answer.outcome->paths.at(0).totals) : std::nullopt;
}

}  // namespace fstmetrics

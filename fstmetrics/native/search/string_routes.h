// The routes for a string against an acyclic graph: bit-parallel, unit-rows, rows. What they need of a problem, so that a
// score alone (solve_text()) and all else come by the same rules and limits.
#pragma once

#include <optional>
#include <string_view>

#include "search/string_side.h"
#include "search/windows/window_shapes.h"

namespace fstmetrics {

struct StringProblem {
  const StringAndGraph& sides;
  const EditAutomaton& metric;
  bool unit_costs;     // has_unit_costs()
  bool rows_take;      // what rows ask of a metric and of its costs, and no reordering
  int window;          // of the hypothesis
  Reordering reordering;
  bool is_reordered() const { return window > 1; }
};

struct StringAnswer {
  std::optional<Outcome> outcome;  // nothing where no route applies
  // Whether Route::kAuto is better off on the topological route, as ties or memory would take the others longer.
  bool topological = false;
};

// By the route asked for, or the one that Route::kAuto takes. Throws SearchError where a limit is reached.
StringAnswer solve_string(const StringProblem& problem, const Options& options);

// The best path's counts of a text against a graph, as solve() of an item of the two finds them; nothing where that is for
// solve() to say. `text_is_hypothesis`: otherwise it is the reference, and the window 1.
std::optional<Totals> solve_text(std::string_view text, const Graph& graph, bool text_is_hypothesis, const EditAutomaton& metric,
                                 int window, Reordering reordering, const Options& options);

}  // namespace fstmetrics

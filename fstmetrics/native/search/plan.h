// What has to be known before a search: the range of costs, the route, and bounds of what paths add up to.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "search/best_first/estimate.h"
#include "search/problem.h"

namespace fstmetrics {

// Cheapest and dearest cost of each operation of a metric, words included.
struct CostRange {
  CheapestOps cheapest{};
  std::int64_t dearest[kNumOps] = {};
  std::int64_t largest = 0;  // absolute, moves included
  bool negative = false;
};

// The sides of the chart route.
struct ChartSides {
  NetworkSide side;
  std::shared_ptr<const Rtn> network;     // its cards are acyclic
  std::shared_ptr<const Automaton> flat;  // the other side, acyclic
};

// What the routes over the product know before they search; go_by() completes it.
struct Plan {
  const Problem& problem;
  Options options;
  CostRange costs;
  Alphabets alphabets;
  Remaining hypothesis, reference;  // from the start of either side
  Route route = Route::kAuto;
  std::shared_ptr<const Automaton> h = nullptr, r = nullptr;  // written out; null where that is too large or not needed
  std::optional<ChartSides> chart = std::nullopt;             // for the chart route only
  TotalBounds bounds = {};

  bool is_cyclic() const { return reference.max_words >= Remaining::kUnbounded; }
  // Deletions may go through a cycle for nothing.
  bool deletes_for_nothing() const { return is_cyclic() && costs.cheapest[Op::kDeletion] == 0; }
};

// Without a route. Throws SearchError where H or R has no path, or H is cyclic. `problem` must outlive the plan.
Plan make_plan(const Problem& problem, const Options& options);

// Writes out what a route needs; a side that is too large stays unwritten.
void go_by(Route route, Plan& plan);

// Why the topological and the chart route cannot be used; nothing if they can.
std::string why_not_topological(const Problem& problem, const Options& options);
std::string why_not_chart(const Problem& problem, const Options& options);
[[noreturn]] void refuse(Route route, const std::string& why);

// Whether both sides can be written out, and the topological route's table for them is within its limit, whatever they
// have in common.
bool table_holds(const Plan& plan);

// Whether a side is a network of acyclic cards, and the other acyclic and not too large to be written out.
std::optional<ChartSides> chart_sides(const Problem& problem, const Options& options);
// Steps of a chart that is filled for all starts.
double chart_steps(const ChartSides& sides, int memories);

}  // namespace fstmetrics

// What has to be known before a search: the range of costs, the route, and bounds of what paths add up to.
#pragma once

#include <memory>
#include <optional>

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

struct Plan {
  const Problem& problem;
  const Options& options;
  CostRange costs;
  Alphabets alphabets;
  Remaining hypothesis, reference;  // from the start of either side
  Route route;
  std::shared_ptr<const Automaton> h, r;  // written out; null where that is too large or not needed
  std::optional<ChartSides> chart;        // for the chart route only
  TotalBounds bounds;
};

// Whether both sides can be written out, and the topological route's table for them is within its limit, whatever they have in common.
bool table_holds(const Plan& plan);

// Throws SearchError where H or R has no path, H is cyclic, or no route can do what is asked.
// `problem` and `options` must outlive the plan.
Plan make_plan(const Problem& problem, const Options& options);

}  // namespace fstmetrics

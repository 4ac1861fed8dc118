// The routes over the product of both sides: topological, best-first, dijkstra, and chart; one best path or k.
#pragma once

#include "search/plan.h"

namespace fstmetrics {

// By the route of the plan, go_by() it. Throws SearchError where a limit is reached, or costs do not fit integers.
Outcome solve_as_planned(const Plan& plan);

}  // namespace fstmetrics

// The one place that chooses a route: a row for each says what it takes, how long it will take, and how it is gone.
// Only pairs of short strings do not come here (search/batch.h): they take less time than a choice.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "search/task.h"

namespace fstmetrics {

// What the time of a route is made of, and nanoseconds for each: sizes of the problem, other ones for each route.
inline constexpr std::size_t kTerms = 8;
using Terms = std::array<double, kTerms>;

// A route as it is seen before a search.
struct RouteView {
  Route route;
  std::string why_not;        // why it cannot be used; empty if it can
  double nanoseconds, bytes;  // what it is predicted to take, if it can be used
  Terms terms;
};

// All routes in the order of the table. Throws SearchError where no route can.
std::vector<RouteView> view_routes(const Item& item, const Question& question);

// The answer for an item by the route that is asked for, or the one that is predicted to be fastest.
// Throws SearchError where H or R has no path, or H is cyclic, or no route can do what is asked within the limits.
Outcome solve(const Item& item, const Question& question);

}  // namespace fstmetrics

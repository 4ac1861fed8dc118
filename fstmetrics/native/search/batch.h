// Many problems in one call, over as many threads as asked for.
#pragma once

#include <string>
#include <vector>

#include "search/problem.h"

namespace fstmetrics {

struct Attempt {
  Outcome outcome;
  std::string error;  // of a SearchError; empty where the search succeeded
};

// Attempts in the order of the problems, whatever the number of threads.
std::vector<Attempt> solve_all(const std::vector<const Problem*>& problems, const Options& options, int threads);

}  // namespace fstmetrics

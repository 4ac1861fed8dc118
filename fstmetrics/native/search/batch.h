// Many items in one call, over as many threads as asked for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/item.h"
#include "search/path_store.h"

namespace fstmetrics {

// What was found for one item.
struct Answer {
  Route route = Route::kAuto;
  Counters counters;
  Totals best;
  // The best path's operations alone, where both sides are texts and nothing is reordered: then counting tells the
  // words. Otherwise the paths have steps.
  std::vector<Op> ops;
  std::span<const StoredPath> paths;  // best first; none where ops tell all
  // Of a reference of several texts, where ops tell all: the closest one. Steps of paths number the words of all.
  std::int32_t reference_text = 0;
  bool are_ops_left = false;  // to left_ops()
};

// The first item for which a search cannot be done as asked.
struct Failure {
  std::size_t item;
  std::string message;  // of a SearchError, or that there is no memory
};

struct Answers {
  std::vector<Answer> items;
  std::optional<Failure> failure;  // then only the items before it are sure to have an answer
  std::vector<PathStore> stores;   // of the paths
};

// Answers in the order of the items, the same whatever the number of threads. What the watch of the calling thread
// throws (support/poll.h) ends all searches.
Answers solve_all(const std::vector<Item>& items, const Question& question, int threads);

// The operations of the best path, where they are left.
std::vector<Op> left_ops(const Text& hypothesis, const Text& reference);

// Of the best path of one item the cost and the words of the reference; other totals may be missing. Throws
// SearchError.
Totals best_score(const Item& item, const Question& question);

}  // namespace fstmetrics

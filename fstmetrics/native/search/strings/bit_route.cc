#include "search/strings/bit_route.h"

#include "search/strings/bit_parallel.h"

namespace fstmetrics {

double bit_parallel_bytes(Task& task) {
  return 8.0 * static_cast<double>(BitParallel::cells_of_state(task.is_reordered())) *
         task.string_and_graph()->graph->num_states();
}

std::optional<Outcome> solve_bit_parallel(Task& task, const std::function<int()>& most_levels) {
  const StringAndGraph& sides = *task.string_and_graph();
  thread_local BitParallel search;
  const int window = sides.is_hypothesis ? task.question().window : 1;
  const StringSide string{sides.labels, window_shapes(window, task.question().reordering), sides.is_hypothesis};
  auto found = search.run(*sides.graph, string, task.options(), most_levels);
  if (!found) return std::nullopt;
  name_words(found->steps, sides);
  Outcome outcome{Route::kBitParallel, {{found->totals, std::move(found->steps)}}, {}};
  const std::int64_t positions = std::ssize(sides.labels) + 1;
  outcome.counters.expanded = found->sets;
  outcome.counters.hypothesis_states = sides.is_hypothesis ? positions : sides.graph->num_states();
  outcome.counters.reference_states = sides.is_hypothesis ? sides.graph->num_states() : positions;
  return outcome;
}

}  // namespace fstmetrics

#include "search/task.h"

#include "search/rows/many_ties.h"
#include "search/topological/line_table.h"

namespace fstmetrics {
namespace {

// The longest string that is looked at as one.
constexpr std::size_t kMostStringWords = 10'000'000;

// Arcs that are looked at for each word, on average, before it is taken for no path: about 100 nanoseconds.
constexpr std::int64_t kArcsOfWord = 100;

bool has_arc_costs(const Given& side) {
  const auto* graph = std::get_if<const Graph*>(&side);
  return graph && (*graph)->arc_costs();
}

}  // namespace

Task::Task(const Item& item, const Question& question)
    : item_(item),
      question_(question),
      plain_costs_(!item.word_costs && !has_arc_costs(item.hypothesis) && !has_arc_costs(item.reference)),
      unit_costs_(plain_costs_ && fstmetrics::has_unit_costs(metric(), is_reordered())) {}

const Problem& Task::problem() {
  if (!problem_) problem_.emplace(make_problem(item_, question_));
  return *problem_;
}

const StringAndGraph* Task::string_and_graph() {
  if (!looked_for_string_) {
    looked_for_string_ = true;
    // A text need not become a side of its own.
    if (plain_costs_) sides_ = fstmetrics::string_and_graph(item_, question_);
    if (!sides_) sides_ = fstmetrics::string_and_graph(problem(), kMostStringWords, options().max_expanded_arcs);
  }
  return sides_ ? &*sides_ : nullptr;
}

const StringPair* Task::string_pair() {
  if (!looked_for_pair_) {
    looked_for_pair_ = true;
    pair_ = plain_costs_ ? fstmetrics::string_pair(item_) : std::nullopt;
    if (!pair_) pair_ = fstmetrics::string_pair(problem());
  }
  return pair_ ? &*pair_ : nullptr;
}

const Plan& Task::plan() {
  if (!plan_) plan_.emplace(make_plan(problem(), options()));
  return *plan_;
}

double Task::arcs(bool of_hypothesis) {
  if (const StringAndGraph* sides = string_and_graph()) {
    if (is_reordered() && of_hypothesis) {
      return static_cast<double>(expanded_arcs(std::ssize(sides->labels), question_.window, question_.reordering));
    }
    return sides->is_hypothesis == of_hypothesis ? static_cast<double>(sides->labels.size())
                                                 : sides->graph->automaton().num_arcs();
  }
  return static_cast<double>(expanded_arcs(of_hypothesis ? problem().hypothesis : problem().reference));
}

bool Task::is_a_path() {
  if (!is_a_path_) {
    const StringAndGraph& sides = *string_and_graph();
    is_a_path_ = fstmetrics::is_a_path(sides, kArcsOfWord * std::ssize(sides.labels));
  }
  return *is_a_path_;
}

// Where the string is much longer than the graph, too, most of a large table has to be gone over once more.
bool Task::nearly_all_tie() {
  if (!all_tie_) {
    const StringAndGraph& sides = *string_and_graph();
    const auto words = std::ssize(sides.labels);
    const std::int64_t states = sides.graph->num_states();
    all_tie_ = metric().num_memories() == 1 && ((words * states > kMostWholeCells && words / 2 >= states) ||
                                                fstmetrics::nearly_all_tie(*sides.graph, sides.labels));
  }
  return *all_tie_;
}

}  // namespace fstmetrics

#include "search/bit_route.h"

#include "search/bit_parallel.h"

namespace fstmetrics {
namespace {

using AutomatonPtr = std::shared_ptr<const Automaton>;

bool has_unit_costs(const Problem& problem) {
  const EditAutomaton& metric = *problem.metric;
  if (problem.word_costs || metric.num_memories() != 1 || metric.length_tie != LengthTie::kLongest) return false;
  if (std::holds_alternative<Permutations>(problem.hypothesis) && metric.move_cost != 1) return false;
  for (int op = 0; op < kNumOps; ++op) {
    if (metric.transitions[0][op].cost != (op == static_cast<int>(Op::kMatch) ? 0 : 1)) return false;
  }
  return true;
}

// Words of a side that is one string; nothing otherwise.
std::optional<std::vector<Label>> string_of(const Side& side) {
  if (const auto* permutations = std::get_if<Permutations>(&side)) return permutations->words;
  const auto* automaton = std::get_if<AutomatonPtr>(&side);
  if (!automaton || !(*automaton)->is_line() || (*automaton)->num_arcs() > kMaxBitWords) return std::nullopt;
  std::vector<Label> words;
  for (const Arc& arc : (*automaton)->all_arcs()) words.push_back(arc.label);
  return words;
}

std::shared_ptr<const LevelGraph> graph_of(const Side& side, std::int64_t max_arcs) {
  if (const auto* rtn = std::get_if<std::shared_ptr<const Rtn>>(&side)) return (*rtn)->level_graph(max_arcs);
  const auto* automaton = std::get_if<AutomatonPtr>(&side);
  if (!automaton || !(*automaton)->sorted() || !(*automaton)->has_path()) return nullptr;
  return std::make_shared<const LevelGraph>(*automaton);
}

// The hypothesis label of each reference label.
std::vector<Label> to_hypothesis(const std::vector<Label>& to_reference, Label last) {
  std::vector<Label> inverse(last + 1, kNoMatch);
  for (std::size_t label = 1; label < to_reference.size(); ++label) {
    if (to_reference[label] > 0 && to_reference[label] <= last) inverse[to_reference[label]] = static_cast<Label>(label);
  }
  return inverse;
}

// The string's words by the graph's labels.
std::vector<Label> translated(const std::vector<Label>& words, const Problem& problem, bool is_hypothesis,
                              Label graph_labels) {
  Label last = 0;
  for (const Label word : words) last = std::max(last, word);
  const std::vector<Label> inverse = is_hypothesis ? std::vector<Label>() : to_hypothesis(problem.to_reference, last);
  std::vector<Label> labels;
  for (const Label word : words) {
    if (is_hypothesis && word >= static_cast<Label>(problem.to_reference.size())) {
      throw SearchError("a hypothesis label is not in the table of labels");
    }
    const Label label = is_hypothesis ? problem.to_reference[word] : inverse[word];
    labels.push_back(label <= graph_labels ? label : kNoMatch);
  }
  return labels;
}

const WindowShapes& shapes_of(const Side& side) {
  const auto* p = std::get_if<Permutations>(&side);
  return p ? window_shapes(p->window, p->reordering) : window_shapes(1, Reordering::kMoves);
}

}  // namespace

std::optional<Outcome> solve_bit_parallel(const Problem& problem, const Options& options) {
  if (!has_unit_costs(problem)) return std::nullopt;
  const auto* permutations = std::get_if<Permutations>(&problem.hypothesis);
  if (permutations && (permutations->window > WindowShapes::kMaxShapeWindow ||
                       permutations->words.size() > static_cast<std::size_t>(kMaxBitWords))) {
    return std::nullopt;
  }
  std::optional<std::vector<Label>> words = string_of(problem.hypothesis);
  const bool is_hypothesis = words.has_value();
  if (!words) words = string_of(problem.reference);
  if (!words) return std::nullopt;
  const auto graph = graph_of(is_hypothesis ? problem.reference : problem.hypothesis, options.max_expanded_arcs);
  if (!graph) return std::nullopt;

  thread_local BitParallel search;
  const std::vector<Label> labels = translated(*words, problem, is_hypothesis, graph->automaton().max_label());
  const StringSide string{labels, shapes_of(problem.hypothesis), is_hypothesis};
  BitPath found = search.run(*graph, string, options.alignment);
  for (Step& step : found.steps) {
    const std::int32_t position = is_hypothesis ? step.origin : step.reference_origin;
    if (position >= 0) (is_hypothesis ? step.hypothesis : step.reference) = (*words)[position];
  }
  Outcome outcome{Route::kBitParallel, {{found.totals, std::move(found.steps)}}, {}};
  outcome.counters.expanded = found.sets;
  outcome.counters.hypothesis_states = is_hypothesis ? static_cast<std::int64_t>(words->size()) + 1 : graph->num_states();
  outcome.counters.reference_states = is_hypothesis ? graph->num_states() : static_cast<std::int64_t>(words->size()) + 1;
  return outcome;
}

}  // namespace fstmetrics

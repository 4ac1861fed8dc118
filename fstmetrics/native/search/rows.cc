#include "search/rows.h"

#include <algorithm>
#include <bit>

#include "search/ranking.h"
#include "search/row_table.h"
#include "search/sparse_cells.h"
#include "search/string_side.h"

namespace fstmetrics {
namespace {

// Whether every future that is open after one memory is open after another at no more cost: the largest relation for
// which each operation is no dearer and leads to memories so related.
std::vector<std::vector<bool>> dominance(const EditAutomaton& metric) {
  const int memories = metric.num_memories();
  std::vector<std::vector<bool>> at_least(memories, std::vector<bool>(memories, true));
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < memories; ++a) {
      for (int b = 0; b < memories; ++b) {
        for (int op = 0; op < kNumOps && at_least[a][b]; ++op) {
          const Transition& better = metric.transitions[a][op];
          const Transition& worse = metric.transitions[b][op];
          if (better.cost > worse.cost || !at_least[better.next][worse.next]) at_least[a][b] = false, changed = true;
        }
      }
    }
  }
  return at_least;
}

bool never_pays_to_mismatch(const EditAutomaton& metric) {
  const auto at_least = dominance(metric);
  return std::all_of(metric.transitions.begin(), metric.transitions.end(), [&](const auto& ops) {
    const Transition& match = ops[static_cast<int>(Op::kMatch)];
    const Transition& other = ops[static_cast<int>(Op::kSubstitution)];
    return match.cost <= other.cost && at_least[match.next][other.next];
  });
}

std::int64_t largest_cost(const EditAutomaton& metric) {
  std::int64_t largest = 1;
  for (const auto& ops : metric.transitions) {
    for (const Transition& t : ops) largest = std::max(largest, std::abs(t.cost));
  }
  return largest;
}

std::int64_t longest_path(const LevelGraph& graph) {
  std::vector<std::int32_t> length(graph.num_states(), 0);
  std::int32_t longest = 0;
  for (StateId state = 0; state < graph.num_states(); ++state) {
    for (const LevelGraph::Incoming& in : graph.incoming(state)) {
      length[state] = std::max(length[state], length[in.source] + (in.label != kEpsilon));
    }
    longest = std::max(longest, length[state]);
  }
  return longest;
}

// Settles ties: adds up ranked weights from the goal back to the start, over the cells of best paths.
// V is the type of ranked weights.
template <class V>
class Settling {
 public:
  Settling(const RowProblem& problem, const RowTable& table, const Ranking<V>& ranking, std::int64_t best)
      : problem_(problem),
        table_(table),
        positions_(static_cast<int>(problem.words.size()) + 1),
        blocks_((positions_ + 63) / 64),
        slots_(problem.graph.num_states(), -1) {
    weights_[static_cast<int>(Op::kMatch)] = ranking.reference_word + ranking.match;
    weights_[static_cast<int>(Op::kSubstitution)] = ranking.reference_word + ranking.edit;
    weights_[static_cast<int>(Op::kInsertion)] = ranking.edit;
    weights_[static_cast<int>(Op::kDeletion)] = ranking.reference_word + ranking.edit + ranking.deletion;
    for (const StateId state : problem.graph.finals()) {
      for (int memory = 0; memory < problem.memories(); ++memory) {
        if (table.at(state, memory, positions_ - 1) == best) offer(state, memory, positions_ - 1, {});
      }
    }
    for (StateId state = problem.graph.num_states() - 1; state >= 0; --state) {
      if (slots_[state] >= 0) settle(state);
    }
  }

  V rank() const { return cells_.at(key(problem_.graph.automaton().start(), 0, 0)).rank; }

  std::vector<Step> trace(bool string_is_hypothesis) const {
    std::vector<Step> steps;
    StateId state = problem_.graph.automaton().start();
    int memory = 0, position = 0;
    while (true) {
      const Cell& cell = cells_.at(key(state, memory, position));
      if (cell.op == Op::kEpsilon && cell.arc < 0) return steps;
      const Arc* arc = cell.arc < 0 ? nullptr : &problem_.graph.automaton().all_arcs()[cell.arc];
      if (cell.op != Op::kEpsilon) {
        Step step{cell.op};
        (string_is_hypothesis ? step.origin : step.reference_origin) = cell.takes_word ? position : -1;
        if (arc) {
          (string_is_hypothesis ? step.reference : step.hypothesis) = arc->label;
          (string_is_hypothesis ? step.reference_origin : step.origin) = arc->origin;
        }
        steps.push_back(step);
      }
      position += cell.takes_word;
      memory = cell.memory;
      if (arc) state = arc->next;
    }
  }

 private:
  // What comes next from a cell on a best path.
  struct Cell {
    V rank = 0;
    std::int32_t arc = -1;
    std::int16_t memory = 0;
    Op op = Op::kEpsilon;
    bool takes_word = false;
  };

  std::int64_t key(StateId state, int memory, int position) const {
    return (std::int64_t{state} * problem_.memories() + memory) * positions_ + position;
  }
  std::uint64_t* live(StateId state, int memory) {
    return live_.data() + (static_cast<std::size_t>(slots_[state]) * problem_.memories() + memory) * blocks_;
  }

  void offer(StateId state, int memory, int position, const Cell& cell) {
    if (slots_[state] < 0) {
      slots_[state] = used_++;
      live_.resize(static_cast<std::size_t>(used_) * problem_.memories() * blocks_, 0);
    }
    std::uint64_t& block = live(state, memory)[position / 64];
    const std::uint64_t mark = std::uint64_t{1} << (position % 64);
    Cell& kept = cells_[key(state, memory, position)];
    if ((block & mark) && kept.rank <= cell.rank) return;
    block |= mark;
    kept = cell;
  }

  // Positions go down, as words read alone lead to earlier positions of the same state.
  void settle(StateId state) {
    for (int block = blocks_ - 1; block >= 0; --block) {
      std::uint64_t done = 0;
      while (true) {
        std::uint64_t rest = 0;
        for (int m = 0; m < problem_.memories(); ++m) rest |= live(state, m)[block] & ~done;
        if (rest == 0) break;
        const int highest = 63 - std::countl_zero(rest);
        done |= ~((std::uint64_t{1} << highest) - 1);
        for (int m = 0; m < problem_.memories(); ++m) {
          if ((live(state, m)[block] >> highest) & 1) settle_cell(state, m, block * 64 + highest);
        }
      }
    }
  }

  void settle_cell(StateId state, int memory, int position) {
    const std::int64_t value = table_.at(state, memory, position);
    const V rank = cells_.at(key(state, memory, position)).rank;
    // Offers the cells from which `op` leads here at no more than they cost.
    const auto try_from = [&](StateId from, std::int32_t arc, Op op, bool takes_word) {
      const int before = position - takes_word;
      if (before < 0) return;
      for (int m = 0; m < problem_.memories(); ++m) {
        const Transition& t = problem_.transition(m, op);
        if (t.next != memory || table_.at(from, m, before) + t.cost != value) continue;
        offer(from, m, before,
              {rank + weights_[static_cast<int>(op)], arc, static_cast<std::int16_t>(memory), op, takes_word});
      }
    };
    try_from(state, -1, problem_.string_only, true);
    for (const LevelGraph::Incoming& in : problem_.graph.incoming(state)) {
      if (in.label == kEpsilon) {
        if (table_.at(in.source, memory, position) == value) {
          offer(in.source, memory, position, {rank, in.arc, static_cast<std::int16_t>(memory), Op::kEpsilon, false});
        }
        continue;
      }
      try_from(in.source, in.arc, problem_.graph_only, false);
      const bool same = position > 0 && problem_.words[position - 1] == in.label;
      try_from(in.source, in.arc, same ? Op::kMatch : Op::kSubstitution, true);
    }
  }

  const RowProblem& problem_;
  const RowTable& table_;
  const int positions_, blocks_;
  V weights_[kNumOps];
  std::vector<std::int32_t> slots_;  // by state; -1 for states that are on no best path
  std::int32_t used_ = 0;
  SparseCells<Cell> cells_;
  std::vector<std::uint64_t> live_;
};

template <class V>
Path settled_path(const RowProblem& problem, const RowTable& table, const TotalBounds& bounds, std::int64_t best,
                  bool alignment) {
  const bool longest = problem.metric.length_tie == LengthTie::kLongest || best > 0;
  const auto ranking = make_ranking<V>(bounds, longest);
  const Settling<V> settled(problem, table, ranking, best);
  Path path{ranking.totals(settled.rank() + V{best} * ranking.cost), {}};
  if (alignment) path.steps = settled.trace(problem.string_only == Op::kInsertion);
  return path;
}

Path best_path(const RowProblem& problem, const RowTable& table, const TotalBounds& bounds, bool alignment) {
  const int end = static_cast<int>(problem.words.size());
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (const StateId state : problem.graph.finals()) {
    for (int m = 0; m < problem.memories(); ++m) best = std::min(best, table.at(state, m, end));
  }
  return width_needed(bounds) == Width::kMachine
             ? settled_path<std::int64_t>(problem, table, bounds, best, alignment)
             : settled_path<Wide>(problem, table, bounds, best, alignment);
}

}  // namespace

std::optional<Outcome> solve_rows(const Problem& problem, const Options& options) {
  if (problem.word_costs || problem.has_arc_costs()) return std::nullopt;
  if (std::holds_alternative<Permutations>(problem.hypothesis)) return std::nullopt;
  if (!never_pays_to_mismatch(*problem.metric)) return std::nullopt;
  const auto sides = string_and_graph(problem, 1'000'000, options.max_expanded_arcs);
  if (!sides) return std::nullopt;

  const auto words = static_cast<std::int64_t>(sides->words.size());
  const std::int64_t graph_words = longest_path(*sides->graph);
  const TotalBounds bounds{sides->is_hypothesis ? words : graph_words, sides->is_hypothesis ? graph_words : words, false,
                           largest_cost(*problem.metric)};
  if (width_needed(bounds) == Width::kTooWide) return std::nullopt;
  const std::int64_t cells = (words + 1) * sides->graph->num_states();

  const RowProblem rows{*sides->graph, sides->labels, *problem.metric,
                        sides->is_hypothesis ? Op::kInsertion : Op::kDeletion,
                        sides->is_hypothesis ? Op::kDeletion : Op::kInsertion};
  const std::int64_t sum = (words + graph_words + 1) * bounds.operation_cost;
  // The limit is meant for the topological route, whose cells take 8 bytes; these take 2 or 4.
  const bool narrow = sum < row_bound<std::int16_t>();
  const std::int64_t per_cell = narrow ? 4 : 2;
  if (cells > per_cell * options.max_cells / problem.metric->num_memories()) return std::nullopt;
  if (!narrow && sum >= row_bound<std::int32_t>()) return std::nullopt;
  const auto table = narrow ? fill_rows<std::int16_t>(rows) : fill_rows<std::int32_t>(rows);
  Path path = best_path(rows, *table, bounds, options.alignment);
  name_words(path.steps, *sides);
  Outcome outcome{Route::kRows, {std::move(path)}, {}};
  outcome.counters.expanded = cells * problem.metric->num_memories();
  outcome.counters.hypothesis_states = sides->is_hypothesis ? words + 1 : sides->graph->num_states();
  outcome.counters.reference_states = sides->is_hypothesis ? sides->graph->num_states() : words + 1;
  return outcome;
}

}  // namespace fstmetrics

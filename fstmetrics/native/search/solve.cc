// Chooses integer width and tie direction, runs the search of the plan's route and reads off the totals.

#include <algorithm>
#include <optional>
#include <string>

#include "search/best_first/best_first.h"
#include "search/best_first/kbest.h"
#include "search/chart/chart_search.h"
#include "search/fear/fear.h"
#include "search/graphs/graphs.h"
#include "search/plan.h"
#include "search/rows/rows.h"
#include "search/string_routes.h"
#include "search/strings/string_pair.h"
#include "search/topological/line_table.h"
#include "search/topological/topological.h"

namespace fstmetrics {
namespace {

bool goes_along_a_line(const Automaton& h, const Automaton& r, int memories) {
  if (!(h.is_line() || r.is_line()) || !h.sorted() || !r.sorted()) return false;
  return std::int64_t{h.num_states()} * r.num_states() > kMostWholeCells / memories;
}

// The searches in one integer width and one direction of the length tie.
template <class V>
class Solver {
 public:
  Solver(const Plan& p, bool longest)
      : p_(p),
        ranking_(make_ranking<V>(p.bounds, longest)),
        pricing_(p.problem, ranking_),
        estimate_(p.costs.cheapest, ranking_, p.route != Route::kDijkstra) {}

  Outcome run() {
    Outcome outcome{p_.route, {}, {}};
    if (p_.route == Route::kChart) {
      ChartSearch<V>(p_, ranking_, pricing_).run(outcome);
    } else if (p_.options.nbest > 1) {
      run_nbest(outcome);
    } else if (p_.route == Route::kTopological) {
      run_topological(outcome);
    } else {
      run_best_first(outcome);
    }
    return outcome;
  }

 private:
  void run_topological(Outcome& outcome) {
    if (goes_along_a_line(*p_.h, *p_.r, p_.problem.metric->num_memories())) {
      const bool line_is_hypothesis = p_.h->is_line() && (!p_.r->is_line() || p_.h->num_arcs() >= p_.r->num_arcs());
      fill(outcome, LineTable<V>(*p_.h, *p_.r, line_is_hypothesis, pricing_, p_.options.max_cells));
    } else {
      fill(outcome, CostToGo<V>(*p_.h, *p_.r, pricing_, p_.options.max_cells));
    }
  }

  template <class Table>
  void fill(Outcome& outcome, Table table) {
    outcome.paths.push_back({ranking_.totals(table.best()), {}});
    if (p_.options.alignment) outcome.paths[0].steps = table.trace();
    outcome.counters.expanded = table.num_cells();
    outcome.counters.hypothesis_states = p_.h->num_states();
    outcome.counters.reference_states = p_.r->num_states();
  }

  void run_best_first(Outcome& outcome) {
    const auto h = make_machine(p_.problem.hypothesis, p_.alphabets.hypothesis);
    const auto r = make_machine(p_.problem.reference, p_.alphabets.reference);
    BestFirst<V> search(*h, *r, pricing_, estimate_, p_.options.max_nodes);
    outcome.paths.push_back({ranking_.totals(search.run()), {}});
    if (p_.options.alignment) outcome.paths[0].steps = search.trace();
    outcome.counters = search.counters();
    outcome.counters.hypothesis_states = h->visited();
    outcome.counters.reference_states = r->visited();
  }

  void run_nbest(Outcome& outcome) {
    if (p_.problem.wildcard != kNoMatch) {
      throw SearchError("k-best paths cannot be found where references have wildcards (<*>); use nbest 1");
    }
    if (!p_.h) {
      throw SearchError(std::string("k-best paths need the hypotheses written out, which would exceed ") + kMaxExpandedArcs);
    }
    const auto r = p_.r ? std::make_unique<ExplicitMachine>(*p_.r, p_.alphabets.reference)
                        : make_machine(p_.problem.reference, p_.alphabets.reference);
    ExplicitMachine h(*p_.h, p_.alphabets.hypothesis);
    std::optional<CostToGo<V>> table;
    if (p_.route == Route::kTopological) table.emplace(*p_.h, *p_.r, pricing_, p_.options.max_cells);
    const auto to_go = [&](StateId hs, StateId rs, int memory) {
      return table ? table->at(hs, rs, memory) : estimate_(h.remaining(hs), r->remaining(rs));
    };
    WordSequences<V> references(SpelledOut::kReference, *r, *p_.h, pricing_, to_go, p_.options.max_nodes);
    KBest<V> pairs(p_, ranking_, pricing_, references);
    outcome.paths = pairs.take(p_.options.nbest);
    outcome.counters.expanded = pairs.expanded() + (table ? table->num_cells() : 0);
    outcome.counters.hypothesis_states = p_.h->num_states();
    outcome.counters.reference_states = r->visited();
  }

  const Plan& p_;
  Ranking<V> ranking_;
  Pricing<V> pricing_;
  Estimate<V> estimate_;
};

Outcome search(const Plan& p, bool longest) {
  switch (width_needed(p.bounds)) {
    case Width::kMachine: return Solver<std::int64_t>(p, longest).run();
    case Width::kWide: return Solver<Wide>(p, longest).run();
    default:
      throw SearchError("costs of up to " + std::to_string(p.costs.largest) + " units over paths of up to " +
                        std::to_string(p.bounds.hypothesis_words) + " and " +
                        std::to_string(p.bounds.reference_words) +
                        " words do not fit exact integers; give the metric's costs with fewer decimals");
  }
}

// The longest string that is looked at as one.
constexpr std::size_t kMostStringWords = 10'000'000;

Outcome solve_topologically(const Problem& problem, Options options) {
  options.route = Route::kTopological;
  return solve(problem, options);
}

// The routes for a string and a graph, where one of them is wanted.
std::optional<Outcome> solve_string_and_graph(const Problem& problem, const Options& options) {
  const bool wanted = options.route == Route::kAuto || options.route == Route::kBitParallel || options.route == Route::kUnitRows ||
                      options.route == Route::kRows;
  if (!wanted || options.nbest > 1) return std::nullopt;
  const auto sides = string_and_graph(problem, kMostStringWords, options.max_expanded_arcs);
  if (!sides) return std::nullopt;
  const auto* permutations = std::get_if<Permutations>(&problem.hypothesis);
  const bool plain_costs = !problem.word_costs && !problem.has_arc_costs();
  const StringProblem string{*sides, *problem.metric, has_unit_costs(problem),
                             plain_costs && !permutations && rows_take(*problem.metric),
                             permutations ? permutations->window : 1, permutations ? permutations->reordering : Reordering::kMoves};
  StringAnswer answer = solve_string(string, options);
  if (answer.topological) return solve_topologically(problem, options);
  return std::move(answer.outcome);
}

// The routes for one side being a string; nothing where another route was asked for, or none of them applies.
std::optional<Outcome> solve_with_a_string(const Problem& problem, const Options& options) {
  if (options.nbest == 1 && (options.route == Route::kAuto || options.route == Route::kStringPair)) {
    if (auto outcome = solve_string_pair(problem, options)) return outcome;
  }
  if (auto outcome = solve_string_and_graph(problem, options)) return outcome;
  if (options.route == Route::kBitParallel) {
    throw SearchError("route bit-parallel cannot be used: it takes unit costs, rewriting at no cost, a string of at most "
                      "63 words on one side (window at most 6), an acyclic other side, sets of at most as many bytes as 8 times " +
                      std::string(kMaxCells) + ", and nbest 1");
  }
  if (options.route == Route::kStringPair) {
    throw SearchError("route string-pair cannot be used: it takes unit costs, rewriting at no cost, a plain string on "
                      "both sides, and nbest 1");
  }
  if (options.route == Route::kUnitRows) {
    throw SearchError("route unit-rows cannot be used: it takes unit costs, rewriting at no cost, a plain string on "
                      "one side, an acyclic other side, fewer than 65,535 edits, rows of at most 4 bytes a cell of " +
                      std::string(kMaxCells) + ", and nbest 1");
  }
  if (options.route == Route::kRows) {
    throw SearchError("route rows cannot be used: it takes a plain string on one side, an acyclic other side, costs "
                      "that depend neither on words nor on rewriting and by which a match is never worse than a "
                      "substitution, and nbest 1");
  }
  return std::nullopt;
}

// The route for two graphs; nothing where another route was asked for, or it does not apply.
std::optional<Outcome> solve_two_graphs(const Problem& problem, const Options& options) {
  if (options.nbest == 1 && (options.route == Route::kAuto || options.route == Route::kGraphs)) {
    if (auto outcome = solve_graphs(problem, options)) return outcome;
  }
  if (options.route == Route::kGraphs) {
    throw SearchError("route graphs cannot be used: it takes two acyclic sides without a window, of paths of a "
                      "few thousand words and at most as many arcs written out as " + std::string(kMaxExpandedArcs) +
                      ", at most 4 times as many pairs of states as " + kMaxCells + ", a metric of one memory whose costs depend neither on words nor on rewriting and "
                      "by which a match is never worse than a substitution, and nbest 1");
  }
  return std::nullopt;
}

// By the route of a plan.
Outcome solve_as_planned(const Problem& problem, const Options& options, const Plan& p) {
  if (problem.metric->length_tie == LengthTie::kLongest) return search(p, true);
  // Gain divided by the largest gain: short references are better for gains >= 0 (costs <= 0), long ones below.
  Outcome outcome = search(p, false);
  const bool fixed_length = p.reference.min_words == p.reference.max_words;
  const auto loses = [](const Path& path) { return path.totals.cost > 0; };
  if (fixed_length || std::none_of(outcome.paths.begin(), outcome.paths.end(), loses)) return outcome;
  const Outcome reversed = search(p, true);
  std::erase_if(outcome.paths, loses);
  for (const Path& path : reversed.paths) {
    if (loses(path) && static_cast<int>(outcome.paths.size()) < std::max(options.nbest, 1)) {
      outcome.paths.push_back(path);
    }
  }
  return outcome;
}

// Product states that best-first may meet of permutations too many to be written out, unless it is asked for: a few seconds.
constexpr std::int64_t kMostTriedNodes = 1'000'000;
// Pairs of arcs, permutations written out, that the topological route goes over while best-first meets one product state.
constexpr double kPairsPerNode = 1500;

// Reordering in a window. Best-first finds an answer that is near at once, and one that is far after minutes or never; so it may try
// for as long as the topological route would take, which is known beforehand, and then that has its turn.
Outcome solve_in_window(const Problem& problem, const Options& options) {
  const Plan p = make_plan(problem, options);
  if (p.route != Route::kBestFirst) return solve_as_planned(problem, options, p);
  const bool holds = table_holds(p);
  const auto h_arcs = static_cast<double>(expanded_arcs(problem.hypothesis)), r_arcs = static_cast<double>(expanded_arcs(problem.reference));
  const bool are_too_many = expanded_arcs(problem.hypothesis) > options.max_expanded_arcs;
  Options tried = options;
  if (holds) tried.max_nodes = std::min(options.max_nodes, static_cast<std::int64_t>(h_arcs * r_arcs / kPairsPerNode) + 1);
  if (are_too_many) tried.max_nodes = std::min(options.max_nodes, kMostTriedNodes);
  try {
    return solve_as_planned(problem, tried, make_plan(problem, tried));
  } catch (const TooManyNodes&) {
    if (holds) return solve_topologically(problem, options);
    if (!are_too_many || tried.max_nodes == options.max_nodes) throw;
  }
  const auto& permutations = std::get<Permutations>(problem.hypothesis);
  throw SearchError("reordering " + std::to_string(permutations.words.size()) + " words in a window of " + std::to_string(permutations.window) +
                    " takes up to " + std::to_string(expanded_arcs(problem.hypothesis)) + " arcs written out, more than the limit of " +
                    std::to_string(options.max_expanded_arcs) + ", and the closest path is too far away to be found without that; use a smaller "
                    "window, raise " + kMaxExpandedArcs + ", or let route best-first go on as far as " + kMaxNodes + " allows");
}

}  // namespace

Outcome solve(const Problem& problem, const Options& options) {
  if (options.fear) return solve_fear(problem, options);
  if (auto outcome = solve_with_a_string(problem, options)) return *std::move(outcome);
  if (auto outcome = solve_two_graphs(problem, options)) return *std::move(outcome);
  const bool reorders = std::holds_alternative<Permutations>(problem.hypothesis);
  if (reorders && options.route == Route::kAuto && options.nbest == 1) return solve_in_window(problem, options);
  return solve_as_planned(problem, options, make_plan(problem, options));
}

}  // namespace fstmetrics

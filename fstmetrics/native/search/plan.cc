#include "search/plan.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

#include "lazy/weighted_cards.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

void widen(CostRange& range, int op, std::int64_t least, std::int64_t most) {
  range.cheapest.of[op] += least;
  range.dearest[op] += most;
}

// Labels begin at 1, and a word is never substituted for itself: what stands there is no cost.
void widen_by_words(CostRange& range, const Problem& problem) {
  Polls poll;
  const WordCosts& words = *problem.word_costs;
  const auto over = [&](Op op, const std::vector<std::int64_t>& costs) {
    if (costs.size() < 2) return;
    const auto [least, most] = std::minmax_element(costs.begin() + 1, costs.end());
    widen(range, static_cast<int>(op), *least, *most);
  };
  over(Op::kMatch, words.match);
  over(Op::kInsertion, words.insertion);
  over(Op::kDeletion, words.deletion);
  std::vector<std::int64_t> pairs{0};
  for (std::size_t h = 1; h < words.insertion.size(); ++h) {
    poll(2 * static_cast<std::int64_t>(words.reference_labels));
    for (std::size_t r = 1; r < words.reference_labels; ++r) {
      if (static_cast<std::size_t>(problem.to_reference[h]) == r) continue;
      pairs.push_back(words.substitution[h * words.reference_labels + r]);
    }
  }
  over(Op::kSubstitution, pairs);
}

CostRange cost_range(const Problem& problem) {
  CostRange range{};
  for (int op = 0; op < kNumOps; ++op) {
    std::int64_t least = problem.metric->transitions[0][op].cost, most = least;
    for (const auto& from_memory : problem.metric->transitions) {
      least = std::min(least, from_memory[op].cost), most = std::max(most, from_memory[op].cost);
    }
    widen(range, op, least, most);
  }
  if (problem.word_costs) widen_by_words(range, problem);
  range.largest = std::abs(problem.metric->move_cost);
  range.negative = problem.metric->move_cost < 0;
  for (int op = 0; op < kNumOps; ++op) {
    range.largest = std::max({range.largest, std::abs(range.cheapest.of[op]), std::abs(range.dearest[op])});
    range.negative |= range.cheapest.of[op] < 0;
  }
  for (const auto& costs : {problem.hypothesis_costs, problem.reference_costs}) {
    range.negative |= costs && *std::min_element(costs->begin(), costs->end()) < 0;
  }
  return range;
}

// The most that the arcs of a path can cost, of either sign.
double largest_arc_costs(const Side& side, const std::shared_ptr<const std::vector<std::int64_t>>& costs) {
  if (!costs) return 0.0;
  if (const auto* rtn = std::get_if<std::shared_ptr<const Rtn>>(&side)) return largest_sum(**rtn, *costs);
  const Automaton& automaton = *std::get<std::shared_ptr<const Automaton>>(side);
  std::vector<double> largest(automaton.num_states(), 0.0);
  for (StateId state = automaton.num_states() - 1; state >= 0; --state) {
    poll(work_at(automaton, state));
    for (const Arc& arc : automaton.arcs(state)) {
      const double cost = std::abs(static_cast<double>((*costs)[arc.origin]));
      largest[state] = std::max(largest[state], cost + largest[arc.next]);
    }
  }
  return largest.empty() ? 0.0 : largest[automaton.start()];
}

Remaining from_start(const Side& side, const Matchable& matchable, const char* name) {
  if (const auto* automaton = std::get_if<std::shared_ptr<const Automaton>>(&side);
      automaton && !(*automaton)->has_path()) {
    throw SearchError(std::string("the ") + name + " has no path from its start to a final state");
  }
  const auto machine = make_machine(side, matchable);
  return machine->remaining(machine->start());
}

// The most words of R that a path among the `nbest` best can have, where operations cost something: the path that
// inserts all of H and deletes the shortest path of R is no worse than the best. If R is cyclic, going round a
// cycle of at most `states` words once more makes the next path; otherwise nothing is known of the later ones.
std::int64_t affordable_words(const Plan& p) {
  const bool cyclic = p.is_cyclic();
  const int later = p.options.nbest - 1;
  if (later > 0 && !cyclic) return Remaining::kUnbounded;
  const std::int64_t states = later > 0 ? expanded_arcs(p.problem.reference) + 1 : 0;
  const double words = static_cast<double>(p.reference.min_words) + 2.0 * later * static_cast<double>(states);
  // The path of H that costs least beside its operations may be its longest.
  const std::int64_t inserted = p.problem.hypothesis_costs ? p.hypothesis.max_words : p.hypothesis.min_words;
  const double most =
      static_cast<double>(inserted) * static_cast<double>(p.costs.dearest[static_cast<int>(Op::kInsertion)]) +
      words * static_cast<double>(p.costs.dearest[static_cast<int>(Op::kDeletion)]);
  const double affordable =
      static_cast<double>(p.hypothesis.max_words) + 1.0 + most / static_cast<double>(p.costs.cheapest[Op::kDeletion]);
  return affordable < static_cast<double>(Remaining::kUnbounded) ? static_cast<std::int64_t>(affordable)
                                                                 : Remaining::kUnbounded;
}

// Upper bounds of what a path adds up to. Where gains are possible a cyclic R is written out, and a best path passes
// no cell of the table twice between two words of H.
TotalBounds bounds_of(const Plan& p) {
  TotalBounds bounds{p.hypothesis.max_words, p.reference.max_words,
                     std::holds_alternative<Permutations>(p.problem.hypothesis), p.costs.largest,
                     largest_arc_costs(p.problem.hypothesis, p.problem.hypothesis_costs) +
                         largest_arc_costs(p.problem.reference, p.problem.reference_costs)};
  if (p.problem.reference_costs) return bounds;
  if (!p.costs.negative && p.costs.cheapest[Op::kDeletion] > 0) {
    bounds.reference_words = std::min(bounds.reference_words, affordable_words(p));
  } else if (bounds.reference_words >= Remaining::kUnbounded && p.r) {  // written out, so cyclic
    bounds.reference_words = bounds.hypothesis_words + (bounds.hypothesis_words + 1) * p.r->num_states() *
                                                           p.problem.metric->num_memories() * p.options.nbest;
  }
  return bounds;
}

void check_tables(const Plan& p) {
  const auto& words = p.problem.word_costs;
  if (words && (words->insertion.size() != p.alphabets.hypothesis.size() ||
                words->deletion.size() < p.alphabets.reference.size())) {
    throw SearchError("the word costs do not cover every label");
  }
}

}  // namespace

bool table_holds(const Plan& p) {
  const std::int64_t h_arcs = expanded_arcs(p.problem.hypothesis), r_arcs = expanded_arcs(p.problem.reference) + 1;
  const auto* permutations = std::get_if<Permutations>(&p.problem.hypothesis);
  // Each state of permutations has up to as many arcs as the window has words.
  const std::int64_t states = (permutations ? h_arcs / std::max(permutations->window, 1) : h_arcs) + 1;
  const bool are_written_out = std::max(h_arcs, r_arcs) <= p.options.max_expanded_arcs;
  return are_written_out && states <= p.options.max_cells / p.problem.metric->num_memories() / r_arcs;
}

std::optional<ChartSides> chart_sides(const Problem& problem, const Options& options) {
  const auto with = [&](NetworkSide side, const Side& cards, const Side& other) -> std::optional<ChartSides> {
    const auto* network = std::get_if<std::shared_ptr<const Rtn>>(&cards);
    const auto is_acyclic = [](const Automaton& card) { return card.sorted(); };
    if (!network || !std::ranges::all_of((*network)->cards(), is_acyclic)) return std::nullopt;
    const auto flat = expanded(other, options.max_expanded_arcs);
    if (!flat || !flat->sorted()) return std::nullopt;
    return ChartSides{side, *network, flat};
  };
  const auto sides = with(NetworkSide::kHypothesis, problem.hypothesis, problem.reference);
  if (sides || problem.has_costs_on_cards()) return sides;
  return with(NetworkSide::kReference, problem.reference, problem.hypothesis);
}

double chart_steps(const ChartSides& sides, int memories) {
  double calls = 0, words = 0;
  for (const Automaton& card : sides.network->cards()) {
    const auto arcs = card.all_arcs();
    const auto called = std::ranges::count_if(arcs, [](const Arc& arc) { return arc.label < 0; });
    calls += static_cast<double>(called), words += static_cast<double>(std::ssize(arcs) - called);
  }
  const double contexts = static_cast<double>(sides.flat->num_states()) * memories;
  const double steps = 1 + static_cast<double>(sides.flat->num_arcs()) * memories / contexts;
  return calls * contexts * contexts * contexts / 6 + words * contexts * contexts * steps / 2;
}

std::string why_not_topological(const Problem& problem, const Options& options) {
  if (problem.has_costs_on_cards()) return "costs stand on the cards of a network, which only the chart route handles";
  const std::int64_t arcs = std::max(expanded_arcs(problem.hypothesis), expanded_arcs(problem.reference));
  if (arcs <= options.max_expanded_arcs) return "";
  return "a side would have up to " + std::to_string(arcs) + " arcs written out, more than the limit of " +
         std::to_string(options.max_expanded_arcs) + "; raise " + kMaxExpandedArcs;
}

std::string why_not_chart(const Problem& problem, const Options& options) {
  if (chart_sides(problem, options)) return "";
  return "it takes a network of acyclic cards on one side and an acyclic other side of at most " +
         std::to_string(options.max_expanded_arcs) + " arcs written out; raise " + kMaxExpandedArcs;
}

void refuse(Route route, const std::string& why) {
  throw SearchError(std::string("route ") + route_name(route) + " cannot be used: " + why);
}

Plan make_plan(const Problem& problem, const Options& options) {
  Plan p{problem, options, {}, shared_words(problem), {}, {}};
  check_tables(p);
  p.costs = cost_range(problem);
  p.hypothesis = from_start(problem.hypothesis, p.alphabets.hypothesis, "hypothesis");
  p.reference = from_start(problem.reference, p.alphabets.reference, "reference");
  if (p.hypothesis.max_words >= Remaining::kUnbounded) {
    throw SearchError("the hypothesis has a cycle, or paths longer than can be counted; hypotheses must be acyclic");
  }
  return p;
}

void go_by(Route route, Plan& p) {
  p.route = route;
  if (route == Route::kChart) {
    p.chart = chart_sides(p.problem, p.options);
  } else if (route == Route::kTopological || p.options.nbest > 1) {
    p.h = expanded(p.problem.hypothesis, p.options.max_expanded_arcs);
    p.r = expanded(p.problem.reference, p.options.max_expanded_arcs);
  }
  p.bounds = bounds_of(p);
}

}  // namespace fstmetrics

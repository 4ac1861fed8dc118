// Chooses integer width and tie direction, runs the search of the plan's route and reads off the totals.

#include "search/product_routes.h"

#include <algorithm>
#include <optional>
#include <string>

#include "search/best_first/best_first.h"
#include "search/best_first/kbest.h"
#include "search/chart/chart_search.h"
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
      throw SearchError(std::string("k-best paths need the hypotheses written out, which would exceed ") +
                        kMaxExpandedArcs);
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
    case Width::kMachine:
      return Solver<std::int64_t>(p, longest).run();
    case Width::kWide:
      return Solver<Wide>(p, longest).run();
    default:
      throw SearchError("costs of up to " + std::to_string(p.costs.largest) + " units over paths of up to " +
                        std::to_string(p.bounds.hypothesis_words) + " and " + std::to_string(p.bounds.reference_words) +
                        " words do not fit exact integers; give the metric's costs with fewer decimals");
  }
}

}  // namespace

Outcome solve_as_planned(const Plan& p) {
  if (p.problem.metric->length_tie == LengthTie::kLongest) return search(p, true);
  // Gain divided by the largest gain: short references are better for gains >= 0 (costs <= 0), long ones below.
  Outcome outcome = search(p, false);
  const bool fixed_length = p.reference.min_words == p.reference.max_words;
  const auto loses = [](const Path& path) { return path.totals.cost > 0; };
  if (fixed_length || std::none_of(outcome.paths.begin(), outcome.paths.end(), loses)) return outcome;
  const Outcome reversed = search(p, true);
  std::erase_if(outcome.paths, loses);
  for (const Path& path : reversed.paths) {
    if (loses(path) && static_cast<int>(outcome.paths.size()) < std::max(p.options.nbest, 1)) {
      outcome.paths.push_back(path);
    }
  }
  return outcome;
}

}  // namespace fstmetrics

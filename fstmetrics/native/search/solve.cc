// Chooses integer width, tie direction and route for a problem, runs the search and reads off the totals.

#include <algorithm>
#include <cstdlib>
#include <map>

#include "lazy/explicit_machine.h"
#include "search/best_first.h"
#include "search/estimate.h"
#include "search/nbest.h"
#include "search/problem.h"
#include "search/product.h"
#include "search/topological.h"

namespace fstmetrics {
namespace {

// Work the topological route may do before best-first is tried instead, in pairs of arcs: about a tenth of a
// second. Below it, its time is certain, while best-first depends on how far H and R are apart.
constexpr std::int64_t kTopologicalPairs = 20'000'000;

// Cheapest and dearest operation of a metric, words included.
struct CostRange {
  CheapestOps cheapest;
  std::int64_t dearest[kNumOps];
  std::int64_t largest = 0;
  bool negative = false;
};

void widen(CostRange& range, int op, std::int64_t least, std::int64_t most) {
  range.cheapest.of[op] += least;
  range.dearest[op] += most;
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
  if (problem.word_costs) {
    const std::vector<std::int64_t>* tables[] = {&problem.word_costs->match, &problem.word_costs->substitution,
                                                 &problem.word_costs->insertion, &problem.word_costs->deletion};
    for (int op = 0; op < kNumOps; ++op) {
      if (tables[op]->empty()) continue;
      const auto [least, most] = std::minmax_element(tables[op]->begin(), tables[op]->end());
      widen(range, op, *least, *most);
    }
  }
  range.largest = std::abs(problem.metric->move_cost);
  range.negative = problem.metric->move_cost < 0;
  for (int op = 0; op < kNumOps; ++op) {
    range.largest = std::max({range.largest, std::abs(range.cheapest.of[op]), std::abs(range.dearest[op])});
    range.negative |= range.cheapest.of[op] < 0;
  }
  return range;
}

// A problem with what every width and direction of search needs to know about it.
struct Prepared {
  const Problem& problem;
  const Options& options;
  CostRange costs;
  Alphabets alphabets;
  Remaining hypothesis, reference;  // from the start
  std::shared_ptr<const Automaton> h, r;  // written out; null where that is too large or not needed
  Route route;
  TotalBounds bounds;
};

Remaining from_start(const Side& side, const Matchable& matchable, const char* name) {
  if (const auto* automaton = std::get_if<std::shared_ptr<const Automaton>>(&side);
      automaton && !(*automaton)->has_path()) {
    throw SearchError(std::string("the ") + name + " has no path from its start to a final state");
  }
  const auto machine = make_machine(side, matchable);
  return machine->remaining(machine->start());
}

[[noreturn]] void refuse(const char* route, const std::string& why) {
  throw SearchError(std::string("route ") + route + " cannot be used: " + why);
}

void expand_sides(Prepared& p) {
  p.h = expanded(p.problem.hypothesis, p.options.max_expanded_arcs);
  p.r = expanded(p.problem.reference, p.options.max_expanded_arcs);
}

// The rule for Route::kAuto. Negative costs leave only the topological route; sides too large to write out, or a
// product too large to fill, leave only best-first.
void choose_route(Prepared& p) {
  const std::int64_t h_arcs = expanded_arcs(p.problem.hypothesis), r_arcs = expanded_arcs(p.problem.reference);
  const bool small = r_arcs == 0 || h_arcs <= kTopologicalPairs / r_arcs;
  const bool cyclic = p.reference.max_words >= Remaining::kUnbounded;
  const bool best_first_works = !p.costs.negative && !(cyclic && p.costs.cheapest[Op::kDeletion] == 0);
  p.route = p.options.route;
  if (p.route == Route::kAuto) p.route = small || !best_first_works ? Route::kTopological : Route::kBestFirst;
  if (p.route == Route::kTopological || p.options.nbest > 1) expand_sides(p);
  if (p.route == Route::kTopological) {
    if (p.h && p.r) return;
    const std::string why = "a side would have up to " + std::to_string(std::max(h_arcs, r_arcs)) +
                            " arcs written out, more than the limit of " +
                            std::to_string(p.options.max_expanded_arcs) + " (max_expanded_arcs)";
    if (p.options.route == Route::kTopological || !best_first_works) refuse("topological", why);
    p.route = Route::kBestFirst;
  }
  if (p.costs.negative) {
    refuse(route_name(p.route), "the metric has negative costs, which only the topological route handles");
  }
  if (!best_first_works) {
    refuse(route_name(p.route), "the references are cyclic and deletions cost nothing");
  }
}

// Upper bounds of what a best path adds up to. A cyclic R has no longest path, but where operations cost something a
// best path costs no more than inserting all of H and deleting the shortest path of R; where they do not, a
// best path passes no cell of the table twice between two words of H.
TotalBounds bounds_of(const Prepared& p) {
  TotalBounds bounds{p.hypothesis.max_words, p.reference.max_words,
                     std::holds_alternative<Permutations>(p.problem.hypothesis), p.costs.largest};
  if (bounds.reference_words < Remaining::kUnbounded) return bounds;
  const std::int64_t h = bounds.hypothesis_words;
  const std::int64_t deletion = p.costs.cheapest[Op::kDeletion];
  if (!p.costs.negative && deletion > 0) {
    const std::int64_t most = p.hypothesis.min_words * p.costs.dearest[static_cast<int>(Op::kInsertion)] +
                              p.reference.min_words * p.costs.dearest[static_cast<int>(Op::kDeletion)];
    bounds.reference_words = h + most / deletion;
  } else {
    bounds.reference_words = h + (h + 1) * p.r->num_states() * p.problem.metric->num_memories();
  }
  return bounds;
}

Prepared prepare(const Problem& problem, const Options& options) {
  Prepared p{problem, options, cost_range(problem), shared_words(problem), {}, {}, {}, {}, {}, {}};
  p.hypothesis = from_start(problem.hypothesis, p.alphabets.hypothesis, "hypothesis");
  p.reference = from_start(problem.reference, p.alphabets.reference, "reference");
  if (p.hypothesis.max_words >= Remaining::kUnbounded) {
    throw SearchError("the hypothesis has a cycle; hypotheses must be acyclic");
  }
  choose_route(p);
  p.bounds = bounds_of(p);
  return p;
}

// The searches in one integer width and one direction of the length tie.
template <class V>
class Solver {
 public:
  Solver(const Prepared& p, bool longest)
      : p_(p),
        ranking_(make_ranking<V>(p.bounds, longest)),
        pricing_(*p.problem.metric, p.problem.word_costs.get(), ranking_, p.problem.to_reference),
        estimate_(p.costs.cheapest, ranking_, p.route != Route::kDijkstra) {}

  Outcome run() {
    Outcome outcome{p_.route, {}, {}};
    if (p_.options.nbest > 1) {
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
    const CostToGo<V> table(*p_.h, *p_.r, pricing_, p_.options.max_cells);
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

  // References are spelled out first, against all of H; then, for each in turn, the hypotheses. A string's
  // permutations are one hypothesis and are not told apart.
  void run_nbest(Outcome& outcome) {
    if (!p_.h) throw SearchError("k-best paths need the hypotheses written out, which would exceed max_expanded_arcs");
    const auto h = make_machine(p_.problem.hypothesis, p_.alphabets.hypothesis);
    const auto r = p_.r ? std::make_unique<ExplicitMachine>(*p_.r, p_.alphabets.reference)
                        : make_machine(p_.problem.reference, p_.alphabets.reference);
    std::optional<CostToGo<V>> table;
    if (p_.route == Route::kTopological) table.emplace(*p_.h, *p_.r, pricing_, p_.options.max_cells);
    ExplicitMachine h_states(*p_.h, p_.alphabets.hypothesis);
    WordSequences<V> references(SpelledOut::kReference, *r, *p_.h, pricing_,
                                [&](StateId hs, StateId rs, int memory) {
                                  return table ? table->at(hs, rs, memory)
                                               : estimate_(h_states.remaining(hs), r->remaining(rs));
                                });
    Streams streams(*this, references);
    const auto wanted = static_cast<std::size_t>(p_.options.nbest);
    while (outcome.paths.size() < wanted && streams.advance(outcome.paths)) {
    }
    outcome.counters.expanded = streams.expanded() + (table ? table->num_cells() : 0);
    outcome.counters.hypothesis_states = p_.h->num_states();
    outcome.counters.reference_states = r->visited();
  }

  static std::shared_ptr<const Automaton> line(const std::vector<Label>& words) {
    std::vector<std::int32_t> offsets{0};
    std::vector<Arc> arcs;
    for (const Label word : words) {
      arcs.push_back({word, static_cast<StateId>(arcs.size()) + 1, 0, static_cast<std::int32_t>(arcs.size())});
      offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    }
    offsets.push_back(offsets.back());
    std::vector<std::uint8_t> is_final(words.size() + 1, 0);
    is_final.back() = 1;
    return std::make_shared<const Automaton>(0, std::move(offsets), std::move(arcs), std::move(is_final));
  }

  Path aligned(const Automaton& hypothesis, const Automaton& reference) const {
    const CostToGo<V> table(hypothesis, reference, pricing_, p_.options.max_cells);
    Path path{ranking_.totals(table.best()), {}};
    if (p_.options.alignment) path.steps = table.trace();
    return path;
  }

  // The hypotheses against one reference.
  struct Hypotheses {
    Hypotheses(const Solver& solver, const std::vector<Label>& words)
        : reference(line(words)),
          table(*solver.p_.h, *reference, solver.pricing_, solver.p_.options.max_cells),
          machine(*solver.p_.h, solver.p_.alphabets.hypothesis),
          sequences(SpelledOut::kHypothesis, machine, *reference, solver.pricing_,
                    [this](StateId h, StateId r, int memory) { return table.at(h, r, memory); }) {}
    std::shared_ptr<const Automaton> reference;
    CostToGo<V> table;
    ExplicitMachine machine;
    WordSequences<V> sequences;
  };

  // Merges the streams of references and of each reference's hypotheses by what is best next.
  class Streams {
   public:
    Streams(const Solver& solver, WordSequences<V>& references) : solver_(solver), references_(references) {}

    // One step of work; false when there is nothing left.
    bool advance(std::vector<Path>& paths) {
      const auto next = references_.bound();
      if (!open_.empty() && (!next || open_.begin()->first <= *next)) {
        advance_hypotheses(paths);
        return true;
      }
      if (!next) return false;
      if (const auto found = references_.advance()) {
        if (std::holds_alternative<Permutations>(solver_.p_.problem.hypothesis)) {
          paths.push_back(solver_.aligned(*solver_.p_.h, *line(found->words)));
        } else {
          open_.emplace(found->cost, std::make_unique<Hypotheses>(solver_, found->words));
        }
      }
      return true;
    }

    std::int64_t expanded() const {
      std::int64_t total = done_ + references_.expanded();
      for (const auto& [bound, hypotheses] : open_) total += hypotheses->sequences.expanded();
      return total;
    }

   private:
    void advance_hypotheses(std::vector<Path>& paths) {
      std::unique_ptr<Hypotheses> hypotheses = std::move(open_.begin()->second);
      open_.erase(open_.begin());
      if (const auto found = hypotheses->sequences.advance()) {
        paths.push_back(solver_.aligned(*line(found->words), *hypotheses->reference));
      }
      if (const auto bound = hypotheses->sequences.bound()) {
        open_.emplace(*bound, std::move(hypotheses));
      } else {
        done_ += hypotheses->sequences.expanded();
      }
    }

    const Solver& solver_;
    WordSequences<V>& references_;
    std::multimap<V, std::unique_ptr<Hypotheses>> open_;
    std::int64_t done_ = 0;
  };

  const Prepared& p_;
  Ranking<V> ranking_;
  Pricing<V> pricing_;
  Estimate<V> estimate_;
};

Outcome search(const Prepared& p, bool longest) {
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

}  // namespace

Outcome solve(const Problem& problem, const Options& options) {
  const Prepared p = prepare(problem, options);
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

}  // namespace fstmetrics

#include "search/graphs/graphs.h"

#include <algorithm>
#include <string>

#include "search/graphs/graph_ties.h"
#include "search/string_side.h"

namespace fstmetrics {
namespace {

// Tables of no more than this many bytes are kept for the next search.
constexpr std::size_t kKeptBytes = std::size_t{1} << 26;

struct OpCosts {
  std::int64_t match, substitution, insertion, deletion;
  std::int64_t least() const { return std::min({match, substitution, insertion, deletion}); }
  std::int64_t largest() const { return std::max(-least(), std::max({match, substitution, insertion, deletion})); }
};

OpCosts costs_of(const EditAutomaton& metric) {
  const auto cost = [&](Op op) { return metric.transitions[0][static_cast<int>(op)].cost; };
  return {cost(Op::kMatch), cost(Op::kSubstitution), cost(Op::kInsertion), cost(Op::kDeletion)};
}

// By label of either side, the reference's label of the same word; kEpsilon where the other side lacks it.
struct Keys {
  std::vector<Label> hypothesis, reference;
};

Keys keys_of(const Problem& problem, const Automaton& h, const Automaton& r) {
  const Label last = h.max_label();
  if (last >= static_cast<Label>(problem.to_reference.size())) {
    throw SearchError("hypothesis label " + std::to_string(last) + " is not in the table of " +
                      std::to_string(problem.to_reference.size()) + " labels");
  }
  Keys keys{std::vector<Label>(last + 1, kEpsilon), std::vector<Label>(r.max_label() + 1, kEpsilon)};
  std::vector<std::uint8_t> in_reference(r.max_label() + 1, 0);
  for (const Arc& arc : r.all_arcs()) in_reference[arc.label] = 1;
  for (const Arc& arc : h.all_arcs()) {
    const Label same = problem.to_reference[arc.label];
    if (same <= kEpsilon || same > r.max_label() || !in_reference[same]) continue;
    keys.hypothesis[arc.label] = same;
    keys.reference[same] = same;
  }
  return keys;
}

TotalBounds bounds_of(const OpCosts& costs, const Automaton& h, const Automaton& r) {
  return {h.groups().most_words(), r.groups().most_words(), false, std::max<std::int64_t>(costs.largest(), 1)};
}

// One problem, T the type of its costs in the table.
template <class T>
class GraphSearch {
 public:
  GraphSearch(const Problem& problem, const OpCosts& costs, const Automaton& h, const Automaton& r)
      : problem_(problem),
        keys_(keys_of(problem, h, r)),
        // The fewer steps the sweeps have in all, the better.
        h_in_lanes_(sweep_steps(h, r) < sweep_steps(r, h)),
        bounds_(bounds_of(costs, h, r)),
        h_(h, keys_.hypothesis),
        r_(r, keys_.reference),
        pairs_{h_in_lanes_ ? h_ : r_, h_in_lanes_ ? r_ : h_, pair_costs(costs),
               static_cast<Label>(keys_.reference.size()) - 1} {}

  Outcome run(const Options& options) const {
    const Tidying tidying;
    table().fill(pairs_);
    std::int64_t best = GraphTable<T>::bound();
    for (const StateId lane : pairs_.lanes.finals()) {
      for (const StateId sweep : pairs_.sweep.finals()) best = std::min<std::int64_t>(best, table().at(lane, sweep));
    }
    const bool longest = problem_.metric->length_tie == LengthTie::kLongest || best > 0;
    const auto ranking = make_ranking<std::int64_t>(bounds_, longest);
    const auto [match, substitution, insertion, deletion] = ranking.ties();
    const GraphTies<T> ties(
        pairs_, table(), {match, substitution, h_in_lanes_ ? insertion : deletion, h_in_lanes_ ? deletion : insertion},
        best, options.max_cells);
    Outcome outcome{Route::kGraphs, {{ranking.totals(ties.rank() + best * ranking.cost), {}}}, {}};
    if (options.alignment) outcome.paths[0].steps = ties.trace(h_in_lanes_);
    outcome.counters.expanded = std::int64_t{h_.num_states()} * r_.num_states();
    outcome.counters.hypothesis_states = h_.num_states();
    outcome.counters.reference_states = r_.num_states();
    return outcome;
  }

 private:
  // Gives back a large table, however the search ends.
  struct Tidying {
    ~Tidying() { table().forget_beyond(kKeptBytes); }
  };

  static std::int64_t sweep_steps(const Automaton& lanes, const Automaton& sweep) {
    return std::int64_t{lanes.groups().num_groups()} * sweep.num_arcs();
  }
  PairCosts pair_costs(const OpCosts& costs) const {
    const auto narrow = [](std::int64_t cost) { return static_cast<std::int32_t>(cost); };
    const std::int32_t insertion = narrow(costs.insertion), deletion = narrow(costs.deletion);
    return {narrow(costs.match), narrow(costs.substitution), h_in_lanes_ ? insertion : deletion,
            h_in_lanes_ ? deletion : insertion};
  }
  // Scratch space, kept by each thread between searches.
  static GraphTable<T>& table() {
    thread_local GraphTable<T> table;
    return table;
  }

  const Problem& problem_;
  const Keys keys_;
  const bool h_in_lanes_;
  const TotalBounds bounds_;
  const PairSide h_, r_;
  const PairProblem pairs_;
};

// What a path costs that aligns a shortest path of either side word by word.
std::int64_t some_cost(const OpCosts& costs, const Automaton& h, const Automaton& r) {
  const std::int64_t h_words = h.groups().least_words(), r_words = r.groups().least_words();
  const std::int64_t both = std::min(h_words, r_words);
  return both * costs.substitution + (h_words - both) * costs.insertion + (r_words - both) * costs.deletion;
}

bool fits_bytes(const OpCosts& costs, const Automaton& h, const Automaton& r) {
  return costs.least() >= 0 && costs.largest() <= 12 &&
         costs.substitution >= std::max(costs.insertion, costs.deletion) &&
         some_cost(costs, h, r) < GraphTable<std::uint8_t>::bound();
}

bool fits_words(const OpCosts& costs, const Automaton& h, const Automaton& r) {
  return (h.groups().most_words() + r.groups().most_words() + 1) * costs.largest() < GraphTable<std::int16_t>::bound();
}

}  // namespace

bool graphs_take(const EditAutomaton& metric) {
  const OpCosts costs = costs_of(metric);
  return metric.num_memories() == 1 && costs.match <= costs.substitution;
}

std::optional<Outcome> solve_graphs(Task& task) {
  const Problem& problem = task.problem();
  const Options& options = task.options();
  const auto h_graph = search_graph(problem.hypothesis, options.max_expanded_arcs);
  const auto r_graph = search_graph(problem.reference, options.max_expanded_arcs);
  if (!h_graph || !r_graph) return std::nullopt;
  const OpCosts costs = costs_of(task.metric());
  const Automaton& h = h_graph->automaton();
  const Automaton& r = r_graph->automaton();
  if (width_needed(bounds_of(costs, h, r)) != Width::kMachine) return std::nullopt;
  // The limit is meant for the topological route, whose cells take 8 bytes; these take 1 or 2.
  const bool bytes = fits_bytes(costs, h, r);
  if (!bytes && !fits_words(costs, h, r)) return std::nullopt;
  if (std::int64_t{h.num_states()} * r.num_states() > (bytes ? 8 : 4) * options.max_cells) return std::nullopt;
  return bytes ? GraphSearch<std::uint8_t>(problem, costs, h, r).run(options)
               : GraphSearch<std::int16_t>(problem, costs, h, r).run(options);
}

}  // namespace fstmetrics

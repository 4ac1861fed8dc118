// The one automaton type: a word automaton whose arcs lie in one flat array, sorted by source state.
//
// Read this file first: labels, arcs and the words "prepared" and "cyclic" are defined here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/once.h"

namespace fstmetrics {

using Label = std::int32_t;
using StateId = std::int32_t;

// Label 0 stands for no word. Positive labels are words; negative ones call a card (see lazy/rtn.h).
inline constexpr Label kEpsilon = 0;

struct Arc {
  Label label;
  StateId next;
  // Reordering moves paid by taking the arc; only permutations of a string have any (lazy/window_machine.h).
  std::int32_t moves = 0;
  // What the arc was before it was prepared: its number in the automaton as read, or the string position.
  std::int32_t origin = -1;
};

// Graph (language model) cost and acoustic cost: negative natural logs, as read.
using CostPair = std::array<double, 2>;

// Arcs and final states as a caller has them, in any order.
struct AutomatonSpec {
  StateId num_states = 0;
  StateId start = 0;
  std::vector<StateId> sources;
  std::vector<Label> labels;
  std::vector<StateId> destinations;
  std::vector<StateId> finals;
  std::vector<CostPair> arc_costs;    // one an arc, or none at all
  std::vector<CostPair> final_costs;  // one a final state, or none at all
  std::vector<std::int32_t> origins;  // one an arc; by default its number
};

// The arcs of an automaton by where they lead.
struct ReverseArcs {
  struct Incoming {
    StateId source;
    std::int32_t arc;  // number among all arcs
    Label label;
  };
  std::span<const Incoming> incoming(StateId state) const {
    return {arcs.data() + offsets[state], arcs.data() + offsets[state + 1]};
  }

  std::vector<std::int32_t> offsets;
  std::vector<Incoming> arcs;
  std::vector<StateId> finals;
  std::int64_t neighbours = 0;  // pairs of states with an arc between them
};

enum class Direction : std::uint8_t { kForwards, kBackwards };
class SweepGraph;
class SweepArcs;
class StateGroups;

// Immutable once built, so any number of searches may share one.
class Automaton {
 public:
  Automaton() = default;

  // Sorts the arcs by source state, keeping their order within a state.
  // Throws std::invalid_argument, naming the arc or state, where a number is out of range.
  explicit Automaton(const AutomatonSpec& spec);

  // Takes arcs that are already sorted by source: those of state s are [offsets[s], offsets[s + 1]).
  // Costs are one an arc and one a state, or none at all.
  Automaton(StateId start, std::vector<std::int32_t> offsets, std::vector<Arc> arcs, std::vector<std::uint8_t> is_final,
            std::vector<CostPair> arc_costs = {}, std::vector<CostPair> final_costs = {});

  StateId num_states() const { return static_cast<StateId>(is_final_.size()); }
  std::int32_t num_arcs() const { return static_cast<std::int32_t>(arcs_.size()); }
  StateId start() const { return start_; }
  bool is_final(StateId state) const { return is_final_[state] != 0; }
  std::span<const Arc> arcs(StateId state) const {
    return {arcs_.data() + offsets_[state], arcs_.data() + offsets_[state + 1]};
  }
  std::span<const Arc> all_arcs() const { return arcs_; }
  std::int32_t first_arc(StateId state) const { return offsets_[state]; }

  // What searches over pairs of states want to know (automata/state_groups.h), of prepared and sorted automata; made
  // when first asked for, by whichever thread that is, and kept.
  const StateGroups& groups() const;
  // The arcs backwards; made when first asked for, by whichever thread that is, and kept.
  const ReverseArcs& reversed() const;
  // Words of the shortest path and of the longest of a prepared and sorted automaton that has one; found and kept
  // likewise.
  std::int64_t least_words() const { return path_words().first; }
  std::int64_t most_words() const { return path_words().second; }
  // The arcs as a sweep in either direction reads them (automata/sweep_graph.h), made and kept likewise.
  const SweepGraph& sweep_graph(Direction direction) const;
  const SweepArcs& sweep_arcs() const;

  bool has_costs() const { return !arc_costs_.empty() || !final_costs_.empty(); }
  // Whether any graph cost, and any acoustic cost is not zero.
  std::pair<bool, bool> kinds_of_costs() const;
  CostPair arc_cost(std::int32_t arc) const { return arc_costs_.empty() ? CostPair{} : arc_costs_[arc]; }
  CostPair final_cost(StateId state) const { return final_costs_.empty() ? CostPair{} : final_costs_[state]; }

  // Whether every arc leads to a state with a higher number.
  bool sorted() const { return sorted_; }
  // Whether the automaton is one string: state i has one arc, a word that leads to i + 1, and the last is final.
  bool is_line() const { return is_line_; }
  // Whether some state is both start and end of an accepting path; only known of prepared automata.
  bool has_path() const { return num_states() > 0; }
  // The largest label, hence the size a table over labels needs, less one.
  Label max_label() const { return max_label_; }
  // The smallest, if it calls a card; otherwise 0.
  Label min_label() const { return min_label_; }

 private:
  void index();
  const std::pair<std::int64_t, std::int64_t>& path_words() const;

  StateId start_ = 0;
  std::vector<std::int32_t> offsets_ = {0};
  std::vector<Arc> arcs_;
  std::vector<std::uint8_t> is_final_;
  std::vector<CostPair> arc_costs_;
  std::vector<CostPair> final_costs_;
  bool sorted_ = true;
  bool is_line_ = false;
  Label max_label_ = 0, min_label_ = 0;

  // Copies have the same arcs, so they share these.
  struct Lazy {
    std::recursive_timed_mutex mutex;  // recursive, as some of these are made of others
    Once reversed_once;
    ReverseArcs reversed;
    Once path_words_once;
    std::pair<std::int64_t, std::int64_t> path_words;
    Once groups_once;
    std::shared_ptr<const StateGroups> groups;
    std::array<Once, 2> sweep_once;
    std::array<std::shared_ptr<const SweepGraph>, 2> sweep_graphs;
    Once sweep_arcs_once;
    std::shared_ptr<const SweepArcs> sweep_arcs;
  };
  std::shared_ptr<Lazy> lazy_ = std::make_shared<Lazy>();
};

// About how many nanoseconds a loop over the arcs of a state takes: for polls.
inline std::int64_t work_at(const Automaton& automaton, StateId state) {
  return 4 + 4 * std::ssize(automaton.arcs(state));
}

// The same paths in the form the searches want: only states on a path from the start to a final state,
// numbered so that arcs lead upwards. A cyclic automaton cannot be numbered so; it is freed of epsilons
// instead, so that no cycle is free of words. An automaton without a path becomes one without states.
// Each arc's origin is its number in `automaton`. Lattice costs stay behind; origins lead back to them.
Automaton prepared(const Automaton& automaton);
// The same; the automaton itself where it is in that form and its arcs know their numbers. It may have costs then.
std::shared_ptr<const Automaton> prepared_of(const std::shared_ptr<const Automaton>& automaton);

// The same paths over useful states only, in topological order where there is no cycle; arcs keep their origins.
Automaton trimmed(const Automaton& automaton);

// Whether some path goes round a cycle, be it one of epsilons alone.
bool has_cyclic_path(const Automaton& automaton);

// The same strings without epsilons: every state takes over the word arcs of those it reaches by epsilons alone.
// Some states may then be reached no more.
Automaton without_epsilons(const Automaton& automaton);

}  // namespace fstmetrics

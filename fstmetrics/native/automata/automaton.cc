#include "automata/automaton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "automata/state_groups.h"
#include "automata/sweep_graph.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Where arcs are gone through in no order of states.
constexpr std::int64_t kArcsBetweenPolls = 4096;

[[noreturn]] void out_of_range(const char* what, std::size_t index, std::int64_t state, StateId num_states) {
  throw std::invalid_argument(std::string(what) + " " + std::to_string(index) + " names state " +
                              std::to_string(state) + ", but the states are 0 to " + std::to_string(num_states - 1));
}

// The largest number of states: offsets and end states, one more each, are counted in an int32 too.
constexpr StateId kMaxStates = std::numeric_limits<StateId>::max() - 1;

void check_costs(const char* what, const std::vector<CostPair>& costs) {
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (std::isfinite(costs[i][0]) && std::isfinite(costs[i][1])) continue;
    throw std::invalid_argument(std::string(what) + " " + std::to_string(i) + " costs " + std::to_string(costs[i][0]) +
                                " and " + std::to_string(costs[i][1]) +
                                "; costs are finite numbers: leave out what costs infinity");
  }
}

void check(const AutomatonSpec& spec) {
  Polls poll;
  if (spec.num_states < 1 || spec.num_states > kMaxStates) {
    throw std::invalid_argument("an automaton has 1 to " + std::to_string(kMaxStates) + " states, not " +
                                std::to_string(spec.num_states));
  }
  const auto known = [&](StateId state) { return state >= 0 && state < spec.num_states; };
  const std::size_t arcs = spec.sources.size();
  if (spec.labels.size() != arcs || spec.destinations.size() != arcs) {
    throw std::invalid_argument("sources, labels and destinations must have the same length, not " +
                                std::to_string(arcs) + ", " + std::to_string(spec.labels.size()) + " and " +
                                std::to_string(spec.destinations.size()));
  }
  if (arcs > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::invalid_argument("an automaton holds at most 2^31 - 1 arcs, not " + std::to_string(arcs));
  }
  if (!spec.arc_costs.empty() && spec.arc_costs.size() != arcs) {
    throw std::invalid_argument(std::to_string(spec.arc_costs.size()) + " arc costs for " + std::to_string(arcs) +
                                " arcs");
  }
  if (!spec.final_costs.empty() && spec.final_costs.size() != spec.finals.size()) {
    throw std::invalid_argument(std::to_string(spec.final_costs.size()) + " final costs for " +
                                std::to_string(spec.finals.size()) + " final states");
  }
  if (!spec.origins.empty() && spec.origins.size() != arcs) {
    throw std::invalid_argument(std::to_string(spec.origins.size()) + " origins for " + std::to_string(arcs) + " arcs");
  }
  check_costs("arc", spec.arc_costs);
  check_costs("final state", spec.final_costs);
  if (!known(spec.start)) {
    throw std::invalid_argument("the start is state " + std::to_string(spec.start) + ", but the states are 0 to " +
                                std::to_string(spec.num_states - 1));
  }
  for (std::size_t i = 0; i < arcs; ++i) {
    if (i % kArcsBetweenPolls == 0) poll(kArcsBetweenPolls);
    if (!known(spec.sources[i])) out_of_range("arc", i, spec.sources[i], spec.num_states);
    if (!known(spec.destinations[i])) out_of_range("arc", i, spec.destinations[i], spec.num_states);
  }
  for (std::size_t i = 0; i < spec.finals.size(); ++i) {
    if (!known(spec.finals[i])) out_of_range("final state", i, spec.finals[i], spec.num_states);
  }
}

// What small automata are put in order with, one after the other.
struct OrderingDesk {
  struct Open {
    StateId state;
    std::int32_t next, end;  // of its arcs
    bool is_useful;
  };
  std::vector<std::uint8_t> colour;
  std::vector<Open> open;
  std::vector<StateId> order, new_id;
};

// Depth-first order of the states that are reached from the start and reach a final state.
class Ordering {
 public:
  // `desk` keeps the order.
  Ordering(const Automaton& automaton, OrderingDesk& desk) : automaton_(automaton), order_(desk.order) {
    order_.clear();
    if (automaton.num_states() == 0) return;
    order_.reserve(automaton.num_states());
    if (visit_acyclic(desk)) return;
    order_.clear();
    find_coaccessible();
    if (useful_[automaton_.start()]) cyclic_ = !visit();
  }

  // States in reverse postorder: topological if there is no cycle.
  const std::vector<StateId>& order() const { return order_; }
  bool cyclic() const { return cyclic_; }

 private:
  void find_coaccessible() {
    Polls poll;
    const StateId states = automaton_.num_states();
    std::vector<std::int32_t> offsets(states + 1, 0);
    for (const Arc& arc : automaton_.all_arcs()) ++offsets[arc.next + 1];
    for (StateId s = 0; s < states; ++s) offsets[s + 1] += offsets[s];
    std::vector<StateId> sources(automaton_.num_arcs());
    std::vector<std::int32_t> fill(offsets.begin(), offsets.end() - 1);
    for (StateId s = 0; s < states; ++s) {
      poll(work_at(automaton_, s));
      for (const Arc& arc : automaton_.arcs(s)) sources[fill[arc.next]++] = s;
    }
    useful_.assign(states, 0);
    std::vector<StateId> pending;
    for (StateId s = 0; s < states; ++s) {
      if (automaton_.is_final(s)) pending.push_back(s), useful_[s] = 1;
    }
    while (!pending.empty()) {
      const StateId state = pending.back();
      pending.pop_back();
      poll(4 + 4 * (offsets[state + 1] - offsets[state]));
      for (std::int32_t i = offsets[state]; i < offsets[state + 1]; ++i) {
        if (!useful_[sources[i]]) pending.push_back(sources[i]), useful_[sources[i]] = 1;
      }
    }
  }

  // What is acyclic takes one way through it: whether a state is useful is known when all behind it has been seen.
  // States of no use are left out. False at the first cycle.
  bool visit_acyclic(OrderingDesk& desk) {
    Polls poll;
    enum : std::uint8_t { kNew, kOpen, kUseless, kUseful };
    std::vector<std::uint8_t>& colour = desk.colour;
    std::vector<OrderingDesk::Open>& open = desk.open;
    colour.assign(automaton_.num_states(), kNew);
    open.clear();
    const auto arcs = automaton_.all_arcs();
    const auto begin = [&](StateId state) {
      poll(work_at(automaton_, state));
      colour[state] = kOpen;
      const std::int32_t first = automaton_.first_arc(state);
      const auto count = static_cast<std::int32_t>(automaton_.arcs(state).size());
      open.push_back({state, first, first + count, automaton_.is_final(state)});
    };
    begin(automaton_.start());
    while (true) {
      OrderingDesk::Open& here = open.back();
      while (here.next < here.end) {
        const std::uint8_t found = colour[arcs[here.next].next];
        if (found == kOpen) return false;
        if (found == kNew) break;
        here.is_useful |= found == kUseful;
        ++here.next;
      }
      if (here.next < here.end) {
        begin(arcs[here.next].next);  // and is looked at again behind it
        continue;
      }
      colour[here.state] = here.is_useful ? kUseful : kUseless;
      if (here.is_useful) order_.push_back(here.state);
      open.pop_back();
      if (open.empty()) break;
    }
    std::reverse(order_.begin(), order_.end());
    return true;
  }

  // Whether no cycle was found. States of no use are passed over, and all cycles are gone round.
  bool visit() {
    Polls poll;
    enum : std::uint8_t { kNew, kOpen, kDone };
    std::vector<std::uint8_t> colour(automaton_.num_states(), kNew);
    std::vector<std::pair<StateId, std::size_t>> stack{{automaton_.start(), 0}};
    colour[automaton_.start()] = kOpen;
    bool acyclic = true;
    while (!stack.empty()) {
      auto& [state, position] = stack.back();
      const auto arcs = automaton_.arcs(state);
      poll(4);
      if (position == arcs.size()) {
        colour[state] = kDone;
        order_.push_back(state);
        stack.pop_back();
        continue;
      }
      const StateId next = arcs[position++].next;
      if (!useful_[next]) continue;
      acyclic = acyclic && colour[next] != kOpen;
      if (colour[next] == kNew) colour[next] = kOpen, stack.emplace_back(next, 0);
    }
    std::reverse(order_.begin(), order_.end());
    return acyclic;
  }

  const Automaton& automaton_;
  std::vector<std::uint8_t> useful_;
  std::vector<StateId>& order_;
  bool cyclic_ = false;
};

// Calls use(desk): a desk of the thread, or for large automata one that goes with them.
template <class Use>
auto at_desk(const Automaton& automaton, Use use) {
  constexpr StateId kMost = 1 << 14;
  thread_local OrderingDesk small;
  if (automaton.num_states() <= kMost) return use(small);
  OrderingDesk large;
  return use(large);
}

// Keeps the states of `desk.order`, in that order. `origin` says what an arc's origin becomes.
template <class Origin>
Automaton renumbered(const Automaton& automaton, OrderingDesk& desk, Origin origin) {
  Polls poll;
  const std::vector<StateId>& order = desk.order;
  std::vector<StateId>& new_id = desk.new_id;
  new_id.assign(automaton.num_states(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) new_id[order[i]] = static_cast<StateId>(i);
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final;
  offsets.reserve(order.size() + 1);
  arcs.reserve(automaton.num_arcs());
  is_final.reserve(order.size());
  for (const StateId old : order) {
    poll(work_at(automaton, old));
    std::int32_t number = automaton.first_arc(old);
    for (Arc arc : automaton.arcs(old)) {
      arc.origin = origin(arc, number++);
      if (new_id[arc.next] < 0) continue;
      arc.next = new_id[arc.next];
      arcs.push_back(arc);
    }
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    is_final.push_back(automaton.is_final(old));
  }
  return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

}  // namespace

Automaton::Automaton(const AutomatonSpec& spec) : start_(spec.start) {
  Polls poll;
  check(spec);
  offsets_.assign(spec.num_states + 1, 0);
  for (const StateId source : spec.sources) ++offsets_[source + 1];
  for (StateId s = 0; s < spec.num_states; ++s) offsets_[s + 1] += offsets_[s];
  arcs_.resize(spec.sources.size());
  arc_costs_.resize(spec.arc_costs.size());
  std::vector<std::int32_t> fill(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t i = 0; i < spec.sources.size(); ++i) {
    if (i % kArcsBetweenPolls == 0) poll(8 * kArcsBetweenPolls);
    const std::int32_t slot = fill[spec.sources[i]]++;
    arcs_[slot] = {spec.labels[i], spec.destinations[i], 0,
                   spec.origins.empty() ? static_cast<std::int32_t>(i) : spec.origins[i]};
    if (!arc_costs_.empty()) arc_costs_[slot] = spec.arc_costs[i];
  }
  is_final_.assign(spec.num_states, 0);
  if (!spec.final_costs.empty()) final_costs_.assign(spec.num_states, CostPair{});
  for (std::size_t i = 0; i < spec.finals.size(); ++i) {
    is_final_[spec.finals[i]] = 1;
    if (!final_costs_.empty()) final_costs_[spec.finals[i]] = spec.final_costs[i];
  }
  index();
}

Automaton::Automaton(StateId start, std::vector<std::int32_t> offsets, std::vector<Arc> arcs,
                     std::vector<std::uint8_t> is_final, std::vector<CostPair> arc_costs,
                     std::vector<CostPair> final_costs)
    : start_(start),
      offsets_(std::move(offsets)),
      arcs_(std::move(arcs)),
      is_final_(std::move(is_final)),
      arc_costs_(std::move(arc_costs)),
      final_costs_(std::move(final_costs)) {
  index();
}

void Automaton::index() {
  Polls poll;
  // In registers, and without a branch an arc.
  bool sorted = true, is_line = start_ == 0 && num_arcs() + 1 == num_states();
  Label highest = 0, lowest = 0;
  for (StateId state = 0; state < num_states(); ++state) {
    poll(work_at(*this, state));
    StateId nearest = std::numeric_limits<StateId>::max();
    for (const Arc& arc : arcs(state)) {
      nearest = std::min(nearest, arc.next);
      highest = std::max(highest, arc.label);
      lowest = std::min(lowest, arc.label);
    }
    sorted = sorted && nearest > state;
    if (!is_line) continue;
    const bool last = state + 1 == num_states();
    is_line = is_final(state) == last && arcs(state).size() == (last ? 0U : 1U) &&
              (last || (nearest == state + 1 && arcs(state)[0].label > kEpsilon));
  }
  sorted_ = sorted, is_line_ = is_line;
  max_label_ = highest, min_label_ = lowest;
}

std::pair<bool, bool> Automaton::kinds_of_costs() const {
  std::pair<bool, bool> kinds{false, false};
  for (const std::vector<CostPair>* costs : {&arc_costs_, &final_costs_}) {
    for (auto cost = costs->begin(); cost != costs->end() && !(kinds.first && kinds.second); ++cost) {
      kinds.first = kinds.first || (*cost)[0] != 0.0;
      kinds.second = kinds.second || (*cost)[1] != 0.0;
    }
  }
  return kinds;
}

const ReverseArcs& Automaton::reversed() const {
  Polls poll;
  lazy_->reversed_once(lazy_->mutex, [&] {
    ReverseArcs& reverse = lazy_->reversed;
    reverse.finals.clear();
    reverse.neighbours = 0;
    // While arcs are put in, offsets[s + 1] is where the next one of s goes; behind the last one, s + 1 begins there.
    reverse.offsets.assign(num_states() + 2, 0);
    for (const Arc& arc : arcs_) ++reverse.offsets[arc.next + 2];
    for (StateId s = 0; s < num_states(); ++s) reverse.offsets[s + 2] += reverse.offsets[s + 1];
    reverse.arcs.resize(arcs_.size());
    std::int32_t number = 0;
    for (StateId s = 0; s < num_states(); ++s) {
      poll(work_at(*this, s));
      for (const Arc& arc : arcs(s)) reverse.arcs[reverse.offsets[arc.next + 1]++] = {s, number++, arc.label};
      if (is_final(s)) reverse.finals.push_back(s);
    }
    reverse.offsets.pop_back();
    for (StateId s = 0; s < num_states(); ++s) {
      StateId last = -1;  // sources ascend
      for (const ReverseArcs::Incoming& in : reverse.incoming(s))
        reverse.neighbours += std::exchange(last, in.source) != in.source;
    }
  });
  return lazy_->reversed;
}

const std::pair<std::int64_t, std::int64_t>& Automaton::path_words() const {
  Polls poll;
  lazy_->path_words_once(lazy_->mutex, [&] {
    std::vector<std::pair<std::int32_t, std::int32_t>> to_end(num_states(), {num_states(), 0});
    for (StateId s = num_states() - 1; s >= 0; --s) {
      poll(work_at(*this, s));
      auto& [least, most] = to_end[s];
      if (is_final(s)) least = 0;
      for (const Arc& arc : arcs(s)) {
        least = std::min(least, to_end[arc.next].first + (arc.label != kEpsilon));
        most = std::max(most, to_end[arc.next].second + (arc.label != kEpsilon));
      }
    }
    lazy_->path_words = to_end[start_];
  });
  return lazy_->path_words;
}

const SweepGraph& Automaton::sweep_graph(Direction direction) const {
  const auto i = static_cast<std::size_t>(direction);
  lazy_->sweep_once[i](lazy_->mutex,
                       [&] { lazy_->sweep_graphs[i] = std::make_shared<const SweepGraph>(*this, direction); });
  return *lazy_->sweep_graphs[i];
}

const SweepArcs& Automaton::sweep_arcs() const {
  lazy_->sweep_arcs_once(lazy_->mutex, [&] { lazy_->sweep_arcs = std::make_shared<const SweepArcs>(*this); });
  return *lazy_->sweep_arcs;
}

const StateGroups& Automaton::groups() const {
  lazy_->groups_once(lazy_->mutex, [&] { lazy_->groups = std::make_shared<const StateGroups>(*this); });
  return *lazy_->groups;
}

Automaton without_epsilons(const Automaton& automaton) {
  Polls poll;
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final(automaton.num_states(), 0);
  std::vector<StateId> seen_for(automaton.num_states(), -1);
  std::vector<StateId> pending;
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    pending.assign(1, state);
    seen_for[state] = state;
    while (!pending.empty()) {
      const StateId reached = pending.back();
      pending.pop_back();
      poll(work_at(automaton, reached));
      if (automaton.is_final(reached)) is_final[state] = 1;
      for (const Arc& arc : automaton.arcs(reached)) {
        if (arc.label != kEpsilon) {
          arcs.push_back(arc);
        } else if (seen_for[arc.next] != state) {
          seen_for[arc.next] = state;
          pending.push_back(arc.next);
        }
      }
    }
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
  }
  return Automaton(automaton.start(), std::move(offsets), std::move(arcs), std::move(is_final));
}

// Whether every state is on a path from the start, state 0, to a final one, and arcs lead upwards.
bool is_prepared(const Automaton& automaton) {
  Polls poll;
  const StateId states = automaton.num_states();
  if (states == 0 || automaton.start() != 0 || !automaton.sorted()) return false;
  std::vector<std::uint8_t> reached(states, 0);
  reached[0] = 1;
  for (StateId state = 0; state < states; ++state) {
    poll(work_at(automaton, state));
    if (!reached[state] || (automaton.arcs(state).empty() && !automaton.is_final(state))) return false;
    for (const Arc& arc : automaton.arcs(state)) reached[arc.next] = 1;
  }
  return true;
}

// The same automaton without costs, arcs knowing their numbers.
Automaton numbered(const Automaton& automaton) {
  Polls poll;
  const StateId states = automaton.num_states();
  std::vector<std::int32_t> offsets(states + 1);
  std::vector<std::uint8_t> is_final(states);
  for (StateId state = 0; state < states; ++state) {
    poll(work_at(automaton, state));
    offsets[state + 1] = offsets[state] + static_cast<std::int32_t>(automaton.arcs(state).size());
    is_final[state] = automaton.is_final(state);
  }
  std::vector<Arc> arcs(automaton.all_arcs().begin(), automaton.all_arcs().end());
  for (std::int32_t i = 0; i < automaton.num_arcs(); ++i) arcs[i].origin = i;
  return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

Automaton prepared(const Automaton& automaton) {
  if (is_prepared(automaton)) return numbered(automaton);
  auto [useful, is_cyclic] = at_desk(automaton, [&](OrderingDesk& desk) {
    const bool found = Ordering(automaton, desk).cyclic();
    const auto number = [](const Arc&, std::int32_t n) { return n; };
    return std::pair(renumbered(automaton, desk, number), found);
  });
  if (!is_cyclic) return std::move(useful);
  // Freed of epsilons, some states are reached no more: trim once again, keeping the origins.
  return trimmed(without_epsilons(useful));
}

std::shared_ptr<const Automaton> prepared_of(const std::shared_ptr<const Automaton>& automaton) {
  if (!is_prepared(*automaton)) return std::make_shared<const Automaton>(prepared(*automaton));
  std::int32_t number = 0;
  for (const Arc& arc : automaton->all_arcs()) {
    if (arc.origin != number++) return std::make_shared<const Automaton>(numbered(*automaton));
  }
  return automaton;
}

Automaton trimmed(const Automaton& automaton) {
  return at_desk(automaton, [&](OrderingDesk& desk) {
    const Ordering ordering(automaton, desk);
    return renumbered(automaton, desk, [](const Arc& arc, std::int32_t) { return arc.origin; });
  });
}

bool has_cyclic_path(const Automaton& automaton) {
  return at_desk(automaton, [&](OrderingDesk& desk) { return Ordering(automaton, desk).cyclic(); });
}

}  // namespace fstmetrics

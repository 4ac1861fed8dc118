#include "automata/state_groups.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// Arcs on the longest way to the end, by state.
std::vector<std::int32_t> heights(const Automaton& automaton) {
  Polls poll;
  std::vector<std::int32_t> height(automaton.num_states(), 0);
  for (StateId state = automaton.num_states() - 1; state >= 0; --state) {
    poll(work_at(automaton, state));
    for (const Arc& arc : automaton.arcs(state)) height[state] = std::max(height[state], height[arc.next] + 1);
  }
  return height;
}

// States whose predecessors are done, the one farthest from the end first.
class Ready {
 public:
  explicit Ready(const std::vector<std::int32_t>& height) : height_(height) {}

  bool empty() const { return states_.empty(); }
  void add(StateId state) { states_.push({height_[state], state}); }
  StateId take_highest() {
    const StateId state = states_.top().second;
    states_.pop();
    return state;
  }

 private:
  const std::vector<std::int32_t>& height_;
  std::priority_queue<std::pair<std::int32_t, StateId>> states_;
};

}  // namespace

StateGroups::StateGroups(const Automaton& automaton) {
  measure(automaton);
  list_predecessors(automaton);
  make_groups(automaton);
}

void StateGroups::measure(const Automaton& automaton) {
  Polls poll;
  std::vector<std::int64_t> least(automaton.num_states(), std::numeric_limits<std::int64_t>::max());
  std::vector<std::int64_t> most(automaton.num_states(), 0);
  for (StateId state = automaton.num_states() - 1; state >= 0; --state) {
    poll(work_at(automaton, state));
    if (automaton.is_final(state)) least[state] = 0;
    for (const Arc& arc : automaton.arcs(state)) {
      least[state] = std::min(least[state], least[arc.next] + (arc.label != kEpsilon));
      most[state] = std::max(most[state], most[arc.next] + (arc.label != kEpsilon));
    }
  }
  least_words_ = least[automaton.start()], most_words_ = most[automaton.start()];
}

void StateGroups::list_predecessors(const Automaton& automaton) {
  Polls poll;
  std::vector<StateId> seen(2 * static_cast<std::size_t>(automaton.num_states()), -1);
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    for (const bool epsilons : {false, true}) {
      poll(2 + 4 * std::ssize(automaton.reversed().incoming(state)));
      for (const ReverseArcs::Incoming& in : automaton.reversed().incoming(state)) {
        StateId& last = seen[2 * static_cast<std::size_t>(in.source) + epsilons];
        if ((in.label == kEpsilon) != epsilons || last == state) continue;
        last = state;
        before_.push_back(in.source);
      }
      first_before_.push_back(static_cast<std::int32_t>(before_.size()));
    }
  }
}

void StateGroups::make_groups(const Automaton& automaton) {
  Polls poll;
  const std::vector<std::int32_t> height = heights(automaton);
  std::vector<std::int32_t> waits_for(automaton.num_states(), 0);
  for (const Arc& arc : automaton.all_arcs()) ++waits_for[arc.next];
  grouped_.reserve(automaton.num_states());
  Ready ready(height);
  ready.add(automaton.start());
  while (!ready.empty()) {
    const auto begin = grouped_.size();
    while (!ready.empty() && grouped_.size() < begin + kLanes) grouped_.push_back(ready.take_highest());
    for (auto i = begin; i < grouped_.size(); ++i) {
      poll(8 + 8 * std::ssize(automaton.arcs(grouped_[i])));
      for (const Arc& arc : automaton.arcs(grouped_[i])) {
        if (--waits_for[arc.next] == 0) ready.add(arc.next);
      }
    }
    first_in_group_.push_back(static_cast<std::int32_t>(grouped_.size()));
  }
}

}  // namespace fstmetrics

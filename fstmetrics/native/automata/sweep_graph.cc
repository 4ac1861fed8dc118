#include "automata/sweep_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// Calls visit(state, neighbour, label, number) for every arc as a direction sees it.
template <class Visit>
void for_each_arc(const Automaton& automaton, Direction direction, Visit visit) {
  Polls poll;
  std::int32_t number = 0;
  for (StateId source = 0; source < automaton.num_states(); ++source) {
    poll(work_at(automaton, source));
    for (const Arc& arc : automaton.arcs(source)) {
      direction == Direction::kForwards ? visit(arc.next, source, arc.label, number)
                                        : visit(source, arc.next, arc.label, number);
      ++number;
    }
  }
}

// Calls visit(neighbour, label) for every arc of a state as a direction sees them.
template <class Visit>
void for_each_arc_at(const Automaton& automaton, Direction direction, StateId state, Visit visit) {
  if (direction == Direction::kForwards) {
    for (const ReverseArcs::Incoming& in : automaton.reversed().incoming(state)) visit(in.source, in.label);
  } else {
    for (const Arc& arc : automaton.arcs(state)) visit(arc.next, arc.label);
  }
}

// Neighbours are few, and mostly in order.
void sort_few(std::vector<std::int32_t>& values) {
  constexpr std::size_t kFew = 32;
  if (values.size() > kFew) return std::sort(values.begin(), values.end());
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::int32_t value = values[i];
    std::size_t at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

// Arcs on the longest way from where a sweep begins, by state.
std::vector<std::int32_t> distances(const Automaton& automaton, Direction direction) {
  Polls poll;
  const StateId states = automaton.num_states();
  std::vector<std::int32_t> distance(states, 0);
  for (StateId i = 0; i < states; ++i) {
    const StateId source = direction == Direction::kForwards ? i : states - 1 - i;
    poll(work_at(automaton, source));
    for (const Arc& arc : automaton.arcs(source)) {
      if (direction == Direction::kForwards) {
        distance[arc.next] = std::max(distance[arc.next], distance[source] + 1);
      } else {
        distance[source] = std::max(distance[source], distance[arc.next] + 1);
      }
    }
  }
  return distance;
}

// The numbers of `size` buckets in a row, from how many things lie in each: where each begins, and the end.
std::vector<std::uint32_t> begins(std::vector<std::uint32_t> sizes) {
  std::uint32_t sum = 0;
  for (std::uint32_t& size : sizes) sum += std::exchange(size, sum);
  sizes.push_back(sum);
  return sizes;
}

// States by their keys, which are less than `keys`; those with the same one in the order in which they are given.
template <class Key>
std::vector<StateId> sorted(const std::vector<StateId>& states, std::size_t keys, Key key) {
  std::vector<std::uint32_t> sizes(keys, 0);
  for (const StateId state : states) ++sizes[key(state)];
  auto next = begins(std::move(sizes));
  std::vector<StateId> result(states.size());
  for (const StateId state : states) result[next[key(state)]++] = state;
  return result;
}

}  // namespace

SweepOrder::SweepOrder(const Automaton& automaton, Direction direction) {
  constexpr std::size_t kManyArcs = 16;
  const bool forwards = direction == Direction::kForwards;
  state_.resize(automaton.num_states());
  std::iota(state_.begin(), state_.end(), 0);
  state_ = sorted(state_, kManyArcs + 1, [&](StateId state) {
    const std::size_t arcs = forwards ? automaton.reversed().incoming(state).size() : automaton.arcs(state).size();
    return std::min(arcs, kManyArcs);
  });
  const auto distance = distances(automaton, direction);
  state_ = sorted(state_, state_.size(), [&](StateId state) { return static_cast<std::size_t>(distance[state]); });
  place_.resize(state_.size());
  for (Place place = 0; place < size(); ++place) place_[state_[place]] = place;
  for (StateId state = 0; state < size(); ++state) {
    if (automaton.is_final(state)) ends_.push_back(place_[state]);
  }
  starts_.push_back(place_[automaton.start()]);
  if (!forwards) std::swap(starts_, ends_);
  std::sort(starts_.begin(), starts_.end());
}

SweepGraph::SweepGraph(const Automaton& automaton, Direction direction) : SweepOrder(automaton, direction) {
  list_neighbours(automaton, direction);
  list_by_label(automaton, direction);
}

void SweepGraph::list_neighbours(const Automaton& automaton, Direction direction) {
  Polls poll;
  const auto places = static_cast<std::size_t>(size());
  first_group_.reserve(places + 1), count_.reserve(places), first_epsilon_.reserve(places + 1);
  words_.reserve(static_cast<std::size_t>(automaton.num_arcs()) + places);  // about as many as there will be
  // Of a place; epsilons are told apart by an offset, so that sorting brings them to the end.
  std::vector<Place> here;
  for (Place place = 0; place < size(); ++place) {
    here.clear();
    for_each_arc_at(automaton, direction, state_of(place), [&](StateId neighbour, Label label) {
      here.push_back(place_of(neighbour) + (label == kEpsilon ? size() : 0));
    });
    poll(10 + 10 * std::ssize(here));
    sort_few(here);
    const auto begin = here.begin(), last = std::unique(begin, here.end()),
               epsilon = std::lower_bound(begin, last, size());
    first_group_.push_back(static_cast<std::uint32_t>(words_.size() / kGroup));
    count_.push_back(static_cast<std::uint32_t>(epsilon - begin));
    words_.insert(words_.end(), begin, epsilon);
    const Place repeated = begin == epsilon ? size() : *(epsilon - 1);
    do {
      if (begin == epsilon || words_.size() % kGroup != 0) words_.push_back(repeated);
    } while (words_.size() % kGroup != 0);
    first_epsilon_.push_back(static_cast<std::uint32_t>(epsilons_.size()));
    for (auto it = epsilon; it != last; ++it) epsilons_.push_back(*it - size());
  }
  first_group_.push_back(static_cast<std::uint32_t>(words_.size() / kGroup));
  first_epsilon_.push_back(static_cast<std::uint32_t>(epsilons_.size()));
}

void SweepGraph::list_by_label(const Automaton& automaton, Direction direction) {
  std::vector<std::uint32_t> sizes(automaton.max_label() + 1, 0);
  for (const Arc& arc : automaton.all_arcs()) sizes[arc.label] += arc.label != kEpsilon;
  first_arc_ = begins(std::move(sizes));
  arcs_.resize(first_arc_.back());
  auto next = first_arc_;
  for_each_arc(automaton, direction, [&](StateId state, StateId neighbour, Label label, std::int32_t number) {
    if (label != kEpsilon) arcs_[next[label]++] = {place_of(state), place_of(neighbour), number};
  });
}

SweepArcs::SweepArcs(const Automaton& automaton) : SweepOrder(automaton, Direction::kForwards) {
  Polls poll;
  const auto places = static_cast<std::size_t>(size());
  firsts_.reserve(places + 1), first_epsilon_.reserve(places + 1);
  arcs_.reserve(automaton.reversed().neighbours), numbers_.reserve(automaton.reversed().neighbours);
  std::vector<std::pair<Label, LabelledArc>> others;
  std::vector<std::uint32_t> sizes(automaton.max_label() + 1, 0);
  for (Place place = 0; place < size(); ++place) {
    firsts_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    first_epsilon_.push_back(static_cast<std::uint32_t>(epsilons_.size()));
    StateId last = -1;  // sources ascend
    for (const ReverseArcs::Incoming& in : automaton.reversed().incoming(state_of(place))) {
      poll(10);
      const Place neighbour = place_of(in.source);
      if (in.label == kEpsilon) {
        epsilons_.push_back({neighbour, in.arc});
      } else if (std::exchange(last, in.source) != in.source) {
        arcs_.push_back({neighbour, in.label});
        numbers_.push_back(in.arc);
      } else {
        others.push_back({in.label, {place, neighbour, in.arc}});
        ++sizes[in.label];
      }
    }
  }
  firsts_.push_back(static_cast<std::uint32_t>(arcs_.size()));
  first_epsilon_.push_back(static_cast<std::uint32_t>(epsilons_.size()));
  first_other_ = begins(std::move(sizes));
  others_.resize(others.size());
  auto next = first_other_;
  for (const auto& [label, arc] : others) others_[next[label]++] = arc;
}

}  // namespace fstmetrics

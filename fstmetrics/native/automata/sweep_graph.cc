#include "automata/sweep_graph.h"

#include <algorithm>
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

}  // namespace

SweepGraph::SweepGraph(const Automaton& automaton, Direction direction) {
  order(automaton, direction);
  for (StateId state = 0; state < size(); ++state) {
    if (automaton.is_final(state)) ends_.push_back(place_[state]);
  }
  starts_.push_back(place_[automaton.start()]);
  if (direction == Direction::kBackwards) std::swap(starts_, ends_);
  std::sort(starts_.begin(), starts_.end());
  list_neighbours(automaton, direction);
  list_by_label(automaton, direction);
}

void SweepGraph::order(const Automaton& automaton, Direction direction) {
  const auto distance = distances(automaton, direction);
  std::vector<std::uint32_t> sizes(automaton.num_states(), 0);
  for (const std::int32_t d : distance) ++sizes[d];
  auto next = begins(std::move(sizes));
  for (const std::int32_t d : distance) place_.push_back(static_cast<Place>(next[d]++));
  state_.resize(place_.size());
  for (StateId state = 0; state < size(); ++state) state_[place_[state]] = state;
}

void SweepGraph::list_neighbours(const Automaton& automaton, Direction direction) {
  Polls poll;
  std::vector<std::uint32_t> sizes(size(), 0);
  for_each_arc(automaton, direction, [&](StateId state, StateId, Label, std::int32_t) { ++sizes[place_[state]]; });
  const auto first = begins(std::move(sizes));
  auto next = first;
  // Epsilons are told apart by an offset, so that sorting brings them to the end.
  std::vector<Place> all(first.back());
  for_each_arc(automaton, direction, [&](StateId state, StateId neighbour, Label label, std::int32_t) {
    all[next[place_[state]]++] = place_[neighbour] + (label == kEpsilon ? size() : 0);
  });
  for (Place place = 0; place < size(); ++place) {
    poll(10 + 10 * std::int64_t{first[place + 1] - first[place]});
    const auto begin = all.begin() + first[place], end = all.begin() + first[place + 1];
    std::sort(begin, end);
    const auto last = std::unique(begin, end), epsilon = std::lower_bound(begin, last, size());
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
    if (label != kEpsilon) arcs_[next[label]++] = {place_[state], place_[neighbour], number};
  });
}

}  // namespace fstmetrics

// States of an acyclic automaton in groups that can be worked on at once, and the states before each state.
#pragma once

#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// Immutable. Automaton::groups() makes it once and keeps it.
class StateGroups {
 public:
  // States in a group, at most.
  static constexpr int kLanes = 32;

  // `automaton` must be prepared and sorted, and have a path.
  explicit StateGroups(const Automaton& automaton);

  // Groups of states that do not lead to one another, each after those that lead to it. States with the longest way to
  // the end go first, which keeps the groups full [Hu 1961, "Parallel sequencing and assembly line problems"].
  int num_groups() const { return static_cast<int>(first_in_group_.size()) - 1; }
  std::span<const StateId> group(int i) const {
    return {grouped_.data() + first_in_group_[i], grouped_.data() + first_in_group_[i + 1]};
  }

  // The states before a state, by arcs with and without a word; every one once, however many arcs there are.
  std::span<const StateId> before_by_words(StateId state) const { return before(2 * static_cast<std::size_t>(state)); }
  std::span<const StateId> before_by_epsilons(StateId state) const {
    return before(2 * static_cast<std::size_t>(state) + 1);
  }

  // Words of the shortest and of the longest path.
  std::int64_t least_words() const { return least_words_; }
  std::int64_t most_words() const { return most_words_; }

 private:
  void measure(const Automaton& automaton);
  void list_predecessors(const Automaton& automaton);
  void make_groups(const Automaton& automaton);
  std::span<const StateId> before(std::size_t i) const {
    return {before_.data() + first_before_[i], before_.data() + first_before_[i + 1]};
  }

  std::vector<StateId> grouped_, before_;
  std::vector<std::int32_t> first_in_group_{0}, first_before_{0};
  std::int64_t least_words_ = 0, most_words_ = 0;
};

}  // namespace fstmetrics

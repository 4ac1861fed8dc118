// The arcs of an acyclic graph in the form in which a sweep from one end to the other reads them.
//
// What does not depend on the word of an arc is done once for each pair of neighbouring states; the arcs themselves are
// listed by label, so that a string meets only those of its own words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// A sweep visits places, not states: states in the order of their distance from where the sweep begins (the longest
// way). So neighbours come before, nearly all in the cache yet, and what follows one another seldom depends on one
// another.
class SweepGraph {
 public:
  using Place = std::int32_t;
  struct LabelledArc {
    Place place, neighbour;
    std::int32_t arc;  // number among all arcs of the automaton
  };

  // `automaton` must be prepared and sorted. Forwards the neighbours of a place are where arcs come from, backwards
  // where they lead.
  SweepGraph(const Automaton& automaton, Direction direction);

  Place size() const { return static_cast<Place>(place_.size()); }
  Place place_of(StateId state) const { return place_[state]; }
  StateId state_of(Place place) const { return state_[place]; }
  const std::vector<Place>& starts() const { return starts_; }  // ascending
  const std::vector<Place>& ends() const { return ends_; }

  // Neighbours by words, each once.
  std::span<const Place> by_word(Place place) const { return {groups(place), count_[place]}; }
  // The same in groups of kGroup places, at least one: the last place is repeated, and the place size() stands for
  // none.
  static constexpr int kGroup = 4;
  const Place* groups(Place place) const { return words_.data() + first_group_[place] * kGroup; }
  const std::uint32_t* first_groups() const { return first_group_.data(); }  // by place, and one more
  bool has_epsilons() const { return !epsilons_.empty(); }
  // Neighbours by epsilons; nothing at all where the automaton has none.
  std::span<const Place> by_epsilon(Place place) const {
    if (epsilons_.empty()) return {};
    return {epsilons_.data() + first_epsilon_[place], epsilons_.data() + first_epsilon_[place + 1]};
  }
  std::span<const LabelledArc> arcs_of(Label label) const {
    return {arcs_.data() + first_arc_[label], arcs_.data() + first_arc_[label + 1]};
  }

 private:
  void order(const Automaton& automaton, Direction direction);
  void list_neighbours(const Automaton& automaton, Direction direction);
  void list_by_label(const Automaton& automaton, Direction direction);

  std::vector<Place> place_;    // by state
  std::vector<StateId> state_;  // by place
  std::vector<Place> starts_, ends_;
  std::vector<std::uint32_t> first_group_, count_;
  std::vector<Place> words_;
  std::vector<std::uint32_t> first_epsilon_;
  std::vector<Place> epsilons_;
  std::vector<std::uint32_t> first_arc_;  // by label, and one more
  std::vector<LabelledArc> arcs_;
};

}  // namespace fstmetrics

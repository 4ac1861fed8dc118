// The arcs of an acyclic graph in the forms in which sweeps from one end to the other read them.
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
// another. Of those at the same distance places with few arcs come first, so that a loop over the arcs of a place
// mostly takes as many rounds as the one before.
class SweepOrder {
 public:
  using Place = std::int32_t;
  struct LabelledArc {
    Place place, neighbour;
    std::int32_t arc;  // number among all arcs of the automaton
  };

  // `automaton` must be prepared and sorted. Forwards the neighbours of a place are where arcs come from, backwards
  // where they lead.
  SweepOrder(const Automaton& automaton, Direction direction);

  Place size() const { return static_cast<Place>(place_.size()); }
  Place place_of(StateId state) const { return place_[state]; }
  StateId state_of(Place place) const { return state_[place]; }
  const std::vector<Place>& starts() const { return starts_; }  // ascending
  const std::vector<Place>& ends() const { return ends_; }

 private:
  std::vector<Place> place_;    // by state
  std::vector<StateId> state_;  // by place
  std::vector<Place> starts_, ends_;
};

// A place takes a few nanoseconds of a sweep, so not each of them polls.
inline constexpr SweepOrder::Place kPlacesBetweenPolls = 64;

// For many vectors a place: what is read of a neighbour is read once.
class SweepGraph : public SweepOrder {
 public:
  SweepGraph(const Automaton& automaton, Direction direction);

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
  void list_neighbours(const Automaton& automaton, Direction direction);
  void list_by_label(const Automaton& automaton, Direction direction);

  std::vector<std::uint32_t> first_group_, count_;
  std::vector<Place> words_;
  std::vector<std::uint32_t> first_epsilon_;
  std::vector<Place> epsilons_;
  std::vector<std::uint32_t> first_arc_;  // by label, and one more
  std::vector<LabelledArc> arcs_;
};

// Forwards, for few vectors a place: arcs that lead to it and their words in a row, one of each neighbour. Others are
// listed by label.
class SweepArcs : public SweepOrder {
 public:
  struct Incoming {
    Place neighbour;
    Label label;
  };
  struct Epsilon {
    Place neighbour;
    std::int32_t arc;
  };

  explicit SweepArcs(const Automaton& automaton);

  // The first arc with a word from each neighbour; those of a place are [firsts()[place], firsts()[place + 1]).
  const Incoming* arcs() const { return arcs_.data(); }
  const std::int32_t* numbers() const { return numbers_.data(); }  // among all arcs of the automaton
  const std::uint32_t* firsts() const { return firsts_.data(); }
  // Those of a label that are not the first ones.
  std::span<const LabelledArc> arcs_of(Label label) const {
    return {others_.data() + first_other_[label], others_.data() + first_other_[label + 1]};
  }
  bool has_epsilons() const { return !epsilons_.empty(); }
  std::span<const Epsilon> by_epsilon(Place place) const {
    return {epsilons_.data() + first_epsilon_[place], epsilons_.data() + first_epsilon_[place + 1]};
  }

 private:
  std::vector<Incoming> arcs_;
  std::vector<std::int32_t> numbers_;
  std::vector<std::uint32_t> firsts_;
  std::vector<LabelledArc> others_;
  std::vector<std::uint32_t> first_other_;  // by label, and one more
  std::vector<Epsilon> epsilons_;
  std::vector<std::uint32_t> first_epsilon_;
};

}  // namespace fstmetrics

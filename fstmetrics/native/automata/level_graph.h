// The graph side of the bit-parallel route: an acyclic automaton with its arcs in both directions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

class LevelGraph {
 public:
  using Incoming = ReverseArcs::Incoming;

  // `automaton` must be prepared and sorted.
  explicit LevelGraph(std::shared_ptr<const Automaton> automaton)
      : automaton_(std::move(automaton)), reversed_(&automaton_->reversed()) {}

  const Automaton& automaton() const { return *automaton_; }
  StateId num_states() const { return automaton_->num_states(); }
  std::span<const Incoming> incoming(StateId state) const { return reversed_->incoming(state); }
  const std::vector<StateId>& finals() const { return reversed_->finals; }
  std::int64_t neighbours() const { return reversed_->neighbours; }

 private:
  std::shared_ptr<const Automaton> automaton_;
  const ReverseArcs* reversed_;
};

// The same strings with fewer states: freed of epsilons, where that does not make many more arcs, and with one
// state for all that read the same from there on. Keeps `automaton` sorted; origins of arcs lose their meaning.
Automaton compacted(const Automaton& automaton);

}  // namespace fstmetrics

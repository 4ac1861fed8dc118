// The graph side of the bit-parallel route: an acyclic automaton with its arcs in both directions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

class LevelGraph {
 public:
  // A place in the out-going arcs, seen from where it leads.
  struct Incoming {
    StateId source;
    std::int32_t arc;  // number among all outgoing arcs
    Label label;
  };

  // `automaton` must be prepared and sorted.
  explicit LevelGraph(std::shared_ptr<const Automaton> automaton);

  const Automaton& automaton() const { return *automaton_; }
  StateId num_states() const { return automaton_->num_states(); }
  std::span<const Incoming> incoming(StateId state) const {
    return {incoming_.data() + offsets_[state], incoming_.data() + offsets_[state + 1]};
  }
  const std::vector<StateId>& finals() const { return finals_; }

 private:
  std::shared_ptr<const Automaton> automaton_;
  std::vector<std::int32_t> offsets_;
  std::vector<Incoming> incoming_;
  std::vector<StateId> finals_;
};

// The same strings with fewer states: freed of epsilons, where that does not make many more arcs, and with one
// state for all that read the same from there on. Keeps `automaton` sorted; origins of arcs lose their meaning.
Automaton compacted(const Automaton& automaton);

}  // namespace fstmetrics

// The graph side of a search: an automaton with its arcs in both directions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

class SearchGraph {
 public:
  using Incoming = ReverseArcs::Incoming;

  // `automaton` must be prepared and sorted.
  explicit SearchGraph(std::shared_ptr<const Automaton> automaton)
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

}  // namespace fstmetrics

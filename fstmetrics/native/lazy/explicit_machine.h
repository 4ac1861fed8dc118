// An automaton that is there already, behind the seam of lazy machines.
#pragma once

#include <memory>

#include "lazy/machine.h"

namespace fstmetrics {

class ExplicitMachine final : public Machine {
 public:
  // `automaton` must be prepared and outlive the machine.
  ExplicitMachine(const Automaton& automaton, const Matchable& matchable);
  StateId start() override { return automaton_.start(); }
  bool is_final(StateId state) override { return automaton_.is_final(state); }
  std::span<const Arc> arcs(StateId state) override;
  Remaining remaining(StateId state) override { return remaining_[state]; }
  std::int64_t visited() const override { return visited_; }

 private:
  const Automaton& automaton_;
  std::vector<Remaining> remaining_;
  std::vector<std::uint8_t> looked_at_;
  std::int64_t visited_ = 0;
};

}  // namespace fstmetrics

// The seam between automata and searches: a machine is asked for its start, whether a state is final, and
// the arcs of a state. Nothing is built before it is asked for.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// What is left to read from a state: bounds over its accepting paths, for admissible estimates.
struct Remaining {
  // No upper bound: some path runs through a cycle. Far from overflow when a few are added up.
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

  std::int64_t min_words = 0;
  std::int64_t max_words = 0;
  std::int64_t min_unmatched = 0;  // words that the other side does not have at all
};

// One side of a composition, owned by one search: what it has looked at is cached here, never in the automaton.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual StateId start() = 0;
  virtual bool is_final(StateId state) = 0;
  // Valid until the next call of arcs().
  virtual std::span<const Arc> arcs(StateId state) = 0;
  virtual Remaining remaining(StateId state) = 0;
  // How many states have come into being so far.
  virtual std::int64_t visited() const = 0;
};

// Which labels occur on the other side; indexed by label.
using Matchable = std::vector<std::uint8_t>;

// Remaining for every state of a prepared automaton. An arc calling card c counts as `cards[c]`.
std::vector<Remaining> remaining_words(const Automaton& automaton, const Matchable& matchable,
                                       std::span<const Remaining> cards = {});

// Every state and arc a machine has. Empty if that is more than `max_arcs` arcs. States come in the order
// in which a breadth-first walk meets them; prepare() the result where order matters.
struct Expansion {
  bool complete = false;
  Automaton automaton;
};
Expansion expand(Machine& machine, std::int64_t max_arcs);

}  // namespace fstmetrics

#include "lazy/explicit_machine.h"

#include <algorithm>

#include "support/poll.h"

namespace fstmetrics {
namespace {

Remaining after(const Arc& arc, const Remaining& rest, const Matchable& matchable, std::span<const Remaining> cards) {
  if (arc.label == kEpsilon) return rest;
  const Remaining own = arc.label < 0 ? cards[-arc.label - 1] : Remaining{1, 1, matchable[arc.label] ? 0 : 1};
  return {own.min_words + rest.min_words, std::min(own.max_words + rest.max_words, Remaining::kUnbounded),
          own.min_unmatched + rest.min_unmatched};
}

// Improves `left` by what follows `arc`; says whether that changed a minimum.
bool relax(Remaining& left, const Remaining& through) {
  const bool better = through.min_words < left.min_words || through.min_unmatched < left.min_unmatched;
  left.min_words = std::min(left.min_words, through.min_words);
  left.max_words = std::max(left.max_words, through.max_words);
  left.min_unmatched = std::min(left.min_unmatched, through.min_unmatched);
  return better;
}

}  // namespace

std::vector<Remaining> remaining_words(const Automaton& automaton, const Matchable& matchable,
                                       std::span<const Remaining> cards) {
  const Remaining none{Remaining::kUnbounded, 0, Remaining::kUnbounded};
  std::vector<Remaining> left(automaton.num_states(), none);
  // One sweep against the arcs is enough without cycles; with them, sweep until the minima stand still.
  for (bool changed = true; changed;) {
    changed = false;
    for (StateId state = automaton.num_states() - 1; state >= 0; --state) {
      poll(4 + 10 * std::ssize(automaton.arcs(state)));
      if (automaton.is_final(state)) changed |= relax(left[state], Remaining{});
      for (const Arc& arc : automaton.arcs(state)) {
        if (left[arc.next].min_words >= Remaining::kUnbounded) continue;
        changed |= relax(left[state], after(arc, left[arc.next], matchable, cards));
      }
    }
    if (automaton.sorted()) break;
  }
  if (!automaton.sorted()) {
    for (Remaining& rest : left) rest.max_words = Remaining::kUnbounded;
  }
  return left;
}

ExplicitMachine::ExplicitMachine(const Automaton& automaton, const Matchable& matchable)
    : automaton_(automaton), remaining_(remaining_words(automaton, matchable)), looked_at_(automaton.num_states(), 0) {}

std::span<const Arc> ExplicitMachine::arcs(StateId state) {
  if (!looked_at_[state]) looked_at_[state] = 1, ++visited_;
  return automaton_.arcs(state);
}

}  // namespace fstmetrics

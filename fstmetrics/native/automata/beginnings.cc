#include "automata/beginnings.h"

#include <algorithm>
#include <vector>

#include "support/poll.h"

namespace fstmetrics {
namespace {

struct BeginningStep {
  StateId state;
  Label label;
  auto operator<=>(const BeginningStep&) const = default;
};

void sort_unique(std::vector<BeginningStep>& steps) {
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
}

std::uint64_t hash_of(const std::vector<BeginningStep>& steps) {
  std::uint64_t hash = 0x2545F4914F6CDD1DULL;
  for (const BeginningStep& step : steps) {
    const std::uint64_t pair = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(step.label)) << 32) |
                               static_cast<std::uint32_t>(step.state);
    hash = (hash ^ pair) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

// For each state the first one that the same arcs lead into.
std::vector<StateId> first_alike(const Automaton& automaton) {
  Polls poll;
  const ReverseArcs& reversed = automaton.reversed();
  std::vector<StateId> first(automaton.num_states(), 0);
  const auto steps_into = [&](StateId state, std::vector<BeginningStep>& steps) {
    steps.clear();
    for (const ReverseArcs::Incoming& in : reversed.incoming(state)) steps.push_back({first[in.source], in.label});
    sort_unique(steps);
  };
  std::size_t slots = 16;
  while (slots < 2 * static_cast<std::size_t>(automaton.num_states())) slots *= 2;
  std::vector<StateId> known(slots, 0);  // by hash; 0 is free, as no arc leads into state 0
  std::vector<std::uint32_t> hashes(automaton.num_states(), 0);
  std::vector<BeginningStep> steps, others;
  for (StateId state = 1; state < automaton.num_states(); ++state) {
    steps_into(state, steps);
    poll(50 + 20 * std::ssize(steps));
    const std::uint64_t hash = hash_of(steps);
    hashes[state] = static_cast<std::uint32_t>(hash >> 32);
    first[state] = state;
    std::size_t at = hash & (slots - 1);
    for (; known[at] != 0 && first[state] == state; at = (at + 1) & (slots - 1)) {
      poll(4);
      if (hashes[known[at]] != hashes[state]) continue;
      steps_into(known[at], others);
      if (others == steps) first[state] = known[at];
    }
    if (first[state] == state) known[at] = state;
  }
  return first;
}

}  // namespace

Automaton with_shared_beginnings(const Automaton& automaton) {
  Polls poll;
  const StateId states = automaton.num_states();
  const std::vector<StateId> first = first_alike(automaton);
  std::vector<StateId> number(states), next_alike(states, -1), last_alike(states);
  StateId count = 0;
  for (StateId state = 0; state < states; ++state) {
    if (first[state] == state) {
      number[state] = count++;
    } else {
      next_alike[last_alike[first[state]]] = state;
      number[state] = number[first[state]];
    }
    last_alike[first[state]] = state;
  }
  if (count == states) return automaton;
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final;
  std::vector<BeginningStep> steps;
  for (StateId state = 0; state < states; ++state) {
    if (first[state] != state) continue;
    poll(20 + 20 * std::ssize(automaton.arcs(state)));
    steps.clear();
    is_final.push_back(0);
    for (StateId alike = state; alike >= 0; alike = next_alike[alike]) {
      for (const Arc& arc : automaton.arcs(alike)) steps.push_back({number[arc.next], arc.label});
      is_final.back() |= automaton.is_final(alike);
    }
    sort_unique(steps);
    for (const BeginningStep& step : steps) arcs.push_back({step.label, step.state});
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
  }
  return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

}  // namespace fstmetrics

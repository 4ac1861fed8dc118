#include "automata/level_graph.h"

#include <algorithm>
#include <unordered_map>

#include "support/poll.h"

namespace fstmetrics {
namespace {

std::size_t hash_of(std::span<const Arc> arcs, bool is_final) {
  std::uint64_t hash = is_final ? 0x51ED270B27B1F3A5ULL : 0x2545F4914F6CDD1DULL;
  for (const Arc& arc : arcs) {
    const std::uint64_t pair = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(arc.label)) << 32) |
                               static_cast<std::uint32_t>(arc.next);
    hash = (hash ^ pair) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

bool same_arcs(const std::vector<Arc>& a, const std::vector<Arc>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Arc& x, const Arc& y) { return x.label == y.label && x.next == y.next; });
}

// Gives states that are final alike and have the same arcs one number, from the last state to the first.
Automaton merged(const Automaton& automaton) {
  Polls poll;
  const StateId states = automaton.num_states();
  std::vector<StateId> representative(states);
  std::vector<std::vector<Arc>> arcs_of(states);
  std::unordered_multimap<std::size_t, StateId> known;
  for (StateId state = states - 1; state >= 0; --state) {
    auto& arcs = arcs_of[state];
    poll(100 + 20 * std::ssize(automaton.arcs(state)));
    for (Arc arc : automaton.arcs(state)) {
      arc.next = representative[arc.next];
      arcs.push_back(arc);
    }
    const auto less = [](const Arc& a, const Arc& b) {
      return a.label != b.label ? a.label < b.label : a.next < b.next;
    };
    std::sort(arcs.begin(), arcs.end(), less);
    const auto equal = [](const Arc& a, const Arc& b) { return a.label == b.label && a.next == b.next; };
    arcs.erase(std::unique(arcs.begin(), arcs.end(), equal), arcs.end());
    const std::size_t hash = hash_of(arcs, automaton.is_final(state));
    representative[state] = state;
    const auto [first, last] = known.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      poll(10);
      if (automaton.is_final(it->second) != automaton.is_final(state) || !same_arcs(arcs_of[it->second], arcs))
        continue;
      representative[state] = it->second;
      arcs.clear();
      break;
    }
    if (representative[state] == state) known.emplace(hash, state);
  }
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final(states);
  for (StateId state = 0; state < states; ++state) {
    poll(10 + 4 * std::ssize(arcs_of[state]));
    arcs.insert(arcs.end(), arcs_of[state].begin(), arcs_of[state].end());
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    is_final[state] = automaton.is_final(state);
  }
  return prepared(
      Automaton(representative[automaton.start()], std::move(offsets), std::move(arcs), std::move(is_final)));
}

}  // namespace

Automaton compacted(const Automaton& automaton) {
  const Automaton freed = prepared(without_epsilons(automaton));
  // A hub of epsilons turns into all pairs of what it joins: then merging alone is better.
  if (freed.num_arcs() > 4 * automaton.num_arcs()) return merged(automaton);
  Automaton small = merged(freed);
  return small.num_arcs() <= automaton.num_arcs() ? small : merged(automaton);
}

}  // namespace fstmetrics

// What parsers over a network's cards want to know of them: an order, and what it costs to pass one by.
#pragma once

#include <algorithm>
#include <vector>

#include "lazy/rtn.h"
#include "search/chart/flat_steps.h"

namespace fstmetrics {

// By card, its place among rtn.bottom_up(): what it calls ranks below it.
inline std::vector<std::int32_t> ranks_of(const Rtn& rtn) {
  std::vector<std::int32_t> ranks(rtn.cards().size());
  const auto order = rtn.bottom_up();
  for (std::size_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = static_cast<std::int32_t>(rank);
  return ranks;
}

// By rank of cards: the least that a card costs where it reads the empty string; infinity where it does not.
template <class V>
std::vector<V> costs_of_nothing(const Rtn& rtn, const std::vector<std::int32_t>& ranks, const FlatSteps<V>& flat) {
  std::vector<V> least;
  for (const std::int32_t number : rtn.bottom_up()) {
    const Automaton& card = rtn.cards()[number];
    std::vector<V> paid(card.num_states(), Ranking<V>::infinity());
    paid[0] = V{0};
    V all = Ranking<V>::infinity();
    for (StateId state = 0; state < card.num_states(); ++state) {
      if (!FlatSteps<V>::is_reached(paid[state])) continue;
      if (card.is_final(state)) all = std::min(all, paid[state]);
      for (const Arc& arc : card.arcs(state)) {
        if (arc.label > kEpsilon) continue;
        const V called = arc.label == kEpsilon ? V{0} : least[ranks[called_card(arc.label)]];
        paid[arc.next] = std::min(paid[arc.next], paid[state] + flat.taken(arc) + called);
      }
    }
    least.push_back(FlatSteps<V>::is_reached(all) ? all : Ranking<V>::infinity());
  }
  return least;
}

}  // namespace fstmetrics

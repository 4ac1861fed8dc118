#include "lazy/best_derivation.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {

BestDerivation best_derivation(const Rtn& rtn, const LatticeScales& scales,
                               const std::vector<std::uint8_t>& counts_as_word, std::int64_t max_arcs) {
  const auto cards = static_cast<std::int32_t>(rtn.cards().size());
  std::vector<BestPath> best(cards);
  std::vector<double> cost(cards, 0.0);
  std::vector<std::int64_t> lengths(cards, 0);  // with all that is called; more than max_arcs is max_arcs + 1
  for (const std::int32_t card : rtn.bottom_up()) {
    if (!rtn.cards()[card].sorted()) throw std::invalid_argument("card " + std::to_string(card) + " has a cycle");
    best[card] = best_path(rtn.as_given(card), rtn.cards()[card], scales, counts_as_word, cost);
    cost[card] = best[card].cost;
    for (const std::int32_t arc : best[card].arcs) {
      const Label label = rtn.as_given(card).all_arcs()[arc].label;
      const std::int64_t own = label < 0 ? 1 + lengths[called_card(label)] : 1;
      lengths[card] = std::min(lengths[card] + own, max_arcs + 1);
    }
  }
  if (lengths[rtn.root()] > max_arcs) {
    throw std::invalid_argument("the best derivation has more than " + std::to_string(max_arcs) + " arcs");
  }

  BestDerivation derivation{cost[rtn.root()], {}};
  Polls poll;
  std::vector<std::pair<std::int32_t, std::size_t>> open{{rtn.root(), 0}};  // cards, and how far their paths are taken
  while (!open.empty()) {
    const auto [card, position] = open.back();
    if (position == best[card].arcs.size()) {
      open.pop_back();
      continue;
    }
    ++open.back().second;
    poll(20);
    const Arc& arc = rtn.as_given(card).all_arcs()[best[card].arcs[position]];
    derivation.arcs.push_back({card, arc.origin, arc.label});
    if (arc.label < 0) open.emplace_back(called_card(arc.label), 0);
  }
  return derivation;
}

}  // namespace fstmetrics

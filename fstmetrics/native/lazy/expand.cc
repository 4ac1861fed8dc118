#include "lazy/machine.h"
#include "support/poll.h"

namespace fstmetrics {

Expansion expand(Machine& machine, std::int64_t max_arcs) {
  Polls poll;
  const StateId start = machine.start();
  std::vector<std::vector<Arc>> arcs_of;
  std::int64_t total = 0;
  StateId known = start + 1;  // machines number their states in the order in which they are first named
  std::vector<std::uint8_t> is_final;
  for (StateId state = 0; state < known; ++state) {
    const auto arcs = machine.arcs(state);
    total += static_cast<std::int64_t>(arcs.size());
    poll(100 + 50 * static_cast<std::int64_t>(arcs.size()));
    if (total > max_arcs) return {};
    for (const Arc& arc : arcs) known = std::max(known, arc.next + 1);
    arcs_of.emplace_back(arcs.begin(), arcs.end());
    is_final.push_back(machine.is_final(state));
  }
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  arcs.reserve(total);
  for (const auto& list : arcs_of) {
    poll(10 + 2 * static_cast<std::int64_t>(list.size()));
    arcs.insert(arcs.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
  }
  return {true, Automaton(start, std::move(offsets), std::move(arcs), std::move(is_final))};
}

}  // namespace fstmetrics

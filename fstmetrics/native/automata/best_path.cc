#include "automata/best_path.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "support/poll.h"

namespace fstmetrics {

namespace {

// Cells of 16 bytes that are kept at the same time, unless one scale needs more.
constexpr std::size_t kCells = 1 << 22;

// `card_costs` has one cost a card and scales.
std::vector<BestPath> under_each(const Automaton& lattice, const Automaton& sorted, std::span<const LatticeScales> scales,
                                 const std::vector<std::uint8_t>& counts_as_word, std::span<const double> card_costs) {
  const std::size_t n = scales.size();
  const auto scaled = [&](const CostPair& cost, std::size_t k) {
    return scales[k].graph * cost[0] + scales[k].acoustic * cost[1];
  };
  const auto label_cost = [&](Label label, std::size_t k) {
    if (label < 0) return card_costs[static_cast<std::size_t>(-label - 1) * n + k];
    return counts_as_word.at(label) ? scales[k].word_penalty : 0.0;
  };

  // Cells [state * n + k] are those of a state under the scales k.
  // Prepared arcs know where they came from, but states do not: carry the lattice's state along.
  constexpr double kUnreached = std::numeric_limits<double>::infinity();
  const std::size_t cells = static_cast<std::size_t>(sorted.num_states()) * n;
  std::vector<double> cost(cells, kUnreached);
  std::vector<std::int32_t> arrival(cells, -1);  // arc of the lattice by which it is best reached
  std::vector<StateId> previous(cells, -1);
  std::vector<StateId> original(sorted.num_states(), lattice.start());
  std::fill_n(cost.begin(), n, 0.0);
  std::vector<double> best(n, kUnreached);
  std::vector<StateId> last(n, -1);
  for (StateId state = 0; state < sorted.num_states(); ++state) {
    poll(4 + 8 * std::ssize(sorted.arcs(state)) * static_cast<std::int64_t>(n));
    const std::size_t here = static_cast<std::size_t>(state) * n;
    for (const Arc& arc : sorted.arcs(state)) {
      original[arc.next] = lattice.all_arcs()[arc.origin].next;
      const CostPair arc_cost = lattice.arc_cost(arc.origin);
      const std::size_t there = static_cast<std::size_t>(arc.next) * n;
      for (std::size_t k = 0; k < n; ++k) {
        const double through = cost[here + k] + scaled(arc_cost, k) + label_cost(arc.label, k);
        if (arrival[there + k] < 0 || through < cost[there + k]) {
          cost[there + k] = through, arrival[there + k] = arc.origin, previous[there + k] = state;
        }
      }
    }
    if (!sorted.is_final(state)) continue;
    const CostPair final_cost = lattice.final_cost(original[state]);
    for (std::size_t k = 0; k < n; ++k) {
      const double total = cost[here + k] + scaled(final_cost, k);
      if (last[k] < 0 || total < best[k]) best[k] = total, last[k] = state;
    }
  }

  std::vector<BestPath> paths(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto cell = [&](StateId state) { return static_cast<std::size_t>(state) * n + k; };
    std::vector<std::int32_t>& arcs = paths[k].arcs;
    paths[k].cost = best[k];
    for (StateId state = last[k]; arrival[cell(state)] >= 0; state = previous[cell(state)]) arcs.push_back(arrival[cell(state)]);
    std::reverse(arcs.begin(), arcs.end());
  }
  return paths;
}

}  // namespace

std::vector<BestPath> best_paths(const Automaton& lattice, std::span<const LatticeScales> scales,
                                 const std::vector<std::uint8_t>& counts_as_word) {
  if (lattice.min_label() < 0) throw std::invalid_argument("an automaton that is not a card calls a card");
  const Automaton sorted = prepared(lattice);
  if (!sorted.has_path()) throw std::invalid_argument("no path leads from the start to a final state");
  if (has_cyclic_path(lattice)) throw std::invalid_argument("the lattice has a cycle, and hypotheses must be acyclic");
  // As many scales at a time as keep the cells within some megabytes.
  const std::size_t at_once = std::max<std::size_t>(1, kCells / static_cast<std::size_t>(sorted.num_states()));
  std::vector<BestPath> paths;
  for (std::size_t from = 0; from < scales.size(); from += at_once) {
    const auto some = scales.subspan(from, std::min(at_once, scales.size() - from));
    for (BestPath& path : under_each(lattice, sorted, some, counts_as_word, {})) paths.push_back(std::move(path));
  }
  return paths;
}

BestPath best_path(const Automaton& lattice, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word) {
  return best_paths(lattice, {&scales, 1}, counts_as_word).front();
}

BestPath best_path(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word, std::span<const double> card_costs) {
  return under_each(lattice, sorted, {&scales, 1}, counts_as_word, card_costs).front();
}

}  // namespace fstmetrics

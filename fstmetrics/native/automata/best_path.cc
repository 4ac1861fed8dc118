#include "automata/best_path.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "support/poll.h"

namespace fstmetrics {

namespace {

// Cells of 16 bytes that are kept at the same time, unless one scale needs more.
constexpr std::size_t kCells = 1 << 22;

// The best way to a state: what it costs, its last arc in the lattice, and the state before.
struct Cell {
  double cost = std::numeric_limits<double>::infinity();
  std::int32_t arrival = -1;
  StateId previous = -1;
};

// `card_costs` has one cost a card and scales. `n`: how many scales; where that is known to the compiler, loops are
// none.
template <class Count>
std::vector<BestPath> under_each(const Automaton& lattice, const Automaton& sorted,
                                 std::span<const LatticeScales> scales, const std::vector<std::uint8_t>& counts_as_word,
                                 std::span<const double> card_costs, const Count n) {
  const auto scaled = [&](const CostPair& cost, std::size_t k) {
    return scales[k].graph * cost[0] + scales[k].acoustic * cost[1];
  };
  const auto label_cost = [&](Label label, std::size_t k) {
    if (label < 0) return card_costs[static_cast<std::size_t>(-label - 1) * n + k];
    return counts_as_word[label] ? scales[k].word_penalty : 0.0;
  };
  if (static_cast<std::size_t>(sorted.max_label()) >= counts_as_word.size()) {
    throw std::out_of_range("a label of which nobody said whether it counts");
  }

  // Cells [state * n + k] are those of a state under the scales k; few of them are kept for the next lattice.
  constexpr std::size_t kKept = 1 << 14;
  const std::size_t count = static_cast<std::size_t>(std::max(sorted.num_states(), 1)) * n;
  thread_local std::vector<Cell> few;
  std::vector<Cell> many;
  std::vector<Cell>& cells = count <= kKept ? few : many;
  cells.assign(count, {});
  for (std::size_t k = 0; k < n; ++k) cells[k].cost = 0.0;
  std::vector<double> best(n, std::numeric_limits<double>::infinity());
  std::vector<StateId> last(n, -1);
  for (StateId state = 0; state < sorted.num_states(); ++state) {
    poll(4 + 8 * std::ssize(sorted.arcs(state)) * static_cast<std::int64_t>(n));
    const Cell* const here = &cells[static_cast<std::size_t>(state) * n];
    for (const Arc& arc : sorted.arcs(state)) {
      const CostPair arc_cost = lattice.arc_cost(arc.origin);
      Cell* const there = &cells[static_cast<std::size_t>(arc.next) * n];
      for (std::size_t k = 0; k < n; ++k) {
        const double through = here[k].cost + scaled(arc_cost, k) + label_cost(arc.label, k);
        if (there[k].arrival < 0 || through < there[k].cost) there[k] = {through, arc.origin, state};
      }
    }
    if (!sorted.is_final(state)) continue;
    // Prepared arcs know where they came from, but states do not. No arc leads to the first one.
    const StateId original = here[0].arrival < 0 ? lattice.start() : lattice.all_arcs()[here[0].arrival].next;
    const CostPair final_cost = lattice.final_cost(original);
    for (std::size_t k = 0; k < n; ++k) {
      const double total = here[k].cost + scaled(final_cost, k);
      if (last[k] < 0 || total < best[k]) best[k] = total, last[k] = state;
    }
  }

  std::vector<BestPath> paths(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto cell = [&](StateId state) -> const Cell& { return cells[static_cast<std::size_t>(state) * n + k]; };
    std::vector<std::int32_t>& arcs = paths[k].arcs;
    paths[k].cost = best[k];
    std::size_t length = 0;
    for (StateId state = last[k]; state >= 0 && cell(state).arrival >= 0; state = cell(state).previous) ++length;
    arcs.reserve(length);
    for (StateId state = last[k]; state >= 0 && cell(state).arrival >= 0; state = cell(state).previous) {
      arcs.push_back(cell(state).arrival);
    }
    std::reverse(arcs.begin(), arcs.end());
  }
  return paths;
}

std::vector<BestPath> under_each(const Automaton& lattice, const Automaton& sorted,
                                 std::span<const LatticeScales> scales, const std::vector<std::uint8_t>& counts_as_word,
                                 std::span<const double> card_costs) {
  if (scales.size() != 1) return under_each(lattice, sorted, scales, counts_as_word, card_costs, scales.size());
  return under_each(lattice, sorted, scales, counts_as_word, card_costs, std::integral_constant<std::size_t, 1>());
}

}  // namespace

std::vector<BestPath> best_paths(const Automaton& lattice, const Automaton& sorted,
                                 std::span<const LatticeScales> scales,
                                 const std::vector<std::uint8_t>& counts_as_word) {
  if (lattice.min_label() < 0) throw std::invalid_argument("an automaton that is not a card calls a card");
  if (!sorted.has_path()) throw std::invalid_argument("no path leads from the start to a final state");
  // Preparing frees what is cyclic of epsilons, and so of the cycles that are made of them; what has none is as it was.
  const auto is_epsilon = [](const Arc& arc) { return arc.label == kEpsilon; };
  const bool may_be_cyclic = !lattice.sorted() && std::ranges::any_of(lattice.all_arcs(), is_epsilon);
  if (!sorted.sorted() || (may_be_cyclic && has_cyclic_path(lattice))) {
    throw std::invalid_argument("the lattice has a cycle, and hypotheses must be acyclic");
  }
  // As many scales at a time as keep the cells within some megabytes.
  const std::size_t at_once = std::max<std::size_t>(1, kCells / static_cast<std::size_t>(sorted.num_states()));
  std::vector<BestPath> paths;
  for (std::size_t from = 0; from < scales.size(); from += at_once) {
    const auto some = scales.subspan(from, std::min(at_once, scales.size() - from));
    for (BestPath& path : under_each(lattice, sorted, some, counts_as_word, {})) paths.push_back(std::move(path));
  }
  return paths;
}

BestPath best_path(const Automaton& lattice, const Automaton& sorted, const LatticeScales& scales,
                   const std::vector<std::uint8_t>& counts_as_word, std::span<const double> card_costs) {
  return under_each(lattice, sorted, {&scales, 1}, counts_as_word, card_costs).front();
}

}  // namespace fstmetrics

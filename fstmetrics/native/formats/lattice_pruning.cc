#include "formats/lattice_pruning.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "automata/automaton.h"
#include "automata/weighted.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr double kPerNat = 1 << 24;
constexpr double kMostUnits = 0x1p60;  // what a path may add up to

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

// Costs under some scales in whole units. Others may have added the two products without rounding one of them first: a
// cost that would have other units then is not sure.
class UnitCosts {
 public:
  explicit UnitCosts(const LatticeScales& scales)
      : scales_(scales), is_exact_(is_power_of_two(scales.graph) && is_power_of_two(scales.acoustic)) {}

  // False where the cost is not finite, or not sure.
  bool units(const CostPair& cost, double penalty, std::int64_t& found) {
    const double graph = scales_.graph * cost[0], acoustic = scales_.acoustic * cost[1];
    const double whole = graph + acoustic + penalty;
    if (!std::isfinite(whole)) return false;
    const double rounded = std::nearbyint(whole * kPerNat);
    if (!is_exact_) {
      const double one = std::fma(scales_.graph, cost[0], acoustic) + penalty;
      const double other = std::fma(scales_.acoustic, cost[1], graph) + penalty;
      if (std::nearbyint(one * kPerNat) != rounded || std::nearbyint(other * kPerNat) != rounded) return false;
    }
    most_ = std::max(most_, std::abs(whole));
    if (!(most_ * kPerNat < kMostUnits)) return false;
    found = static_cast<std::int64_t>(rounded);
    return true;
  }
  // Whether a path of so many arcs has an exact sum.
  bool are_exact(std::int64_t arcs) const { return most_ * kPerNat * static_cast<double>(arcs) < kMostUnits; }

 private:
  LatticeScales scales_;
  bool is_exact_;
  double most_ = 0;
};

// The least cost of a path through each arc and through each state as its end, by their numbers in the lattice.
struct Through {
  std::vector<std::int64_t> arcs, ends;
  std::int64_t least = kOnNoPath;
};

Through costs_through(const Automaton& lattice, const Automaton& sorted, const std::vector<std::int64_t>& arcs,
                      const std::vector<std::int64_t>& ends) {
  Polls poll;
  const StateId states = sorted.num_states();
  Through through{std::vector(arcs.size(), kOnNoPath), std::vector(ends.size(), kOnNoPath)};
  std::vector<StateId> original(states, lattice.start());
  std::vector<std::int64_t> before(states, kOnNoPath), after(states, kOnNoPath);
  before[0] = 0;
  for (StateId state = 0; state < states; ++state) {
    poll(work_at(sorted, state));
    for (const Arc& arc : sorted.arcs(state)) {
      original[arc.next] = lattice.all_arcs()[arc.origin].next;
      before[arc.next] = std::min(before[arc.next], before[state] + arcs[arc.origin]);
    }
  }
  for (StateId state = states - 1; state >= 0; --state) {
    poll(work_at(sorted, state));
    if (sorted.is_final(state)) {
      after[state] = ends[original[state]];
      through.ends[original[state]] = before[state] + after[state];
      through.least = std::min(through.least, before[state] + after[state]);
    }
    for (const Arc& arc : sorted.arcs(state)) {
      const std::int64_t rest = arcs[arc.origin] + after[arc.next];
      after[state] = std::min(after[state], rest);
      through.arcs[arc.origin] = before[state] + rest;
    }
  }
  return through;
}

// What is left of a lattice: states that no arc needs are gone and the others numbered anew, in their order.
void restrict(const WordLattice& lattice, const Through& through, std::int64_t most, WordLattice& left) {
  const Automaton& old = *lattice.automaton;
  std::vector<StateId> number(old.num_states(), -1);
  const auto is_kept = [most](std::int64_t cost) { return cost <= most; };
  number[old.start()] = 0;
  for (StateId state = 0; state < old.num_states(); ++state) {
    if (is_kept(through.ends[state])) number[state] = 0;
    for (std::int32_t arc = old.first_arc(state); const Arc& each : old.arcs(state)) {
      if (is_kept(through.arcs[arc++])) number[state] = number[each.next] = 0;
    }
  }
  StateId states = 0;
  for (StateId& each : number) {
    if (each >= 0) each = states++;
  }
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final;
  std::vector<CostPair> arc_costs, final_costs;
  for (StateId state = 0; state < old.num_states(); ++state) {
    if (number[state] < 0) continue;
    for (std::int32_t arc = old.first_arc(state); const Arc& each : old.arcs(state)) {
      const std::int32_t place = arc++;
      if (!is_kept(through.arcs[place])) continue;
      arcs.push_back({each.label, number[each.next], 0, static_cast<std::int32_t>(arcs.size())});
      if (old.has_costs()) arc_costs.push_back(old.arc_cost(place));
      if (lattice.has_frames) left.frames.push_back(lattice.frames[place]);
    }
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    is_final.push_back(is_kept(through.ends[state]));
    if (old.has_costs()) final_costs.push_back(is_final.back() ? old.final_cost(state) : CostPair{});
    if (!lattice.times.empty()) left.times.push_back(lattice.times[state]);
  }
  left.automaton = std::make_shared<Automaton>(number[old.start()], std::move(offsets), std::move(arcs),
                                               std::move(is_final), std::move(arc_costs), std::move(final_costs));
}

}  // namespace

std::optional<WordLattice> pruned(const LatticeColumn& column, std::size_t i, const LatticeScales& scales,
                                  double beam) {
  const WordLattice& lattice = column[i];
  if (!lattice.automaton || has_cyclic_path(*lattice.automaton)) return std::nullopt;
  const Automaton& old = *lattice.automaton;
  const Automaton& sorted = *column.prepared(i);
  if (!sorted.has_path()) return std::nullopt;
  std::vector<double> penalties(lattice.words.size(), scales.word_penalty);
  penalties[kEpsilon] = 0;
  for (std::size_t label = 1; label < penalties.size(); ++label) {
    if (Vocabulary::is_marker(lattice.words[label])) penalties[label] = 0;
  }
  UnitCosts costs(scales);
  std::vector<std::int64_t> arcs(old.num_arcs()), ends(old.num_states());
  for (std::int32_t arc = 0; arc < old.num_arcs(); ++arc) {
    if (!costs.units(old.arc_cost(arc), penalties[old.all_arcs()[arc].label], arcs[arc])) return std::nullopt;
  }
  for (StateId state = 0; state < old.num_states(); ++state) {
    if (old.is_final(state) && !costs.units(old.final_cost(state), 0, ends[state])) return std::nullopt;
  }
  if (!costs.are_exact(std::int64_t{old.num_states()} + 2)) return std::nullopt;
  const Through through = costs_through(old, sorted, arcs, ends);
  const double wide = std::floor(beam * kPerNat);
  const std::int64_t most = wide < 0x1p62 ? through.least + static_cast<std::int64_t>(wide) : kOnNoPath - 1;
  WordLattice left;
  left.id = lattice.id;
  left.words = lattice.words;
  left.has_frames = lattice.has_frames;
  left.time_unit = lattice.time_unit;
  left.scales = lattice.scales;
  left.numbered = lattice.numbered;
  restrict(lattice, through, most, left);
  return left;
}

}  // namespace fstmetrics

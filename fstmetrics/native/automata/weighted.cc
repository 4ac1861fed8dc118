#include "automata/weighted.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// The states of `lattice` that those of its prepared form were. Arcs know where they came from, states do not.
std::vector<StateId> original_states(const Automaton& lattice, const Automaton& sorted) {
  std::vector<StateId> original(sorted.num_states(), lattice.start());
  for (const Arc& arc : sorted.all_arcs()) original[arc.next] = lattice.all_arcs()[arc.origin].next;
  return original;
}

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

// Adds up sums of exp, given and returned as logs.
void add_log(double& sum, double more) {
  if (more == kLogZero) return;
  const double high = std::max(sum, more), low = std::min(sum, more);
  sum = low == kLogZero ? high : high + std::log1p(std::exp(low - high));
}

[[noreturn]] void refuse_cost(const char* what, std::int64_t number, double cost) {
  throw std::invalid_argument(std::string(what) + " " + std::to_string(number) + " costs " +
                              (std::isnan(cost) ? "nan" : "-inf") +
                              "; a cost is a number, or inf for what is not there");
}

}  // namespace

SingleCosts single_costs(const Automaton& lattice, const LatticeScales& scales,
                         const std::vector<std::uint8_t>& counts_as_word) {
  const auto sum = [&](const CostPair& cost) { return scales.graph * cost[0] + scales.acoustic * cost[1]; };
  constexpr double kLeast = -std::numeric_limits<double>::infinity();
  SingleCosts costs{std::vector<double>(lattice.num_arcs()), std::vector<double>(lattice.num_states(), 0.0)};
  for (std::int32_t arc = 0; arc < lattice.num_arcs(); ++arc) {
    const double penalty = counts_as_word[lattice.all_arcs()[arc].label] ? scales.word_penalty : 0.0;
    costs.arcs[arc] = sum(lattice.arc_cost(arc)) + penalty;
    if (!(costs.arcs[arc] > kLeast)) refuse_cost("arc", arc, costs.arcs[arc]);
  }
  for (StateId state = 0; state < lattice.num_states(); ++state) {
    if (!lattice.is_final(state)) continue;
    costs.ends[state] = sum(lattice.final_cost(state));
    if (!(costs.ends[state] > kLeast)) refuse_cost("final state", state, costs.ends[state]);
  }
  return costs;
}

Automaton with_one_end(const Automaton& lattice) { return with_one_end(lattice, prepared(lattice)); }

Automaton with_one_end(const Automaton& lattice, const Automaton& sorted) {
  Polls poll;
  // Not to be told from prepared(): freed of epsilons, it need not be cyclic any more.
  if (has_cyclic_path(lattice)) throw std::invalid_argument("the lattice has a cycle, and hypotheses must be acyclic");
  if (!sorted.has_path()) return sorted;
  const std::vector<StateId> original = original_states(lattice, sorted);
  const StateId end = sorted.num_states();
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  for (StateId state = 0; state < end; ++state) {
    poll(work_at(sorted, state));
    for (const Arc& arc : sorted.arcs(state)) arcs.push_back(arc);
    if (sorted.is_final(state)) arcs.push_back({kEpsilon, end, 0, lattice.num_arcs() + original[state]});
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
  }
  offsets.push_back(offsets.back());
  std::vector<std::uint8_t> is_final(end + 1, 0);
  is_final[end] = 1;
  return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

std::vector<std::int64_t> least_costs_through(const Automaton& lattice, std::span<const std::int64_t> costs) {
  Polls poll;
  std::vector<std::int64_t> through(costs.size(), kOnNoPath);
  const StateId states = lattice.num_states();
  std::vector<std::int64_t> before(states, kOnNoPath), after(states, kOnNoPath);
  if (states == 0) return through;
  before[0] = 0, after[states - 1] = 0;
  for (StateId state = 0; state < states; ++state) {
    poll(work_at(lattice, state));
    for (const Arc& arc : lattice.arcs(state)) {
      before[arc.next] = std::min(before[arc.next], before[state] + costs[arc.origin]);
    }
  }
  for (StateId state = states - 1; state >= 0; --state) {
    poll(work_at(lattice, state));
    for (const Arc& arc : lattice.arcs(state)) {
      after[state] = std::min(after[state], costs[arc.origin] + after[arc.next]);
      through[arc.origin] = before[state] + costs[arc.origin] + after[arc.next];
    }
  }
  return through;
}

std::vector<std::int64_t> longest_before(const Automaton& sorted, std::span<const std::int64_t> lengths) {
  Polls poll;
  std::vector<std::int64_t> longest(sorted.num_states(), 0);
  for (StateId state = 0; state < sorted.num_states(); ++state) {
    poll(work_at(sorted, state));
    for (const Arc& arc : sorted.arcs(state)) {
      longest[arc.next] = std::max(longest[arc.next], longest[state] + lengths[arc.origin]);
    }
  }
  return longest;
}

double log_mass(const Automaton& lattice, std::span<const double> costs) {
  std::vector<double> mass(lattice.num_states(), kLogZero);
  if (mass.empty()) return kLogZero;
  mass[0] = 0.0;
  for (StateId state = 0; state < lattice.num_states(); ++state) {
    poll(10 * work_at(lattice, state));
    for (const Arc& arc : lattice.arcs(state)) add_log(mass[arc.next], mass[state] - costs[arc.origin]);
  }
  return mass.back();
}

std::vector<double> log_posteriors(const Automaton& lattice, std::span<const double> costs) {
  Polls poll;
  std::vector<double> posteriors(costs.size(), kLogZero);
  const StateId states = lattice.num_states();
  if (states == 0) return posteriors;
  // Of every arc, how much more the best path through it costs to its end than the best path to there: sums of large
  // costs would leave no digits for what differs.
  std::vector<long double> best(states, std::numeric_limits<long double>::infinity());
  best[0] = 0;
  for (StateId state = 0; state < states; ++state) {
    poll(5 * work_at(lattice, state));
    for (const Arc& arc : lattice.arcs(state))
      best[arc.next] = std::min(best[arc.next], best[state] + costs[arc.origin]);
  }
  const auto more = [&](StateId state, const Arc& arc) {
    return static_cast<double>(best[state] + costs[arc.origin] - best[arc.next]);
  };
  std::vector<double> before(states, kLogZero), after(states, kLogZero);
  before[0] = 0.0, after[states - 1] = 0.0;
  for (StateId state = 0; state < states; ++state) {
    if (std::isinf(best[state])) continue;
    poll(10 * work_at(lattice, state));
    for (const Arc& arc : lattice.arcs(state)) add_log(before[arc.next], before[state] - more(state, arc));
  }
  const double whole = before.back();
  if (whole == kLogZero) return posteriors;
  for (StateId state = states - 1; state >= 0; --state) {
    if (std::isinf(best[state])) continue;
    poll(10 * work_at(lattice, state));
    for (const Arc& arc : lattice.arcs(state)) {
      add_log(after[state], after[arc.next] - more(state, arc));
      posteriors[arc.origin] = before[state] - more(state, arc) + after[arc.next] - whole;
    }
  }
  return posteriors;
}

double log_mass_of(const Automaton& lattice, std::span<const double> costs, std::span<const Label> words) {
  return log_mass(paths_with_words(lattice, words), costs);
}

double least_cost_of(const Automaton& lattice, std::span<const double> costs, std::span<const Label> words) {
  // A sum of two parts, the second of which has what rounding took from the first [Knuth, TAOCP 4.2.2, theorem B].
  struct Sum {
    double high = std::numeric_limits<double>::infinity(), low = 0.0;
    bool operator<(const Sum& other) const { return high < other.high || (high == other.high && low < other.low); }
    Sum plus(double more) const {
      const double sum = high + more, part = sum - high;
      const double rest = low + ((high - (sum - part)) + (more - part));
      return {sum + rest, rest - ((sum + rest) - sum)};
    }
  };
  const Automaton paths = paths_with_words(lattice, words);
  std::vector<Sum> best(paths.num_states());
  if (best.empty()) return Sum().high;
  best[0] = {0.0, 0.0};
  for (StateId state = 0; state < paths.num_states(); ++state) {
    poll(10 * work_at(paths, state));
    for (const Arc& arc : paths.arcs(state)) {
      const Sum through = best[state].plus(costs[arc.origin]);
      if (through < best[arc.next]) best[arc.next] = through;
    }
  }
  return best.back().high;
}

// States are pairs (state, words read), numbered upwards by the former, so that they are in topological order.
Automaton paths_with_words(const Automaton& sorted, std::span<const Label> words) {
  Polls poll;
  const auto read = static_cast<std::int32_t>(words.size());
  // By state: how many words may have been read there, by a path from the start and on one to the end.
  std::vector<std::vector<std::int32_t>> reads(sorted.num_states());
  const auto next_read = [&](const Arc& arc, std::int32_t before) {
    if (arc.label == kEpsilon) return before;
    return before < read && words[before] == arc.label ? before + 1 : -1;
  };
  if (sorted.num_states() > 0) reads[0] = {0};
  std::vector<StateId> order;  // of the states that are reached
  for (StateId state = 0; state < sorted.num_states(); ++state) {
    std::vector<std::int32_t>& here = reads[state];
    if (here.empty()) continue;
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    order.push_back(state);
    for (const Arc& arc : sorted.arcs(state)) {
      poll(4 + 4 * std::ssize(here));
      for (const std::int32_t before : here) {
        if (const std::int32_t after = next_read(arc, before); after >= 0) reads[arc.next].push_back(after);
      }
    }
  }
  // The number of the first pair of a state; the others follow.
  std::vector<StateId> first(sorted.num_states(), 0);
  StateId pairs = 0;
  for (const StateId state : order) {
    first[state] = pairs;
    pairs += static_cast<StateId>(reads[state].size());
  }
  const auto number = [&](StateId state, std::int32_t before) {
    const auto place = std::lower_bound(reads[state].begin(), reads[state].end(), before) - reads[state].begin();
    return first[state] + static_cast<StateId>(place);
  };
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> is_final;
  for (const StateId state : order) {
    for (const std::int32_t before : reads[state]) {
      poll(10 * work_at(sorted, state));
      for (Arc arc : sorted.arcs(state)) {
        const std::int32_t after = next_read(arc, before);
        if (after < 0) continue;
        arc.next = number(arc.next, after);
        arcs.push_back(arc);
      }
      offsets.push_back(static_cast<std::int32_t>(arcs.size()));
      is_final.push_back(before == read && sorted.is_final(state));
    }
  }
  if (is_final.empty()) return {};
  return trimmed(Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final)));
}

}  // namespace fstmetrics

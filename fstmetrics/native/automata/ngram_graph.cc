#include "automata/ngram_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr double kNoPath = -std::numeric_limits<double>::infinity();

// All n-grams met so far, each linked to the one without its first and the one without its last word.
class Ngrams {
 public:
  explicit Ngrams(NgramGraph& graph) : graph_(graph) { add(0, 0, kEpsilon, 0); }

  // The n-gram of `words` and one word more.
  std::int32_t with(std::int32_t words, Label word) {
    const std::int64_t key = (std::int64_t{words} << 32) | static_cast<std::uint32_t>(word);
    if (const auto found = numbers_.find(key); found != numbers_.end()) return found->second;
    const std::int32_t suffix = words == 0 ? 0 : with(graph_.suffixes[words], word);
    const std::int32_t number = add(words, suffix, word, graph_.lengths[words] + 1);
    numbers_.emplace(key, number);
    return number;
  }

 private:
  std::int32_t add(std::int32_t prefix, std::int32_t suffix, Label word, std::int32_t length) {
    graph_.prefixes.push_back(prefix), graph_.suffixes.push_back(suffix);
    graph_.words.push_back(word), graph_.lengths.push_back(length);
    return static_cast<std::int32_t>(graph_.lengths.size()) - 1;
  }

  NgramGraph& graph_;
  std::unordered_map<std::int64_t, std::int32_t> numbers_;  // by prefix and last word
};

// Probability of each arc among those of its state, so that those of all paths add up to 1; and of passing each state.
struct Probabilities {
  std::vector<double> arcs, states;
};

Probabilities probabilities(const Automaton& machine, std::span<const double> costs) {
  Polls poll;
  const StateId states = machine.num_states();
  std::vector<double> after(states, kNoPath);
  Probabilities found{std::vector<double>(costs.size()), std::vector<double>(states)};
  after[states - 1] = 0.0, found.states[0] = 1.0;
  for (StateId state = states - 2; state >= 0; --state) {
    poll(20 * work_at(machine, state));
    double highest = kNoPath, sum = 0.0;
    for (const Arc& arc : machine.arcs(state)) highest = std::max(highest, after[arc.next] - costs[arc.origin]);
    if (highest == kNoPath) continue;
    for (const Arc& arc : machine.arcs(state)) sum += std::exp(after[arc.next] - costs[arc.origin] - highest);
    after[state] = highest + std::log(sum);
    for (const Arc& arc : machine.arcs(state)) {
      found.arcs[arc.origin] = std::exp(after[arc.next] - costs[arc.origin] - highest) / sum;
    }
  }
  for (StateId state = 0; state < states; ++state) {
    poll(work_at(machine, state));
    for (const Arc& arc : machine.arcs(state)) found.states[arc.next] += found.states[state] * found.arcs[arc.origin];
  }
  return found;
}

struct End {
  StateId source;
  std::int32_t arc;
};

// How likely a path takes one of some arcs, given by their sources upwards.
class FirstOf {
 public:
  FirstOf(const Automaton& machine, const Probabilities& all)
      : machine_(machine),
        all_(all),
        without_(all.states),
        changed_(all.states.size(), 0),
        barred_(all.arcs.size(), 0) {}

  double operator()(std::span<const End> ends) {
    const auto arcs = machine_.all_arcs();
    if (ends.size() > 1) {
      StateId first = machine_.num_states();
      for (const End& end : ends) first = std::min(first, arcs[end.arc].next), barred_[end.arc] = 1;
      // Behind one of the arcs paths are left out: what reaches a state is summed over the arcs that lead there.
      for (StateId state = first; state <= ends.back().source; ++state) visit(state);
    }
    double sum = 0.0;
    for (const End& end : ends) sum += without_[end.source] * all_.arcs[end.arc];
    for (const End& end : ends) barred_[end.arc] = 0;
    for (const StateId state : touched_) without_[state] = all_.states[state], changed_[state] = 0;
    touched_.clear();
    return std::min(sum, 1.0);
  }

 private:
  void visit(StateId state) {
    const auto incoming = machine_.reversed().incoming(state);
    poll_(4 + 2 * std::ssize(incoming));
    const auto less = [&](const auto& in) { return barred_[in.arc] || changed_[in.source]; };
    if (std::none_of(incoming.begin(), incoming.end(), less)) return;
    double sum = 0.0;
    for (const auto& in : incoming) {
      if (!barred_[in.arc]) sum += without_[in.source] * all_.arcs[in.arc];
    }
    without_[state] = sum, changed_[state] = 1;
    touched_.push_back(state);
  }

  const Automaton& machine_;
  const Probabilities& all_;
  std::vector<double> without_;  // by state: the probability of reaching it by none of the arcs
  std::vector<std::uint8_t> changed_, barred_;
  std::vector<StateId> touched_;
  Polls poll_;
};

}  // namespace

std::optional<NgramGraph> ngram_graph(const Automaton& lattice, std::int32_t order, std::int64_t max_arcs) {
  Polls poll;
  NgramGraph graph;
  if (!lattice.has_path()) return graph;
  Ngrams ngrams(graph);
  const StateId end = lattice.num_states() - 1;
  // Sorted, so all words that come before a state are known where it is met. The end has no use for them.
  std::vector<std::vector<std::int32_t>> before(lattice.num_states());
  before[0] = {0};
  const auto kept = [&](std::int32_t ngram) { return graph.lengths[ngram] < order ? ngram : graph.suffixes[ngram]; };
  struct Step {
    std::int32_t to;  // words before the state that the arc leads to
    std::int32_t longest;
  };
  std::vector<std::vector<Step>> steps(lattice.num_states());  // by state: those of each words before it, arc by arc
  std::int64_t num_arcs = 0;
  for (StateId state = 0; state < end; ++state) {
    std::vector<std::int32_t>& here = before[state];
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    num_arcs += std::ssize(here) * std::ssize(lattice.arcs(state));
    if (num_arcs > max_arcs) return std::nullopt;
    for (const std::int32_t words : here) {
      poll(50 * work_at(lattice, state));
      for (const Arc& arc : lattice.arcs(state)) {
        const std::int32_t longest = arc.label == kEpsilon ? 0 : ngrams.with(words, arc.label);
        const std::int32_t to = arc.next == end ? 0 : arc.label == kEpsilon ? words : kept(longest);
        steps[state].push_back({to, longest});
        before[arc.next].push_back(to);
      }
    }
  }
  before[end] = {0};
  std::vector<StateId> first(lattice.num_states() + 1, 0);
  for (StateId state = 0; state <= end; ++state)
    first[state + 1] = first[state] + static_cast<StateId>(before[state].size());
  const auto number = [&](StateId state, std::int32_t words) {
    const auto place = std::lower_bound(before[state].begin(), before[state].end(), words) - before[state].begin();
    return first[state] + static_cast<StateId>(place);
  };
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  arcs.reserve(num_arcs);
  for (StateId state = 0; state < end; ++state) {
    auto step = steps[state].begin();
    for (std::size_t words = 0; words < before[state].size(); ++words) {
      poll(20 * work_at(lattice, state));
      for (const Arc& arc : lattice.arcs(state)) {
        arcs.push_back({arc.label, number(arc.next, step->to), 0, static_cast<std::int32_t>(arcs.size())});
        graph.origins.push_back(arc.origin), graph.longest.push_back(step->longest);
        ++step;
      }
      offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    }
  }
  offsets.push_back(offsets.back());
  std::vector<std::uint8_t> is_final(first.back(), 0);
  is_final.back() = 1;
  graph.machine = Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
  return graph;
}

std::vector<double> ngram_probabilities(const NgramGraph& graph, std::span<const double> costs) {
  const Automaton& machine = graph.machine;
  std::vector<double> found(graph.lengths.size(), 0.0);
  if (!machine.has_path()) return found;
  Polls poll;
  const Probabilities all = probabilities(machine, costs);
  std::vector<std::vector<End>> ends(graph.lengths.size());
  for (StateId state = 0; state < machine.num_states(); ++state) {
    poll(10 * work_at(machine, state));
    for (const Arc& arc : machine.arcs(state)) {
      for (std::int32_t ngram = graph.longest[arc.origin]; ngram > 0; ngram = graph.suffixes[ngram]) {
        ends[ngram].push_back({state, arc.origin});
      }
    }
  }
  FirstOf first_of(machine, all);
  for (std::size_t ngram = 1; ngram < ends.size(); ++ngram) found[ngram] = first_of(ends[ngram]);
  return found;
}

std::vector<double> ngram_counts(const NgramGraph& graph, std::span<const double> costs) {
  const Automaton& machine = graph.machine;
  std::vector<double> found(graph.lengths.size(), 0.0);
  if (!machine.has_path()) return found;
  Polls poll;
  const Probabilities all = probabilities(machine, costs);
  for (StateId state = 0; state < machine.num_states(); ++state) {
    poll(10 * work_at(machine, state));
    for (const Arc& arc : machine.arcs(state)) {
      const double passed = all.states[state] * all.arcs[arc.origin];
      for (std::int32_t ngram = graph.longest[arc.origin]; ngram > 0; ngram = graph.suffixes[ngram])
        found[ngram] += passed;
    }
  }
  return found;
}

}  // namespace fstmetrics

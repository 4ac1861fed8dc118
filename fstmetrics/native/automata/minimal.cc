#include "automata/minimal.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/poll.h"

namespace fstmetrics {
namespace {

using StateSet = std::vector<StateId>;

struct HashOfStates {
  std::size_t operator()(const StateSet& states) const {
    std::size_t hash = states.size();
    for (const StateId state : states) hash = (hash ^ static_cast<std::size_t>(state)) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 32;
  }
};

// A deterministic automaton whose arcs are sorted by source and label; its start is state 0.
struct Deterministic {
  StateSet sources, targets;
  std::vector<Label> labels;
  std::vector<std::uint8_t> is_final;

  StateId num_states() const { return static_cast<StateId>(is_final.size()); }
};

// States of the result are sets of states of `automaton`, which has no epsilons. Nothing beyond `most_states`.
std::optional<Deterministic> determinized(const Automaton& automaton, StateId most_states) {
  Polls poll;
  std::unordered_map<StateSet, StateId, HashOfStates> numbers;
  std::vector<const StateSet*> sets;  // keys of the map stay where they are
  const auto number_of = [&](StateSet states) {
    const auto [place, is_new] = numbers.try_emplace(std::move(states), static_cast<StateId>(sets.size()));
    if (is_new) sets.push_back(&place->first);
    return place->second;
  };
  Deterministic result;
  number_of({automaton.start()});
  std::vector<std::pair<Label, StateId>> steps;
  for (StateId state = 0; state < static_cast<StateId>(sets.size()); ++state) {
    if (static_cast<StateId>(sets.size()) > most_states) return std::nullopt;
    steps.clear();
    bool is_final = false;
    for (const StateId member : *sets[state]) {
      is_final |= automaton.is_final(member);
      for (const Arc& arc : automaton.arcs(member)) steps.emplace_back(arc.label, arc.next);
    }
    result.is_final.push_back(is_final);
    poll(50 + 20 * std::ssize(steps));
    std::ranges::sort(steps);
    for (auto step = steps.begin(); step != steps.end();) {
      const Label label = step->first;
      StateSet next;
      for (; step != steps.end() && step->first == label; ++step) {
        if (next.empty() || next.back() != step->second) next.push_back(step->second);
      }
      result.sources.push_back(state);
      result.labels.push_back(label);
      result.targets.push_back(number_of(std::move(next)));
    }
  }
  return result;
}

// Elements in sets that are split: mark() some elements, and split() parts every set into its marked and unmarked ones.
// Of the two, the smaller becomes a new set, which has the next number. [Valmari 2012, "Fast brief practical DFA
// minimization", figure 2]
class Partition {
 public:
  explicit Partition(std::int32_t size) : elements_(size), place_(size), set_of_(size, 0) {
    std::iota(elements_.begin(), elements_.end(), 0);
    place_ = elements_;
    if (size > 0) add_set(0, size);
  }

  // One set for each run of elements of the same kind; `by_kind` are all elements, in order of kind.
  template <class Kind>
  Partition(std::vector<std::int32_t> by_kind, Kind kind)
      : elements_(std::move(by_kind)), place_(elements_.size()), set_of_(elements_.size()) {
    const auto size = static_cast<std::int32_t>(elements_.size());
    for (std::int32_t begin = 0, i = 0; i < size; ++i) {
      if (kind(elements_[i]) != kind(elements_[begin])) add_set(std::exchange(begin, i), i);
      place_[elements_[i]] = i;
      set_of_[elements_[i]] = num_sets();
      if (i + 1 == size) add_set(begin, size);
    }
  }

  std::int32_t num_sets() const { return static_cast<std::int32_t>(begin_.size()); }
  std::int32_t set_of(std::int32_t element) const { return set_of_[element]; }
  std::span<const std::int32_t> set(std::int32_t number) const {
    return {elements_.data() + begin_[number], elements_.data() + end_[number]};
  }

  // Marks an element that is not marked: it moves to the marked ones, which are the first of its set.
  void mark(std::int32_t element) {
    const std::int32_t set = set_of_[element], to = begin_[set] + marked_[set];
    std::swap(elements_[place_[element]], elements_[to]);
    place_[elements_[place_[element]]] = place_[element];
    place_[element] = to;
    if (marked_[set]++ == 0) touched_.push_back(set);
  }

  void split() {
    for (; !touched_.empty(); touched_.pop_back()) {
      const std::int32_t set = touched_.back(), middle = begin_[set] + std::exchange(marked_[set], 0);
      if (middle == end_[set]) continue;
      const std::int32_t number = num_sets();
      if (middle - begin_[set] <= end_[set] - middle) {
        add_set(std::exchange(begin_[set], middle), middle);
      } else {
        add_set(middle, std::exchange(end_[set], middle));
      }
      for (const std::int32_t element : this->set(number)) set_of_[element] = number;
    }
  }

 private:
  void add_set(std::int32_t begin, std::int32_t end) {
    begin_.push_back(begin), end_.push_back(end), marked_.push_back(0);
  }

  std::vector<std::int32_t> elements_, place_, set_of_;
  std::vector<std::int32_t> begin_, end_, marked_, touched_;
};

// Numbers of things in order of a key below `size`, and where those of each key begin.
struct ByKey {
  template <class Key>
  ByKey(std::int32_t things, std::int32_t size, Key key) : first(static_cast<std::size_t>(size) + 1, 0), order(things) {
    for (std::int32_t i = 0; i < things; ++i) ++first[key(i) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> place(first.begin(), first.end() - 1);
    for (std::int32_t i = 0; i < things; ++i) order[place[key(i)]++] = i;
  }

  std::vector<std::int32_t> first, order;
};

std::vector<std::int32_t> arcs_by_label(const std::vector<Label>& labels) {
  std::vector<std::int64_t> sorted(labels.size());
  for (std::size_t arc = 0; arc < labels.size(); ++arc) {
    sorted[arc] = std::int64_t{labels[arc]} << 32 | static_cast<std::int64_t>(arc);
  }
  std::sort(sorted.begin(), sorted.end());
  return {sorted.begin(), sorted.end()};
}

// Sets of states from which the same strings lead to an end; all states must be on a path. [Valmari 2012, figure 3]
Partition equivalent_states(const Deterministic& given) {
  Polls poll;
  const auto arcs = static_cast<std::int32_t>(given.sources.size());
  Partition states(given.num_states());
  for (StateId state = 0; state < given.num_states(); ++state) {
    if (given.is_final[state]) states.mark(state);
  }
  states.split();
  Partition cords(arcs_by_label(given.labels), [&](std::int32_t arc) { return given.labels[arc]; });
  const ByKey incoming(arcs, given.num_states(), [&](std::int32_t arc) { return given.targets[arc]; });
  for (std::int32_t cord = 0, block = 1; cord < cords.num_sets(); ++cord) {
    poll(20 * std::ssize(cords.set(cord)));
    for (const std::int32_t arc : cords.set(cord)) states.mark(given.sources[arc]);
    states.split();
    for (; block < states.num_sets(); ++block) {
      poll(20 * std::ssize(states.set(block)));
      for (const StateId state : states.set(block)) {
        for (std::int32_t i = incoming.first[state]; i < incoming.first[state + 1]; ++i) cords.mark(incoming.order[i]);
      }
      cords.split();
    }
  }
  return states;
}

// One state for each set, in the order in which a walk from the start meets them.
Automaton walked(const Deterministic& given, const Partition& sets) {
  const auto arcs = static_cast<std::int32_t>(given.sources.size());
  const ByKey leaving(arcs, given.num_states(), [&](std::int32_t arc) { return given.sources[arc]; });
  std::vector<StateId> number(sets.num_sets(), -1);
  StateSet members{0};
  number[sets.set_of(0)] = 0;
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> taken;
  std::vector<std::uint8_t> is_final;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const StateId member = members[i];
    is_final.push_back(given.is_final[member]);
    for (std::int32_t j = leaving.first[member]; j < leaving.first[member + 1]; ++j) {
      const std::int32_t arc = leaving.order[j];
      StateId& target = number[sets.set_of(given.targets[arc])];
      if (target < 0) {
        target = static_cast<StateId>(members.size());
        members.push_back(given.targets[arc]);
      }
      taken.push_back({given.labels[arc], target, 0, static_cast<std::int32_t>(taken.size())});
    }
    offsets.push_back(static_cast<std::int32_t>(taken.size()));
  }
  return Automaton(0, std::move(offsets), std::move(taken), std::move(is_final));
}

}  // namespace

std::optional<Automaton> minimal(const Automaton& automaton, StateId most_states) {
  const Automaton useful = trimmed(automaton);
  if (!useful.has_path()) return Automaton(0, {0, 0}, {}, {0});
  const std::optional<Deterministic> found = determinized(trimmed(without_epsilons(useful)), most_states);
  if (!found) return std::nullopt;
  return walked(*found, equivalent_states(*found));
}

}  // namespace fstmetrics

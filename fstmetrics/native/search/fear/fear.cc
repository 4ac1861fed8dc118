#include "search/fear/fear.h"

#include <algorithm>
#include <string>
#include <vector>

#include "automata/weighted.h"
#include "lazy/weighted_cards.h"
#include "search/best_first/kbest.h"
#include "search/fear/alignment_rows.h"
#include "search/fear/forest_fear.h"
#include "search/plan.h"
#include "search/topological/topological.h"
#include "support/growing_array.h"
#include "support/large_array.h"
#include "support/poll.h"
#include "support/sparse_cells.h"

namespace fstmetrics {
namespace {

[[noreturn]] void too_large(const char* what, std::int64_t most, const char* limit) {
  throw SearchError(std::string("fear would take more than ") + std::to_string(most) + " " + what + "; raise " + limit +
                    ", prune the lattice (--beam), or give the model more weight");
}

// What the aligner is sure to get, at least, from a state of H, a state of R and a memory. H has one end.
template <class V>
class Game {
 public:
  Game(const Automaton& hypothesis, const Automaton& reference, const Pricing<V>& pricing, std::int64_t max_cells)
      : hypothesis_(hypothesis), reference_(reference), pricing_(pricing), memories_(pricing.num_memories()) {
    const std::int64_t row = std::int64_t{reference.num_states()} * memories_;
    if (hypothesis.num_states() > max_cells / row) too_large("cells", max_cells, kMaxCells);
    value_ = LargeArray<V>(static_cast<std::size_t>(hypothesis.num_states()) * row);
    for (StateId h = hypothesis.num_states() - 1; h >= 0; --h) {
      for (StateId r = reference.num_states() - 1; r >= 0; --r) {
        poll(memories_ * (5 + 5 * std::ssize(hypothesis.arcs(h))) * (1 + std::ssize(reference.arcs(r))));
        for (int memory = 0; memory < memories_; ++memory) at(h, r, memory) = play(h, r, memory);
      }
    }
  }

  // The best that can be made of a row.
  V bound(StateId h, const std::vector<V>& row) const {
    V most = -Ranking<V>::infinity();
    const V* values = value_.data() + static_cast<std::size_t>(h) * row.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] < Ranking<V>::infinity()) most = std::max(most, values[i] - row[i]);
    }
    return most;
  }

  std::int64_t num_cells() const { return static_cast<std::int64_t>(value_.size()); }

 private:
  V& at(StateId h, StateId r, int memory) {
    return value_[(static_cast<std::size_t>(h) * reference_.num_states() + r) * memories_ + memory];
  }

  V play(StateId h, StateId r, int memory) {
    V most = chosen_by_model(h, r, memory);
    for (const Arc& arc : reference_.arcs(r)) {
      const auto alone = pricing_.reference_alone(memory, arc);
      most = std::max(most, at(h, arc.next, alone.next) - alone.cost);
    }
    return most;
  }

  V chosen_by_model(StateId h, StateId r, int memory) {
    if (hypothesis_.is_final(h)) return reference_.is_final(r) ? V{0} : -Ranking<V>::infinity();
    V least = Ranking<V>::infinity();
    for (const Arc& arc : hypothesis_.arcs(h)) {
      const V answer = arc.label == kEpsilon ? at(arc.next, r, memory) : answered(arc, r, memory);
      least = std::min(least, pricing_.hypothesis_arc(arc) + answer);
    }
    return least;
  }

  V answered(const Arc& word, StateId r, int memory) {
    const auto inserted = pricing_.insertion(memory, word.label);
    V most = at(word.next, r, inserted.next) - inserted.cost;
    for (const Arc& arc : reference_.arcs(r)) {
      if (arc.label == kEpsilon) continue;
      const auto paired = pricing_.pair(memory, word.label, arc.label);
      most = std::max(most, at(word.next, arc.next, paired.next) - paired.cost - pricing_.reference_arc(arc));
    }
    return most;
  }

  const Automaton& hypothesis_;
  const Automaton& reference_;
  const Pricing<V>& pricing_;
  const int memories_;
  LargeArray<V> value_;
};

// Sequences of words, each once, as what came before and the last word.
class Prefixes {
 public:
  using Id = std::int32_t;
  static constexpr Id kEmpty = -1;

  Id extended(Id prefix, Label word) {
    Id& next = next_[(std::int64_t{prefix} + 1) << 32 | word];
    if (next == 0) {
      all_.push_back({prefix, word});
      next = static_cast<Id>(all_.size());
    }
    return next - 1;
  }

  std::vector<Label> words(Id prefix) const {
    std::vector<Label> words;
    for (; prefix != kEmpty; prefix = all_[prefix].before) words.push_back(all_[prefix].last);
    std::reverse(words.begin(), words.end());
    return words;
  }

 private:
  struct Prefix {
    Id before;
    Label last;
  };
  GrowingArray<Prefix> all_;
  SparseCells<Id> next_;  // by prefix and word, from 1
};

template <class V>
class FearSearch {
 public:
  FearSearch(const Automaton& hypothesis, const Automaton& reference, const Pricing<V>& pricing, const Options& options)
      : hypothesis_(hypothesis),
        options_(options),
        rows_(reference, pricing),
        game_(hypothesis, reference, pricing, options.max_cells),
        pricing_(pricing) {}

  std::vector<Feared<V>> run() {
    const auto [row, less] = rows_.first();
    push(hypothesis_.start(), row, Prefixes::kEmpty, -less);
    std::vector<Feared<V>> found;
    while (!queue_.empty() && static_cast<int>(found.size()) < options_.nbest) {
      std::pop_heap(queue_.begin(), queue_.end());
      const Entry entry = queue_.back();
      queue_.pop_back();
      ++counters.popped;
      poll(200);
      if (!settle(entry)) continue;
      if (hypothesis_.is_final(entry.h)) found.push_back({entry.value, prefixes_.words(entry.prefix)});
      expand(entry);
    }
    counters.expanded += game_.num_cells();
    return found;
  }

  Counters counters;

 private:
  using RowId = typename RowBook<V>::RowId;

  struct Entry {
    V value, paid;
    std::int64_t number;
    StateId h;
    RowId row;
    Prefixes::Id prefix;
    // Of entries worth the same the newest comes first, which runs ahead along one path.
    bool operator<(const Entry& other) const {
      return value != other.value ? value > other.value : number < other.number;
    }
  };

  void push(StateId h, RowId row, Prefixes::Id prefix, V paid) {
    if (counters.pushed >= options_.max_nodes) too_large("queue entries", options_.max_nodes, kMaxNodes);
    queue_.push_back({paid + game_.bound(h, rows_.row(row)), paid, counters.pushed++, h, row, prefix});
    std::push_heap(queue_.begin(), queue_.end());
  }

  // False where enough came here before, or the same words did.
  bool settle(const Entry& entry) {
    std::int32_t& place = places_[std::int64_t{entry.h} << 32 | entry.row];
    if (place == 0) times_.push_back(0), place = static_cast<std::int32_t>(times_.size());
    std::int32_t& times = times_[place - 1];
    if (times >= options_.nbest) return false;
    std::uint8_t& came = came_[std::int64_t{place} << 32 | (std::int64_t{entry.prefix} + 1)];
    if (came) return false;
    came = 1, ++times;
    return true;
  }

  void expand(const Entry& entry) {
    ++counters.expanded;
    for (const Arc& arc : hypothesis_.arcs(entry.h)) {
      poll(100 + static_cast<std::int64_t>(rows_.size()));
      const V paid = entry.paid + pricing_.hypothesis_arc(arc);
      if (arc.label == kEpsilon) {
        push(arc.next, entry.row, entry.prefix, paid);
      } else {
        const auto [row, less] = rows_.after(entry.row, arc.label);
        push(arc.next, row, prefixes_.extended(entry.prefix, arc.label), paid - less);
      }
    }
  }

  const Automaton& hypothesis_;
  const Options& options_;
  RowBook<V> rows_;
  Game<V> game_;
  const Pricing<V>& pricing_;
  Prefixes prefixes_;
  GrowingArray<Entry> queue_;
  SparseCells<std::int32_t> places_;  // pairs of a state of H and a row that were settled, from 1
  GrowingArray<std::int32_t> times_;  // by place
  SparseCells<std::uint8_t> came_;    // by place and prefix
};

// Whether H has one final state, without arcs: then a hypothesis is over exactly where a path comes to it.
bool has_one_end(const Automaton& h) {
  const auto last = h.num_states() - 1;
  for (StateId state = 0; state < last; ++state) {
    if (h.is_final(state)) return false;
  }
  return h.arcs(last).empty();
}

// A hypothesis as it is reported: aligned with its closest reference, by the metric alone.
template <class V>
Path aligned(const Feared<V>& found, const Plan& p, const Automaton& reference, const Ranking<V>& ranking,
             const Pricing<V>& metric) {
  const Automaton words = line_of(found.words);
  const CostToGo<V> table(words, reference, metric, p.options.max_cells);
  Path path{ranking.totals(table.best()), {}};
  path.totals.cost = static_cast<std::int64_t>((found.value + table.best()) / ranking.cost) - path.totals.cost;
  if (p.options.alignment) path.steps = table.trace();
  return path;
}

// `least` is what every hypothesis costs the model beside its arcs.
template <class V>
Outcome found_by(const Plan& p, std::int64_t least) {
  const bool longest = p.problem.metric->length_tie == LengthTie::kLongest;
  const auto ranking = make_ranking<V>(p.bounds, longest);
  const Pricing<V> pricing(p.problem, ranking);
  const Pricing<V> metric = pricing.without_hypothesis_costs();
  Outcome outcome{p.chart ? Route::kChart : Route::kBestFirst, {}, {}};
  const Automaton& reference = p.chart ? *p.chart->flat : *p.r;
  std::vector<Feared<V>> found;
  if (p.chart) {
    ForestFear<V> search(*p.chart->network, reference, pricing, p.alphabets.hypothesis, p.options);
    found = search.run();
    outcome.counters = search.counters();
  } else {
    const bool one_end = p.problem.hypothesis_costs || has_one_end(*p.h);
    const Automaton h = one_end ? *p.h : with_one_end(*p.h);
    FearSearch<V> search(h, reference, pricing, p.options);
    found = search.run();
    outcome.counters = search.counters;
    outcome.counters.hypothesis_states = h.num_states();
  }
  outcome.counters.reference_states = reference.num_states();
  for (const Feared<V>& each : found) {
    outcome.paths.push_back(aligned(each, p, reference, ranking, metric));
    outcome.paths.back().totals.cost += least;
  }
  return outcome;
}

}  // namespace

Outcome solve_fear(const Problem& problem, const Options& options) {
  if (std::holds_alternative<Permutations>(problem.hypothesis)) {
    throw SearchError("fear is not for reordering in a window; use window 1");
  }
  // Cards are priced by regrets, with which the estimate may put together the rests of different callers.
  Problem priced = problem;
  std::int64_t least = 0;
  if (problem.has_costs_on_cards()) {
    Regrets all = regrets(*std::get<std::shared_ptr<const Rtn>>(problem.hypothesis), *problem.hypothesis_costs);
    priced.hypothesis_costs = std::make_shared<const std::vector<std::int64_t>>(std::move(all.costs));
    least = all.least;
  }
  const Route route = problem.has_costs_on_cards() ? Route::kChart : Route::kTopological;
  Plan p = make_plan(priced, options);
  const std::string why_not =
      route == Route::kChart ? why_not_chart(priced, options) : why_not_topological(priced, options);
  if (!why_not.empty()) refuse(route, why_not);
  go_by(route, p);
  if (!p.chart && !p.r->sorted()) throw SearchError("fear needs references without cycles");
  switch (width_needed(p.bounds)) {
    case Width::kMachine:
      return found_by<std::int64_t>(p, least);
    case Width::kWide:
      return found_by<Wide>(p, least);
    default:
      throw SearchError(
          "costs do not fit exact integers; give the metric's costs with fewer decimals, or the model less weight");
  }
}

}  // namespace fstmetrics

// Ties of the graphs route (search/tie_breaker.h): states are those of the lanes, positions those of the sweep.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "search/graphs/graph_table.h"
#include "search/product.h"
#include "search/tie_breaker.h"
#include "support/poll.h"

namespace fstmetrics {

// What the operations are worth among paths of equal cost; see search/tie_rules.h.
struct PairWeights {
  std::int64_t match, substitution, lane_only, sweep_only;
};

template <class T>
class GraphTies {
 public:
  // `best` is the least cost in `table` at a pair of final states. Both must outlive this object.
  // Throws SearchError where more than `max_cells` cells of 8 bytes would be kept.
  GraphTies(const PairProblem& problem, const GraphTable<T>& table, const PairWeights& weights, std::int64_t best,
            std::int64_t max_cells)
      : problem_(problem) {
    cells_.open(problem.lanes.num_states(), problem.sweep.num_states(), 1, EqualSteps::kPairs);
    for (const StateId lane : problem.lanes.finals()) {
      for (const StateId sweep : problem.sweep.finals()) {
        if (table.at(lane, sweep) == best) cells_.offer(lane, {0, -1, -1, sweep, static_cast<std::int32_t>(best)});
      }
    }
    Ways ways(problem, table, weights, cells_);
    check_kept(cells_.settle(ways, max_cells), max_cells);
  }

  // What the best of the best paths adds up to.
  std::int64_t rank() const { return cells_.start().rank; }
  // One such path.
  std::vector<Step> trace(bool lanes_are_hypothesis) const;

 private:
  // `arc` of a cell is the lane state that its step leads to: there may be several arcs for it.
  using Cells = TieBreaker<std::int64_t>;
  class Ways;

  const Arc* arc_between(const PairSide& side, StateId from, StateId to, bool takes_word) const {
    for (const Arc& arc : side.graph->arcs(from)) {
      if (arc.next == to && (arc.label != kEpsilon) == takes_word) return &arc;
    }
    throw std::logic_error("the path of a settled table broke off");
  }
  std::pair<const Arc*, const Arc*> pair_between(StateId lane, const Cells::Cell& cell, StateId sweep) const;

  const PairProblem& problem_;
  Cells cells_;
};

template <class T>
class GraphTies<T>::Ways {
 public:
  Ways(const PairProblem& problem, const GraphTable<T>& table, const PairWeights& weights, Cells& cells)
      : problem_(problem),
        table_(table),
        weights_(weights),
        cells_(cells),
        halves_live_((static_cast<std::size_t>(table.width()) + 63) / 64, 0),
        halves_(table.width()),
        below_(table.width()),
        last_with_(problem.last_key + 1, -1) {}

  void enter(StateId lane) {
    std::fill(below_.begin(), below_.end(), GraphTable<T>::unreached());
    for (const StateId source : problem_.lanes.groups->before_by_words(lane)) {
      poll(table_.width() / 16);
      const T* row = table_.row(source);
      T* below = below_.data();  // bytes may alias anything, so bounds and pointers are values of their own
      for (int i = 0, width = table_.width(); i < width; ++i) below[i] = std::min(below[i], row[i]);
    }
    link_words(lane);
  }

  // Offers to every cell before this one what is best from here on.
  void before(StateId lane, Cells::Number number) {
    const Cells::Cell cell = cells_[number];
    const StateId sweep = cell.position;
    const StateGroups& lanes = *problem_.lanes.groups;
    const StateGroups& sweeps = *problem_.sweep.groups;
    poll_(20 + 5 * (std::ssize(problem_.lanes.incoming(lane)) + std::ssize(problem_.sweep.incoming(sweep))));
    const PairCosts& costs = problem_.costs;
    const T* row = table_.row(lane);
    const auto offer = [&](StateId from_lane, StateId from_sweep, Op op, std::int64_t cost, std::int64_t weight) {
      Cells::Cell before{cell.rank + weight, number, lane, from_sweep, static_cast<std::int32_t>(cell.cost - cost)};
      before.op = op;
      cells_.offer(from_lane, before);
    };
    // 1. A word of the sweep side, alone or as half of a pair.
    for (const StateId source : sweeps.before_by_words(sweep)) {
      if (row[source] + costs.sweep_only == cell.cost)
        offer(lane, source, Op::kInsertion, costs.sweep_only, weights_.sweep_only);
      if (below_[source] + costs.substitution == cell.cost) offer_half(source, lane, number, cell);
    }
    for (const StateId source : sweeps.before_by_epsilons(sweep)) {
      if (row[source] == cell.cost) offer(lane, source, Op::kEpsilon, 0, 0);
    }
    // 2. A word of the lane side alone.
    if (below_[sweep] + costs.lane_only == cell.cost) {
      for (const StateId source : lanes.before_by_words(lane)) {
        if (table_.at(source, sweep) == below_[sweep])
          offer(source, sweep, Op::kInsertion, costs.lane_only, weights_.lane_only);
      }
    }
    for (const StateId source : lanes.before_by_epsilons(lane)) {
      if (table_.at(source, sweep) == cell.cost) offer(source, sweep, Op::kEpsilon, 0, 0);
    }
    // 3. The same word on both sides.
    const auto lane_words = problem_.lanes.incoming(lane);
    for (const ReverseArcs::Incoming& in : problem_.sweep.incoming(sweep)) {
      const Label word = problem_.sweep.key_of(in.label);
      if (word == kEpsilon) continue;
      for (std::int32_t i = last_with_[word]; i >= 0; i = before_it_[i]) {
        const StateId source = lane_words[i].source;
        if (table_.at(source, in.source) + costs.match == cell.cost)
          offer(source, in.source, Op::kMatch, costs.match, weights_.match);
      }
    }
  }

  // The other half of the pairs. A pair of the same word may be among them, where a match costs no less; it ranks
  // behind the match.
  void leave(StateId lane) {
    for (const ReverseArcs::Incoming& in : problem_.lanes.incoming(lane)) {
      const Label key = problem_.lanes.key_of(in.label);
      if (key != kEpsilon) last_with_[key] = -1;
    }
    for (std::size_t block = halves_live_.size(); block-- > 0;) {
      for (std::uint64_t& live = halves_live_[block]; live != 0;) {
        const int highest = 63 - std::countl_zero(live);
        live &= ~(std::uint64_t{1} << highest);
        const auto sweep = static_cast<StateId>(block * 64 + highest);
        poll_(5 + 5 * std::ssize(problem_.lanes.incoming(lane)));
        for (const StateId source : problem_.lanes.groups->before_by_words(lane)) {
          if (table_.at(source, sweep) == below_[sweep]) cells_.offer(source, halves_[sweep]);
        }
      }
    }
  }

 private:
  void offer_half(StateId sweep, StateId lane, Cells::Number next, const Cells::Cell& cell) {
    std::uint64_t& block = halves_live_[sweep >> 6];
    const std::uint64_t mark = std::uint64_t{1} << (sweep & 63);
    const std::int64_t rank = cell.rank + weights_.substitution;
    if ((block & mark) && halves_[sweep].rank < rank) return;
    block |= mark;
    halves_[sweep] = {rank, next, lane, sweep, static_cast<std::int32_t>(cell.cost - problem_.costs.substitution)};
    halves_[sweep].op = Op::kSubstitution;
  }

  void link_words(StateId lane) {
    const auto incoming = problem_.lanes.incoming(lane);
    before_it_.resize(std::max(before_it_.size(), incoming.size()));
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      const Label key = problem_.lanes.key_of(incoming[i].label);
      if (key == kEpsilon) continue;
      before_it_[i] = last_with_[key];
      last_with_[key] = static_cast<std::int32_t>(i);
    }
  }

  Polls poll_;
  const PairProblem& problem_;
  const GraphTable<T>& table_;
  const PairWeights weights_;
  Cells& cells_;
  // By sweep state, where a word of it has been paired and one that leads to the lane state at hand has not yet.
  std::vector<std::uint64_t> halves_live_;
  std::vector<Cells::Cell> halves_;
  std::vector<T> below_;  // the least of the rows before the lane state at hand
  // Words that lead to the lane state at hand: by key the last, by each the one before it; -1 where there is none.
  std::vector<std::int32_t> last_with_, before_it_;
};

// The first pair of arcs that a cell's step may take: of the same word for a match.
template <class T>
std::pair<const Arc*, const Arc*> GraphTies<T>::pair_between(StateId lane, const Cells::Cell& cell,
                                                             StateId sweep) const {
  for (const Arc& l : problem_.lanes.graph->arcs(lane)) {
    if (l.next != cell.arc || l.label == kEpsilon) continue;
    for (const Arc& s : problem_.sweep.graph->arcs(cell.position)) {
      if (s.next != sweep || s.label == kEpsilon) continue;
      if (problem_.same_word(l.label, s.label) == (cell.op == Op::kMatch)) return {&l, &s};
    }
  }
  throw std::logic_error("the path of a settled table broke off");
}

template <class T>
std::vector<Step> GraphTies<T>::trace(bool lanes_are_hypothesis) const {
  std::vector<Step> steps;
  StateId lane = problem_.lanes.graph->start();
  cells_.for_each_step([&](const Cells::Cell& cell, const Cells::Cell& next) {
    const Arc *l = nullptr, *s = nullptr;
    Op op = cell.op;
    if (op == Op::kMatch || op == Op::kSubstitution) {
      std::tie(l, s) = pair_between(lane, cell, next.position);
    } else if (cell.arc != lane) {
      l = arc_between(problem_.lanes, lane, cell.arc, op != Op::kEpsilon);
    } else {
      s = arc_between(problem_.sweep, cell.position, next.position, op != Op::kEpsilon);
    }
    lane = cell.arc;
    if (op == Op::kEpsilon) return;
    if (op == Op::kInsertion && (l != nullptr) != lanes_are_hypothesis) op = Op::kDeletion;
    steps.push_back(lanes_are_hypothesis ? make_step(op, l, s) : make_step(op, s, l));
  });
  return steps;
}

}  // namespace fstmetrics

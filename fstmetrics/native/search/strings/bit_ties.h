// Ties of the bit-parallel searches with reordering and by levels (search/tie_breaker.h), whose layers are window
// shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/search_graph.h"
#include "search/strings/bit_string.h"
#include "search/tie_breaker.h"
#include "support/poll.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class BitTies {
 public:
  // What it keeps of a state without reordering at most, in cells of 8 bytes: of each position what comes next.
  static constexpr std::int64_t kCellsOfState = 64 * 3;

  // `least`: what the best paths cost. Of a search, `found` says
  // - exactly(state, cost, shape): the positions reached at just that cost from the start, at the least those on best
  //   paths; none for a negative cost;
  // - maybe(state, cost, positions): false only if none of these is reached at that cost or up to two less.
  // Throws SearchError where more than `max_cells` cells of 8 bytes would be kept.
  template <class Found>
  Totals settle(const SearchGraph& graph, const StringSide& string, int least, std::int64_t max_cells,
                const WordPositions& words, const Found& found);

  // A best path, after settle() and while the graph exists.
  std::vector<Step> trace() const { return steps_of(cells_, graph_->automaton().all_arcs(), string_is_hypothesis_); }

 private:
  template <class Found>
  class Ways;

  const SearchGraph* graph_ = nullptr;
  bool string_is_hypothesis_ = false;
  TieBreaker<std::int64_t> cells_;
};

template <class Found>
class BitTies::Ways {
 public:
  using Cells = TieBreaker<std::int64_t>;

  Ways(const SearchGraph& graph, const StringSide& string, const WordPositions& words, const Found& found,
       const StringWeights<std::int64_t>& weights, Cells& cells)
      : graph_(graph), string_(string), words_(words), found_(found), weights_(weights), cells_(cells) {}

  void enter(StateId) {}
  void leave(StateId) {}

  void before(StateId state, Cells::Number number) {
    const Goal cell(cells_[number]);
    const Op alone = string_.is_hypothesis ? Op::kInsertion : Op::kDeletion;
    const auto& takings = string_.shapes.into[cell.layer];
    poll_(20 + 10 * std::ssize(graph_.incoming(state)));
    std::uint64_t near = bit(cell.position);
    for (const Taking& t : takings) {
      const int from = cell.position - t.advance, cost = cell.cost - 1 - t.moves;
      if (from < 0) continue;
      near |= bit(from);
      if (words_.before_word(t.offset) & found_.exactly(state, cost, t.from) & bit(from)) {
        offer(state, number, cell.rank + weights_.string_only, cost, alone, -1, from, t);
      }
    }
    for (const SearchGraph::Incoming& in : graph_.incoming(state)) {
      if (found_.maybe(in.source, cell.cost, near)) before(in, number, cell, takings);
    }
  }

 private:
  // What is asked of a cell; read one by one, as the cell has just been written in other pieces.
  struct Goal {
    explicit Goal(const Cells::Cell& cell)
        : rank(cell.rank), position(cell.position), cost(cell.cost), layer(cell.layer) {}
    std::int64_t rank;
    std::int32_t position, cost, layer;
  };

  void before(const SearchGraph::Incoming& in, Cells::Number number, const Goal& cell,
              const std::vector<Taking>& takings) {
    const Taking still{static_cast<std::uint8_t>(cell.layer), static_cast<std::uint8_t>(cell.layer), 0, 0, 0};
    if (in.label == kEpsilon) {
      if (found_.exactly(in.source, cell.cost, cell.layer) & bit(cell.position)) {
        offer(in.source, number, cell.rank, cell.cost, Op::kEpsilon, in.arc, cell.position, still);
      }
      return;
    }
    if (found_.exactly(in.source, cell.cost - 1, cell.layer) & bit(cell.position)) {
      const Op alone = string_.is_hypothesis ? Op::kDeletion : Op::kInsertion;
      offer(in.source, number, cell.rank + weights_.graph_only, cell.cost - 1, alone, in.arc, cell.position, still);
    }
    const std::uint64_t same = words_.of(in.label);
    for (const Taking& t : takings) {
      const int from = cell.position - t.advance;
      if (from < 0 || !(words_.before_word(t.offset) & bit(from))) continue;
      const bool equal = (same >> t.offset) & bit(from);
      const int cost = cell.cost - t.moves - !equal;
      if (!(found_.exactly(in.source, cost, t.from) & bit(from))) continue;
      offer(in.source, number, cell.rank + (equal ? weights_.match : weights_.substitution), cost,
            equal ? Op::kMatch : Op::kSubstitution, in.arc, from, t);
    }
  }

  void offer(StateId state, Cells::Number next, std::int64_t rank, int cost, Op op, std::int32_t arc, int position,
             const Taking& t) {
    Cells::Cell cell{rank + t.moves * weights_.move, next, arc, position, cost};
    cell.layer = t.from, cell.op = op, cell.offset = t.offset, cell.moves = t.moves;
    cells_.offer(state, cell);
  }

  Polls poll_;
  const SearchGraph& graph_;
  const StringSide& string_;
  const WordPositions& words_;
  const Found& found_;
  const StringWeights<std::int64_t> weights_;
  Cells& cells_;
};

template <class Found>
Totals BitTies::settle(const SearchGraph& graph, const StringSide& string, int least, std::int64_t max_cells,
                       const WordPositions& words, const Found& found) {
  graph_ = &graph, string_is_hypothesis_ = string.is_hypothesis;
  // The cost is known by now, and with it how many words a best path can have: few bits hold the totals.
  const std::int64_t own = string.length(), other = own + least;
  const int shapes = string.shapes.size();
  const auto ranking = make_ranking<std::int64_t>(
      {string.is_hypothesis ? own : other, string.is_hypothesis ? other : own, shapes > 1, 1}, true);
  cells_.open(graph.num_states(), string.length() + 1, shapes, EqualSteps::kDearest);
  for (const StateId state : graph.finals()) {
    for (int shape = 0; shape < shapes; ++shape) {
      if (!string.shapes.whole[shape] || !(found.exactly(state, least, shape) & bit(string.length()))) continue;
      TieBreaker<std::int64_t>::Cell cell;
      cell.position = string.length(), cell.cost = least, cell.layer = static_cast<std::int16_t>(shape);
      cells_.offer(state, cell);
    }
  }
  Ways<Found> ways(graph, string, words, found, {ranking, string.is_hypothesis}, cells_);
  check_kept(cells_.settle(ways, max_cells), max_cells);
  return ranking.totals(cells_.start().rank + least * ranking.cost);
}

}  // namespace fstmetrics

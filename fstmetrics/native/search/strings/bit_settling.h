// Ties of the bit-parallel searches, settled once the least cost is known: tie weights are added up from the end back to
// the start, over the cells that lie on best paths and no others.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/level_graph.h"
#include "search/problem.h"
#include "search/ranking.h"
#include "search/strings/bit_string.h"
#include "support/growing_array.h"
#include "support/poll.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class BitSettling {
 public:
  // What it keeps of a state without reordering, in cells of 8 bytes: of each position what comes next.
  static constexpr std::int64_t kCellsOfState = 64 * 3;

  // `least`: what the best paths cost. Of a search, `found` says
  // - exactly(state, cost, shape): the positions reached at just that cost from the start, at the least those on best
  //   paths; none for a negative cost;
  // - maybe(state, cost, positions): false only if none of these is reached at that cost or up to two less.
  // O(cells of best paths * arcs a state).
  // Throws SearchError where more than `max_cells` cells of 8 bytes would be kept.
  template <class Found>
  Totals settle(const LevelGraph& graph, const StringSide& string, const WordPositions& words, int least,
                std::int64_t max_cells, const Found& found);

  // A best path, after settle() and while what it was given still exists. Labels are those of the graph's words only; the
  // string's words are named by their origins.
  std::vector<Step> trace() const;

 private:
  // The best way on from a cell: its rank to the end, and what comes next.
  struct Cell {
    std::int64_t rank;
    std::int32_t arc;  // -1 if the graph stands still
    std::uint8_t op, shape, position, moves;
  };
  // A state on best paths: at which costs, and which of its shapes have positions.
  struct Slot {
    std::int32_t lowest, highest;
    std::uint64_t shapes;
  };
  // One operation that leads to the cells of a shape, `advance` positions on.
  struct Way {
    std::size_t cells;  // where those of position 0 and on are kept
    std::int64_t weight;
    std::int32_t arc;
    Op op;
    int shape, advance, moves;
  };

  void open(const LevelGraph& graph, const StringSide& string, const WordPositions& words, int least);
  Totals totals(int least) const;
  std::size_t slot(StateId state, int cost);
  void offer(StateId state, int cost, int shape, std::uint64_t positions, const Way& way);
  void keep(std::size_t slot, int shape, int position, const Cell& cell);
  int word_taken(int shape, int position, const Cell& cell) const;
  template <class Found>
  void settle_state(StateId state, const Found& found);
  template <class Found>
  void settle_cells(StateId state, int cost, int shape, std::uint64_t cells, const Found& found);
  template <class Found>
  void settle_arc(const LevelGraph::Incoming& in, int cost, int shape, std::uint64_t cells, std::size_t first,
                  const Found& found);

  Polls poll_;
  const LevelGraph* graph_ = nullptr;
  const StringSide* string_ = nullptr;
  const WordPositions* words_ = nullptr;
  std::size_t shapes_ = 1;
  std::int64_t max_cells_ = 0;
  Ranking<std::int64_t> ranking_{};
  std::int64_t match_ = 0, substitution_ = 0, string_only_ = 0, graph_only_ = 0;  // what the operations are worth

  std::vector<std::uint64_t> live_states_;  // bitmap over states
  std::vector<std::uint32_t> slot_of_;      // by live state
  std::vector<Slot> slots_;
  GrowingArray<std::uint64_t> live_;        // by slot and shape: positions on best paths
  GrowingArray<Cell> cells_;                // by slot, shape and position
};

template <class Found>
Totals BitSettling::settle(const LevelGraph& graph, const StringSide& string, const WordPositions& words, int least,
                           std::int64_t max_cells, const Found& found) {
  max_cells_ = max_cells;
  open(graph, string, words, least);
  for (const StateId state : graph.finals()) {
    for (int shape = 0; shape < string.shapes.size(); ++shape) {
      if (!string.shapes.whole[shape] || !(found.exactly(state, least, shape) & bit(string.length()))) continue;
      keep(slot(state, least), shape, string.length(), {0, -1, static_cast<std::uint8_t>(Op::kEpsilon), 0, 0, 0});
    }
  }
  for (std::size_t block = live_states_.size(); block-- > 0;) {
    while (live_states_[block] != 0) {
      const int highest = 63 - std::countl_zero(live_states_[block]);
      settle_state(static_cast<StateId>(block * 64 + highest), found);
      live_states_[block] &= ~bit(highest);
    }
  }
  return totals(least);
}

// Words read alone lead to lower costs of the same state, so costs go down.
template <class Found>
void BitSettling::settle_state(StateId state, const Found& found) {
  const std::size_t slot = slot_of_[state];
  poll_(20 * (slots_[slot].highest - slots_[slot].lowest + 1) + 10 * std::ssize(graph_->incoming(state)));
  for (int cost = slots_[slot].highest; cost >= slots_[slot].lowest; --cost) {
    for_each_bit(slots_[slot].shapes, [&](int shape) {
      const std::uint64_t cells = live_[slot * shapes_ + shape] & found.exactly(state, cost, shape);
      if (cells != 0) settle_cells(state, cost, shape, cells, found);
    });
  }
}

// Offers what leads to `cells` to where it comes from.
template <class Found>
void BitSettling::settle_cells(StateId state, int cost, int shape, std::uint64_t cells, const Found& found) {
  const std::size_t first = (slot_of_[state] * shapes_ + shape) * 64;
  const Op alone = string_->is_hypothesis ? Op::kInsertion : Op::kDeletion;
  std::uint64_t near = cells;
  for (const Taking& t : string_->shapes.into[shape]) {
    near |= cells >> t.advance;
    const int before = cost - 1 - t.moves;
    const std::uint64_t from = (cells >> t.advance) & words_->before_word(t.offset) & found.exactly(state, before, t.from);
    if (from) offer(state, before, t.from, from, {first, string_only_, -1, alone, shape, t.advance, t.moves});
  }
  for (const LevelGraph::Incoming& in : graph_->incoming(state)) {
    if (found.maybe(in.source, cost, near)) settle_arc(in, cost, shape, cells, first, found);
  }
}

template <class Found>
void BitSettling::settle_arc(const LevelGraph::Incoming& in, int cost, int shape, std::uint64_t cells, std::size_t first,
                             const Found& found) {
  if (in.label == kEpsilon) {
    const std::uint64_t from = cells & found.exactly(in.source, cost, shape);
    if (from) offer(in.source, cost, shape, from, {first, 0, in.arc, Op::kEpsilon, shape, 0, 0});
    return;
  }
  if (const std::uint64_t from = cells & found.exactly(in.source, cost - 1, shape)) {
    const Op alone = string_->is_hypothesis ? Op::kDeletion : Op::kInsertion;
    offer(in.source, cost - 1, shape, from, {first, graph_only_, in.arc, alone, shape, 0, 0});
  }
  const std::uint64_t same = words_->of(in.label);
  for (const Taking& t : string_->shapes.into[shape]) {
    const std::uint64_t from = (cells >> t.advance) & words_->before_word(t.offset), equal = same >> t.offset;
    const int before = cost - t.moves;
    if (const std::uint64_t matched = from & equal; matched && (matched & found.exactly(in.source, before, t.from))) {
      offer(in.source, before, t.from, matched & found.exactly(in.source, before, t.from),
            {first, match_, in.arc, Op::kMatch, shape, t.advance, t.moves});
    }
    if (const std::uint64_t other = from & ~equal & found.exactly(in.source, before - 1, t.from)) {
      offer(in.source, before - 1, t.from, other,
            {first, substitution_, in.arc, Op::kSubstitution, shape, t.advance, t.moves});
    }
  }
}

}  // namespace fstmetrics

// Ties, settled once a search knows what its best paths cost: ranked weights (search/tie_rules.h) are added up from the
// goal back to the start, over the cells of best paths and no others.
//
// A cell is a state of a graph, a position on the other side (of a string, or a state of another graph) and a layer (a
// memory of the metric, a window shape). Steps lead to a higher state, within a state to a higher position, and there
// to a higher layer; so backwards, when a cell is settled, all that it may be followed by has been. What differs
// between searches is how a cell's cost is looked up and which cells may come before it; each has a type for that:
//   void enter(StateId state)             before the cells of a state are settled, and
//   void leave(StateId state)             after that;
//   void before(StateId state, Number n)  calls offer() for every cell from which a best path may lead to cell n.
// O(offers + positions / 64 a state) time. Space: of each settled cell what comes next, and offers to states yet to
// come.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "automata/automaton.h"
#include "metric/edit_automaton.h"
#include "search/problem.h"
#include "support/growing_array.h"

namespace fstmetrics {

// Which of the steps of equal rank is shown. They make paths that are equally good, so any is right, but it has to be
// the same in every run, and the same by the two routes for unit costs, between which the choice is often close.
enum class EqualSteps {
  kFirst,    // the one that was offered first: steps to higher states go before others;
  kDearest,  // of those to one state, the one to the cell of the highest cost, so that errors come early; then the
             // earlier arc;
  kPairs,  // pairs of words, then words of the side whose states are numbered; of these, the one that leads least far.
};

template <class V>
class TieBreaker {
 public:
  using Number = std::int32_t;  // of a cell

  // A cell on a best path, or offered as one, and the step that is taken from it.
  struct Cell {
    V rank = 0;             // of the rest of the path
    Number next = -1;       // the cell that the step leads to; -1 at the goal
    std::int32_t arc = -1;  // of the graph; -1 if it stands still
    std::int32_t position = 0;
    std::int32_t cost = 0;  // of reaching the cell
    Number other = -1;      // another offer to the same state; once it is settled, the state itself
    std::int16_t layer = 0;
    Op op = Op::kEpsilon;
    std::uint8_t offset
        : 7 = 0,
          moves : 1 = 0;  // of the word that is taken: how far from the position it stands; whether that is a move
  };

  static_assert(sizeof(V) > 8 || sizeof(Cell) == 32);

  // For a graph of so many states; at most so many positions and layers.
  void open(StateId states, std::int32_t positions, int layers, EqualSteps shown) {
    layers_ = layers, shown_ = shown;
    const std::size_t keys = static_cast<std::size_t>(positions) * layers;
    waiting_.assign((static_cast<std::size_t>(states) + 63) / 64, 0);
    if (offered_.size() < static_cast<std::size_t>(states)) offered_.resize(states);
    here_.assign((keys + 63) / 64, 0);
    if (best_.size() < keys) best_.resize(keys);
    cells_.clear();
    unused_ = -1;
    state_ = -1;
  }

  // A cell, with the step from it to a settled one; without a step, one where paths end. It is written where it is
  // kept: as a whole, it would be read back before the pieces that it was made of have been written.
  void offer(StateId state, const Cell& cell) {
    const Number number = unused_ >= 0 ? std::exchange(unused_, cells_[unused_].other) : one_more();
    Cell& kept = cells_[number];
    kept.rank = cell.rank, kept.next = cell.next, kept.arc = cell.arc;
    kept.position = cell.position, kept.cost = cell.cost;
    kept.layer = cell.layer, kept.op = cell.op, kept.offset = cell.offset, kept.moves = cell.moves;
    if (state == state_) return take(number, false);
    std::uint64_t& block = waiting_[state / 64];
    const std::uint64_t mark = std::uint64_t{1} << (state % 64);
    kept.other = block & mark ? offered_[state] : -1;
    block |= mark;
    offered_[state] = number;
  }

  // Breaks the ties of all cells. False where more than `max_cells` cells of 8 bytes would be kept, beside those that
  // are free.
  template <class Ways>
  bool settle(Ways& ways, std::int64_t max_cells) {
    for (std::size_t block = waiting_.size(); block-- > 0;) {
      while (waiting_[block] != 0) {
        const int highest = 63 - std::countl_zero(waiting_[block]);
        settle_state(static_cast<StateId>(block * 64 + highest), ways);
        waiting_[block] &= ~(std::uint64_t{1} << highest);
        if (static_cast<std::int64_t>(cells_.size() * sizeof(Cell) / 8) - kFreeCells > max_cells) return false;
      }
    }
    return true;
  }

  const Cell& operator[](Number number) const { return cells_[number]; }
  // The cell at the start of all paths.
  const Cell& start() const { return cells_[last_]; }
  // Calls visit(cell, next) for each step of a best path.
  template <class Visit>
  void for_each_step(Visit visit) const {
    for (Number number = last_; cells_[number].next >= 0; number = cells_[number].next) {
      visit(cells_[number], cells_[cells_[number].next]);
    }
  }

  std::size_t capacity() const { return cells_.capacity(); }

 private:
  Number one_more() {
    if (cells_.size() == std::numeric_limits<Number>::max()) throw std::bad_alloc();
    cells_.resize(cells_.size() + 1);
    return static_cast<Number>(cells_.size()) - 1;
  }

  // Whether, of two offers of equal rank, the one that was made earlier is kept.
  bool earlier_stays(const Cell& earlier, const Cell& later) const {
    if (shown_ == EqualSteps::kFirst || earlier.next < 0 || later.next < 0) return true;
    const Cell &one = cells_[earlier.next], &two = cells_[later.next];
    if (shown_ == EqualSteps::kPairs) {
      const auto is_pair = [](const Cell& cell) { return cell.op == Op::kMatch || cell.op == Op::kSubstitution; };
      if (is_pair(earlier) != is_pair(later)) return is_pair(earlier);
      if (!is_pair(earlier) && (one.other == state_) != (two.other == state_)) return two.other == state_;
      return one.other != two.other ? one.other < two.other : one.position <= two.position;
    }
    if (one.other != two.other) return true;
    if (one.cost != two.cost) return one.cost > two.cost;
    return earlier.arc != later.arc ? earlier.arc < later.arc : one.position <= two.position;
  }

  // Compares an offer to the state at hand with the others to its cell. Those of other states come in the order of a
  // stack.
  void take(Number number, bool from_stack) {
    const Cell& cell = cells_[number];
    const std::size_t key = static_cast<std::size_t>(cell.position) * layers_ + cell.layer;
    std::uint64_t& block = here_[key / 64];
    const std::uint64_t mark = std::uint64_t{1} << (key % 64);
    Number loser = number;
    if (!(block & mark)) {
      block |= mark;
      best_[key] = number;
      lowest_ = std::min(lowest_, key / 64);
      highest_ = std::max(highest_, key / 64);
      return;
    }
    const Cell& best = cells_[best_[key]];
    const bool replaces = cell.rank != best.rank ? cell.rank < best.rank
                          : from_stack           ? earlier_stays(cell, best)
                                                 : !earlier_stays(best, cell);
    if (replaces) std::swap(loser, best_[key]);
    cells_[loser].other = unused_;
    unused_ = loser;
  }

  template <class Ways>
  void settle_state(StateId state, Ways& ways) {
    ways.enter(state);
    lowest_ = here_.size(), highest_ = 0;
    state_ = state;
    for (Number number = offered_[state]; number >= 0;) {
      const Number other = cells_[number].other;
      take(number, true);
      number = other;
    }
    for (std::size_t block = highest_ + 1; block-- > lowest_;) {
      while (here_[block] != 0) {
        const int highest = 63 - std::countl_zero(here_[block]);
        here_[block] &= ~(std::uint64_t{1} << highest);
        last_ = best_[block * 64 + highest];
        cells_[last_].other = state;
        ways.before(state, last_);
      }
    }
    state_ = -1;
    ways.leave(state);
  }

  int layers_ = 1;
  EqualSteps shown_ = EqualSteps::kFirst;
  std::vector<std::uint64_t> waiting_;  // bitmap over states that have offers
  std::vector<Number> offered_;         // by such a state: its last offer
  GrowingArray<Cell> cells_;
  Number unused_ = -1;  // the last of the cells that no path needs
  Number last_ = -1;    // settled
  // Of the state at hand, by position and layer: the best offer, where there is one.
  StateId state_ = -1;
  std::vector<std::uint64_t> here_;
  std::vector<Number> best_;
  std::size_t lowest_ = 0, highest_ = 0;  // blocks of here_ that may have any
};

// What operations are worth where the sides are a string and a graph.
template <class V>
struct StringWeights {
  StringWeights() = default;
  StringWeights(const Ranking<V>& ranking, bool string_is_hypothesis) : move(ranking.move) {
    const auto [same, other, insertion, deletion] = ranking.ties();
    match = same;
    substitution = other;
    string_only = string_is_hypothesis ? insertion : deletion;
    graph_only = string_is_hypothesis ? deletion : insertion;
  }
  V match = 0, substitution = 0, string_only = 0, graph_only = 0, move = 0;
};

// The best path of a string and a graph. Labels are those of the graph's words only; the string's words are named by
// their origins.
template <class V>
std::vector<Step> steps_of(const TieBreaker<V>& settled, std::span<const Arc> arcs, bool string_is_hypothesis) {
  const Op graph_only = string_is_hypothesis ? Op::kDeletion : Op::kInsertion;
  std::size_t size = 0;
  settled.for_each_step([&](const auto&, const auto&) { ++size; });
  std::vector<Step> steps;
  steps.reserve(size);
  settled.for_each_step([&](const auto& cell, const auto&) {
    if (cell.op == Op::kEpsilon) return;
    Step& step = steps.emplace_back(Step{cell.op});
    step.moves = cell.moves;
    if (cell.op != graph_only)
      (string_is_hypothesis ? step.origin : step.reference_origin) = cell.position + cell.offset;
    if (cell.arc >= 0) {
      (string_is_hypothesis ? step.reference : step.hypothesis) = arcs[cell.arc].label;
      (string_is_hypothesis ? step.reference_origin : step.origin) = arcs[cell.arc].origin;
    }
  });
  return steps;
}

}  // namespace fstmetrics

#include "search/rows/unit_settling.h"

#include <algorithm>
#include <bit>
#include <utility>


namespace fstmetrics {
namespace {

constexpr std::int32_t kNoPosition = -1;

}  // namespace

bool UnitSettling::settle(const UnitRows& rows, const LevelGraph& graph, std::span<const Label> words,
                          bool string_is_hypothesis, int cost, std::int64_t max_cells) {
  rows_ = &rows, graph_ = &graph, words_ = words, cost_ = cost;
  string_only_ = string_is_hypothesis ? Op::kInsertion : Op::kDeletion;
  graph_only_ = string_is_hypothesis ? Op::kDeletion : Op::kInsertion;
  const auto states = static_cast<std::size_t>(graph.num_states());
  if (latest_.size() < states) latest_.resize(states), range_.resize(states);
  live_.assign((states + 63) / 64, 0);
  offers_.clear(), settled_.clear();
  const auto length = static_cast<std::int32_t>(words.size());
  for (const StateId state : graph.finals()) {
    if (rows.at(state, length) == cost) offer(state, {0, length, -1, Op::kEpsilon});
  }
  // Arcs lead upwards, so offers made meanwhile are to states below.
  for (std::size_t block = live_.size(); block-- > 0;) {
    while (live_[block] != 0) {
      const int highest = 63 - std::countl_zero(live_[block]);
      settle_state(static_cast<StateId>(block * 64 + highest));
      if (kept_cells() - kFreeCells > max_cells) return false;
      live_[block] &= ~(std::uint64_t{1} << highest);
    }
  }
  return true;
}

std::int64_t UnitSettling::worth(Op op) const {
  switch (op) {
    case Op::kMatch: return kRadix * kRadix + kRadix;
    case Op::kSubstitution: return kRadix * kRadix;
    case Op::kDeletion: return kRadix * kRadix - 1;
    default: return 0;
  }
}

void UnitSettling::offer(StateId state, const Cell& cell) {
  std::uint64_t& block = live_[state / 64];
  const std::uint64_t mark = std::uint64_t{1} << (state % 64);
  offers_.push_back({cell, block & mark ? latest_[state] : -1});
  block |= mark;
  latest_[state] = static_cast<std::int32_t>(offers_.size()) - 1;
}

// All offers to a state are there by now. Words of the string alone lead from lower positions of the same state.
void UnitSettling::settle_state(StateId state) {
  of_state_.clear();
  for (std::int32_t i = latest_[state]; i >= 0; i = offers_[i].next) of_state_.push_back(offers_[i].cell);
  std::sort(of_state_.begin(), of_state_.end(), [](const Cell& a, const Cell& b) {
    return a.position != b.position ? a.position > b.position : a.rank > b.rank;
  });
  range_[state].begin = static_cast<std::ptrdiff_t>(settled_.size());
  Cell before{0, kNoPosition, -1, Op::kEpsilon};
  for (std::size_t at = 0; at < of_state_.size() || before.position != kNoPosition;) {
    Cell cell = std::exchange(before, {0, kNoPosition, -1, Op::kEpsilon});
    if (at < of_state_.size() && of_state_[at].position >= cell.position) {
      const Cell& offered = of_state_[at];
      if (offered.position > cell.position || offered.rank >= cell.rank) cell = offered;
      while (at < of_state_.size() && of_state_[at].position == cell.position) ++at;
    }
    settled_.push_back(cell);
    settle_cell(state, cell, before);
  }
  range_[state].end = static_cast<std::ptrdiff_t>(settled_.size());
}

// Offers the cells from which a best path leads here; `before` is the one in the same state.
void UnitSettling::settle_cell(StateId state, const Cell& cell, Cell& before) {
  const std::int32_t position = cell.position;
  const int cost = rows_->at(state, position);
  const Label word = position > 0 ? words_[position - 1] : kNoMatch;
  if (position > 0 && rows_->at(state, position - 1) == cost - 1) {
    before = {cell.rank + worth(string_only_), position - 1, -1, string_only_};
  }
  const auto incoming = graph_->incoming(state);
  poll_(20 + 5 * std::ssize(incoming));
  for (const LevelGraph::Incoming& in : incoming) {
    const int there = rows_->at(in.source, position);
    if (in.label == kEpsilon) {
      if (there == cost) offer(in.source, {cell.rank, position, in.arc, Op::kEpsilon});
      continue;
    }
    if (there == cost - 1) offer(in.source, {cell.rank + worth(graph_only_), position, in.arc, graph_only_});
    if (position == 0) continue;
    const Op op = in.label == word ? Op::kMatch : Op::kSubstitution;
    if (rows_->at(in.source, position - 1) == cost - (op == Op::kSubstitution)) {
      offer(in.source, {cell.rank + worth(op), position - 1, in.arc, op});
    }
  }
}

const UnitSettling::Cell& UnitSettling::cell_at(StateId state, std::int32_t position) const {
  const auto [begin, end] = range_[state];
  const auto cells = settled_.begin();
  return *std::partition_point(cells + begin, cells + end, [&](const Cell& cell) { return cell.position > position; });
}

// Cost and reference words leave matches and deletions open; all of them are the digits of the first cell's rank.
Totals UnitSettling::totals() const {
  // Deletions are fewer than kRadix, so they are what is missing to the next multiple.
  const std::int64_t rank = settled_.back().rank;
  const std::int64_t pairs = (rank + kRadix - 1) / kRadix;
  return {cost_, pairs / kRadix, cost_, 0, pairs % kRadix, pairs * kRadix - rank};
}

std::vector<Step> UnitSettling::trace() const {
  const Automaton& graph = graph_->automaton();
  std::vector<Step> steps;
  StateId state = graph.start();
  std::int32_t position = 0;
  while (true) {
    const Cell& cell = cell_at(state, position);
    if (cell.op == Op::kEpsilon && cell.arc < 0) return steps;
    const Arc* arc = cell.arc < 0 ? nullptr : &graph.all_arcs()[cell.arc];
    const bool takes_word = cell.op == string_only_ || cell.op == Op::kMatch || cell.op == Op::kSubstitution;
    if (cell.op != Op::kEpsilon) {
      Step step{cell.op};
      const bool is_hypothesis = string_only_ == Op::kInsertion;
      if (takes_word) (is_hypothesis ? step.origin : step.reference_origin) = position;
      if (arc) {
        (is_hypothesis ? step.reference : step.hypothesis) = arc->label;
        (is_hypothesis ? step.reference_origin : step.origin) = arc->origin;
      }
      steps.push_back(step);
    }
    position += takes_word;
    if (arc) state = arc->next;
  }
}

}  // namespace fstmetrics

#include "search/strings/bit_settling.h"

#include <algorithm>

namespace fstmetrics {

// The cost is known by now, and with it how many words a best path can have: few bits hold the totals.
void BitSettling::open(const LevelGraph& graph, const StringSide& string, const WordPositions& words, int least) {
  graph_ = &graph, string_ = &string, words_ = &words;
  shapes_ = static_cast<std::size_t>(string.shapes.size());
  const std::int64_t own = string.length(), other = own + least;
  ranking_ = make_ranking<std::int64_t>(
      {string.is_hypothesis ? own : other, string.is_hypothesis ? other : own, shapes_ > 1, 1}, true);
  const std::int64_t insertion = ranking_.edit;
  const std::int64_t deletion = ranking_.reference_word + ranking_.edit + ranking_.deletion;
  match_ = ranking_.reference_word + ranking_.match;
  substitution_ = ranking_.reference_word + ranking_.edit;
  string_only_ = string.is_hypothesis ? insertion : deletion;
  graph_only_ = string.is_hypothesis ? deletion : insertion;
  const auto states = static_cast<std::size_t>(graph.num_states());
  live_states_.assign((states + 63) / 64, 0);
  if (slot_of_.size() < states) slot_of_.resize(states);
  slots_.clear();
  live_.clear();
}

Totals BitSettling::totals(int least) const {
  const std::size_t start = slot_of_[graph_->automaton().start()];
  return ranking_.totals(cells_[start * shapes_ * 64].rank + least * ranking_.cost);
}

// The slot of a state, made if need be, which is on a best path at a cost.
std::size_t BitSettling::slot(StateId state, int cost) {
  std::uint64_t& block = live_states_[state / 64];
  if (!(block & bit(state % 64))) {
    block |= bit(state % 64);
    slot_of_[state] = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back({cost, cost, 0});
    const std::size_t first = live_.size();
    live_.resize(first + shapes_);
    std::fill_n(live_.begin() + first, shapes_, 0);
    check_kept(std::ssize(live_) * kCellsOfState, max_cells_);
    cells_.resize(live_.size() * 64);
  }
  Slot& slot = slots_[slot_of_[state]];
  slot.lowest = std::min(slot.lowest, cost);
  slot.highest = std::max(slot.highest, cost);
  return slot_of_[state];
}

void BitSettling::offer(StateId state, int cost, int shape, std::uint64_t positions, const Way& way) {
  const std::size_t slot = this->slot(state, cost);
  for_each_bit(positions, [&](int position) {
    const int next = position + way.advance;
    const std::int64_t rank = cells_[way.cells + next].rank + way.weight + way.moves * ranking_.move;
    keep(slot, shape, position,
         {rank, way.arc, static_cast<std::uint8_t>(way.op), static_cast<std::uint8_t>(way.shape),
          static_cast<std::uint8_t>(next), static_cast<std::uint8_t>(way.moves)});
  });
}

// Keeps the better of a cell and another way on from it.
void BitSettling::keep(std::size_t slot, int shape, int position, const Cell& cell) {
  const std::size_t index = slot * shapes_ + shape;
  Cell& kept = cells_[index * 64 + position];
  if ((live_[index] & bit(position)) && kept.rank <= cell.rank) return;
  live_[index] |= bit(position);
  slots_[slot].shapes |= bit(shape);
  kept = cell;
}

std::vector<Step> BitSettling::trace() const {
  const auto arcs = graph_->automaton().all_arcs();
  std::vector<Step> steps;
  StateId state = graph_->automaton().start();
  int shape = 0, position = 0;
  while (true) {
    const Cell& cell = cells_[(slot_of_[state] * shapes_ + shape) * 64 + position];
    const auto op = static_cast<Op>(cell.op);
    if (op == Op::kEpsilon && cell.arc < 0) return steps;
    if (op != Op::kEpsilon) {
      Step step{op};
      step.moves = cell.moves;
      (string_->is_hypothesis ? step.origin : step.reference_origin) = word_taken(shape, position, cell);
      if (cell.arc >= 0) {
        (string_->is_hypothesis ? step.reference : step.hypothesis) = arcs[cell.arc].label;
        (string_->is_hypothesis ? step.reference_origin : step.origin) = arcs[cell.arc].origin;
      }
      steps.push_back(step);
    }
    if (cell.arc >= 0) state = arcs[cell.arc].next;
    shape = cell.shape, position = cell.position;
  }
}

// Position of the word that was taken on the way to the next cell, -1 if none was.
int BitSettling::word_taken(int shape, int position, const Cell& cell) const {
  if (cell.shape == shape && cell.position == position) return -1;
  for (const Taking& t : string_->shapes.into[cell.shape]) {
    if (t.from == shape && position + t.advance == cell.position) return position + t.offset;
  }
  return -1;
}

}  // namespace fstmetrics

#include "lazy/window_machine.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace fstmetrics {

std::size_t WindowMachine::StateHash::operator()(const State& state) const {
  std::uint64_t hash = state.taken * 0x9E3779B97F4A7C15ULL;
  hash ^= (static_cast<std::uint64_t>(static_cast<std::uint32_t>(state.leftmost)) << 32) |
          static_cast<std::uint32_t>(state.continuing);
  hash *= 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32);
}

WindowMachine::WindowMachine(std::vector<Label> words, int window, Reordering reordering, const Matchable& matchable)
    : words_(std::move(words)),
      window_(std::min(window, std::max(1, static_cast<int>(words_.size())))),
      reordering_(reordering) {
  if (window < 1 || window_ > kMaxWindow) {
    throw std::invalid_argument("a reordering window is 1 to " + std::to_string(kMaxWindow) + " words, not " +
                                std::to_string(window));
  }
  unmatched_from_.assign(size() + 1, 0);
  unmatched_.assign(size(), 0);
  for (int i = size() - 1; i >= 0; --i) {
    unmatched_[i] = words_[i] < 0 || !matchable[words_[i]];
    unmatched_from_[i] = unmatched_from_[i + 1] + unmatched_[i];
  }
}

WindowMachine::State WindowMachine::after(const State& state, int offset) const {
  State next{state.leftmost, 0, state.taken};
  int continuing = offset + 1;  // still counted from state.leftmost
  if (offset > 0) {
    next.taken |= std::uint64_t{1} << (offset - 1);
  } else {
    // The leftmost word goes, and with it all that are taken right behind it.
    const int step = 1 + std::countr_one(state.taken);
    next.leftmost += step;
    next.taken = step > 63 ? 0 : state.taken >> step;
    continuing -= step;
  }
  // The word that continues the block matters only if it could be taken out of turn.
  const bool matters = reordering_ == Reordering::kMoves && continuing > 0 && continuing < window_ &&
                       next.leftmost + continuing < size() && !is_taken(next, continuing);
  next.continuing = matters ? continuing : 0;
  return next;
}

std::span<const Arc> WindowMachine::arcs(StateId id) {
  const State state = states_[id];
  arcs_.clear();
  for (int offset = 0; offset < window_ && state.leftmost + offset < size(); ++offset) {
    if (is_taken(state, offset)) continue;
    const std::int32_t position = state.leftmost + offset;
    const bool free = offset == 0 || offset == state.continuing;
    arcs_.push_back({words_[position], id_of(after(state, offset)), free ? 0 : 1, position});
  }
  return arcs_;
}

Remaining WindowMachine::remaining(StateId id) {
  const State& state = states_[id];
  const std::int64_t left = size() - state.leftmost - std::popcount(state.taken);
  std::int64_t unmatched = unmatched_from_[state.leftmost];
  for (std::uint64_t taken = state.taken; taken != 0; taken &= taken - 1) {
    unmatched -= unmatched_[state.leftmost + 1 + std::countr_zero(taken)];
  }
  return {left, left, unmatched};
}

StateId WindowMachine::id_of(const State& state) {
  const auto [entry, is_new] = ids_.try_emplace(state, static_cast<StateId>(states_.size()));
  if (is_new) states_.push_back(state);
  return entry->second;
}

}  // namespace fstmetrics

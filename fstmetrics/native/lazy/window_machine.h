// Pi(x, k): the permutations of a string in a local window [H12 §3, after Kanthak et al. 2005], with the
// reordering moves each costs.
//
// A permutation is read left to right. Each word taken is at most k - 1 positions right of the leftmost
// word not yet taken. A state is that leftmost position, a bit for each word taken beyond it, and, where
// moves are counted, the position that would continue the block just read.
#pragma once

#include <unordered_map>

#include "lazy/machine.h"

namespace fstmetrics {

enum class Reordering : std::uint8_t {
  kMoves,  // a word costs a move unless it is the leftmost not yet taken or continues the one just taken
  kJumps,  // every word costs a move that is not the leftmost not yet taken
};

// The taken words beyond the leftmost are bits of a 64-bit set.
inline constexpr int kMaxWindow = 64;

class WindowMachine final : public Machine {
 public:
  // Throws std::invalid_argument unless 1 <= window <= kMaxWindow, or the string is no longer than that.
  WindowMachine(std::vector<Label> words, int window, Reordering reordering, const Matchable& matchable);
  StateId start() override { return id_of({0, 0, 0}); }
  bool is_final(StateId state) override { return states_[state].leftmost == size(); }
  // An arc's origin is the position of its word in the string.
  std::span<const Arc> arcs(StateId state) override;
  Remaining remaining(StateId state) override;
  std::int64_t visited() const override { return static_cast<std::int64_t>(states_.size()); }

 private:
  struct State {
    std::int32_t leftmost;
    // Position, counted from `leftmost`, of the word that would continue the block; 0 where none would.
    std::int32_t continuing;
    std::uint64_t taken;  // bit i: the word at leftmost + 1 + i is taken
    bool operator==(const State&) const = default;
  };
  struct StateHash {
    std::size_t operator()(const State& state) const;
  };

  int size() const { return static_cast<int>(words_.size()); }
  bool is_taken(const State& state, int offset) const { return offset > 0 && (state.taken >> (offset - 1)) & 1; }
  State after(const State& state, int offset) const;
  StateId id_of(const State& state);

  std::vector<Label> words_;
  int window_;
  Reordering reordering_;
  std::vector<std::int64_t> unmatched_from_;  // unmatchable words at or right of a position
  std::vector<std::uint8_t> unmatched_;
  std::vector<State> states_;
  std::unordered_map<State, StateId, StateHash> ids_;
  std::vector<Arc> arcs_;
};

}  // namespace fstmetrics

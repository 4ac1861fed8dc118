#include "lazy/unfold.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "automata/beginnings.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Copied arcs for every other one: the bound by which freeing from epsilons pays for searches, as measured.
constexpr std::int64_t kMostCopied = 3;

struct Move {
  Label label;
  StateId next;
  auto operator<=>(const Move&) const = default;
};

// States that are made once for each set of moves. They are numbered as they are made, so moves lead to lower numbers.
class States {
 public:
  // The state with these moves, which are sorted and made distinct.
  StateId of(std::vector<Move>& moves, bool is_final) {
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    if (2 * (size() + 1) > slots_.size()) grow();
    std::size_t at = hash_of(moves, is_final) & (slots_.size() - 1);
    for (; slots_[at] >= 0; at = (at + 1) & (slots_.size() - 1)) {
      if (is_final_[slots_[at]] == is_final && std::ranges::equal(moves_of(slots_[at]), moves)) return slots_[at];
    }
    slots_[at] = static_cast<StateId>(size());
    moves_.insert(moves_.end(), moves.begin(), moves.end());
    ends_.push_back(moves_.size());
    is_final_.push_back(is_final);
    return slots_[at];
  }

  std::size_t size() const { return is_final_.size(); }
  bool is_final(StateId state) const { return is_final_[state] != 0; }
  std::span<const Move> moves_of(StateId state) const {
    return {moves_.data() + ends_[state], moves_.data() + ends_[state + 1]};
  }

  // What is reached from a state, which becomes state 0, the others following it in the order of their numbers turned
  // round: arcs lead upwards.
  Automaton automaton(StateId start) const {
    Polls poll;
    std::vector<StateId> number(start + 1, -1);
    number[start] = 0;
    std::vector<std::int32_t> offsets{0};
    std::vector<Arc> arcs;
    std::vector<std::uint8_t> is_final;
    for (StateId state = start; state >= 0; --state) {
      poll(2);
      if (number[state] < 0) continue;
      poll(4 * std::ssize(moves_of(state)));
      number[state] = static_cast<StateId>(is_final.size());
      for (const Move& move : moves_of(state)) {
        arcs.push_back({move.label, move.next});
        number[move.next] = 0;
      }
      offsets.push_back(static_cast<std::int32_t>(arcs.size()));
      is_final.push_back(is_final_[state]);
    }
    for (Arc& arc : arcs) arc.next = number[arc.next];
    return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
  }

 private:
  static std::size_t hash_of(std::span<const Move> moves, bool is_final) {
    std::uint64_t hash = is_final ? 0x51ED270B27B1F3A5ULL : 0x2545F4914F6CDD1DULL;
    for (const Move& move : moves) {
      const std::uint64_t pair = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(move.label)) << 32) |
                                 static_cast<std::uint32_t>(move.next);
      hash = (hash ^ pair) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29;
    }
    return hash;
  }

  void grow() {
    Polls poll;
    slots_.assign(std::max<std::size_t>(256, 2 * slots_.size()), -1);
    for (StateId state = 0; state < static_cast<StateId>(size()); ++state) {
      poll(20 + 2 * std::ssize(moves_of(state)));
      std::size_t at = hash_of(moves_of(state), is_final(state)) & (slots_.size() - 1);
      while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = state;
    }
  }

  std::vector<Move> moves_;
  std::vector<std::size_t> ends_ = {0};
  std::vector<std::uint8_t> is_final_;
  std::vector<StateId> slots_;
};

class Unfolding {
 public:
  explicit Unfolding(const Rtn& rtn) : rtn_(rtn) {}

  Automaton run() {
    const StateId end = states_.of(moves_, true);
    open(rtn_.root(), end);
    while (!open_.empty()) step();
    return states_.automaton(made_.at(key(rtn_.root(), end)));
  }

 private:
  // A card that is being written out before the state `after`. Its states are made from the last to the first.
  struct Open {
    std::int32_t card;
    StateId after;
    StateId state;      // of the card: the one whose turn it is
    std::size_t arc;    // calls on arcs before this one are made
    std::size_t first;  // where its part of made_states_ begins
  };

  static std::uint64_t key(std::int32_t card, StateId after) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(card)) << 32) | static_cast<std::uint32_t>(after);
  }

  void open(std::int32_t card, StateId after) {
    const StateId states = rtn_.cards()[card].num_states();
    open_.push_back({card, after, states - 1, 0, made_states_.size()});
    made_states_.resize(made_states_.size() + states);
  }

  // Makes a state of the innermost open card, or opens a card that it calls and that is not made yet.
  void step() {
    Open& top = open_.back();
    const Automaton& card = rtn_.cards()[top.card];
    const std::span<const Arc> arcs = card.arcs(top.state);
    poll(50 + 10 * std::ssize(arcs));
    for (; top.arc < arcs.size(); ++top.arc) {
      const Arc& arc = arcs[top.arc];
      if (arc.label >= 0) continue;
      const StateId after = made_states_[top.first + arc.next];
      if (!made_.contains(key(called_card(arc.label), after))) return open(called_card(arc.label), after);
    }
    made_states_[top.first + top.state] = state_of(card, top);
    top.arc = 0;
    if (top.state-- > 0) return;
    made_.emplace(key(top.card, top.after), made_states_[top.first + card.start()]);
    made_states_.resize(top.first);
    open_.pop_back();
  }

  StateId state_of(const Automaton& card, const Open& top) {
    moves_.clear();
    bool is_final = false;
    const std::span<const Arc> arcs = card.arcs(top.state);
    const bool only_one = arcs.size() + card.is_final(top.state) == 1;
    if (only_one && card.is_final(top.state)) return top.after;
    for (const Arc& arc : arcs) {
      const StateId next = made_states_[top.first + arc.next];
      if (arc.label > kEpsilon) {
        moves_.push_back({arc.label, next});
        continue;
      }
      const StateId begin = arc.label == kEpsilon ? next : made_.find(key(called_card(arc.label), next))->second;
      if (only_one) return begin;
      is_final |= take_over(begin);
    }
    if (card.is_final(top.state)) is_final |= take_over(top.after);
    plain_ += static_cast<std::int64_t>(arcs.size());
    return states_.of(moves_, is_final);
  }

  // Gives the state that is being made the moves of another one, or an epsilon to it. Whether it is final.
  bool take_over(StateId state) {
    const auto moves = states_.moves_of(state);
    const auto count = static_cast<std::int64_t>(moves.size());
    poll(4 * count);
    if (copied_ + count > kMostCopied * (plain_ + kFree)) {
      moves_.push_back({kEpsilon, state});
      return false;
    }
    copied_ += count;
    moves_.insert(moves_.end(), moves.begin(), moves.end());
    return states_.is_final(state);
  }

  static constexpr std::int64_t kFree = 256;  // so that a small network is free of epsilons whatever its order

  const Rtn& rtn_;
  States states_;
  std::unordered_map<std::uint64_t, StateId> made_;  // by card and the state after it: the state it begins with
  std::vector<Open> open_;
  std::vector<StateId> made_states_;  // by open card and its state
  std::vector<Move> moves_;
  std::int64_t plain_ = 0, copied_ = 0;
};

}  // namespace

std::optional<Automaton> unfolded(const Rtn& rtn) {
  const auto is_acyclic = [](const Automaton& card) { return card.sorted(); };
  if (!std::all_of(rtn.cards().begin(), rtn.cards().end(), is_acyclic)) return std::nullopt;
  return with_shared_beginnings(Unfolding(rtn).run());
}

}  // namespace fstmetrics

// Recursive transition network [H12 §2.1]: cards, each a small automaton, that call one another.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "automata/automaton.h"
#include "automata/search_graph.h"

namespace fstmetrics {

inline constexpr Label call_label(std::int32_t card) { return -card - 1; }
inline constexpr std::int32_t called_card(Label label) { return -(label + 1); }

// Immutable and shared between searches, but for the expansion and what is made of it, once, when first asked for.
class Rtn {
 public:
  // `cards` need not be prepared. Throws std::invalid_argument where a call names no card, cards call each
  // other in a circle, or a card has no path.
  Rtn(std::vector<Automaton> cards, std::int32_t root);

  std::int32_t root() const { return root_; }
  std::span<const Automaton> cards() const { return cards_; }
  // A card as it was given, with its costs; the origins of the prepared card's arcs are numbers of its arcs.
  const Automaton& as_given(std::int32_t card) const { return given_[card]; }
  // Whether an arc or a final state of some card carries costs.
  bool has_costs() const;
  // The same derivations, every card ending in its last state, to which its final states lead by an epsilon. Origins of
  // arcs are numbers over all cards: a card's arcs as they were given, then its states, for those epsilons; then the
  // next card's. Throws std::invalid_argument where a card has a cycle, or the numbers are too many.
  std::shared_ptr<Rtn> with_one_end() const;
  // Every card after all the cards it calls.
  std::span<const std::int32_t> bottom_up() const { return bottom_up_; }
  Label max_label() const { return max_label_; }

  // How deep cards call cards: 1 where none is called.
  std::int32_t depth() const { return depth_; }
  // Of all cards together.
  std::int64_t num_states() const;
  std::int64_t num_arcs() const;
  // Arcs of the full expansion, an upper bound; capped at Remaining::kUnbounded.
  std::int64_t expanded_arcs() const { return expanded_arcs_; }
  // The expansion, prepared: a path for every path. Null where it could have more than `max_arcs` arcs.
  std::shared_ptr<const Automaton> expanded(std::int64_t max_arcs) const;
  // What searches want: the same strings, equal parts once (lazy/unfold.h); the expansion if a card is cyclic. Null
  // likewise.
  std::shared_ptr<const Automaton> unfolded(std::int64_t max_arcs) const;
  // The same for the bit-parallel route; null likewise, or if a card is cyclic.
  std::shared_ptr<const SearchGraph> search_graph(std::int64_t max_arcs) const;

 private:
  void order_cards();
  void count_arcs();

  std::vector<Automaton> given_, cards_;
  std::int32_t root_;
  std::vector<std::int32_t> bottom_up_;
  Label max_label_ = 0;
  std::int32_t depth_ = 1;
  std::int64_t expanded_arcs_ = 0;
  mutable std::timed_mutex mutex_;
  mutable std::shared_ptr<const Automaton> expansion_, unfolded_;
  mutable std::shared_ptr<const SearchGraph> search_graph_;
};

}  // namespace fstmetrics

// What is left for fear over a forest, at the least: the estimate of search/fear/forest_fear.h.
//
// A game, as for lattices (search/fear/fear.h): the model chooses arcs, and an aligner answers each word with an
// operation, knowing no more than that word. What follows a card depends on who calls it, and so, in a game, does what
// is best to do within it; a forest has too many callers of callers to play it for each. So two bounds stand in for a
// call, the better of which counts: the aligner makes up its mind before the call what to do at each word
// (FlatSteps::Choice), which the chart sums up card by card; or the model may go on, at the end of any card, after any
// call of that card. For that not to be cheaper than any derivation, arcs are best priced by regrets
// (lazy/weighted_cards.h).
#pragma once

#include <algorithm>
#include <vector>

#include "search/chart/chart.h"
#include "search/chart/row_sums.h"
#include "support/poll.h"

namespace fstmetrics {

template <class V>
class ForestEstimate {
 public:
  // Cards end in their last states. `made_up` is a chart of steps of that choice. All must outlive this object.
  ForestEstimate(const Rtn& rtn, FlatSteps<V>& steps, Chart<V>& made_up)
      : rtn_(rtn), steps_(steps), made_up_(made_up), left_(rtn.cards().size()) {
    const auto size = static_cast<std::size_t>(steps.size());
    for (std::size_t card = 0; card < left_.size(); ++card) {
      made_up.charge(static_cast<std::int64_t>(size) * rtn.cards()[card].num_states());
      left_[card].assign(size * rtn.cards()[card].num_states(), -Ranking<V>::infinity());
    }
    for (int round = 0; round < kRounds; ++round) play();
  }

  // The least that can be made of an alignment's costs so far, by context, where a derivation is at a state of a card.
  V bound(std::int32_t card, StateId state, const std::vector<V>& row) const {
    const V* const left = at(card, state);
    V most = -Ranking<V>::infinity();
    for (std::size_t x = 0; x < row.size(); ++x) {
      if (row[x] < Ranking<V>::infinity()) most = std::max(most, left[x] - row[x]);
    }
    return most;
  }

 private:
  // Each round knows what the one before found of cards that are called.
  static constexpr int kRounds = 3;

  const V* at(std::int32_t card, StateId state) const {
    return left_[card].data() + static_cast<std::size_t>(state) * steps_.size();
  }
  V* at(std::int32_t card, StateId state) {
    return left_[card].data() + static_cast<std::size_t>(state) * steps_.size();
  }

  // All cards once, callers first.
  void play() {
    const auto size = static_cast<std::size_t>(steps_.size());
    std::vector<std::vector<V>> after(rtn_.cards().size());
    after[rtn_.root()] = at_the_end();
    const auto order = rtn_.bottom_up();
    for (auto card = order.rbegin(); card != order.rend(); ++card) {
      if (after[*card].empty()) continue;  // the root does not lead there
      play(*card, after[*card]);
      for (const Arc& arc : rtn_.cards()[*card].all_arcs()) {
        if (arc.label >= 0) continue;
        std::vector<V>& called = after[called_card(arc.label)];
        called.resize(size, Ranking<V>::infinity());
        const V* const left = at(*card, arc.next);
        for (std::size_t x = 0; x < size; ++x) called[x] = std::min(called[x], left[x]);
      }
    }
  }

  std::vector<V> at_the_end() const {
    std::vector<V> left(steps_.size(), -Ranking<V>::infinity());
    for (std::int32_t x = steps_.size() - 1; x >= 0; --x) {
      if (steps_.is_final(x)) left[x] = V{0};
      stand_alone(x, left.data());
    }
    return left;
  }

  // The aligner may let R move alone.
  void stand_alone(std::int32_t x, V* left) const {
    for (const auto& step : steps_.alone().from(x)) left[x] = std::max(left[x], left[step.to] - step.cost);
  }

  void play(std::int32_t number, const std::vector<V>& after) {
    const Automaton& card = rtn_.cards()[number];
    const auto size = static_cast<std::size_t>(steps_.size());
    std::vector<V> least(size);
    for (StateId state = card.num_states() - 1; state >= 0; --state) {
      std::fill(least.begin(), least.end(), Ranking<V>::infinity());
      if (card.is_final(state)) least = after;
      for (const Arc& arc : card.arcs(state)) play(number, arc, least);
      V* const left = at(number, state);
      poll(4 * std::int64_t{steps_.size()});
      for (std::int32_t x = steps_.size() - 1; x >= 0; --x) {
        left[x] = std::max(left[x], least[x]);
        stand_alone(x, left);
      }
    }
  }

  // An arc that the model may choose.
  void play(std::int32_t number, const Arc& arc, std::vector<V>& least) {
    const V* const next = at(number, arc.next);
    const V taken = steps_.taken(arc);
    for (std::int32_t x = 0; x < steps_.size(); ++x) {
      poll(10);
      V answer = next[x];
      if (arc.label > kEpsilon) {
        answer = -Ranking<V>::infinity();
        for (const auto& step : steps_.with_word(arc.label).from(x))
          answer = std::max(answer, next[step.to] - step.cost);
      } else if (arc.label < kEpsilon) {
        const std::int32_t called = called_card(arc.label);
        const auto row = made_up_.row(called, x);
        poll(std::ssize(row.ends));
        answer = std::max(least_sum(row.ends.data(), next + row.first, row.ends.size()), at(called, 0)[x]);
      }
      least[x] = std::min(least[x], taken + answer);
    }
  }

  const Rtn& rtn_;
  FlatSteps<V>& steps_;
  Chart<V>& made_up_;
  std::vector<std::vector<V>> left_;  // by card; then by state and context
};

}  // namespace fstmetrics

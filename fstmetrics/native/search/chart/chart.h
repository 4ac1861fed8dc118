// A chart over a network's cards: what each card costs between two contexts of the other side.
//
// H o T o R where one side is an RTN, a shared forest or a network of references, that would be too large written out,
// and the other one is [C08 §4.3: metric automata intersect with forests]. row(card, x)[y] is the least cost of reading
// a string of the card on the way from context x to context y (search/chart/flat_steps.h); a call of the card is then
// one step. Rows are filled from the top down as they are asked for, so only for contexts in which a card is met
// [Earley 1970]. Steps of the other side alone are taken right before a word of the network or at the very end,
// wherever cards begin and end, so each alignment is found once and empty cards cost no operation. What the cards' own
// arcs cost, by a decoder's model, is paid as they are taken.
//
// With A arcs of cards, C of them calls, and S contexts: O(A S + C S^2) a start, at most S starts a card; O(S^2) cells
// a card. A call of a card with S contexts that are never met costs nothing. Nothing depends on how often cards are
// called.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lazy/rtn.h"
#include "search/chart/flat_steps.h"

namespace fstmetrics {

template <class V>
class Chart {
 public:
  // The costs of all ways to read a card from one context. Contexts outside are not reached.
  struct Row {
    std::int32_t first = 0;
    std::span<const V> ends;
  };

  // Cards are acyclic. All must outlive the chart. Throws SearchError, here and later, beyond `max_cells` cells.
  Chart(const Rtn& rtn, FlatSteps<V>& flat, std::int64_t max_cells);

  // Valid until the next call.
  Row row(std::int32_t card, std::int32_t start);
  // The least cost of a whole string of the root against a whole string of the other side.
  V best();
  // A path of that cost.
  std::vector<Step> trace();
  std::int64_t num_cells() const { return num_cells_; }

  // Adds cells that somebody else keeps, to the same limit.
  void charge(std::int64_t cells);

 private:
  // A card whose row is being filled. Its states' rows lie in open_cells_, contexts from `first` on.
  struct Open {
    std::int32_t card, start, first;
    StateId state = 0;
    std::int32_t arc = -1;  // of the state: calls before this one are made; -1: nothing is
    std::size_t base = 0;
  };
  struct Kept {
    std::size_t at = 0;
    std::int32_t first = 0, count = -1;  // -1: not filled yet
  };

  // Where a path that is being traced is, in an open card.
  struct Place {
    StateId state;
    std::int32_t context;
  };

  const Automaton& card(std::int32_t number) const { return rtn_.cards()[number]; }
  Kept& kept(std::int32_t card, std::int32_t start);
  std::span<V> cells(const Open& open, StateId state);
  void open(std::int32_t card, std::int32_t start);
  void close();
  // Works on the innermost open card; false where another one has been opened first.
  bool advance();
  void pass(Open& open);
  bool pass_call(Open& open, const Arc& arc);
  std::vector<V> at_the_end();
  // Steps of the other side alone that lead to `context` in a row that has been spread, the last first; where from.
  std::int32_t trace_alone(std::span<const V> spread, std::span<const V> before, std::int32_t first,
                           std::int32_t context, std::vector<Step>& backwards);
  void trace_cards(std::int32_t end, std::vector<Step>& backwards);
  void enter(std::int32_t card, std::int32_t start, std::int32_t context, std::vector<Place>& places);
  void step_back(std::vector<Place>& places, std::vector<Step>& backwards);
  bool trace_word(const Arc& arc, std::span<const V> before, std::int32_t first, V here, std::int32_t& context,
                  std::vector<Step>& backwards);
  std::optional<std::int32_t> trace_call(const Arc& arc, std::span<const V> before, std::int32_t first, V here,
                                         std::int32_t context);

  const Rtn& rtn_;
  FlatSteps<V>& flat_;
  const std::int64_t max_cells_;
  std::int64_t num_cells_ = 0;
  std::vector<std::vector<Kept>> kept_;  // by card and start; empty for cards not met
  std::vector<V> rows_;
  std::vector<Open> open_;
  std::vector<V> open_cells_;
  std::vector<V> spread_;
};

extern template class Chart<std::int64_t>;
extern template class Chart<Wide>;

}  // namespace fstmetrics

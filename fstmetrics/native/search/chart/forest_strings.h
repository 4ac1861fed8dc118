// The distinct strings of a network, best first against the other side: what k-best paths over a forest are made of.
//
// A node is a beginning of strings, with the least costs of aligning it up to each context of the other side, and with
// the Earley items that have read it: (card, state, beginning at which the card was called) [Earley 1970]. So a
// beginning that the forest derives in exponentially many ways is still one node of polynomial size, where the stacks
// of an RTN that is read a call at a time would be exponentially many. The chart gives the exact cost of what may
// follow an item, card by card: what follows a state of a card called here, up to the end of everything, is found
// backwards once for each node and card that is called at it. The queue of nodes is A* with an exact estimate: only
// beginnings of the strings that come out are expanded.
//
// Where arcs of the network cost something, an item has the least that its card's arcs cost on the way to it; what was
// paid before the card was called is part of what lies ahead of the card.
#pragma once

#include <map>
#include <optional>
#include <queue>
#include <vector>

#include "search/chart/chart.h"
#include "support/discard.h"

namespace fstmetrics {

template <class V>
class ForestStrings {
 public:
  struct Found {
    V cost;
    std::vector<Label> words;
  };

  // All must outlive this object. Kept cells count as the chart's.
  ForestStrings(const Rtn& rtn, FlatSteps<V>& flat, Chart<V>& chart);
  ~ForestStrings() { discard(nodes_, nodes_.size() * kItemsOfNode); }

  // The cost of what comes next, at the least; empty where nothing is left.
  std::optional<V> bound() const { return queue_.empty() ? std::nullopt : std::optional<V>(queue_.top().value); }
  // Works towards the next string; empty where one node of work did not complete it.
  std::optional<Found> advance();
  std::int64_t expanded() const { return expanded_; }

 private:
  static constexpr std::size_t kItemsOfNode = 16;  // about
  // Items come in an order in which each is before those that it leads to without a word.
  struct Item {
    std::int32_t rank;  // of the card: what it calls ranks below it
    StateId state;
    std::int32_t origin;  // the node at which the card was called
    auto operator<=>(const Item&) const = default;
  };
  // With what the arcs since the card was called cost.
  using Items = std::map<Item, V>;
  // An item before a call: where it goes on, and what it has paid by then, the call included.
  struct Caller {
    std::int32_t called;  // a rank
    Item beyond;
    V paid;
    bool operator<(const Caller& other) const { return called < other.called; }
  };
  struct Node {
    std::int32_t parent;
    Label word;
    std::vector<V> costs;  // by context
    Items items;           // that have just read the word; when expanded, all
    std::vector<Caller> callers;
    std::map<std::int32_t, std::vector<V>> ahead;  // of cards called here, by rank; then by state and context
  };
  struct Entry {
    V value;
    std::int32_t node;
    bool complete;
    // Of equals, what is complete comes first, then the node that was made last: a plateau of equally good beginnings
    // is gone through in depth.
    bool operator<(const Entry& other) const {
      if (value != other.value) return value > other.value;
      return complete != other.complete ? other.complete : node < other.node;
    }
  };

  const Automaton& card(std::int32_t rank) const { return rtn_.cards()[rtn_.bottom_up()[rank]]; }
  std::int32_t called_rank(const Arc& call) const { return ranks_[called_card(call.label)]; }
  std::span<const V> ahead(const Item& item) const;
  void add(std::int32_t parent, Label word, std::vector<V> costs, Items items);
  void expand(std::int32_t id);
  void add_children(std::int32_t id);
  void close(std::int32_t id, Items& items);
  void look_ahead(std::int32_t id);
  std::vector<V> ahead_in(const Automaton& card, std::span<const V> after);
  std::vector<Label> words_of(std::int32_t node) const;

  const Rtn& rtn_;
  FlatSteps<V>& flat_;
  Chart<V>& chart_;
  std::vector<std::int32_t> ranks_;  // by card: its place among rtn_.bottom_up()
  std::vector<V> empty_;             // by rank: the least that reading no word costs
  std::vector<V> to_end_;            // by context: what is left to pay once all words of the network are read
  std::vector<Node> nodes_;
  std::priority_queue<Entry> queue_;
  std::int64_t expanded_ = 0;
};

extern template class ForestStrings<std::int64_t>;
extern template class ForestStrings<Wide>;

}  // namespace fstmetrics

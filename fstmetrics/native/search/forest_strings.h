// The distinct strings of a network, best first against the other side: what k-best paths over a forest are made of.
//
// A node is a beginning of strings, with the least costs of aligning it up to each context of the other side, and with
// the Earley items that have read it: (card, state, beginning at which the card was called) [Earley 1970]. So a
// beginning that the forest derives in exponentially many ways is still one node of polynomial size, where the stacks of
// an RTN that is read a call at a time would be exponentially many. The chart gives the exact cost of what may follow
// an item, card by card: what follows a state of a card called here, up to the end of everything, is found backwards once
// for each node and card that is called at it. The queue of nodes is A* with an exact estimate: only beginnings of the
// strings that come out are expanded.
#pragma once

#include <map>
#include <optional>
#include <queue>
#include <vector>

#include "search/chart.h"

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

  // The cost of what comes next, at the least; empty where nothing is left.
  std::optional<V> bound() const {
    return queue_.empty() ? std::nullopt : std::optional<V>(queue_.top().value);
  }
  // Works towards the next string; empty where one node of work did not complete it.
  std::optional<Found> advance();
  std::int64_t expanded() const { return expanded_; }

 private:
  struct Item {
    std::int32_t card;
    StateId state;
    std::int32_t origin;  // the node at which the card was called
    auto operator<=>(const Item&) const = default;
  };
  // An item before a call, and where it goes on.
  struct Caller {
    std::int32_t called;
    Item beyond;
    bool operator<(const Caller& other) const { return called < other.called; }
  };
  struct Node {
    std::int32_t parent;
    Label word;
    std::vector<V> costs;    // by context
    std::vector<Item> items;  // that have just read the word; when expanded, all
    std::vector<Caller> callers;
    std::map<std::int32_t, std::vector<V>> ahead;  // of cards called here, by state and context
  };
  struct Entry {
    V value;
    std::int32_t node;
    bool complete;
    bool operator<(const Entry& other) const {
      return value != other.value ? value > other.value : node > other.node;
    }
  };

  std::span<const V> ahead(const Item& item) const;
  void add(std::int32_t parent, Label word, std::vector<V> costs, std::vector<Item> items);
  void expand(std::int32_t id);
  void close(std::int32_t id, std::vector<Item>& items);
  void look_ahead(std::int32_t id);
  std::vector<V> ahead_in(std::int32_t card, std::span<const V> after);
  std::vector<Label> words_of(std::int32_t node) const;

  const Rtn& rtn_;
  FlatSteps<V>& flat_;
  Chart<V>& chart_;
  std::vector<std::uint8_t> nullable_;  // by card
  std::vector<V> to_end_;               // by context: what is left to pay once all words of the network are read
  std::vector<Node> nodes_;
  std::priority_queue<Entry> queue_;
  std::int64_t expanded_ = 0;
};

extern template class ForestStrings<std::int64_t>;
extern template class ForestStrings<Wide>;

}  // namespace fstmetrics

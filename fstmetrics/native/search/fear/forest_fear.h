// Fear over a forest that is not written out: an Earley parser that reads words by what they make of an alignment.
//
// What the metric charges depends on all words of a hypothesis, but only through a row (search/fear/fear.h). So
// beginnings of hypotheses that have as many words and the same row, whatever they say, are one node. A node has the
// items of an Earley parser that some such beginning leads to [Earley 1970], (card, state, node at which the card was
// called), each with the least that the model charges since then, less what the rows had in common. Nodes are made word
// by word, the items of a node from the called cards to those who call.
//
// An item is left out where the estimate (search/fear/forest_estimate.h) says that nothing through it is as good as
// what was found before: by the same search with only the most promising items after each word. As nothing that is as
// good is left out, the second search finds the best. For the k best, what is left without a hypothesis that was found
// is parted by how it begins: as that does up to some word, but not with it [Lawler 1972; Murty 1968]; each part is
// searched likewise. Like fear over lattices it may meet exponentially many rows, so there is a limit; but neither the
// number of derivations nor the size of the forest written out matters.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "search/fear/alignment_rows.h"
#include "search/fear/forest_estimate.h"
#include "support/discard.h"

namespace fstmetrics {

template <class V>
class ForestFear {
 public:
  // Cards end in their last states. `reference` is acyclic; `matchable` as of FlatSteps. All must outlive this object.
  ~ForestFear() { discard(nodes_, entries_.size()); }
  ForestFear(const Rtn& rtn, const Automaton& reference, const Pricing<V>& pricing, const Matchable& matchable,
             const Options& options);

  // The options.nbest best hypotheses, best first. Throws SearchError where a search meets more than options.max_nodes
  // items.
  std::vector<Feared<V>> run();
  Counters counters() const { return counters_; }

 private:
  using RowId = typename RowBook<V>::RowId;
  using EntryId = std::int32_t;
  static constexpr EntryId kNothing = -1;

  // A card, by its rank: what it calls ranks below it.
  struct Item {
    std::int32_t rank;
    StateId state;
    std::int32_t origin;  // a node
    auto operator<=>(const Item&) const = default;
  };
  // What an item has paid since its card was called, and how: from an entry before it, over a word or a finished card.
  struct Entry {
    V paid;
    EntryId before, card;
    Label word;
  };
  // An item that has taken a call, and where it goes on.
  struct Caller {
    Item beyond;
    Entry taken;
  };
  struct Node {
    RowId row;
    std::map<Item, EntryId> items;                        // that have just read a word; once it is closed, all
    std::map<std::int32_t, std::vector<Caller>> callers;  // by rank of what is called here
    std::map<std::int32_t, V> forward;                    // by rank of what is called here: the least paid by then
  };
  struct Best {
    V value = Ranking<V>::infinity();
    EntryId entry = kNothing;
  };
  // The hypotheses that begin with some words and do not go on with others; epsilon stands for the end.
  struct Part {
    std::vector<Label> begin;
    std::set<Label> excluded;

    bool admits(std::size_t place, Label word) const {
      return place < begin.size() ? begin[place] == word : place > begin.size() || !excluded.contains(word);
    }
  };
  // The best of a part.
  struct Found {
    Part part;
    std::vector<Label> words;
  };

  const Automaton& card(std::int32_t rank) const { return rtn_.cards()[rtn_.bottom_up()[rank]]; }
  // The least that a hypothesis through an item comes to.
  V bound(const Node& node, const Item& item, V paid) const;
  // Adds the best of a part to what is found, unless `options.nbest` better ones are or there is none.
  void search(Part part, std::multimap<V, Found>& found, std::size_t wanted);
  Best search(const Part& part, std::size_t beam, V most);
  std::vector<std::int32_t> next_level(const std::vector<std::int32_t>& level, const Part& part, std::size_t place);
  void narrow(const std::vector<std::int32_t>& level, std::size_t beam);
  void close(std::int32_t id);
  void finish(std::int32_t id);
  void predict(std::int32_t id);
  void take_arcs(std::int32_t id, const Item& item, EntryId entry);
  void offer(std::map<Item, EntryId>& items, const Item& item, const Entry& entry);
  Best complete(const Node& node) const;
  std::vector<Label> words_of(EntryId entry) const;

  const Rtn& rtn_;
  const Options& options_;
  RowBook<V> rows_;
  FlatSteps<V> steps_, made_up_steps_;
  Chart<V> made_up_;
  const ForestEstimate<V> estimate_;
  std::vector<std::int32_t> ranks_;  // by card
  std::vector<V> empty_;             // by rank: the least that reading no word costs
  V most_ = Ranking<V>::infinity();  // what is dearer is left out
  std::vector<Node> nodes_;
  std::vector<Entry> entries_;
  Counters counters_;
};

extern template class ForestFear<std::int64_t>;
extern template class ForestFear<Wide>;

}  // namespace fstmetrics

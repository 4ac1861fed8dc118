#include "search/fear/forest_fear.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>

#include "search/chart/card_ranks.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Items after each word of the first search.
constexpr std::size_t kBeam = 300;

}  // namespace

template <class V>
ForestFear<V>::ForestFear(const Rtn& rtn, const Automaton& reference, const Pricing<V>& pricing,
                          const Matchable& matchable, const Options& options)
    : rtn_(rtn),
      options_(options),
      rows_(reference, pricing),
      steps_(NetworkSide::kHypothesis, reference, pricing, matchable, options.max_cells),
      made_up_steps_(NetworkSide::kHypothesis, reference, pricing, matchable, options.max_cells,
                     FlatSteps<V>::Choice::kMadeUp),
      made_up_(rtn, made_up_steps_, options.max_cells),
      estimate_(rtn, steps_, made_up_),
      ranks_(ranks_of(rtn)),
      empty_(costs_of_nothing(rtn, ranks_, steps_)) {}

template <class V>
std::vector<Feared<V>> ForestFear<V>::run() {
  std::multimap<V, Found> best_of_parts;
  std::vector<Feared<V>> best;
  search({}, best_of_parts, options_.nbest);
  while (!best_of_parts.empty()) {
    const auto [value, found] = *best_of_parts.begin();
    best_of_parts.erase(best_of_parts.begin());
    best.push_back({value, found.words});
    const std::size_t left = options_.nbest - best.size();
    if (left == 0) break;
    for (std::size_t same = found.part.begin.size(); same <= found.words.size(); ++same) {
      Part part{{found.words.begin(), found.words.begin() + static_cast<std::ptrdiff_t>(same)}, {}};
      if (same == found.part.begin.size()) part.excluded = found.part.excluded;
      part.excluded.insert(same < found.words.size() ? found.words[same] : kEpsilon);
      search(std::move(part), best_of_parts, left);
    }
  }
  counters_.expanded += made_up_.num_cells();
  counters_.hypothesis_states = rtn_.num_states();
  return best;
}

template <class V>
void ForestFear<V>::search(Part part, std::multimap<V, Found>& found, std::size_t wanted) {
  const V most = found.size() < wanted ? Ranking<V>::infinity()
                                       : std::next(found.begin(), static_cast<std::ptrdiff_t>(wanted) - 1)->first;
  const Best near = search(part, kBeam, most);
  const Best best = search(part, 0, std::min(near.value, most));
  if (best.entry != kNothing) found.emplace(best.value, Found{std::move(part), words_of(best.entry)});
}

// With a beam of 0 nothing is left out that comes to no more than `most`.
template <class V>
typename ForestFear<V>::Best ForestFear<V>::search(const Part& part, std::size_t beam, V most) {
  most_ = most;
  discard(nodes_, entries_.size());
  nodes_.clear(), entries_.clear();
  const auto [row, less] = rows_.first();
  nodes_.push_back({row, {}, {}, {{ranks_[rtn_.root()], -less}}});
  Best best;
  std::vector<std::int32_t> level{0};
  for (std::size_t place = 0; !level.empty(); level = next_level(level, part, place++)) {
    if (beam > 0) narrow(level, beam);
    for (const std::int32_t id : level) {
      close(id);
      const Best here = part.admits(place, kEpsilon) ? complete(nodes_[id]) : Best{};
      if (here.value < best.value) best = here;
    }
  }
  counters_.expanded += std::ssize(entries_);
  return best;
}

template <class V>
V ForestFear<V>::bound(const Node& node, const Item& item, V paid) const {
  const V whole = nodes_[item.origin].forward.at(item.rank) + paid;
  poll(50 + static_cast<std::int64_t>(rows_.size()));
  return whole + estimate_.bound(rtn_.bottom_up()[item.rank], item.state, rows_.row(node.row));
}

template <class V>
void ForestFear<V>::offer(std::map<Item, EntryId>& items, const Item& item, const Entry& entry) {
  poll(100);
  const auto [place, is_new] = items.try_emplace(item, static_cast<EntryId>(entries_.size()));
  if (is_new) {
    if (std::ssize(entries_) >= options_.max_nodes) {
      throw SearchError("fear over this forest would take more than " + std::to_string(options_.max_nodes) +
                        " items; raise " + kMaxNodes + ", or give the model more weight");
    }
    entries_.push_back(entry);
  } else if (entry.paid < entries_[place->second].paid) {
    entries_[place->second] = entry;
  }
}

// Over one word from the items of each node, to nodes by the rows that it makes.
template <class V>
std::vector<std::int32_t> ForestFear<V>::next_level(const std::vector<std::int32_t>& level, const Part& part,
                                                    std::size_t place) {
  std::unordered_map<RowId, std::int32_t> by_row;
  std::vector<std::int32_t> next;
  for (const std::int32_t id : level) {
    const RowId row = nodes_[id].row;
    const std::map<Item, EntryId> items = std::move(nodes_[id].items);
    nodes_[id].items.clear();
    for (const auto& [item, entry] : items) {
      for (const Arc& arc : card(item.rank).arcs(item.state)) {
        if (arc.label <= kEpsilon || !part.admits(place, arc.label)) continue;
        const auto [to, less] = rows_.after(row, arc.label);
        const auto [place, is_new] = by_row.try_emplace(to, static_cast<std::int32_t>(nodes_.size()));
        if (is_new) next.push_back(place->second), nodes_.push_back({to, {}, {}, {}});
        const V paid = entries_[entry].paid + steps_.taken(arc) - less;
        offer(nodes_[place->second].items, {item.rank, arc.next, item.origin}, {paid, entry, kNothing, arc.label});
      }
    }
  }
  return next;
}

// Keeps the most promising items that have just read a word.
template <class V>
void ForestFear<V>::narrow(const std::vector<std::int32_t>& level, std::size_t beam) {
  std::vector<V> bounds;
  const auto bound_of = [&](const Node& node, const auto& item) {
    return bound(node, item.first, entries_[item.second].paid);
  };
  for (const std::int32_t id : level) {
    for (const auto& item : nodes_[id].items) bounds.push_back(bound_of(nodes_[id], item));
  }
  if (bounds.size() <= beam) return;
  std::nth_element(bounds.begin(), bounds.begin() + static_cast<std::ptrdiff_t>(beam) - 1, bounds.end());
  const V most = bounds[beam - 1];
  for (const std::int32_t id : level) {
    std::erase_if(nodes_[id].items, [&](const auto& item) { return bound_of(nodes_[id], item) > most; });
  }
}

template <class V>
void ForestFear<V>::close(std::int32_t id) {
  finish(id);
  predict(id);
}

// Items of cards that were called before this node, in their order: all ways to an item are known when its turn comes.
template <class V>
void ForestFear<V>::finish(std::int32_t id) {
  std::map<Item, EntryId>& items = nodes_[id].items;
  for (auto place = items.begin(); place != items.end();) {
    const auto [item, entry] = *place;
    const V paid = entries_[entry].paid;
    if (bound(nodes_[id], item, paid) > most_) {
      place = items.erase(place);
      continue;
    }
    take_arcs(id, item, entry);
    const auto& waiting = nodes_[item.origin].callers;
    const auto callers = card(item.rank).is_final(item.state) ? waiting.find(item.rank) : waiting.end();
    if (callers != waiting.end()) {
      for (const auto& [beyond, taken] : callers->second) {
        offer(items, beyond, {taken.paid + paid, taken.before, entry, kEpsilon});
      }
    }
    ++place;
  }
}

// Items of cards that are called at this node, callers first: then it is known what was paid before each.
template <class V>
void ForestFear<V>::predict(std::int32_t id) {
  Node& node = nodes_[id];
  for (auto called = node.forward.rbegin(); called != node.forward.rend(); ++called) {
    offer(node.items, {called->first, 0, id}, {V{0}, kNothing, kNothing, kEpsilon});
    for (StateId state = 0; state < card(called->first).num_states(); ++state) {
      const auto place = node.items.find({called->first, state, id});
      if (place == node.items.end()) continue;
      const auto [item, entry] = *place;
      if (bound(node, item, entries_[entry].paid) > most_) {
        node.items.erase(place);
      } else {
        take_arcs(id, item, entry);
      }
    }
  }
}

// Over arcs without a word, and into calls; a card that reads no word is passed where it is called.
template <class V>
void ForestFear<V>::take_arcs(std::int32_t id, const Item& item, EntryId entry) {
  Node& node = nodes_[id];
  for (const Arc& arc : card(item.rank).arcs(item.state)) {
    if (arc.label > kEpsilon) continue;
    const Item beyond{item.rank, arc.next, item.origin};
    Entry taken{entries_[entry].paid + steps_.taken(arc), entry, kNothing, kEpsilon};
    if (arc.label < kEpsilon) {
      const std::int32_t called = ranks_[called_card(arc.label)];
      node.callers[called].push_back({beyond, taken});
      const V whole = nodes_[item.origin].forward.at(item.rank) + taken.paid;
      V& forward = node.forward.try_emplace(called, whole).first->second;
      forward = std::min(forward, whole);
      if (!FlatSteps<V>::is_reached(empty_[called])) continue;
      taken.paid += empty_[called];
    }
    offer(node.items, beyond, taken);
  }
}

// The best of the hypotheses that end at a node.
template <class V>
typename ForestFear<V>::Best ForestFear<V>::complete(const Node& node) const {
  const std::int32_t root = ranks_[rtn_.root()];
  const auto end = node.items.find({root, card(root).num_states() - 1, 0});
  if (end == node.items.end()) return {};
  return {bound(node, end->first, entries_[end->second].paid), end->second};
}

template <class V>
std::vector<Label> ForestFear<V>::words_of(EntryId entry) const {
  std::vector<Label> words;
  for (std::vector<EntryId> pending{entry}; !pending.empty();) {  // of which the last comes last in the words
    const EntryId last = pending.back();
    pending.pop_back();
    if (last == kNothing) continue;
    if (entries_[last].word != kEpsilon) words.push_back(entries_[last].word);
    pending.push_back(entries_[last].before);
    pending.push_back(entries_[last].card);
  }
  std::reverse(words.begin(), words.end());
  return words;
}

template class ForestFear<std::int64_t>;
template class ForestFear<Wide>;

}  // namespace fstmetrics

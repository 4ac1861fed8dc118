#include "lazy/rtn.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "automata/weighted.h"
#include "lazy/machine.h"
#include "lazy/replace_machine.h"
#include "lazy/unfold.h"
#include "support/once.h"

namespace fstmetrics {
namespace {

// The same automaton, its origins moved on.
Automaton shifted(const Automaton& automaton, std::int32_t by) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::uint8_t> is_final;
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(automaton.arcs(state).size()));
    is_final.push_back(automaton.is_final(state));
  }
  std::vector<Arc> arcs(automaton.all_arcs().begin(), automaton.all_arcs().end());
  for (Arc& arc : arcs) arc.origin += by;
  return Automaton(automaton.start(), std::move(offsets), std::move(arcs), std::move(is_final));
}

}  // namespace

Rtn::Rtn(std::vector<Automaton> cards, std::int32_t root) : given_(std::move(cards)), root_(root) {
  if (root < 0 || root >= static_cast<std::int32_t>(given_.size())) {
    throw std::invalid_argument("the root is card " + std::to_string(root) + " of " + std::to_string(given_.size()));
  }
  for (const Automaton& card : given_) {
    cards_.push_back(prepared(card));
    if (!cards_.back().has_path()) {
      throw std::invalid_argument("card " + std::to_string(cards_.size() - 1) + " has no path");
    }
    max_label_ = std::max(max_label_, cards_.back().max_label());
  }
  order_cards();
  count_arcs();
}

bool Rtn::has_costs() const {
  return std::any_of(given_.begin(), given_.end(), [](const Automaton& card) { return card.has_costs(); });
}

std::shared_ptr<Rtn> Rtn::with_one_end() const {
  std::vector<Automaton> ended;
  std::int64_t first = 0;  // of the card's numbers
  for (const Automaton& card : given_) {
    if (has_cyclic_path(card)) throw std::invalid_argument("card " + std::to_string(ended.size()) + " has a cycle");
    ended.push_back(shifted(fstmetrics::with_one_end(card), static_cast<std::int32_t>(first)));
    first += std::int64_t{card.num_arcs()} + card.num_states();
    if (first > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("the cards have too many arcs");
  }
  auto rtn = std::make_shared<Rtn>(ended, root_);
  rtn->cards_ = std::move(ended);  // which are prepared, and have their origins
  return rtn;
}

void Rtn::order_cards() {
  Polls poll;
  const auto total = static_cast<std::int32_t>(cards_.size());
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> colour(total, kNew);
  std::vector<std::pair<std::int32_t, std::int32_t>> stack;
  for (std::int32_t first = 0; first < total; ++first) {
    if (colour[first] != kNew) continue;
    stack.assign(1, {first, 0});
    colour[first] = kOpen;
    while (!stack.empty()) {
      auto& [card, position] = stack.back();
      poll(4);
      if (position == cards_[card].num_arcs()) {
        colour[card] = kDone;
        bottom_up_.push_back(card);
        stack.pop_back();
        continue;
      }
      const Label label = cards_[card].all_arcs()[position++].label;
      if (label >= 0) continue;
      const std::int32_t called = called_card(label);
      if (called >= total) {
        throw std::invalid_argument("card " + std::to_string(card) + " calls card " + std::to_string(called) + " of " +
                                    std::to_string(total));
      }
      if (colour[called] == kOpen) throw std::invalid_argument("card " + std::to_string(called) + " calls itself");
      if (colour[called] == kNew) colour[called] = kOpen, stack.emplace_back(called, 0);
    }
  }
}

void Rtn::count_arcs() {
  Polls poll;
  std::vector<std::int64_t> arcs(cards_.size(), 0);
  std::vector<std::int32_t> depths(cards_.size(), 1);
  for (const std::int32_t card : bottom_up_) {
    poll(4 + 4 * std::int64_t{cards_[card].num_arcs()});
    for (const Arc& arc : cards_[card].all_arcs()) {
      // A call costs one arc to enter and, for each final state of what is called, one to return.
      const std::int64_t own =
          arc.label >= 0 ? 1 : 1 + arcs[called_card(arc.label)] + cards_[called_card(arc.label)].num_states();
      arcs[card] = std::min(arcs[card] + own, Remaining::kUnbounded);
      if (arc.label < 0) depths[card] = std::max(depths[card], 1 + depths[called_card(arc.label)]);
    }
  }
  depth_ = depths[root_];
  expanded_arcs_ = arcs[root_];
}

std::int64_t Rtn::num_states() const {
  return std::accumulate(cards_.begin(), cards_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Automaton& card) { return sum + card.num_states(); });
}

std::int64_t Rtn::num_arcs() const {
  return std::accumulate(cards_.begin(), cards_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Automaton& card) { return sum + card.num_arcs(); });
}

std::shared_ptr<const Automaton> Rtn::expanded(std::int64_t max_arcs) const {
  if (expanded_arcs_ > max_arcs) return nullptr;
  const PollingLock lock(mutex_);
  if (!expansion_) {
    const Matchable all(max_label_ + 1, 1);
    ReplaceMachine machine(*this, all);
    expansion_ = std::make_shared<const Automaton>(prepared(expand(machine, max_arcs).automaton));
  }
  return expansion_;
}

std::shared_ptr<const Automaton> Rtn::unfolded(std::int64_t max_arcs) const {
  if (expanded_arcs_ > max_arcs) return nullptr;
  {
    const PollingLock lock(mutex_);
    if (unfolded_) return unfolded_;
    if (std::optional<Automaton> small = fstmetrics::unfolded(*this)) {
      unfolded_ = std::make_shared<const Automaton>(*std::move(small));
      return unfolded_;
    }
  }
  return expanded(max_arcs);
}

std::shared_ptr<const SearchGraph> Rtn::search_graph(std::int64_t max_arcs) const {
  if (expanded_arcs_ > max_arcs) return nullptr;
  {
    const PollingLock lock(mutex_);
    if (search_graph_) return search_graph_;
  }
  const auto automaton = unfolded(max_arcs);
  if (!automaton || !automaton->sorted()) return nullptr;
  const PollingLock lock(mutex_);
  if (!search_graph_) search_graph_ = std::make_shared<const SearchGraph>(automaton);
  return search_graph_;
}

}  // namespace fstmetrics

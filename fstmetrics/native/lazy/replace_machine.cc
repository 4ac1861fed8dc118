#include "lazy/replace_machine.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace fstmetrics {
namespace {

// Words of the shortest path of a card: far more than fit anywhere, and few enough that sums over a card's arcs cannot
// overflow.
constexpr std::int64_t kMostWords = std::int64_t{1} << 28;
constexpr std::int32_t kRootFrame = -1;  // the frame of the root card: there is nowhere to return to

}  // namespace

std::size_t ReplaceMachine::PlaceHash::operator()(const Place& place) const {
  std::uint64_t hash = static_cast<std::uint32_t>(place.frame);
  for (const std::int32_t part : {place.card, place.state}) {
    hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

ReplaceMachine::ReplaceMachine(const Rtn& rtn, const Matchable& matchable) : rtn_(rtn), remaining_(rtn.cards().size()) {
  std::vector<Remaining> whole(rtn.cards().size());
  for (const std::int32_t card : rtn.bottom_up()) {
    remaining_[card] = remaining_words(rtn.cards()[card], matchable, whole);
    whole[card] = remaining_[card][rtn.cards()[card].start()];
    if (whole[card].min_words > kMostWords) {
      throw std::length_error("all paths of a card have more than " + std::to_string(kMostWords) + " words");
    }
  }
}

StateId ReplaceMachine::start() { return id_of({kRootFrame, rtn_.root(), rtn_.cards()[rtn_.root()].start()}); }

bool ReplaceMachine::is_final(StateId state) {
  const Place& place = places_[state];
  return place.frame == kRootFrame && rtn_.cards()[place.card].is_final(place.state);
}

std::span<const Arc> ReplaceMachine::arcs(StateId state) {
  const Place place = places_[state];
  const Automaton& card = rtn_.cards()[place.card];
  arcs_.clear();
  for (const Arc& arc : card.arcs(place.state)) {
    const Place beyond{place.frame, place.card, arc.next};
    if (arc.label >= 0) {
      arcs_.push_back({arc.label, id_of(beyond)});
    } else {
      const std::int32_t called = called_card(arc.label);
      arcs_.push_back({kEpsilon, id_of({frame_for(beyond), called, rtn_.cards()[called].start()})});
    }
  }
  if (place.frame != kRootFrame && card.is_final(place.state)) {
    arcs_.push_back({kEpsilon, id_of(frames_[place.frame].back)});
  }
  return arcs_;
}

Remaining ReplaceMachine::remaining(StateId state) { return rest_after(places_[state]); }

Remaining ReplaceMachine::rest_after(const Place& place) const {
  const Remaining& own = remaining_[place.card][place.state];
  if (place.frame == kRootFrame) return own;
  const Remaining& rest = frames_[place.frame].rest;
  return {own.min_words + rest.min_words, std::min(own.max_words + rest.max_words, Remaining::kUnbounded),
          own.min_unmatched + rest.min_unmatched};
}

StateId ReplaceMachine::id_of(const Place& place) {
  const auto [entry, is_new] = place_ids_.try_emplace(place, static_cast<StateId>(places_.size()));
  if (is_new) places_.push_back(place);
  return entry->second;
}

std::int32_t ReplaceMachine::frame_for(const Place& back) {
  const auto [entry, is_new] = frame_ids_.try_emplace(back, static_cast<std::int32_t>(frames_.size()));
  if (is_new) frames_.push_back({back, rest_after(back)});
  return entry->second;
}

}  // namespace fstmetrics

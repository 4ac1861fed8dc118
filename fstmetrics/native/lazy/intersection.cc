#include "lazy/intersection.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "support/poll.h"
#include "support/sparse_cells.h"

namespace fstmetrics {
namespace {

using PlaceId = std::int32_t;

constexpr std::int32_t kAskedFrame = -1;  // the frame of the card asked about: there is nowhere to return to

// Where a word leads.
struct WordStep {
  Label word;
  PlaceId place;
  auto operator<=>(const WordStep&) const = default;
};

// What can be read from a place, epsilons, calls and returns passed over.
struct Reading {
  std::vector<WordStep> steps;  // by word
  bool accepts = false;
};

// The places of an RTN that have been looked at. Frames are places to return to, so both are numbered alike.
class CardPlaces {
 public:
  CardPlaces(const Rtn& rtn, std::int64_t most) : rtn_(rtn), most_(most) {}

  // Whether there are too many places; what was read last is then not complete.
  bool full() const { return static_cast<std::int64_t>(places_.size()) > most_; }

  PlaceId enter(std::int32_t card, std::int32_t frame = kAskedFrame) {
    return id_of(frame, card, rtn_.cards()[card].start());
  }

  const Reading& reading(PlaceId place) {
    if (!readings_[place]) {
      auto found = std::make_unique<Reading>(read(place));  // which may make room for more places
      readings_[place] = std::move(found);
    }
    return *readings_[place];
  }

 private:
  struct Place {
    std::int32_t frame, card;
    StateId state;
  };

  // A place with nothing left in its card is the place to return to.
  PlaceId id_of(std::int32_t frame, std::int32_t card, StateId state) {
    const Automaton& automaton = rtn_.cards()[card];
    if (frame != kAskedFrame && automaton.is_final(state) && automaton.arcs(state).empty()) return frame;
    std::int32_t& states = ids_[(std::int64_t{frame} + 1) * static_cast<std::int64_t>(rtn_.cards().size()) + card];
    if (states == 0) {  // the states of one use of a card are numbered together
      states = static_cast<std::int32_t>(places_.size()) + 1;
      for (StateId s = 0; s < automaton.num_states(); ++s) places_.push_back({frame, card, s});
      readings_.resize(places_.size());
      seen_.resize(places_.size(), 0);
    }
    return states - 1 + state;
  }

  Reading read(PlaceId from) {
    Reading found;
    ++round_;
    pending_.clear();
    visit(from);
    while (!pending_.empty() && !full()) {
      const Place place = places_[pending_.back()];
      poll(50 + 20 * std::ssize(rtn_.cards()[place.card].arcs(place.state)));
      pending_.pop_back();
      const Automaton& card = rtn_.cards()[place.card];
      for (const Arc& arc : card.arcs(place.state)) {
        const PlaceId beyond = id_of(place.frame, place.card, arc.next);
        if (arc.label > 0) {
          found.steps.push_back({arc.label, beyond});
        } else {
          visit(arc.label == kEpsilon ? beyond : enter(called_card(arc.label), beyond));
        }
      }
      if (!card.is_final(place.state)) continue;
      if (place.frame == kAskedFrame)
        found.accepts = true;
      else
        visit(place.frame);
    }
    std::sort(found.steps.begin(), found.steps.end());
    found.steps.erase(std::unique(found.steps.begin(), found.steps.end()), found.steps.end());
    return found;
  }

  void visit(PlaceId place) {
    if (seen_[place] == round_) return;
    seen_[place] = round_;
    pending_.push_back(place);
  }

  const Rtn& rtn_;
  const std::int64_t most_;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<Reading>> readings_;
  SparseCells<std::int32_t> ids_;  // of a frame and a card, one more than the place of the card's first state
  std::vector<std::int32_t> seen_;
  std::int32_t round_ = 0;
  std::vector<PlaceId> pending_;
};

// The pairs of places met so far, and those still to be looked at.
class Pairs {
 public:
  void add(PlaceId first, PlaceId second) {
    std::uint8_t& known = known_[std::int64_t{first} << 32 | second];
    if (known) return;
    known = 1;
    ++count_;
    pending_.push_back({first, second});
  }
  bool empty() const { return pending_.empty(); }
  std::pair<PlaceId, PlaceId> take() {
    const auto pair = pending_.back();
    pending_.pop_back();
    return pair;
  }
  std::int64_t count() const { return count_; }

 private:
  SparseCells<std::uint8_t> known_;
  std::int64_t count_ = 0;
  std::vector<std::pair<PlaceId, PlaceId>> pending_;
};

// Every pair of steps with the same word.
void add_common(const std::vector<WordStep>& first, const std::vector<WordStep>& second, Pairs& pairs) {
  Polls poll;
  auto b = second.begin();
  for (const WordStep& step : first) {
    poll(4);
    while (b != second.end() && b->word < step.word) ++b;
    for (auto same = b; same != second.end() && same->word == step.word; ++same) {
      poll(10);
      pairs.add(step.place, same->place);
    }
  }
}

void check(const Rtn& rtn, std::int32_t card) {
  if (card < 0 || card >= static_cast<std::int32_t>(rtn.cards().size())) {
    throw std::invalid_argument("there is no card " + std::to_string(card) + " among " +
                                std::to_string(rtn.cards().size()));
  }
}

}  // namespace

std::optional<bool> share_string(const Rtn& rtn, std::int32_t first, std::int32_t second, std::int64_t max_pairs) {
  check(rtn, first);
  check(rtn, second);
  CardPlaces places(rtn, std::min<std::int64_t>(max_pairs, 1 << 30));  // their numbers are int32
  Pairs pairs;
  pairs.add(places.enter(first), places.enter(second));
  while (!pairs.empty()) {
    const auto [a, b] = pairs.take();
    const Reading& left = places.reading(a);
    const Reading& right = places.reading(b);
    if (left.accepts && right.accepts) return true;
    if (places.full() || pairs.count() > max_pairs) return std::nullopt;
    add_common(left.steps, right.steps, pairs);
  }
  return false;
}

}  // namespace fstmetrics

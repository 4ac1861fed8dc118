// Replace: an RTN read as one automaton, a call at a time. A state is a card's state and the stack of
// places to return to; stacks share their tails, so a state costs a constant.
#pragma once

#include <unordered_map>

#include "lazy/machine.h"
#include "lazy/rtn.h"

namespace fstmetrics {

// Throws std::length_error where the shortest path of a card has so many words that sums could overflow.
class ReplaceMachine final : public Machine {
 public:
  // `rtn` must outlive the machine. Calls and returns are epsilon arcs.
  ReplaceMachine(const Rtn& rtn, const Matchable& matchable);
  StateId start() override;
  bool is_final(StateId state) override;
  std::span<const Arc> arcs(StateId state) override;
  Remaining remaining(StateId state) override;
  std::int64_t visited() const override { return static_cast<std::int64_t>(places_.size()); }

 private:
  struct Place {
    std::int32_t frame, card;
    StateId state;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  // Where a call returns to, and what is left to read from there on.
  struct Frame {
    Place back;
    Remaining rest;
  };

  StateId id_of(const Place& place);
  std::int32_t frame_for(const Place& back);
  Remaining rest_after(const Place& place) const;

  const Rtn& rtn_;
  std::vector<std::vector<Remaining>> remaining_;  // by card and state, to the end of the card
  std::vector<Frame> frames_;
  std::unordered_map<Place, std::int32_t, PlaceHash> frame_ids_;
  std::vector<Place> places_;
  std::unordered_map<Place, StateId, PlaceHash> place_ids_;
  std::vector<Arc> arcs_;
};

}  // namespace fstmetrics

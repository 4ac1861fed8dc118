// PCG64 (O'Neill 2014, XSL-RR 128/64), bit for bit numpy's `PCG64`: a 128-bit linear congruential generator.
//
// Its sequence can be entered anywhere: `Jump` is the map of many steps at once, so that every resample has a stretch
// of its own, and samples do not depend on how many there are or on which thread draws them.

#pragma once

#include <bit>
#include <cstdint>

namespace fstmetrics {

__extension__ typedef unsigned __int128 Word128;

constexpr Word128 wide(std::uint64_t high, std::uint64_t low) { return (static_cast<Word128>(high) << 64) | low; }

// Many steps of the generator: state -> multiplier * state + increment.
struct Jump {
  Word128 multiplier = 1;
  Word128 increment = 0;

  // The map of `steps` steps of a generator with this increment, by repeated squaring.
  static Jump of(Word128 steps, Word128 increment) {
    Jump whole, power{wide(0x2360ED051FC65DA4, 0x4385DF649FCCF645), increment};
    for (; steps; steps >>= 1) {
      if (steps & 1)
        whole = {whole.multiplier * power.multiplier, whole.increment * power.multiplier + power.increment};
      power = {power.multiplier * power.multiplier, (power.multiplier + 1) * power.increment};
    }
    return whole;
  }

  Word128 operator()(Word128 state) const { return multiplier * state + increment; }
};

class Pcg64 {
 public:
  Pcg64(Word128 state, Word128 increment) : state_(state), step_(Jump::of(1, increment)) {}

  std::uint64_t operator()() {
    state_ = step_(state_);
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    return std::rotr(high ^ static_cast<std::uint64_t>(state_), static_cast<int>(high >> 58));
  }

 private:
  Word128 state_;
  Jump step_;
};

}  // namespace fstmetrics

// T, the metric: a small automaton whose inputs are the four edit operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// kEpsilon and kFree are no inputs of a metric: nothing is read, or a hypothesis word under a wildcard of the
// reference.
enum class Op : std::uint8_t { kMatch, kSubstitution, kInsertion, kDeletion, kEpsilon, kFree };
inline constexpr int kNumOps = 4;

// Among paths of equal cost, which reference length scores better.
enum class LengthTie : std::uint8_t {
  kLongest,  // errors divided by reference words
  kByGain,   // gain divided by the largest gain: the shortest reference if the gain is >= 0, else the longest
};

struct Transition {
  std::int32_t next = 0;
  std::int64_t cost = 0;  // in whole units; a metric says how many units make 1
};

// Costs that depend on the words, added to those of the transitions.
struct WordCosts {
  std::vector<std::int64_t> match;         // by reference label
  std::vector<std::int64_t> insertion;     // by hypothesis label
  std::vector<std::int64_t> deletion;      // by reference label
  std::vector<std::int64_t> substitution;  // hypothesis label * reference_labels + reference label
  std::size_t reference_labels = 0;
};

// Memory 0 is the start, every memory is final.
struct EditAutomaton {
  std::vector<std::array<Transition, kNumOps>> transitions = {{}};
  std::int64_t move_cost = 0;
  LengthTie length_tie = LengthTie::kLongest;
  int num_memories() const { return static_cast<int>(transitions.size()); }
};

}  // namespace fstmetrics

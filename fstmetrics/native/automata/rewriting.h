// Rewrite rules on the paths of an automaton: where their left sides lie, and the automaton with their right
// sides beside them. Left sides are words in a row, so a rule is a small transducer that is composed only where
// it applies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// Lists of numbers in one flat array: list i is [offsets[i], offsets[i + 1]).
struct Lists {
  std::vector<std::int32_t> offsets = {0};
  std::vector<std::int32_t> values;

  std::int32_t size() const { return static_cast<std::int32_t>(offsets.size()) - 1; }
  std::span<const std::int32_t> operator[](std::int32_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
};

// The left sides of many rules as one acyclic automaton over symbols; node 0 is the start. A symbol stands for a
// word or for a class of words, so a label may have several. Arcs of a node are sorted by symbol.
struct Patterns {
  Lists symbols;  // by node
  Lists targets;  // by node, beside the symbols
  Lists ends;     // by node: the patterns that are complete there

  // Throws std::invalid_argument where lists do not fit one another, an arc leads to no node, symbols are not
  // sorted, a word is not needed to get somewhere, or there is a circle.
  void check() const;
};

// A stretch of a path between two states that a pattern covers.
struct Match {
  StateId from, to;
  std::int32_t found;  // which pattern and which words; the same for all matches that have both in common
};

struct Matches {
  std::vector<Match> all;
  std::vector<std::int32_t> patterns;  // by `found`
  Lists words;                         // by `found`: the labels
};

// Every match on every path, once. Epsilons inside a match are passed over; none is taken before its first or after
// its last word. `automaton` must be prepared; `symbols` lists the symbols of each label.
// O(starts of matches) time, so it may be exponential in the longest pattern where many paths match: throws
// std::length_error beyond `max_matches`.
Matches find_matches(const Automaton& automaton, const Patterns& patterns, const Lists& symbols,
                     std::int64_t max_matches);

// An automaton with further arcs; of each arc the number of the way to say something that it is part of, or -1, and
// whether it is the first of that way.
struct Widened {
  Automaton automaton;
  std::vector<std::int32_t> ways;
  std::vector<std::uint8_t> begins;
};

// Adds a path for each match and each way to say what it covers: `ways` lists them by Match::found, `words` has the
// labels of each. The arcs of a state come first as they were; matches cover old arcs only, so that a path of the
// result rewrites stretches that do not overlap, each once.
Widened widened(const Automaton& automaton, std::span<const Match> matches, const Lists& ways, const Lists& words);

// The origins of the arcs of a path that reads `words`, epsilons included: the path with the least sum of `costs`,
// which go by origin and are not negative. `automaton` must be prepared. Empty if there is no such path, or no word.
std::vector<std::int32_t> cheapest_path(const Automaton& automaton, std::span<const Label> words,
                                        std::span<const std::int64_t> costs);

}  // namespace fstmetrics

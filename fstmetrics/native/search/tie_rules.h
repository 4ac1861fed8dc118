// The tie rules of docs/scores.md folded into one integer, so that every search needs nothing but + and <.
//
// Paths are compared by cost, then chosen reference words (longest or shortest), then fewest edits, fewest
// moves, most matches, fewest deletions. All six add up along a path and each total lies in a known range,
// so the totals are digits of one mixed-radix number, and an operation is worth a fixed integer.
//
// Who else has this order: pairs of strings (strings/short_pair.cc, string_pair.cc, block_pair.cc), whose paths differ
// in matches and deletions alone; the estimate of best_first; meetings (speakers/edit_sums.h, and `_ranks` of
// fstmetrics/speakers/assignment.py). Which of equal steps is taken: tie_breaker.h, lane_ties.cc, and `operations` of
// speakers/time_constraint.cc; on their own `first_best_path` of product.h, the parents in best_first/best_first.h,
// short_pair.cc and block_pair.cc. rows/forgetful_rows.h and strings/level_lanes.h count on totals that are the same in
// whatever order the errors between two matches stand. What a metric chooses, `longest`: EditTable of
// metrics/path_metric.py and metric/edit_automaton.h. `ties` of a signature: engine/signatures.py. openfst/referee.py
// and openfst/independent_proof.py have it on their own, as they check it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "metric/edit_automaton.h"

namespace fstmetrics {

// What a path adds up to.
struct Totals {
  std::int64_t cost = 0;
  std::int64_t reference_words = 0;
  std::int64_t edits = 0;
  std::int64_t moves = 0;
  std::int64_t matches = 0;
  std::int64_t deletions = 0;
};

// Whether a path is better than another by the order above. `longest`: of the same cost, a longer reference scores
// better whatever the cost; otherwise only where the cost is positive.
bool is_better(const Totals& one, const Totals& other, bool longest);

// Upper bounds of the totals over all paths that can be best.
struct TotalBounds {
  std::int64_t hypothesis_words = 0;
  std::int64_t reference_words = 0;
  bool has_moves = false;
  std::int64_t operation_cost = 0;  // largest absolute cost of one operation or move
  double arc_costs = 0.0;           // largest absolute cost of what taking the arcs of both sides adds to a path
};

// A signed integer of twice the machine's width, for long sentences and costs of many decimals.
__extension__ typedef __int128 Wide;

// Weights of the six totals. V is std::int64_t or Wide.
template <class V>
struct Ranking {
  V cost, reference_word, edit, move, match, deletion;
  Totals totals(V value) const;

  // What each operation is worth among paths of equal cost, in the order of Op; every route takes it from here.
  std::array<V, kNumOps> ties() const {
    return {reference_word + match, reference_word + edit, edit, reference_word + edit + deletion};
  }

  // More than any path; two of them can still be added.
  static constexpr V infinity() { return (V{1} << (sizeof(V) * 8 - 3)); }

 private:
  friend struct RankingFactory;
  V edit_radix = 1, move_radix = 1, match_radix = 1, deletion_radix = 1, reference_radix = 1;
  bool longest = true;
};

enum class Width { kMachine, kWide, kTooWide };

// The narrowest integer that holds every path of these bounds.
Width width_needed(const TotalBounds& bounds);

// `longest`: whether, at equal cost, more reference words are better.
template <class V>
Ranking<V> make_ranking(const TotalBounds& bounds, bool longest);

}  // namespace fstmetrics

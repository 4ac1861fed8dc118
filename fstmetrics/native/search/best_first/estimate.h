// Admissible, consistent estimates of what is left to pay, in the manner of [H12 §3] (after Karakos et al.
// 2008): words that the other side does not have at all, and the difference in length that is certain.
#pragma once

#include <algorithm>

#include "search/product.h"

namespace fstmetrics {

// Smallest cost of each operation over memories and words, in units of the metric.
struct CheapestOps {
  std::int64_t of[kNumOps];
  std::int64_t operator[](Op op) const { return of[static_cast<int>(op)]; }
};

template <class V>
class Estimate {
 public:
  // The estimate is a part for ties and a part for costs; `heuristic` false leaves the latter at zero (Dijkstra).
  //
  // Ties: a match or a longer reference makes a path better, so ranked costs can be negative. What can still be
  // won that way is taken off in advance: with each hypothesis word a match and a reference word. A reference
  // word that is deleted is won as well, but pays for it where deletions cost something; where they are free,
  // every reference word is taken off in advance instead.
  // Costs: what remains of an operation's ranked cost is at least its cost, less, for a deletion, the reference word
  // that it wins. An overestimate would make best-first stop at a path that is not best.
  Estimate(const CheapestOps& cheapest, const Ranking<V>& ranking, bool heuristic) {
    const V length = std::min(ranking.reference_word, V{0});
    const bool free_deletions = cheapest[Op::kDeletion] == 0;
    per_hypothesis_word_ = ranking.match + (free_deletions ? V{0} : length);
    per_reference_word_ = free_deletions ? length : V{0};
    if (!heuristic) return;
    const V pair = cheapest[Op::kSubstitution] * ranking.cost;
    insertion_ = cheapest[Op::kInsertion] * ranking.cost;
    deletion_ = free_deletions ? V{0} : cheapest[Op::kDeletion] * ranking.cost + length;
    unmatched_hypothesis_ = std::min(insertion_, pair);
    unmatched_reference_ = std::min(deletion_, pair);
  }

  V operator()(const Remaining& h, const Remaining& r) const {
    const auto excess = [](std::int64_t fewest, std::int64_t most) {
      return static_cast<V>(std::max<std::int64_t>(0, fewest - most));
    };
    const V cost =
        std::max({excess(h.min_words, r.max_words) * insertion_, excess(r.min_words, h.max_words) * deletion_,
                  h.min_unmatched * unmatched_hypothesis_, r.min_unmatched * unmatched_reference_});
    const V ties = h.max_words * per_hypothesis_word_;
    return cost + ties + (per_reference_word_ == 0 ? V{0} : r.max_words * per_reference_word_);
  }

 private:
  V insertion_ = 0, deletion_ = 0, unmatched_hypothesis_ = 0, unmatched_reference_ = 0;
  V per_hypothesis_word_, per_reference_word_;
};

}  // namespace fstmetrics

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
  // `heuristic` false leaves the cost part at zero (Dijkstra). The part for ties always stays: it is what
  // keeps ranked costs from being negative, as a match or a longer reference makes a path better. Where
  // deletions cost something, only words paired with hypothesis words can do so at equal cost; where
  // they are free, any reference word can.
  // An overestimate would make best-first stop at a path that is not best.
  Estimate(const CheapestOps& cheapest, const Ranking<V>& ranking, bool heuristic) {
    if (heuristic) {
      insertion_ = cheapest[Op::kInsertion] * ranking.cost;
      deletion_ = cheapest[Op::kDeletion] * ranking.cost;
      const std::int64_t pair = cheapest[Op::kSubstitution];
      unmatched_hypothesis_ = std::min(cheapest[Op::kInsertion], pair) * ranking.cost;
      unmatched_reference_ = std::min(cheapest[Op::kDeletion], pair) * ranking.cost;
    }
    const V length = std::min(ranking.reference_word, V{0});
    const bool free_deletions = cheapest[Op::kDeletion] == 0;
    per_hypothesis_word_ = ranking.match + (free_deletions ? V{0} : length);
    per_reference_word_ = free_deletions ? length : V{0};
  }

  V operator()(const Remaining& h, const Remaining& r) const {
    const auto excess = [](std::int64_t fewest, std::int64_t most) {
      return static_cast<V>(std::max<std::int64_t>(0, fewest - most));
    };
    const V cost = std::max({excess(h.min_words, r.max_words) * insertion_,
                             excess(r.min_words, h.max_words) * deletion_,
                             h.min_unmatched * unmatched_hypothesis_, r.min_unmatched * unmatched_reference_});
    const V ties = h.max_words * per_hypothesis_word_;
    return cost + ties + (per_reference_word_ == 0 ? V{0} : r.max_words * per_reference_word_);
  }

 private:
  V insertion_ = 0, deletion_ = 0, unmatched_hypothesis_ = 0, unmatched_reference_ = 0;
  V per_hypothesis_word_, per_reference_word_;
};

}  // namespace fstmetrics

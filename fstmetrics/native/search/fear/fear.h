// Fear: the hypothesis for which what the model charges less what the metric charges is least.
//
// What the metric charges a hypothesis is the cost of its best alignment with its best reference, so this is a least
// of a most, and no best path of the composition: its operations with their signs turned would find the worst
// alignments. It is a best path of H and the composition T o R made deterministic: a state of that is a row, for
// every state of R and memory the best cost of reaching it with the words read so far. Rows are made when a search
// first meets them, without a constant that all their costs share, so that hypotheses with the same rest meet again.
//
// A* over pairs (state of H, row). The estimate is a game: from a pair, the model chooses the words, and an aligner
// the operations, knowing no more than the next word. What the aligner is sure to get bounds what the best alignment
// of the words to come, all of them known, can get. The bound is consistent, so a pair is settled when it is first
// taken from the queue, whatever the sign of costs; for the k best, when k different prefixes of words were.
// O(arcs of H * arcs of R * memories) time for the estimate; the pairs met can be exponentially many, so there is a
// limit.
//
// A forest with costs on its cards has another search, which does not write it out: search/fear/forest_fear.h.
#pragma once

#include "search/problem.h"

namespace fstmetrics {

// The options.nbest distinct hypotheses of least model cost less metric cost, best first; the model's costs are
// problem.hypothesis_costs. Each path is aligned with its closest reference; its totals are those of that alignment,
// but for the cost, which is the difference. Of hypotheses alike in that, the one that the tie rules like least.
// Throws SearchError where a side is cyclic or too large to write out, or beyond options.max_nodes or max_cells.
Outcome solve_fear(const Problem& problem, const Options& options);

}  // namespace fstmetrics

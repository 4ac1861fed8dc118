// What every text of one list costs against every text of another, where costs weigh edits alike.
//
// Each text is split, and each different word given a number, once, not once a pair; of a pair only the number of its
// edits is found. Where both lists are one, a pair is looked at in one direction: edit distances are symmetric.
#pragma once

#include <cstdint>
#include <vector>

#include "search/strings/short_pair.h"
#include "text/words.h"

namespace fstmetrics {

using WordLists = std::vector<std::vector<Word>>;

// A row for each hypothesis, in units of the metric. `references` may be the same object as `hypotheses`. O(words) time
// a pair of at most ShortPair::kMaxWords words, of longer ones as much again for each 64 words.
std::vector<std::int64_t> pair_costs(const WordLists& hypotheses, const WordLists& references,
                                     const UnitWeights& weights, int threads);

}  // namespace fstmetrics

// Which of equally good epsilons mt-metrics-eval takes.
//
// It makes pairs ties from the smallest difference on. For each, it takes the accuracy of the pair's row from a running
// sum and adds the new one, also where both are equal. The sum is rounded each time, so equal accuracies come out a
// little unequal, and it takes the epsilon where the rounded mean is highest. Pairs of equal differences are in the
// order in which they are given.
#pragma once

#include "agreement/judged_pairs.h"

namespace fstmetrics {

// Among the differences up to `limit`, and 0. Pairs are sorted in portions, so that they are not held all at once.
double best_rounded(const JudgedPairs& pairs, double limit);

}  // namespace fstmetrics

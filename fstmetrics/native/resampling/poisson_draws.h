// Weights of a Poisson bootstrap: each weight follows from its own place alone, so that any machine finds it.

#pragma once

#include <cstdint>

#include "resampling/draws.h"

namespace fstmetrics {

// The numbers of the items of a row: every so many from the first one on.
struct Places {
  std::int64_t first;
  std::int64_t step;
};

// How often each item is drawn where its weights are independent Poisson numbers of mean 1: of item i in row b, by word
// b mod 4 of Philox4x32-10 (Salmon et al. 2011) under the key, whose counter is the number i (low half) and b / 4.
// Probabilities are those of the Poisson distribution cut to 32 bits, so that no weight is more than 12.
void draw_poisson(std::uint64_t key, const Rows& rows, const Places& places, int threads, std::uint8_t* weights);

}  // namespace fstmetrics

// Random weights of items, one row a resample: how often each is drawn, or whether it is exchanged.

#pragma once

#include <cstddef>
#include <cstdint>

#include "resampling/pcg64.h"

namespace fstmetrics {

// Where the rows come from: numpy's PCG64 as seeded. Row b reads the outputs of `PCG64(seed).jumped(b)`.
struct Generator {
  Word128 state;
  Word128 increment;
};

// Steps from one row's first output to the next row's: the golden section of the period, as numpy's `jumped`. Steps by
// a power of two would leave the low bits of the state the same in all rows.
inline constexpr Word128 kStretch = wide(0x9E3779B97F4A7C15, 0xF39CC0605CEDC835);

struct Rows {
  std::int64_t first;  // the number of the first row
  std::int64_t count;
  std::int64_t items;  // weights in a row; below 2^32
};

// How often each item is drawn in `items` draws with replacement. An output gives two draws, low half first; a half x
// draws item floor(x * items / 2^32), and is passed over where that would favour some items (Lemire 2019). Throws
// std::overflow_error if an item is drawn more than 255 times, which 256 items or more never are in practice.
void draw_with_replacement(const Generator& generator, const Rows& rows, int threads, std::uint8_t* weights);

// 1 for an item that is exchanged, 0 otherwise, each with probability 1/2: item 64 j + i by bit i of output j.
void toss_coins(const Generator& generator, const Rows& rows, int threads, std::uint8_t* weights);

}  // namespace fstmetrics

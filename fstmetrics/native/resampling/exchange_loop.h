// The permutations of a test between two metrics: drawn, counted, and stopped early.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "resampling/exchange_tests.h"

namespace fstmetrics {

// Permutations that one random word a unit has.
inline constexpr int kPermutationsTogether = 64;
// Differences that are equal but for rounding count as equal.
inline constexpr double kRounding = 1e-12;

using Words = std::vector<std::uint64_t>;
using Values = std::array<double, kPermutationsTogether>;

// The random words of block `number`, by unit.
inline void draw(const Generator& generator, std::int64_t number, Words& words) {
  const Jump stretch = Jump::of(kStretch * static_cast<Word128>(number), generator.increment);
  Pcg64 random(stretch(generator.state), generator.increment);
  for (std::uint64_t& word : words) word = random();
}

// Finds the coefficients of the permutations of `words`: bits that are 1 leave a unit's scores where they are.
template <class Coefficients>
ExchangeTest tested(Coefficients coefficients, const Generator& generator, const Stopping& stopping, Words& words) {
  Values first, second;
  std::fill(words.begin(), words.end(), ~std::uint64_t{0});
  coefficients(words, 1, first, second);
  ExchangeTest test{first[0], second[0], 0, 0};
  const double observed = test.first - test.second;
  for (std::int64_t begin = 0; begin < stopping.permutations; begin += kPermutationsTogether) {
    draw(generator, begin / kPermutationsTogether, words);
    const auto wanted = static_cast<int>(std::min<std::int64_t>(kPermutationsTogether, stopping.permutations - begin));
    coefficients(words, wanted, first, second);
    for (int i = 0; i < wanted; ++i) {
      test.exceeding += first[i] - second[i] >= observed - kRounding;
      ++test.permutations;
      if (test.permutations % stopping.block) continue;
      const double p = static_cast<double>(test.exceeding) / static_cast<double>(test.permutations);
      if (p < stopping.low || p > stopping.high) return test;
    }
  }
  return test;
}

}  // namespace fstmetrics

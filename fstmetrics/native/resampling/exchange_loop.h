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

// A test under way.
class RunningTest {
 public:
  // From the coefficients of the metrics as they are.
  RunningTest(double first, double second) : test_{first, second, 0, 0} {}

  // Counts the next permutation, of these coefficients. Returns whether p is clear after it, so that no more
  // are needed.
  bool add(double first, double second, const Stopping& stopping) {
    test_.exceeding += first - second >= test_.first - test_.second - kRounding;
    ++test_.permutations;
    if (test_.permutations % stopping.block) return false;
    const double p = static_cast<double>(test_.exceeding) / static_cast<double>(test_.permutations);
    return p < stopping.low || p > stopping.high;
  }
  const ExchangeTest& so_far() const { return test_; }

 private:
  ExchangeTest test_;
};

// Finds the coefficients of the permutations of `words`: bits that are 1 leave a unit's scores where they
// are.
template <class Coefficients>
ExchangeTest tested(Coefficients coefficients, const Generator& generator, const Stopping& stopping, Words& words) {
  Values first, second;
  std::fill(words.begin(), words.end(), ~std::uint64_t{0});
  coefficients(words, 1, first, second);
  RunningTest test(first[0], second[0]);
  for (std::int64_t begin = 0; begin < stopping.permutations; begin += kPermutationsTogether) {
    draw(generator, begin / kPermutationsTogether, words);
    const auto wanted = static_cast<int>(std::min<std::int64_t>(kPermutationsTogether, stopping.permutations - begin));
    coefficients(words, wanted, first, second);
    for (int i = 0; i < wanted; ++i) {
      if (test.add(first[i], second[i], stopping)) return test.so_far();
    }
  }
  return test.so_far();
}

}  // namespace fstmetrics

#include "resampling/draws.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "support/crew.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Each block of rows is found by a jump, which takes as long as some twenty draws.
constexpr std::int64_t kMostRowsTogether = 16;
// Weights of a block, unless a row has more: a few milliseconds.
constexpr std::int64_t kWeightsTogether = 1 << 20;

// The bits of a byte as weights, lowest first.
constexpr std::array<std::array<std::uint8_t, 8>, 256> kEightCoins = [] {
  std::array<std::array<std::uint8_t, 8>, 256> coins{};
  for (int byte = 0; byte < 256; ++byte) {
    for (int bit = 0; bit < 8; ++bit) coins[byte][bit] = static_cast<std::uint8_t>(byte >> bit & 1);
  }
  return coins;
}();

// Calls fill(generator at the row's stretch, row's weights) for every row, on several threads.
template <class Fill>
void for_rows(const Generator& generator, const Rows& rows, int threads, std::uint8_t* weights, Fill fill) {
  const Jump stretch = Jump::of(kStretch, generator.increment);
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    Word128 state = Jump::of(kStretch * static_cast<Word128>(rows.first + begin), generator.increment)(generator.state);
    for (std::int64_t row = begin; row < end; ++row, state = stretch(state)) {
      fill(Pcg64(state, generator.increment), weights + row * rows.items);
    }
  };
  // Whoever is free takes the next block. Where the caller gives up, there is none any more.
  const std::int64_t block = std::clamp<std::int64_t>(kWeightsTogether / (rows.items + 1), 1, kMostRowsTogether);
  std::atomic<std::int64_t> next{0};
  const auto take = [&] {
    const std::int64_t begin = next.fetch_add(block);
    if (begin >= rows.count) return false;
    part(begin, std::min(begin + block, rows.count));
    return true;
  };
  const std::function<void()> help = [&] {
    while (take()) {}
  };
  Crew crew(static_cast<int>(std::min<std::int64_t>(threads, rows.count / block)) - 1, help);
  try {
    while (take()) poll(4 * block * rows.items);
    crew.wait();
  } catch (...) {
    next = rows.count;
    throw;
  }
}

}  // namespace

void draw_with_replacement(const Generator& generator, const Rows& rows, int threads, std::uint8_t* weights) {
  const auto items = static_cast<std::uint64_t>(rows.items);
  // Halves below this make the first of their items one half too frequent.
  const std::uint32_t surplus = items ? (std::uint64_t{1} << 32) % items : 0;
  std::atomic<bool> is_full{false};
  for_rows(generator, rows, threads, weights, [items, surplus, &is_full](Pcg64 random, std::uint8_t* row) {
    std::fill_n(row, items, std::uint8_t{0});
    std::uint64_t drawn = 0;
    const auto draw = [&](std::uint64_t half) {
      const std::uint64_t product = half * items;
      if (static_cast<std::uint32_t>(product) < surplus) return;
      row[product >> 32] += 1;
      ++drawn;
    };
    while (drawn < items) {
      const std::uint64_t output = random();
      draw(output & 0xFFFFFFFF);
      if (drawn < items) draw(output >> 32);
    }
    // A weight that has begun again at 0 is missing from the sum.
    if (std::accumulate(row, row + items, std::uint64_t{0}) != items) is_full = true;
  });
  if (is_full) throw std::overflow_error("an item was drawn more than 255 times");
}

void toss_coins(const Generator& generator, const Rows& rows, int threads, std::uint8_t* weights) {
  for_rows(generator, rows, threads, weights, [items = rows.items](Pcg64 random, std::uint8_t* row) {
    for (std::int64_t begin = 0; begin < items; begin += 64) {
      std::uint64_t coins = random();
      std::int64_t i = begin;
      for (; i + 8 <= std::min(items, begin + 64); i += 8, coins >>= 8) {
        std::copy_n(kEightCoins[coins & 0xFF].data(), 8, row + i);
      }
      for (; i < std::min(items, begin + 64); ++i, coins >>= 1) row[i] = static_cast<std::uint8_t>(coins & 1);
    }
  });
}

}  // namespace fstmetrics

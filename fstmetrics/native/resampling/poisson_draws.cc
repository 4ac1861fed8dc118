#include "resampling/poisson_draws.h"

#include <algorithm>
#include <array>

#include "support/crew.h"

namespace fstmetrics {
namespace {

// Words of a block of the generator.
constexpr std::int64_t kWords = 4;
// Items whose blocks are made in step, so that the compiler can use vectors.
constexpr std::int64_t kStreams = 16;

// How likely it is that the number is k or less, times 2^32 and cut.
constexpr std::array<std::uint32_t, 12> kAtMost = {0x5E2D58D8, 0xBC5AB1B1, 0xEB715E1D, 0xFB239797,
                                                   0xFF1025F5, 0xFFD90F3B, 0xFFFA8B71, 0xFFFF540C,
                                                   0xFFFFED1F, 0xFFFFFE21, 0xFFFFFFD4, 0xFFFFFFFC};

using Streams = std::array<std::uint32_t, kStreams>;

// The block of each of some items that follow each other.
std::array<Streams, kWords> blocks(std::uint64_t key, std::uint64_t first_item, std::uint64_t step,
                                   std::uint64_t row_group) {
  std::array<Streams, kWords> words;
  for (std::int64_t lane = 0; lane < kStreams; ++lane) {
    const std::uint64_t item = first_item + step * static_cast<std::uint64_t>(lane);
    words[0][lane] = static_cast<std::uint32_t>(item);
    words[1][lane] = static_cast<std::uint32_t>(item >> 32);
    words[2][lane] = static_cast<std::uint32_t>(row_group);
    words[3][lane] = static_cast<std::uint32_t>(row_group >> 32);
  }
  auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round, low += 0x9E3779B9, high += 0xBB67AE85) {
    for (std::int64_t lane = 0; lane < kStreams; ++lane) {
      const std::uint64_t one = std::uint64_t{0xD2511F53} * words[0][lane];
      const std::uint64_t two = std::uint64_t{0xCD9E8D57} * words[2][lane];
      words[0][lane] = static_cast<std::uint32_t>(two >> 32) ^ words[1][lane] ^ low;
      words[2][lane] = static_cast<std::uint32_t>(one >> 32) ^ words[3][lane] ^ high;
      words[1][lane] = static_cast<std::uint32_t>(two);
      words[3][lane] = static_cast<std::uint32_t>(one);
    }
  }
  return words;
}

void draw_group(std::uint64_t key, const Rows& rows, const Places& places, std::int64_t group, std::uint8_t* weights) {
  const std::int64_t begin = std::max(group * kWords, rows.first);
  const std::int64_t end = std::min((group + 1) * kWords, rows.first + rows.count);
  for (std::int64_t item = 0; item < rows.items; item += kStreams) {
    const auto words = blocks(key, static_cast<std::uint64_t>(places.first + item * places.step),
                              static_cast<std::uint64_t>(places.step), static_cast<std::uint64_t>(group));
    const std::int64_t count = std::min(kStreams, rows.items - item);
    for (std::int64_t row = begin; row < end; ++row) {
      std::array<std::uint8_t, kStreams> numbers;
      const Streams& random = words[row % kWords];
      for (std::int64_t lane = 0; lane < kStreams; ++lane) {
        std::uint32_t number = 0;
        for (const std::uint32_t bound : kAtMost) number += random[lane] >= bound;
        numbers[lane] = static_cast<std::uint8_t>(number);
      }
      std::copy_n(numbers.data(), count, weights + (row - rows.first) * rows.items + item);
    }
  }
}

}  // namespace

void draw_poisson(std::uint64_t key, const Rows& rows, const Places& places, int threads, std::uint8_t* weights) {
  if (!rows.count) return;
  const std::int64_t first = rows.first / kWords, last = (rows.first + rows.count - 1) / kWords;
  share_out(static_cast<std::size_t>(last - first + 1), threads, [&](std::size_t group) {
    draw_group(key, rows, places, first + static_cast<std::int64_t>(group), weights);
  });
}

}  // namespace fstmetrics

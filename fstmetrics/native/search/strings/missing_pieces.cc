#include "search/strings/missing_pieces.h"

#include <algorithm>
#include <bit>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::size_t kBitsOfWord = 64;

}  // namespace

WordRuns::WordRuns(std::span<const Label> words)
    : shift_(64 - std::bit_width(std::max<std::size_t>(kBitsOfWord * words.size(), 64) - 1)),
      bits_(std::size_t{1} << (64 - shift_ - 6)) {
  Polls poll;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    poll(20);
    const std::size_t end = std::min(words.size(), begin + kLongest);
    std::uint64_t key = 0;
    for (std::size_t at = begin; at < end; ++at) {
      key = longer(key, words[at]);
      const std::uint64_t place = place_of(key);
      bits_[place >> 6] |= std::uint64_t{1} << (place & 63);
    }
  }
}

bool WordRuns::may_have(std::span<const Label> run) const {
  std::uint64_t key = 0;
  for (const Label word : run) {
    if (word <= kEpsilon) return false;
    key = longer(key, word);
  }
  const std::uint64_t place = place_of(key);
  return (bits_[place >> 6] >> (place & 63)) & 1;
}

// Odd numbers with bits all over, as of hash_of() (text/words.h).
std::uint64_t WordRuns::longer(std::uint64_t key, Label word) {
  return (key + static_cast<std::uint32_t>(word)) * 0xD1342543DE82EF95ULL + 1;
}

std::uint64_t WordRuns::place_of(std::uint64_t key) const {
  return ((key ^ (key >> 32)) * 0x9E3779B97F4A7C15ULL) >> shift_;
}

// From the end, each piece as short as can be: then no other choice has more of them behind any place. What is longer
// than a run is looked for by its first words alone.
std::vector<std::int32_t> missing_pieces(std::span<const Label> words, const WordRuns& other) {
  std::vector<std::int32_t> behind(words.size() + 1, 0);
  Polls poll;
  std::size_t end = words.size();
  for (std::size_t begin = words.size(); begin-- > 0;) {
    poll(5);
    behind[begin] = behind[begin + 1];
    if (other.may_have(words.subspan(begin, std::min(end - begin, WordRuns::kLongest)))) continue;
    ++behind[begin];
    end = begin;
  }
  return behind;
}

}  // namespace fstmetrics

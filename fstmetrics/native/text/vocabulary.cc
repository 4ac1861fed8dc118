#include "text/vocabulary.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

namespace fstmetrics {
namespace {

constexpr std::size_t kFirstText = 1 << 10, kTextBlock = 1 << 16;
constexpr std::size_t kReadable = 8;  // bytes behind a text that may be read
constexpr std::size_t kFirstSlots = 256;

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device() | 1;
  }();
  return value;
}

}  // namespace

std::uint64_t seeded_hash(const Word& word) {
  static const std::uint64_t key = seed();
  const auto product = static_cast<unsigned __int128>(word.key ^ key) * (key | 1);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

Vocabulary::Vocabulary() : slots_(kFirstSlots, -1) {
  for (const std::string_view word : kEpsilonNames) intern(word);
  for (const std::string_view word : kSentenceMarkers) intern(word);
}

std::pair<std::size_t, std::size_t> Vocabulary::place_of(std::int32_t number) {
  const std::uint32_t at = static_cast<std::uint32_t>(number) + kFirst;
  const int high = std::bit_width(at) - 1;
  return {high - (std::bit_width(kFirst) - 1), at - (std::uint32_t{1} << high)};
}

std::int32_t Vocabulary::intern(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const Word asked = make_word(text);
  std::size_t slot = slot_of(asked);
  if (slots_[slot] >= 0) return slots_[slot];
  const std::int32_t number = size_.load(std::memory_order_relaxed);
  if (number == std::numeric_limits<std::int32_t>::max() - static_cast<std::int32_t>(kFirst)) {
    throw std::length_error("too many words");
  }
  const auto [chunk, at] = place_of(number);
  if (!chunks_[chunk]) {
    owned_.push_back(std::make_unique<Word[]>(std::size_t{kFirst} << chunk));
    chunks_[chunk].store(owned_.back().get(), std::memory_order_release);
  }
  chunks_[chunk].load(std::memory_order_relaxed)[at] = make_word(kept(text));
  slots_[slot] = number;
  size_.store(number + 1, std::memory_order_release);
  if (2 * static_cast<std::size_t>(number) > slots_.size()) grow();
  return number;
}

std::string_view Vocabulary::kept(std::string_view text) {
  if (text.size() + kReadable > left_) {
    left_ =
        std::max(std::min(kTextBlock, kFirstText << std::min<std::size_t>(texts_.size(), 16)), text.size() + kReadable);
    texts_.push_back(std::make_unique<char[]>(left_));
    free_ = texts_.back().get();
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view copy(free_, text.size());
  free_ += text.size();
  left_ -= text.size();
  return copy;
}

void Vocabulary::grow() {
  slots_.assign(2 * slots_.size(), -1);
  for (std::int32_t number = 0; number < size_.load(std::memory_order_relaxed); ++number) {
    slots_[slot_of(word(number))] = number;
  }
}

std::size_t Vocabulary::slot_of(const Word& asked) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = seeded_hash(asked) & mask;
  while (slots_[at] >= 0 && !(word(slots_[at]) == asked)) at = (at + 1) & mask;
  return at;
}

}  // namespace fstmetrics

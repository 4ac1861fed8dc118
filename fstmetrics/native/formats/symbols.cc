#include "formats/symbols.h"

#include <cstring>
#include <random>

namespace fstmetrics {
namespace {

constexpr std::size_t kFirstSymbolSlots = 64;

// Another hash in every process: no file can be written so that its words collide.
std::uint64_t seed() {
  static const std::uint64_t value = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
  }();
  return value;
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Number>
std::uint64_t read(const char* at) {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Fewer than eight bytes, without a loop.
std::uint64_t few(const char* at, std::size_t size) {
  if (size >= 4) return read<std::uint32_t>(at) | read<std::uint32_t>(at + size - 4) << 32;
  if (size == 0) return 0;
  return read<std::uint8_t>(at) | read<std::uint8_t>(at + size / 2) << 8 | read<std::uint8_t>(at + size - 1) << 16;
}

// Eight bytes at a time, each multiplied into all 64 bits: wyhash's step.
std::uint32_t hash_of(std::string_view word) {
  constexpr std::uint64_t kMultiplier = 0xA0761D6478BD642FULL;
  const std::uint64_t own = seed();
  std::uint64_t hash = own ^ word.size();
  std::size_t at = 0;
  for (; at + 8 <= word.size(); at += 8) hash = mixed(hash ^ read<std::uint64_t>(word.data() + at), kMultiplier ^ own);
  hash = mixed(hash ^ few(word.data() + at, word.size() - at), kMultiplier ^ own);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

std::int32_t Symbols::intern(std::string_view word) {
  if (2 * words_.size() >= slots_.size()) grow();
  const std::uint32_t hash = hash_of(word);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].index >= 0; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && words_[slots_[at].index] == word) return slots_[at].index;
  }
  slots_[at] = {hash, static_cast<std::int32_t>(words_.size())};
  words_.push_back(word);
  return slots_[at].index;
}

void Symbols::grow() {
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? kFirstSymbolSlots : 2 * old.size(), Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.index < 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].index >= 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace fstmetrics

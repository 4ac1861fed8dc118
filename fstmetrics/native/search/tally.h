// How many items have the same counts.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fstmetrics {

class Tally {
 public:
  // Cost, matches, substitutions, insertions, deletions, moves, words of the reference.
  static constexpr std::size_t kCounts = 7;
  using Counts = std::array<std::int64_t, kCounts>;

  // Adds an item; the number of its counts among rows().
  std::size_t add(const Counts& counts) {
    const auto [place, is_new] = places_.try_emplace(counts, rows_.size());
    if (is_new) {
      rows_.push_back(counts);
      times_.push_back(0);
    }
    ++times_[place->second];
    return place->second;
  }

  // Different counts in the order in which they came, and how often each did.
  const std::vector<Counts>& rows() const { return rows_; }
  const std::vector<std::int64_t>& times() const { return times_; }

 private:
  struct Hash {
    std::size_t operator()(const Counts& counts) const {
      std::uint64_t hash = 0;
      for (const std::int64_t count : counts) {
        hash = (hash ^ static_cast<std::uint64_t>(count)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };

  std::unordered_map<Counts, std::size_t, Hash> places_;
  std::vector<Counts> rows_;
  std::vector<std::int64_t> times_;
};

}  // namespace fstmetrics

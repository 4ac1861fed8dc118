// The words of a run: each once, with a number by which every batch knows it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "text/epsilon_names.h"
#include "text/words.h"

namespace fstmetrics {

// Numbers words from 0 as they come, and only grows: words stay where they are. Any number of threads may use one.
class Vocabulary {
 public:
  // No word at all has number 0; the other names of epsilon are next.
  static constexpr std::int32_t kNoWord = 0;
  static bool is_silent(std::int32_t number) { return number < static_cast<std::int32_t>(kEpsilonNames.size()); }

  // Sentence boundaries, which never count as words of a side, are the ones after those.
  static bool is_marker(std::int32_t number) {
    const auto first = static_cast<std::int32_t>(kEpsilonNames.size());
    return number >= first && number < first + static_cast<std::int32_t>(kSentenceMarkers.size());
  }

  Vocabulary();

  // The word's number; a new one for a new word. Throws std::length_error beyond 2^31 - 1 words.
  std::int32_t intern(std::string_view word);

  // A word by a number that the caller has from this vocabulary. Eight bytes behind its text may be read.
  const Word& word(std::int32_t number) const {
    const auto [chunk, at] = place_of(number);
    return chunks_[chunk].load(std::memory_order_acquire)[at];
  }
  std::int32_t size() const { return size_.load(std::memory_order_acquire); }

 private:
  // Chunk c has kFirst * 2^c words.
  static constexpr std::uint32_t kFirst = 64;
  static constexpr std::size_t kChunks = 26;
  static std::pair<std::size_t, std::size_t> place_of(std::int32_t number);

  std::string_view kept(std::string_view text);
  void grow();
  std::size_t slot_of(const Word& word) const;

  std::array<std::atomic<Word*>, kChunks> chunks_{};
  std::vector<std::unique_ptr<Word[]>> owned_;
  std::atomic<std::int32_t> size_{0};
  std::mutex mutex_;  // holds all below
  std::vector<std::unique_ptr<char[]>> texts_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
  std::vector<std::int32_t> slots_;  // -1: free
};

// A hash that is another one in every process: no file can be written so that its words collide.
std::uint64_t seeded_hash(const Word& word);

}  // namespace fstmetrics

// N-grams of references that outputs have, too, counted as BLEU clips them [Papineni et al. 2002].
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace fstmetrics {

// Numbers of words, as wide as the largest of them.
using WordNumbers =
    std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>, std::span<const std::uint32_t>>;

// The words of one side of a system's items.
struct SideWords {
  WordNumbers words;
  std::span<const std::int64_t> starts;  // where each item begins, and the end of the last
};

struct SystemWords {
  SideWords reference, hypothesis;
};

// Shorter n-grams come first, and those of one length by the numbers of their words.
struct CommonNgrams {
  std::vector<std::int32_t> prefixes;  // by n-gram, the one without its last word; -1: a word alone
  std::vector<std::int32_t> words;     // its last word
  std::vector<std::int32_t> counts;    // in how many places each system has it as often as the reference of the item
};

// Those whose first word has a number from `first` up to `end`, of at most so many words.
CommonNgrams common_ngrams(std::span<const SystemWords> systems, std::int32_t first, std::int32_t end,
                           std::int32_t max_order);

}  // namespace fstmetrics

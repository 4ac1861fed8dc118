// N-grams of references that outputs have, too, counted as BLEU clips them [Papineni et al. 2002].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// The alignments of a system's items, by operation: `=`, `S`, `I`, `D` and the words of both sides, which others lack.
struct AlignedWords {
  std::span<const std::uint8_t> letters;
  std::span<const std::int32_t> reference, hypothesis;
  std::span<const std::int64_t> starts;  // where each item begins, and the end of the last
};

// Shorter n-grams come first, and those of one length by the numbers of their words.
struct CommonNgrams {
  std::vector<std::int32_t> prefixes;  // by n-gram, the one without its last word; -1: a word alone
  std::vector<std::int32_t> words;     // its last word
  std::vector<std::int32_t> counts;    // in how many places each system has it as often as the reference of the item
};

// Those whose first word has a number from `first` up to `end`, of at most so many words.
CommonNgrams common_ngrams(std::span<const AlignedWords> systems, std::int32_t first, std::int32_t end,
                           std::int32_t max_order);

}  // namespace fstmetrics

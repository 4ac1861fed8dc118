// Of all cheapest alignments of two strings of words, the one whose substituted words are spelled most alike.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fstmetrics {

// How unlike two words are: the edits of their characters, divided by the characters of the longer one, in millionths,
// rounded down. Characters are code points; both words are UTF-8.
std::int64_t spelling_distance(std::string_view one, std::string_view other);

// The operations, a letter each: = match, S, I, D. Among the alignments with the least cost and, of those, the most
// matches, one with the least sum of spelling_distance over substitutions; of these, going backwards, a pair of words
// rather than a deletion, and that rather than an insertion.
// O(n m) time and cells, and the characters of each pair of words that is substituted in some best alignment.
// Throws SearchError where more than max_cells cells would be needed.
std::string similar_operations(std::span<const std::string_view> reference,
                               std::span<const std::string_view> hypothesis, std::int64_t substitution_cost,
                               std::int64_t gap_cost, std::int64_t max_cells);

}  // namespace fstmetrics

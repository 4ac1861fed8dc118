// Words of UTF-8 text, and a number for each by which they are told apart.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace fstmetrics {

// A word where it stands in a text that outlives it.
struct Word {
  // The bytes themselves of words of up to 7 bytes, with their number in the highest byte; of longer words a hash.
  // Keys of different words differ if one of them is short.
  std::uint64_t key;
  const char* begin;
  std::uint32_t size;

  Word() = default;
  Word(std::uint64_t key, const char* begin, std::uint32_t size) : key(key), begin(begin), size(size) {}

  bool is_short() const { return (key >> 56) < 8; }
  std::string_view view() const { return {begin, size}; }
  bool operator==(const Word& other) const {
    return key == other.key && (is_short() || (size == other.size && std::memcmp(begin, other.begin, size) == 0));
  }
};

// Spreads keys over the highest bits: multiplied by an odd number with bits all over [Knuth, TAOCP 3, 6.4].
inline std::uint64_t hash_of(const Word& word) { return word.key * 0x9E3779B97F4A7C15ULL; }

// `readable`: the end of the memory that may be read, which makes short words quick.
Word make_word(const char* begin, std::size_t size, const char* readable);
inline Word make_word(std::string_view word) { return make_word(word.data(), word.size(), word.data() + word.size()); }

// Sentence boundaries, which never count as words.
extern const std::vector<std::string_view> kSentenceMarkers;

// Stands for any word of the other side, free of cost, on arcs of references: round a loop, for any number of words. It
// holds white space, so no text has it.
inline constexpr std::string_view kWildcard = " <*> ";

// Appends the words between white space, as Python's str.split() finds them, but for sentence boundaries.
void split_words(std::string_view text, std::vector<Word>& words);

// Appends the characters of UTF-8, lone surrogates among them, as Python's list() finds them.
void split_characters(std::string_view text, std::vector<Word>& characters);

// Appends the characters of the words that split_words() finds, and a space between one word and the next.
void split_characters_of_words(std::string_view text, std::vector<Word>& characters);

// The same as numbers: code points, and one more so that none is 0. False, with any numbers, of what is no UTF-8.
bool number_characters(std::string_view text, std::vector<std::int32_t>& numbers);
bool number_characters_of_words(std::string_view text, std::vector<std::int32_t>& numbers);

// Whether split_characters() finds the bytes of a text; the same of split_characters_of_words(), which of some texts is
// not told, short ones among them.
bool are_bytes(std::string_view text);
bool are_bytes_of_words(std::string_view text);

// Whether there is white space in a text.
bool has_space(std::string_view text);

}  // namespace fstmetrics

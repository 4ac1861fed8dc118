// N-grams of characters and of words that two texts have in common, as chrF counts them [Popovic 2015, 2017].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fstmetrics {

struct CharacterNgrams {
  std::int32_t char_order;
  std::int32_t word_order;
  bool whitespace;  // whether white space is characters
};

// Texts as what is compared, one after the other: their characters, and numbers of their words, of which punctuation at
// one end is cut off.
class NgramTexts {
 public:
  std::size_t size() const { return character_ends_.size(); }
  std::span<const std::uint32_t> characters(std::size_t text) const {
    return between(characters_, character_ends_, text);
  }
  std::span<const std::uint32_t> words(std::size_t text) const { return between(words_, word_ends_, text); }

 private:
  friend class NgramReader;

  static std::span<const std::uint32_t> between(const std::vector<std::uint32_t>& all,
                                                const std::vector<std::size_t>& ends, std::size_t text) {
    const std::size_t begin = text == 0 ? 0 : ends[text - 1];
    return {all.data() + begin, ends[text] - begin};
  }

  std::vector<std::uint32_t> characters_, words_;
  std::vector<std::size_t> character_ends_, word_ends_;
};

// Reads texts; words of all its texts have their numbers in common.
class NgramReader {
 public:
  explicit NgramReader(CharacterNgrams asked) : asked_(asked) {}
  void read(std::u32string_view text, NgramTexts& texts);

 private:
  void read_words(std::u32string_view text, std::vector<std::uint32_t>& words);
  std::uint32_t number(std::u32string_view word);

  CharacterNgrams asked_;
  std::unordered_map<std::u32string, std::uint32_t> numbers_;
};

// Matches of one text with others, order by order.
//
// An n-gram of the text has the number of its first occurrence's place among those of its order, found from the number
// of its first n - 1 symbols and its last symbol: so numbers tell n-grams apart exactly, and each place costs one look
// into a hash table an order. A place of the other text whose n-gram the text lacks is not looked at in higher orders.
// With texts of m and r symbols and n orders: O(n (m + r)) time on average, O(n m) space.
class NgramMatches {
 public:
  // The text that others are compared with; it must outlive the object's use.
  void set(std::span<const std::uint32_t> text, std::int32_t orders);

  // For each order the n-grams of the text, of the other and of both, three numbers: an n-gram counts as often as both
  // have it. Where the other has none of an order, the text's do not count.
  void with(std::span<const std::uint32_t> other, std::int64_t* counts);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Order {
    std::vector<std::uint64_t> keys;     // of the table's places: the number of the first symbols, and the last symbol
    std::vector<std::uint32_t> numbers;  // kNone: an empty place
    std::vector<std::int32_t> counts;    // of the n-grams, how often the text has each
    std::uint64_t mask = 0;
  };

  static std::uint64_t place_of(std::uint64_t key, std::uint64_t mask) {
    return (key * 0x9E3779B97F4A7C15ULL) >> 32 & mask;
  }

  std::size_t size_ = 0;
  std::size_t orders_ = 0;
  std::vector<Order> by_order_;
  std::vector<std::uint32_t> numbers_;  // of the n-grams that begin at each place, scratch
  std::vector<std::int32_t> left_;      // of each n-gram, how many have no partner yet, scratch
};

}  // namespace fstmetrics

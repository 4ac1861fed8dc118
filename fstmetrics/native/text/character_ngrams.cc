#include "text/character_ngrams.h"

#include <algorithm>
#include <bit>
#include <string>

namespace fstmetrics {
namespace {

// Characters for which Python's str.isspace() is true.
bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

// Python's string.punctuation.
bool is_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

}  // namespace

std::uint32_t NgramReader::number(std::u32string_view word) {
  return numbers_.try_emplace(std::u32string(word), static_cast<std::uint32_t>(numbers_.size())).first->second;
}

void NgramReader::read(std::u32string_view text, NgramTexts& texts) {
  for (const char32_t c : text) {
    if (asked_.whitespace || !is_space(c)) texts.characters_.push_back(c);
  }
  texts.character_ends_.push_back(texts.characters_.size());
  if (asked_.word_order != 0) read_words(text, texts.words_);
  texts.word_ends_.push_back(texts.words_.size());
}

void NgramReader::read_words(std::u32string_view text, std::vector<std::uint32_t>& words) {
  for (auto at = text.begin(); (at = std::find_if_not(at, text.end(), is_space)) != text.end();) {
    const auto end = std::find_if(at, text.end(), is_space);
    const std::u32string_view word(at, end);
    at = end;
    // A word with punctuation at both ends loses that at its end only, as in chrF++.py.
    const std::size_t size = word.size();
    const std::size_t cut = size == 1                      ? 0
                            : is_punctuation(word.back())  ? size - 1
                            : is_punctuation(word.front()) ? 1
                                                           : 0;
    if (cut != 0) words.push_back(number(word.substr(0, cut)));
    words.push_back(number(word.substr(cut)));
  }
}

void NgramMatches::set(std::span<const std::uint32_t> text, std::int32_t orders) {
  size_ = text.size();
  orders_ = static_cast<std::size_t>(orders);
  if (by_order_.size() < orders_) by_order_.resize(orders_);
  numbers_.assign(size_, 0);
  for (std::size_t n = 1; n <= orders_ && n <= size_; ++n) {
    Order& order = by_order_[n - 1];
    const std::size_t places = size_ - n + 1;
    const std::size_t capacity = std::bit_ceil(2 * places);
    order.mask = capacity - 1;
    order.keys.resize(capacity);
    order.numbers.assign(capacity, kNone);
    order.counts.clear();
    for (std::size_t i = 0; i < places; ++i) {
      const std::uint64_t key = std::uint64_t{numbers_[i]} << 32 | text[i + n - 1];
      std::uint64_t at = place_of(key, order.mask);
      while (order.numbers[at] != kNone && order.keys[at] != key) at = (at + 1) & order.mask;
      if (order.numbers[at] == kNone) {
        order.keys[at] = key;
        order.numbers[at] = static_cast<std::uint32_t>(order.counts.size());
        order.counts.push_back(0);
      }
      numbers_[i] = order.numbers[at];
      ++order.counts[numbers_[i]];
    }
  }
}

void NgramMatches::with(std::span<const std::uint32_t> other, std::int64_t* counts) {
  numbers_.assign(other.size(), 0);
  for (std::size_t n = 1; n <= orders_; ++n, counts += 3) {
    const std::size_t ours = size_ >= n ? size_ - n + 1 : 0;
    const std::size_t theirs = other.size() >= n ? other.size() - n + 1 : 0;
    counts[0] = theirs != 0 ? static_cast<std::int64_t>(ours) : 0;
    counts[1] = static_cast<std::int64_t>(theirs);
    counts[2] = 0;
    if (ours == 0 || theirs == 0) continue;
    const Order& order = by_order_[n - 1];
    left_.assign(order.counts.begin(), order.counts.end());
    for (std::size_t i = 0; i < theirs; ++i) {
      if (numbers_[i] == kNone) continue;
      const std::uint64_t key = std::uint64_t{numbers_[i]} << 32 | other[i + n - 1];
      std::uint64_t at = place_of(key, order.mask);
      while (order.numbers[at] != kNone && order.keys[at] != key) at = (at + 1) & order.mask;
      numbers_[i] = order.numbers[at];
      if (numbers_[i] != kNone && left_[numbers_[i]] > 0) {
        --left_[numbers_[i]];
        ++counts[2];
      }
    }
  }
}

}  // namespace fstmetrics

// Words to labels: a hash table that is quick to fill, to ask and to empty.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "automata/automaton.h"
#include "text/words.h"

namespace fstmetrics {

// Numbers words from 1 as they come. The texts they stand in must outlive the table.
class WordTable {
 public:
  // Takes all words out, and makes room for at least `words` before it has to grow.
  void reset(std::size_t words) {
    resize(std::bit_ceil(std::max<std::size_t>(2 * words, 16)));
    words_.clear();
    words_.reserve(words);
  }

  // The word's label; a new one if it has none.
  Label intern(const Word& word) {
    Slot& slot = slot_of(word);
    if (slot.label != kEpsilon) return slot.label;
    words_.push_back(word);
    slot = {word.key, size()};
    if (2 * words_.size() > slots_.size()) grow();
    return size();
  }

  // The word's label, or kEpsilon if it has none.
  Label find(const Word& word) const { return const_cast<WordTable*>(this)->slot_of(word).label; }

  const Word& word(Label label) const { return words_[label - 1]; }
  Label size() const { return static_cast<Label>(words_.size()); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Label label = kEpsilon;
  };

  void grow() {
    resize(2 * slots_.size());
    for (std::size_t i = 0; i < words_.size(); ++i) slot_of(words_[i]) = {words_[i].key, static_cast<Label>(i + 1)};
  }

  void resize(std::size_t slots) {
    slots_.assign(slots, {});
    shift_ = 64 - std::countr_zero(slots);
  }

  // Where the word is, or the empty slot where it belongs.
  Slot& slot_of(const Word& word) {
    std::size_t at = hash_of(word) >> shift_;
    while (true) {
      Slot& slot = slots_[at];
      if (slot.label == kEpsilon || (slot.key == word.key && (word.is_short() || words_[slot.label - 1] == word))) {
        return slot;
      }
      at = (at + 1) & (slots_.size() - 1);
    }
  }

  std::vector<Slot> slots_;
  std::vector<Word> words_;
  int shift_ = 0;
};

}  // namespace fstmetrics

// What the labels of a file stand for: words as they are written, or integers, which a symbol table may name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/vocabulary.h"

namespace fstmetrics {

enum class LabelKind : std::uint8_t {
  kWords,    // as they stand; those of a symbol table, if there is one, of which number 0 is no word
  kNumbers,  // integers, whose digits are the words
  kTable,    // integers of a symbol table
};

// Instead of the number of a word: what is wrong with a label.
inline constexpr std::int32_t kMisfit = -1;     // it is of another kind than the first of the file
inline constexpr std::int32_t kNegative = -2;   // an integer below 0
inline constexpr std::int32_t kMissing = -3;    // an integer that the symbol table lacks
inline constexpr std::int32_t kNotNumber = -4;  // a word where all before are integers, and there is no table
inline constexpr std::int32_t kUnknown = -5;    // a word that the symbol table lacks
inline constexpr std::int32_t kDoubtful = -6;   // what may be a word, or no word; only a symbol table tells

// The labels of all files that are read in one way. Immutable once it is filled.
class Labels {
 public:
  Labels(std::shared_ptr<Vocabulary> vocabulary, LabelKind kind, bool has_table = false, std::string table = {})
      : vocabulary_(std::move(vocabulary)), kind_(kind), has_table_(has_table), table_(std::move(table)) {}

  // A line of the symbol table.
  void name(std::int64_t key, std::string_view word);

  LabelKind kind() const { return kind_; }
  bool has_table() const { return has_table_; }        // whether the caller gave a symbol table at all
  const std::string& table() const { return table_; }  // its name, for messages
  const std::shared_ptr<Vocabulary>& vocabulary() const { return vocabulary_; }

  // The number in the vocabulary of what a label stands for, or what is wrong with it.
  std::int32_t number_of(std::string_view text) const;
  std::int32_t number_of(std::int64_t key) const;
  // Of any key, also of 0 and below, its word's number; kMissing where the table has none.
  std::int32_t name_of(std::int64_t key) const;

 private:
  static constexpr std::int64_t kDense = 1 << 24;

  std::shared_ptr<Vocabulary> vocabulary_;
  LabelKind kind_;
  bool has_table_;
  std::string table_;
  std::int32_t word_of(std::string_view text) const;

  std::vector<std::uint8_t> is_named_;  // of words, by their numbers; empty where all are
  std::int32_t zero_ = Vocabulary::kNoWord;
  std::vector<std::int32_t> dense_;
  std::unordered_map<std::int64_t, std::int32_t> other_;
};

// A label of one lattice: the number of its word or what is wrong with it, and how it is written in the file.
struct LabelWord {
  std::int32_t number;
  std::string_view text;
};

// Numbers labels of one lattice after the other as they come. What a label stands for is looked up once for all
// lattices.
class Lexicon {
 public:
  explicit Lexicon(std::shared_ptr<const Labels> labels);
  Lexicon(const Lexicon&) = delete;
  Lexicon& operator=(const Lexicon&) = delete;

  const Labels& labels() const { return *labels_; }

  // A new lattice begins.
  void restart() {
    ++generation_;
    words_.clear();
  }
  // The label of a text in this lattice, from 0. `readable`: the end of the memory that may be read.
  std::int32_t label(std::string_view text, const char* readable) {
    const Word word = make_word(text.data(), text.size(), readable);
    std::size_t at = seeded_hash(word) & mask_;
    while (true) {
      Slot& slot = slots_[at];
      if (slot.text == nullptr) return new_label(word);
      if (slot.key == word.key && (word.is_short() || Word(slot.key, slot.text, slot.size) == word)) {
        if (slot.generation != generation_) [[unlikely]]
          take(slot);
        return slot.label;
      }
      at = (at + 1) & mask_;
    }
  }
  // The labels of this lattice in their order; texts stay as long as the lexicon.
  const std::vector<LabelWord>& words() const { return words_; }
  // Whether some label of this lattice is not written as an integer.
  bool has_words() const;

 private:
  struct Slot {
    std::uint64_t key = 0;
    const char* text = nullptr;
    std::uint32_t size = 0;
    std::uint32_t generation = 0;
    std::int32_t label = 0;
    std::int32_t number = 0;
  };

  void take(Slot& slot) {
    slot.generation = generation_;
    slot.label = static_cast<std::int32_t>(words_.size());
    words_.push_back({slot.number, {slot.text, slot.size}});
  }
  std::int32_t new_label(const Word& word);
  std::string_view kept(std::string_view text);
  void grow();

  std::shared_ptr<const Labels> labels_;
  std::vector<Slot> slots_;
  std::size_t mask_, used_ = 0;
  std::uint32_t generation_ = 1;
  std::vector<LabelWord> words_;
  std::vector<std::unique_ptr<char[]>> texts_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace fstmetrics

#include "formats/labels.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/numbers.h"

namespace fstmetrics {
namespace {

constexpr std::size_t kFirstLabelSlots = 256;
constexpr std::size_t kTextBlock = 1 << 14;

std::int64_t label_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::int64_t value = 0;
  for (const char digit : text.substr(negative)) value = 10 * value + (digit - '0');
  return negative ? -value : value;
}

// What may be a word or none where no symbol table says so: names of epsilon that are words, too, and Kaldi's
// disambiguation symbols, #0, #1, ...
bool is_doubtful(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kNames = {"\u03b5", "\u03f5", "eps", "EPS", "epsilon", "EPSILON"};
  return std::ranges::find(kNames, text) != kNames.end() ||
         (text.starts_with('#') && text.size() > 1 && is_digits(text.substr(1)));
}

}  // namespace

void Labels::name(std::int64_t key, std::string_view word) {
  const std::int32_t number = vocabulary_->intern(word);
  if (kind_ == LabelKind::kWords) {
    if (key == 0) zero_ = number;
    if (static_cast<std::size_t>(number) >= is_named_.size())
      is_named_.resize(2 * static_cast<std::size_t>(number) + 1);
    is_named_[number] = 1;
    return;
  }
  if (key < 0 || key >= kDense) {
    other_[key] = number;
    return;
  }
  if (static_cast<std::size_t>(key) >= dense_.size()) {
    dense_.resize(std::max<std::size_t>(2 * dense_.size(), key + 1), kMissing);
  }
  dense_[key] = number;
}

std::int32_t Labels::number_of(std::string_view text) const {
  const bool is_integer = is_label_number(text);
  if (kind_ == LabelKind::kWords) return has_table_ && is_integer ? kMisfit : word_of(text);
  if (!is_integer) return has_table_ ? kMisfit : kNotNumber;
  return number_of(label_number(text));
}

std::int32_t Labels::word_of(std::string_view text) const {
  if (is_named_.empty() && is_doubtful(text)) return kDoubtful;
  const std::int32_t number = vocabulary_->intern(text);
  if (is_named_.empty()) return number;
  if (number == zero_) return Vocabulary::kNoWord;
  return static_cast<std::size_t>(number) < is_named_.size() && is_named_[number] ? number : kUnknown;
}

std::int32_t Labels::number_of(std::int64_t key) const {
  if (key == 0) return Vocabulary::kNoWord;
  if (key < 0) return kNegative;
  if (kind_ == LabelKind::kNumbers) return vocabulary_->intern(std::to_string(key));
  return name_of(key);
}

std::int32_t Labels::name_of(std::int64_t key) const {
  if (key >= 0 && key < kDense) return static_cast<std::size_t>(key) < dense_.size() ? dense_[key] : kMissing;
  const auto found = other_.find(key);
  return found == other_.end() ? kMissing : found->second;
}

Lexicon::Lexicon(std::shared_ptr<const Labels> labels)
    : labels_(std::move(labels)), slots_(kFirstLabelSlots), mask_(kFirstLabelSlots - 1) {}

bool Lexicon::has_words() const {
  return !std::ranges::all_of(words_, [](const LabelWord& word) { return is_label_number(word.text); });
}

std::int32_t Lexicon::new_label(const Word& word) {
  if (2 * ++used_ > slots_.size()) grow();
  std::size_t at = seeded_hash(word) & mask_;
  while (slots_[at].text != nullptr) at = (at + 1) & mask_;
  Slot& slot = slots_[at];
  const std::int32_t number = labels_->number_of(word.view());
  slot = {word.key, kept(word.view()).data(), word.size, 0, 0, number};
  take(slot);
  return slot.label;
}

std::string_view Lexicon::kept(std::string_view text) {
  if (free_ == nullptr || text.size() > left_) {
    left_ = std::max(kTextBlock, text.size());
    texts_.push_back(std::make_unique<char[]>(left_));
    free_ = texts_.back().get();
  }
  std::copy(text.begin(), text.end(), free_);
  const std::string_view copy(free_, text.size());
  free_ += text.size();
  left_ -= text.size();
  return copy;
}

void Lexicon::grow() {
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(2 * old.size(), {});
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.text == nullptr) continue;
    std::size_t at = seeded_hash(Word(slot.key, slot.text, slot.size)) & mask_;
    while (slots_[at].text != nullptr) at = (at + 1) & mask_;
    slots_[at] = slot;
  }
}

}  // namespace fstmetrics

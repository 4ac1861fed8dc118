#include "search/strings/bit_string.h"

namespace fstmetrics {

void WordPositions::set(std::span<const Label> words, Label max_label) {
  for (const Label label : labels()) by_label_[label] = 0;
  size_ = 0;
  if (by_label_.size() <= static_cast<std::size_t>(max_label)) by_label_.resize(max_label + 1, 0);
  const int length = static_cast<int>(words.size());
  for (int i = 0; i < length; ++i) {
    if (words[i] <= kEpsilon) continue;
    if (by_label_[words[i]] == 0) labels_[size_++] = words[i];
    by_label_[words[i]] |= bit(i);
  }
  for (int i = 0; i < size_; ++i) positions_[i] = by_label_[labels_[i]];
  for (int offset = 0; offset < WindowShapes::kMaxShapeWindow; ++offset) {
    before_word_[offset] = offset < length ? bit(length - offset) - 1 : 0;
  }
}

}  // namespace fstmetrics

#include "text/compounds.h"

#include <algorithm>

#include "support/poll.h"

namespace fstmetrics {
namespace {

void fill(WordTable& table, std::span<const Word> words) {
  table.reset(words.size());
  for (const Word& word : words) table.intern(word);
}

}  // namespace

WordParter::WordParter(const WordTable& parts) : parts_(parts) {
  for (Label label = 1; label <= parts.size(); ++label) {
    const std::size_t size = parts.word(label).size;
    shortest_ = label == 1 ? size : std::min(shortest_, size);
    longest_ = std::max(longest_, size);
  }
}

// From the last byte to the first, so that only what leads to the end is kept.
void WordParter::find_ends(const Word& whole) {
  const std::size_t size = whole.size;
  if (pieces_.size() < size + 1) pieces_.resize(size + 1), fewest_.resize(size + 1);
  fewest_[size] = 0;
  for (std::size_t from = size; from-- > 0;) {
    pieces_[from].clear();
    fewest_[from] = kMostCompoundParts;
    poll(20);
    for (std::size_t end = from + shortest_; end <= std::min(size, from + longest_); ++end) {
      const bool is_whole = from == 0 && end == size;
      if (is_whole || fewest_[end] >= kMostCompoundParts) continue;
      poll(20);
      const Label label = parts_.find(make_word(whole.begin + from, end - from, whole.begin + size));
      if (label == kEpsilon) continue;
      pieces_[from].push_back({end, label});
      fewest_[from] = std::min(fewest_[from], fewest_[end] + 1);
    }
  }
}

bool WordParter::can_part(const Word& whole) {
  if (parts_.size() == 0 || whole.size < 2 * shortest_ || whole.size > kMostCompoundBytes) return false;
  find_ends(whole);
  return !pieces_[0].empty();
}

bool WordParter::for_each_way(const Word& whole, const std::function<bool(std::span<const Label>)>& visit) {
  if (!can_part(whole)) return true;
  way_.clear();
  return go_on(whole, 0, visit);
}

bool WordParter::go_on(const Word& whole, std::size_t from, const std::function<bool(std::span<const Label>)>& visit) {
  if (from == whole.size) return visit(way_);
  for (const Piece& piece : pieces_[from]) {
    if (std::ssize(way_) + 1 + fewest_[piece.end] > kMostCompoundParts) continue;
    poll(20);
    way_.push_back(piece.label);
    const bool wanted = go_on(whole, piece.end, visit);
    way_.pop_back();
    if (!wanted) return false;
  }
  return true;
}

bool CompoundTest::operator()(std::span<const Word> hypothesis, std::span<const Word> reference) {
  fill(words_, hypothesis);
  if (joins(hypothesis, reference)) return true;
  WordParter parter(words_);
  return std::ranges::any_of(reference, [&](const Word& word) { return parter.can_part(word); });
}

// Asks the table, which has the words of the hypothesis.
bool CompoundTest::joins(std::span<const Word> hypothesis, std::span<const Word> reference) {
  std::size_t longest = 0;
  for (const Word& word : hypothesis) {
    if (word.size <= kMostCompoundBytes) longest = std::max<std::size_t>(longest, word.size);
  }
  for (std::size_t first = 0; first + 1 < reference.size(); ++first) {
    joined_.assign(reference[first].view());
    const std::size_t end = std::min(reference.size(), first + kMostCompoundParts);
    for (std::size_t next = first + 1; next < end; ++next) {
      joined_.append(reference[next].view());
      poll(50);
      if (joined_.size() > longest) break;
      if (words_.find(make_word(joined_)) != kEpsilon) return true;
    }
  }
  return false;
}

}  // namespace fstmetrics

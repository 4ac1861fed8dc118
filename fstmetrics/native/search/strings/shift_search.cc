#include "search/strings/shift_search.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// Tercom's limits.
constexpr std::size_t kMostWordsMoved = 10;
constexpr std::int64_t kFarthest = 50;
// sacrebleu's.
constexpr std::size_t kMostTries = 1000;
// Rows of bits are kept of all words, 32 bytes for 64 words of the reference each: beyond so many of those the beam is
// quicker.
constexpr std::size_t kMostBlocksOfRows = std::size_t{1} << 21;
// One less than what would do: the diagonal is rounded down.
constexpr int kSurelyInside = BeamDistance::kBeam - 2;

bool has(const std::uint64_t* bits, std::size_t i) { return bits[i / 64] >> (i % 64) & 1; }

}  // namespace

bool ShiftSearch::Try::better_than(const Try& other) const {
  if (gain != other.gain) return gain > other.gain;
  if (length != other.length) return length > other.length;
  if (start != other.start) return start < other.start;
  return target < other.target;
}

std::int64_t ShiftSearch::run(Words hypothesis, Words reference) {
  lay_out(reference);
  words_.assign(hypothesis.begin(), hypothesis.end());
  order_.resize(words_.size());
  std::iota(order_.begin(), order_.end(), 0);
  shifts_.clear();
  tries_ = 0;
  by_bits_ = blocks_ * words_.size() <= kMostBlocksOfRows;
  while (true) {
    load();
    if (reference.empty()) return static_cast<std::int64_t>(words_.size());
    align();
    Try best{};
    if (!find_shift(best)) break;
    const auto [begin, middle, end] = rotation_of(best);
    std::rotate(words_.begin() + begin, words_.begin() + middle, words_.begin() + end);
    std::rotate(order_.begin() + begin, order_.begin() + middle, order_.begin() + end);
    const std::size_t to = best.target < best.start ? begin : end - best.length;
    shifts_.push_back(
        {static_cast<std::int64_t>(best.start), static_cast<std::int64_t>(best.length), static_cast<std::int64_t>(to)});
  }
  return static_cast<std::int64_t>(shifts_.size()) + distance_;
}

void ShiftSearch::lay_out(Words reference) {
  for (const std::int32_t word : reference_) slots_[word] = -1;
  reference_ = reference;
  slots_used_ = 0;
  blocks_ = (reference.size() + 63) / 64;
  masks_.assign(blocks_, 0);  // of words that the reference lacks
  for (std::size_t i = 0; i < reference.size(); ++i) {
    std::int32_t& slot = slots_[reference[i]];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(slots_used_++);
      masks_.resize((slots_used_ + 1) * blocks_, 0);
      if (places_.size() < slots_used_) places_.emplace_back();
      places_[slot].clear();
    }
    masks_[(slot + 1) * blocks_ + i / 64] |= std::uint64_t{1} << (i % 64);
    places_[slot].push_back(static_cast<std::int32_t>(i));
  }
}

const std::uint64_t* ShiftSearch::masks_of(std::int32_t word) const {
  return masks_.data() + static_cast<std::size_t>(slots_[word] + 1) * blocks_;
}

// A row further [Hyyrö 2003, fig. 8, in blocks]. `downs` and `ups`, if given, receive where the cost is more and less
// than in the row before. Returns by how much it is at the end.
int ShiftSearch::advance(const std::uint64_t* masks, std::uint64_t* rises, std::uint64_t* falls, std::uint64_t* downs,
                         std::uint64_t* ups) const {
  const std::size_t last = (reference_.size() - 1) % 64;
  std::uint64_t down_in = 1, up_in = 0;
  int change = 0;
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::uint64_t rise = rises[block], fall = falls[block];
    const std::uint64_t equal = masks[block] | up_in;
    const std::uint64_t diagonal = (((equal & rise) + rise) ^ rise) | equal;
    const std::uint64_t down = fall | ~(diagonal | rise), up = diagonal & rise;
    if (downs) downs[block] = down, ups[block] = up;
    if (block + 1 == blocks_) change = static_cast<int>(down >> last & 1) - static_cast<int>(up >> last & 1);
    const std::uint64_t down_before = down << 1 | down_in, up_before = up << 1 | up_in;
    down_in = down >> 63, up_in = up >> 63;
    const std::uint64_t vertical = masks[block] | fall;
    rises[block] = up_before | ~(vertical | down_before);
    falls[block] = down_before & vertical;
  }
  // Beyond the end there is nothing, so that equal rows have equal bits.
  const std::uint64_t within = ~std::uint64_t{0} >> (63 - last);
  rises[blocks_ - 1] &= within, falls[blocks_ - 1] &= within;
  return change;
}

// Rows and distance of the hypothesis as it is.
void ShiftSearch::load() {
  beam_loaded_ = false;
  if (reference_.empty()) {
    distance_ = static_cast<int>(words_.size());
    steps_.assign(words_.size(), PairStep::kInsertion);
    return;
  }
  if (!by_bits_) {
    beam_loaded_ = true;
    distance_ = beam_.load(words_, reference_);
    beam_.trace(steps_);
    return;
  }
  const std::size_t rows = words_.size() + 1;
  rises_.resize(rows * blocks_), falls_.resize(rows * blocks_), downs_.resize(rows * blocks_),
      ups_.resize(rows * blocks_);
  ends_.resize(rows);
  std::fill_n(rises_.begin(), blocks_, ~std::uint64_t{0});
  std::fill_n(falls_.begin(), blocks_, 0);
  ends_[0] = static_cast<int>(reference_.size());
  for (std::size_t i = 1; i < rows; ++i) {
    std::uint64_t *rises = &rises_[i * blocks_], *falls = &falls_[i * blocks_];
    std::copy_n(rises - blocks_, blocks_, rises);
    std::copy_n(falls - blocks_, blocks_, falls);
    ends_[i] = ends_[i - 1] + advance(masks_of(words_[i - 1]), rises, falls, &downs_[i * blocks_], &ups_[i * blocks_]);
    poll(static_cast<std::int64_t>(6 * blocks_));
  }
  distance_ = ends_.back();
  if (beam_is_whole(distance_)) return trace();
  beam_loaded_ = true;
  distance_ = beam_.load(words_, reference_);
  beam_.trace(steps_);
}

// Whether all best paths of this distance are inside the beam.
bool ShiftSearch::beam_is_whole(int distance) const {
  const auto lengths =
      std::abs(static_cast<std::int64_t>(words_.size()) - static_cast<std::int64_t>(reference_.size()));
  return reference_.size() < BeamDistance::kBeam || distance + lengths <= 2 * kSurelyInside;
}

// Back through the rows: a pair wherever it is on a best path, else a word of the hypothesis, else one of the
// reference.
void ShiftSearch::trace() {
  steps_.clear();
  std::size_t i = words_.size(), j = reference_.size();
  while (i > 0 || j > 0) {
    PairStep step = PairStep::kDeletion;
    if (j == 0) {
      step = PairStep::kInsertion;
    } else if (i > 0) {
      if (words_[i - 1] == reference_[j - 1]) {
        step = PairStep::kMatch;
      } else if (!has(&falls_[(i - 1) * blocks_], j - 1) && (j == 1 || !has(&ups_[i * blocks_], j - 2))) {
        step = PairStep::kSubstitution;
      } else if (has(&downs_[i * blocks_], j - 1)) {
        step = PairStep::kInsertion;
      }
    }
    steps_.push_back(step);
    if (step != PairStep::kDeletion) --i;
    if (step != PairStep::kInsertion) --j;
  }
  std::reverse(steps_.begin(), steps_.end());
}

// Where the alignment has each word of the reference, and which words of both have errors.
void ShiftSearch::align() {
  aligned_.clear();
  reference_errors_.assign(1, 0), hypothesis_errors_.assign(1, 0);
  std::int64_t at = -1;
  for (const PairStep step : steps_) {
    const int error = step == PairStep::kMatch ? 0 : 1;
    if (step != PairStep::kDeletion) {
      ++at;
      hypothesis_errors_.push_back(hypothesis_errors_.back() + error);
    }
    if (step != PairStep::kInsertion) {
      aligned_.push_back(at);
      reference_errors_.push_back(reference_errors_.back() + error);
    }
  }
}

// The best of all moves; false if none saves an edit, or there were too many tries.
bool ShiftSearch::find_shift(Try& best) {
  best.gain = 0;  // a move that saves nothing is as good as none
  const std::size_t words = words_.size(), most = reference_.size();
  for (std::size_t start = 0; start < words; ++start) {
    const std::int32_t slot = slots_[words_[start]];
    if (slot < 0) continue;
    for (const std::int32_t place : places_[slot]) {
      const std::int64_t away = place - static_cast<std::int64_t>(start);
      if (away < -kFarthest) continue;
      if (away > kFarthest) break;
      const auto begin = static_cast<std::size_t>(place);
      const std::size_t longest = std::min({kMostWordsMoved, words - start, most - begin});
      for (std::size_t length = 1; length <= longest && words_[start + length - 1] == reference_[begin + length - 1];
           ++length) {
        if (hypothesis_errors_[start + length] == hypothesis_errors_[start]) continue;
        if (reference_errors_[begin + length] == reference_errors_[begin]) continue;
        const std::int64_t now = aligned_[begin] - static_cast<std::int64_t>(start);
        if (now >= 0 && now < static_cast<std::int64_t>(length)) continue;
        try_targets(start, begin, length, best);
        if (tries_ >= kMostTries) return false;
      }
    }
    poll(10 + 5 * static_cast<std::int64_t>(places_[slot].size()));
  }
  return best.gain > 0;
}

// After each place that the alignment gives the words of the reference, and after the one before them.
void ShiftSearch::try_targets(std::size_t start, std::size_t place, std::size_t length, Try& best) {
  std::int64_t before = -1;
  for (std::size_t i = 0; i <= length; ++i) {
    const std::int64_t target = place + i == 0 ? 0 : aligned_[place + i - 1] + 1;
    if (target == before) continue;
    before = target;
    Try move{0, length, start, static_cast<std::size_t>(target)};
    move.gain = distance_ - distance(rotation_of(move));
    ++tries_;
    if (move.gain > 0 && (best.gain == 0 || move.better_than(best))) best = move;
  }
}

ShiftSearch::Rotation ShiftSearch::rotation_of(const Try& move) const {
  const auto [gain, length, start, target] = move;
  if (target < start) return {target, start, start + length};
  if (target > start + length) return {start, start + length, target};
  return {start, start + length,
          std::min(words_.size(), target + length)};  // as far to the right as it lies within itself
}

int ShiftSearch::distance(const Rotation& rotation) {
  const auto [begin, middle, end] = rotation;
  if (by_bits_) {
    const int found = distance_by_bits(rotation);
    if (beam_is_whole(found)) return found;
  }
  if (!beam_loaded_) beam_.load(words_, reference_), beam_loaded_ = true;
  return beam_.of_rotation(begin, middle, end);
}

int ShiftSearch::distance_by_bits(const Rotation& rotation) {
  const auto [begin, middle, end] = rotation;
  try_rises_.assign(&rises_[begin * blocks_], &rises_[begin * blocks_] + blocks_);
  try_falls_.assign(&falls_[begin * blocks_], &falls_[begin * blocks_] + blocks_);
  std::uint64_t *const rises = try_rises_.data(), *const falls = try_falls_.data();
  int cost = ends_[begin];
  const auto read = [&](std::size_t from, std::size_t to) {
    for (; from < to; ++from) cost += advance(masks_of(words_[from]), rises, falls, nullptr, nullptr);
  };
  read(middle, end), read(begin, middle);
  std::size_t i = end;
  for (; i < words_.size(); ++i) {
    // The rows of the hypothesis without the move from here on, too.
    if (cost == ends_[i] && std::equal(rises, rises + blocks_, &rises_[i * blocks_]) &&
        std::equal(falls, falls + blocks_, &falls_[i * blocks_])) {
      cost = ends_.back();
      break;
    }
    read(i, i + 1);
  }
  poll(static_cast<std::int64_t>(6 * blocks_ * (i - begin) + 20));
  return cost;
}

}  // namespace fstmetrics

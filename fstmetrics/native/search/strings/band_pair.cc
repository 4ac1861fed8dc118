#include "search/strings/band_pair.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "search/strings/alike_ends.h"
#include "support/poll.h"
#include "support/simd.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fstmetrics {
namespace {

constexpr std::int64_t kMachineWord = 64;
constexpr std::int64_t kMostWords = 100'000;
constexpr unsigned char kNoByte = 255, kNoRow = 254;

// The bits of a column, diagonal by diagonal.
template <int kWords>
struct Diagonals {
  std::uint64_t words[kWords] = {};

  static constexpr std::size_t word_of(std::int64_t bit) {
    return kWords == 1 ? 0 : static_cast<std::size_t>(bit / kMachineWord);
  }
  static constexpr std::uint64_t mark(std::int64_t bit) { return std::uint64_t{1} << (bit % kMachineWord); }
  bool has(std::int64_t bit) const { return words[word_of(bit)] & mark(bit); }
  void add(std::int64_t bit) { words[word_of(bit)] |= mark(bit); }
  void remove(std::int64_t bit) { words[word_of(bit)] &= ~mark(bit); }
};

// Which of 64 bytes are this one.
FSTMETRICS_INLINE std::uint64_t equal_bytes(const unsigned char* bytes, unsigned char byte) {
  std::uint64_t found = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(byte));
  for (int part = 0; part < 4; ++part) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + part);
    found |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted))) << (16 * part);
  }
#else
  constexpr std::uint64_t kEach = 0x0101010101010101ULL, kLow = 0x7F * kEach;
  for (int part = 0; part < 8; ++part) {
    std::uint64_t some;
    std::memcpy(&some, bytes + 8 * part, sizeof some);
    if constexpr (std::endian::native == std::endian::big) some = __builtin_bswap64(some);
    some ^= kEach * byte;
    const std::uint64_t equal = ~(((some & kLow) + kLow) | some | kLow);  // the highest bits of bytes that are 0 now
    found |= (((equal >> 7) * 0x0102040810204080ULL) >> 56) << (8 * part);
  }
#endif
  return found;
}

}  // namespace

std::optional<BandPair::Best> BandPair::run(Bytes hypothesis, Bytes reference) {
  const AlikeEnds alike(hypothesis, reference);
  std::optional<Best> best = run_middle(alike.middle(hypothesis), alike.middle(reference));
  if (best) best->matches += static_cast<std::int64_t>(alike.begin + alike.end);
  return best;
}

std::optional<BandPair::Best> BandPair::run(Labels hypothesis, Labels reference) {
  const AlikeEnds alike(hypothesis, reference);
  const Labels down = alike.middle(hypothesis), across = alike.middle(reference);
  // A byte for each label that is down; one of no row for the others.
  Label last = 0;
  for (const Label label : down) last = std::max(last, label);
  for (const Label label : across) last = std::max(last, label);
  if (narrow_.size() <= static_cast<std::size_t>(last)) narrow_.resize(static_cast<std::size_t>(last) + 1, kNoRow);
  down_.resize(down.size()), across_.resize(across.size());
  unsigned char* const bytes = narrow_.data();
  unsigned char next = 0;
  for (std::size_t i = 0; i < down.size(); ++i) {
    unsigned char& byte = bytes[down[i]];
    if (byte == kNoRow && next != kNoRow) byte = next++;
    down_[i] = byte;
  }
  for (std::size_t i = 0; i < across.size(); ++i) across_[i] = bytes[across[i]];
  for (const Label label : down) bytes[label] = kNoRow;
  if (next == kNoRow) return std::nullopt;
  std::optional<Best> best = run_middle(down_, across_);
  if (best) best->matches += static_cast<std::int64_t>(alike.begin + alike.end);
  return best;
}

std::optional<BandPair::Best> BandPair::run_middle(Bytes down, Bytes across) {
  if (down.size() < across.size()) std::swap(down, across);
  columns_ = std::ssize(across), longer_ = std::ssize(down) - columns_;
  uneven_ = 0, reached_ = 1;
  if (const auto best = run_band<1>(down, across)) return best;
  // Edits are taken to go on as they began.
  const std::int64_t expected = uneven_ * columns_ / reached_;
  if (const auto best = expected <= 4 * kMachineWord ? run_band<4>(down, across) : std::nullopt) return best;
  return run_band<16>(down, across);
}

template <int kWords>
std::optional<BandPair::Best> BandPair::run_band(Bytes down, Bytes across) {
  constexpr std::int64_t kWidth = kWords * kMachineWord;
  if (longer_ + 2 >= kWidth || columns_ > kMostWords / kWords) return std::nullopt;
  if (kWords > 1 && std::ssize(down) <= kWidth) return std::nullopt;  // the whole table is no larger
  above_ = (kWidth - 1 - longer_) / 2;
  if (!fill<kWords>(down, across)) return std::nullopt;
  // Edits beyond the difference in length are substitutions, or pairs of an insertion and a deletion.
  const std::int64_t substitutions = uneven_ <= 1 ? uneven_ : fewest_substitutions<kWords>();
  return Best{longer_ + uneven_, columns_ - substitutions - (uneven_ - substitutions) / 2, kWords * columns_};
}

// False where a best path may leave the band. Bit i of a column is the row column + i - above_; rows before the first,
// and after the last, have no word. Names as in [Hyyrö 2003].
template <int kWords>
bool BandPair::fill(Bytes down, Bytes across) {
  const std::int64_t most = 2 * above_ - 1;  // a path with more may go beside all of these diagonals
  poll(5 * kWords * columns_);
  rows_.assign(down.size() + (kWords + 1) * kMachineWord, kNoByte);
  std::ranges::copy(down, rows_.begin() + above_);
  if (ways_.size() < kWords * across.size()) ways_.resize(kWords * across.size());
  Ways* ways = ways_.data();
  const std::int64_t goal = above_ + longer_;
  std::uint64_t vp[kWords], vn[kWords] = {};
  for (std::int64_t word = 0; word < kWords; ++word) {
    const std::int64_t before = std::clamp<std::int64_t>(above_ - word * kMachineWord, 0, kMachineWord);
    vp[word] = before == kMachineWord ? 0 : ~std::uint64_t{0} << before;
  }
  std::int64_t uneven = 0;
  for (std::int64_t column = 0; column < columns_ && uneven <= most; ++column, ways += kWords) {
    const unsigned char* const rows = rows_.data() + column;
    Diagonals<kWords> d0;
    bool carry = false;
    for (int word = 0; word < kWords; ++word) {
      const std::uint64_t same = equal_bytes(rows + word * kMachineWord, across[static_cast<std::size_t>(column)]);
      std::uint64_t sum;
      bool more = __builtin_add_overflow(same & vp[word], vp[word], &sum);
      if constexpr (kWords > 1) more |= __builtin_add_overflow(sum, std::uint64_t{carry}, &sum);
      carry = more;
      d0.words[word] = (sum ^ vp[word]) | same | vn[word];
      ways[word].same = same;
    }
    for (int word = 0; word < kWords; ++word) {
      const std::uint64_t here = d0.words[word];
      const std::uint64_t below = word + 1 < kWords ? here >> 1 | d0.words[word + 1] << 63 : here >> 1;
      const std::uint64_t hp = vn[word] | ~(here | vp[word]), hn = here & vp[word];
      vp[word] = hn | ~(below | hp);
      vn[word] = below & hp;
      ways[word].unchanged = here, ways[word].across = hp, ways[word].down = vp[word];
    }
    uneven += !d0.has(goal);
  }
  uneven_ = uneven, reached_ = (ways - ways_.data()) / kWords;
  return uneven <= most;
}

// From the end to the beginning, over the cells from which the end can be reached with as many edits as are left.
template <int kWords>
std::int64_t BandPair::fewest_substitutions() const {
  std::int32_t fewest[kWords * kMachineWord];  // by bit, from here to the end
  std::int32_t found = static_cast<std::int32_t>(columns_);
  Diagonals<kWords> live;
  live.add(above_ + longer_);
  fewest[above_ + longer_] = 0;
  const auto offer = [&](Diagonals<kWords>& cells, std::int64_t bit, std::int32_t substitutions) {
    if (cells.has(bit) && fewest[bit] <= substitutions) return;
    cells.add(bit);
    fewest[bit] = substitutions;
  };
  Polls poll;
  for (std::int64_t column = columns_; column > 0; --column) {
    const Ways* const ways = ways_.data() + kWords * (column - 1);
    Diagonals<kWords> before, todo;
    std::uint64_t any = 0;
    for (int word = 0; word < kWords; ++word) any |= todo.words[word] = live.words[word] & ~ways[word].same;
    if (any == 0) continue;  // no other step leads to fewer substitutions
    poll(20);
    for (int word = 0; word < kWords; ++word) before.words[word] = live.words[word] & ways[word].same;
    if (column <= above_ && todo.has(above_ - column)) {  // before the first row, words across alone are left
      found = std::min(found, fewest[above_ - column]);
      todo.remove(above_ - column);
    }
    for (int word = kWords - 1; word >= 0; --word) {
      while (todo.words[word] != 0) {
        const std::int64_t bit = word * kMachineWord + 63 - std::countl_zero(todo.words[word]);
        const std::int32_t substitutions = fewest[bit];
        todo.remove(bit);
        const std::uint64_t mark = Diagonals<kWords>::mark(bit);
        if (ways[word].across & mark) offer(before, bit + 1, substitutions);
        if (!(ways[word].unchanged & mark)) offer(before, bit, substitutions + 1);
        const Ways& above = ways[Diagonals<kWords>::word_of(bit - 1)];
        const std::uint64_t mark_above = Diagonals<kWords>::mark(bit - 1);
        if (above.down & mark_above) offer(above.same & mark_above ? before : todo, bit - 1, substitutions);
      }
    }
    live = before;
  }
  for (int word = 0; word < kWords; ++word) {
    for (std::uint64_t left = live.words[word]; left != 0; left &= left - 1)
      found = std::min(found, fewest[word * kMachineWord + std::countr_zero(left)]);
  }
  return found;
}

}  // namespace fstmetrics

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

constexpr std::int64_t kDiagonals = 64;
constexpr std::int64_t kMaxColumns = 100'000;  // 32 bytes each
constexpr unsigned char kNoByte = 255, kNoRow = 254;

constexpr std::uint64_t diagonal(std::int64_t bit) { return std::uint64_t{1} << bit; }

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
  // 1. A byte for each label that is down; one of no row for the others.
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
  // 2. These.
  std::optional<Best> best = run_middle(down_, across_);
  if (best) best->matches += static_cast<std::int64_t>(alike.begin + alike.end);
  return best;
}

std::optional<BandPair::Best> BandPair::run_middle(Bytes down, Bytes across) {
  if (down.size() < across.size()) std::swap(down, across);
  columns_ = std::ssize(across), longer_ = std::ssize(down) - columns_;
  if (longer_ + 2 >= kDiagonals || columns_ > kMaxColumns) return std::nullopt;
  above_ = (kDiagonals - 1 - longer_) / 2;
  if (!fill(down, across)) return std::nullopt;
  // Edits beyond the difference in length are substitutions, or pairs of an insertion and a deletion.
  const std::int64_t substitutions = uneven_ <= 1 ? uneven_ : fewest_substitutions();
  return Best{longer_ + uneven_, columns_ - substitutions - (uneven_ - substitutions) / 2, columns_};
}

// False where a best path may leave the band. Bit i of a column is the row column + i - above_; rows before the first,
// and after the last, have no word. Names as in [Hyyrö 2003].
bool BandPair::fill(Bytes down, Bytes across) {
  const std::int64_t most = 2 * above_ - 1;  // a path with more may go beside all of these diagonals
  poll(5 * columns_);
  rows_.assign(down.size() + 2 * kDiagonals, kNoByte);
  std::ranges::copy(down, rows_.begin() + above_);
  if (ways_.size() < across.size()) ways_.resize(across.size());
  std::uint64_t vp = ~std::uint64_t{0} << above_, vn = 0;
  std::int64_t uneven = 0;
  const std::int64_t goal = above_ + longer_;
  for (std::int64_t column = 0; column < columns_ && uneven <= most; ++column) {
    const std::uint64_t same = equal_bytes(rows_.data() + column, across[static_cast<std::size_t>(column)]);
    const std::uint64_t d0 = (((same & vp) + vp) ^ vp) | same | vn;
    const std::uint64_t hp = vn | ~(d0 | vp), hn = d0 & vp;
    vp = hn | ~((d0 >> 1) | hp);
    vn = (d0 >> 1) & hp;
    uneven += !((d0 >> goal) & 1);
    ways_[static_cast<std::size_t>(column)] = {same, d0, hp, vp};
  }
  uneven_ = uneven;
  return uneven <= most;
}

// From the end to the beginning, over the cells from which the end can be reached with as many edits as are left.
std::int64_t BandPair::fewest_substitutions() const {
  std::int32_t fewest[kDiagonals];  // by bit, from here to the end
  std::int32_t found = static_cast<std::int32_t>(columns_);
  std::uint64_t live = diagonal(above_ + longer_);
  fewest[above_ + longer_] = 0;
  for (std::int64_t column = columns_; column > 0; --column) {
    const Ways& ways = ways_[static_cast<std::size_t>(column - 1)];
    if ((live & ~ways.same) == 0) continue;  // no other step leads to fewer substitutions
    if (column <= above_) {                  // from before the first row, words across alone are left
      const std::uint64_t first = diagonal(above_ - column);
      if (live & first) found = std::min(found, fewest[above_ - column]);
      live &= ~first;
    }
    std::uint64_t before = live & ways.same, todo = live & ~ways.same;
    const auto offer = [&](std::uint64_t& cells, int bit, std::int32_t substitutions) {
      if ((cells & diagonal(bit)) && fewest[bit] <= substitutions) return;
      cells |= diagonal(bit);
      fewest[bit] = substitutions;
    };
    while (todo != 0) {
      const int bit = 63 - std::countl_zero(todo);
      const std::int32_t substitutions = fewest[bit];
      todo ^= diagonal(bit);
      if (ways.across & diagonal(bit)) offer(before, bit + 1, substitutions);
      if (!(ways.unchanged & diagonal(bit))) offer(before, bit, substitutions + 1);
      if (ways.down & diagonal(bit - 1)) offer(ways.same & diagonal(bit - 1) ? before : todo, bit - 1, substitutions);
    }
    live = before;
  }
  for (; live != 0; live &= live - 1) found = std::min(found, fewest[std::countr_zero(live)]);
  return found;
}

}  // namespace fstmetrics

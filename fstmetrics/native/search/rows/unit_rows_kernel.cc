#include "search/rows/unit_rows_kernel.h"

#include "support/poll.h"
#include "support/simd.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace fstmetrics {
namespace plain {

// Sixteen bytes: every architecture has vectors of that size.
template <class Cell>
struct PieceOf;
template <>
struct PieceOf<std::uint8_t> {
  typedef std::uint8_t Type [[gnu::vector_size(16)]];
};
template <>
struct PieceOf<std::uint16_t> {
  typedef std::uint16_t Type [[gnu::vector_size(16)]];
};
typedef std::uint64_t Halves [[gnu::vector_size(16)]];

// Bit i from cell i, whose bits are all set or all clear.
FSTMETRICS_INLINE std::uint64_t packed(PieceOf<std::uint8_t>::Type cells) {
#ifdef __SSE2__
  return static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(cells)));
#else
  const Halves halves = reinterpret_cast<Halves>(cells) & 0x0101010101010101ULL;
  return (halves[0] * 0x0102040810204080ULL >> 56) | (halves[1] * 0x0102040810204080ULL >> 56) << 8;
#endif
}
FSTMETRICS_INLINE std::uint64_t packed(PieceOf<std::uint16_t>::Type cells) {
  const Halves halves = reinterpret_cast<Halves>(cells) & 0x0001000100010001ULL;
  return (halves[0] * 0x0001000200040008ULL >> 48 & 15) | (halves[1] * 0x0001000200040008ULL >> 48 & 15) << 4;
}

// Right on every machine.
template <class AnyCell>
struct Lanes {
  using Cell = AnyCell;
  using Piece = typename PieceOf<Cell>::Type;
  static constexpr int kCells = kUnitVectorBytes / sizeof(Cell), kPieces = 4, kPieceCells = kCells / kPieces;
  static constexpr int kAtOnce = 1;  // vectors for which there are registers
  struct Vector {
    Piece of[kPieces];
  };

  // Piece by piece.
  template <class Make>
  static FSTMETRICS_INLINE Vector made(Make make) {
    return {{make(0), make(1), make(2), make(3)}};
  }
  template <class Make>
  static FSTMETRICS_INLINE std::uint64_t set_of(Make make) {
    std::uint64_t all = 0;
    for (int i = 0; i < kPieces; ++i) all |= packed(make(i)) << (i * kPieceCells);
    return all;
  }

  static FSTMETRICS_INLINE Vector top() {
    return made([](int) { return ~Piece{}; });
  }
  static FSTMETRICS_INLINE Vector load(const Cell* from) {
    return made([&](int i) { return reinterpret_cast<const Piece*>(from)[i]; });
  }
  static FSTMETRICS_INLINE void store(Cell* to, const Vector& v) {
    for (int i = 0; i < kPieces; ++i) reinterpret_cast<Piece*>(to)[i] = v.of[i];
  }
  static FSTMETRICS_INLINE Vector least(const Vector& a, const Vector& b) {
    return made([&](int i) { return a.of[i] < b.of[i] ? a.of[i] : b.of[i]; });
  }
  static FSTMETRICS_INLINE Vector either(const Vector& a, const Vector& b) {
    return made([&](int i) { return a.of[i] | b.of[i]; });
  }
  // One more, but never more than the top. Comparisons give -1 where they hold.
  static FSTMETRICS_INLINE Vector one_more(const Vector& a) {
    return made([&](int i) { return a.of[i] - reinterpret_cast<Piece>(a.of[i] != ~Piece{}); });
  }
  // Every cell moves on to the next place; the first comes from the end of `before`. Low bytes come first.
  static FSTMETRICS_INLINE Vector moved_on(const Vector& before, const Vector& a) {
    constexpr int kBits = 8 * sizeof(Cell);
    return made([&](int i) {
      const auto left = reinterpret_cast<Halves>(i ? a.of[i - 1] : before.of[kPieces - 1]);
      const auto here = reinterpret_cast<Halves>(a.of[i]);
      return reinterpret_cast<Piece>(here << kBits | __builtin_shufflevector(left, here, 1, 2) >> (64 - kBits));
    });
  }
  // Sets of the cells where a < b, and where b is a + 1.
  static FSTMETRICS_INLINE std::uint64_t less(const Vector& a, const Vector& b) {
    return set_of([&](int i) { return reinterpret_cast<Piece>(a.of[i] < b.of[i]); });
  }
  static FSTMETRICS_INLINE std::uint64_t one_above(const Vector& a, const Vector& b) {
    return set_of([&](int i) { return reinterpret_cast<Piece>(a.of[i] + 1 == b.of[i]); });
  }
  // One less in a set of cells.
  static FSTMETRICS_INLINE Vector lowered(const Vector& a, std::uint64_t set) {
    return made([&](int i) {
      const std::uint64_t here = set >> (i * kPieceCells);
      const Halves spread = Halves{here & low(), here >> (kPieceCells / 2) & low()} * each_cell() & one_bit_each();
      return a.of[i] + reinterpret_cast<Piece>(reinterpret_cast<Piece>(spread) != 0);
    });
  }

 private:
  // Of half a piece: its part of a set; 1 in every cell; bit i in cell i.
  static constexpr std::uint64_t low() { return (1 << (kPieceCells / 2)) - 1; }
  static constexpr std::uint64_t each_cell() {
    return sizeof(Cell) == 1 ? 0x0101010101010101ULL : 0x0001000100010001ULL;
  }
  static constexpr std::uint64_t one_bit_each() {
    return sizeof(Cell) == 1 ? 0x8040201008040201ULL : 0x0008000400020001ULL;
  }
};

#include "search/rows/unit_rows_kernel.inc"

}  // namespace plain

#if FSTMETRICS_WIDE_KERNELS
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
namespace avx512 {

// The same operations, an instruction or two each.
struct Common {
  using Vector = __m512i;
  static constexpr int kAtOnce = 4;
  static FSTMETRICS_INLINE Vector top() { return _mm512_set1_epi8(-1); }
  static FSTMETRICS_INLINE Vector load(const void* from) { return _mm512_load_si512(from); }
  static FSTMETRICS_INLINE void store(void* to, Vector v) { _mm512_store_si512(to, v); }
  static FSTMETRICS_INLINE Vector either(Vector a, Vector b) { return _mm512_or_si512(a, b); }
};

struct Bytes : Common {
  using Cell = std::uint8_t;
  static constexpr int kCells = 64;
  static FSTMETRICS_INLINE Vector least(Vector a, Vector b) { return _mm512_min_epu8(a, b); }
  static FSTMETRICS_INLINE Vector one_more(Vector a) { return _mm512_adds_epu8(a, _mm512_set1_epi8(1)); }
  static FSTMETRICS_INLINE Vector moved_on(Vector before, Vector a) {
    return _mm512_alignr_epi8(a, _mm512_alignr_epi32(a, before, 12), 15);
  }
  static FSTMETRICS_INLINE std::uint64_t less(Vector a, Vector b) { return _mm512_cmplt_epu8_mask(a, b); }
  static FSTMETRICS_INLINE std::uint64_t one_above(Vector a, Vector b) {
    return _mm512_cmpeq_epi8_mask(_mm512_add_epi8(a, _mm512_set1_epi8(1)), b);
  }
  static FSTMETRICS_INLINE Vector lowered(Vector a, std::uint64_t set) {
    return _mm512_mask_sub_epi8(a, set, a, _mm512_set1_epi8(1));
  }
};

struct Pairs : Common {
  using Cell = std::uint16_t;
  static constexpr int kCells = 32;
  static FSTMETRICS_INLINE Vector least(Vector a, Vector b) { return _mm512_min_epu16(a, b); }
  static FSTMETRICS_INLINE Vector one_more(Vector a) { return _mm512_adds_epu16(a, _mm512_set1_epi16(1)); }
  static FSTMETRICS_INLINE Vector moved_on(Vector before, Vector a) {
    return _mm512_alignr_epi8(a, _mm512_alignr_epi32(a, before, 12), 14);
  }
  static FSTMETRICS_INLINE std::uint64_t less(Vector a, Vector b) { return _mm512_cmplt_epu16_mask(a, b); }
  static FSTMETRICS_INLINE std::uint64_t one_above(Vector a, Vector b) {
    return _mm512_cmpeq_epi16_mask(_mm512_add_epi16(a, _mm512_set1_epi16(1)), b);
  }
  static FSTMETRICS_INLINE Vector lowered(Vector a, std::uint64_t set) {
    return _mm512_mask_sub_epi16(a, static_cast<std::uint32_t>(set), a, _mm512_set1_epi16(1));
  }
};

#include "search/rows/unit_rows_kernel.inc"

void fill_bytes(const UnitWork<std::uint8_t>& w) { fill_rows<Bytes>(w); }
void fill_pairs(const UnitWork<std::uint16_t>& w) { fill_rows<Pairs>(w); }

}  // namespace avx512
#pragma GCC pop_options

#endif

namespace {

// AVX-512 has instructions that vector types of the compiler do not lead to; the other sets have what all have.
template <class Cell>
struct FillUnit {
  template <int kBytes>
  FSTMETRICS_INLINE static void run(const UnitWork<Cell>& w) {
#if FSTMETRICS_WIDE_KERNELS
    if constexpr (kBytes == kUnitVectorBytes) {
      if constexpr (sizeof(Cell) == 1) {
        avx512::fill_bytes(w);
      } else {
        avx512::fill_pairs(w);
      }
      return;
    }
#endif
    plain::fill_rows<plain::Lanes<Cell>>(w);
  }
};

}  // namespace

void fill_unit_rows(const UnitWork<std::uint8_t>& work) { run_kernel<FillUnit<std::uint8_t>>(work); }
void fill_unit_rows(const UnitWork<std::uint16_t>& work) { run_kernel<FillUnit<std::uint16_t>>(work); }

}  // namespace fstmetrics

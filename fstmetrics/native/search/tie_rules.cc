#include "search/tie_rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fstmetrics {

bool is_better(const Totals& one, const Totals& other, bool longest) {
  const auto key = [longest](const Totals& t) {
    const std::int64_t length = longest || t.cost > 0 ? -t.reference_words : t.reference_words;
    return std::array{t.cost, length, t.edits, t.moves, -t.matches, t.deletions};
  };
  return key(one) < key(other);
}

struct RankingFactory {
  template <class V>
  static Ranking<V> make(const TotalBounds& b, bool longest) {
    Ranking<V> r;
    // Least digit first; each radix is one more than the largest total.
    r.deletion_radix = V{b.reference_words} + 1;
    r.match_radix = V{std::min(b.hypothesis_words, b.reference_words)} + 1;
    r.move_radix = b.has_moves ? V{b.hypothesis_words} + 1 : V{1};
    r.edit_radix = V{b.hypothesis_words} + V{b.reference_words} + 1;
    r.reference_radix = V{b.reference_words} + 1;
    r.longest = longest;
    r.deletion = 1;
    r.match = r.deletion * r.deletion_radix;
    r.move = r.match * r.match_radix;
    r.edit = r.move * r.move_radix;
    r.reference_word = r.edit * r.edit_radix;
    r.cost = r.reference_word * r.reference_radix;
    r.match = -r.match;  // more is better
    if (longest) r.reference_word = -r.reference_word;
    return r;
  }
};

namespace {

// Takes the lowest digit off `value`; `sign` is that of the digit's weight. One division, which takes longer than the
// rest.
template <class V>
std::int64_t take_digit(V& value, V radix, int sign) {
  const V owed = sign > 0 ? value : -value;
  V rest = owed / radix, digit = owed - rest * radix;
  if (digit < 0) digit += radix, --rest;
  value = sign > 0 ? rest : -rest;
  return static_cast<std::int64_t>(digit);
}

}  // namespace

template <class V>
Totals Ranking<V>::totals(V value) const {
  Totals t;
  t.deletions = take_digit(value, deletion_radix, 1);
  t.matches = take_digit(value, match_radix, -1);
  t.moves = take_digit(value, move_radix, 1);
  t.edits = take_digit(value, edit_radix, 1);
  t.reference_words = take_digit(value, reference_radix, longest ? -1 : 1);
  t.cost = static_cast<std::int64_t>(value);
  return t;
}

Width width_needed(const TotalBounds& b) {
  const auto bits = [](std::int64_t n) { return std::log2(static_cast<double>(n) + 1.0); };
  const std::int64_t words = b.hypothesis_words + b.reference_words;
  const double ties = 2 * bits(b.reference_words) + bits(std::min(b.hypothesis_words, b.reference_words)) +
                      (b.has_moves ? bits(b.hypothesis_words) : 0.0) + bits(words);
  const double operations = static_cast<double>(b.operation_cost) + 1.0;
  const double cost = std::log2(operations * (static_cast<double>(words + b.hypothesis_words) + 1.0) + b.arc_costs);
  // Five bits to spare: sign, infinity, the sum of a path and an estimate, and rounding here.
  const double needed = ties + cost + 5;
  if (cost > 62 || needed > 127) return Width::kTooWide;
  return needed <= 63 ? Width::kMachine : Width::kWide;
}

template <class V>
Ranking<V> make_ranking(const TotalBounds& bounds, bool longest) {
  return RankingFactory::make<V>(bounds, longest);
}

template struct Ranking<std::int64_t>;
template struct Ranking<Wide>;
template Ranking<std::int64_t> make_ranking(const TotalBounds&, bool);
template Ranking<Wide> make_ranking(const TotalBounds&, bool);

}  // namespace fstmetrics

// Best derivations along a line of weights, and what their statistics add up to.
//
// With weights w + g d, a derivation's score is a line in g: its slope is the sum of its edges' slopes (features times
// d), its intercept the sum of their intercepts (features times w). The best derivations for every g are the upper
// envelope of these lines. For an n-best list it is the hull of its entries (Och 2003); for a lattice or forest it is
// found bottom-up, as sums and unions of envelopes (Macherey et al. 2008; Kumar et al. 2009). It has far fewer segments
// than there are derivations, and all of it is exact but for the rounding of doubles.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// Forests one after the other; the last vertex of each is its goal. Edges are in the order of their heads, and a
// token is a word, or a tail as -1 - vertex, where tails come before heads.
struct Forests {
  std::vector<std::int64_t> firsts;   // the first vertex of each forest, and the end
  std::vector<std::int64_t> edges;    // the first edge of each vertex, and the end
  std::vector<std::int64_t> offsets;  // the first token of each edge, and the end
  std::vector<std::int32_t> tokens;

  // Throws std::invalid_argument unless all of it is in range and acyclic.
  void check() const;
};

// The envelopes of forests: segments from the least g to the greatest.
struct Envelopes {
  std::vector<std::int64_t> offsets{0};  // the first segment of each forest, and the end
  std::vector<double> begins;            // where a segment begins; minus infinity for the first of a forest
  std::vector<std::int64_t> edges;       // the edge of the goal that its derivation takes
  std::vector<std::int64_t> word_offsets{0};
  std::vector<std::int32_t> words;  // of its derivation; none unless they are asked for
  std::vector<std::int64_t> taken_offsets{0};
  std::vector<std::int64_t> taken;  // all edges of its derivation; likewise
};

// Slopes and intercepts go by edge. Of equal lines the derivation that comes first in the order of edges is kept.
// A forest without a derivation has no segment. E edges and S segments in all envelopes take O((E + S) log(E + S)).
Envelopes envelopes(const Forests& forests, std::span<const double> slopes, std::span<const double> intercepts,
                    bool with_words);

// Sums of statistics between the points where some forest changes its segment.
struct Sweep {
  std::vector<double> points;  // ascending, each once
  std::vector<double> sums;    // points + 1 rows of columns
};

// `rows` says which row of `statistics` (rows of `columns` numbers) a segment has. Segments of a forest that have the
// same row are one.
Sweep sweep(std::span<const std::int64_t> offsets, std::span<const double> begins, std::span<const std::int64_t> rows,
            std::span<const double> statistics, std::size_t columns);

}  // namespace fstmetrics

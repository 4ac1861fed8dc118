// What two strings begin and end with alike. Matching it costs nothing, and no alignment has more matches there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace fstmetrics {

struct AlikeEnds {
  std::size_t begin, end;  // how many symbols; none is of both

  template <class Symbol>
  AlikeEnds(std::span<const Symbol> one, std::span<const Symbol> other) : begin(0), end(0) {
    const std::size_t most = std::min(one.size(), other.size());
    while (begin < most && one[begin] == other[begin]) ++begin;
    while (end < most - begin && one[one.size() - 1 - end] == other[other.size() - 1 - end]) ++end;
  }

  // What is between.
  template <class Symbol>
  std::span<const Symbol> middle(std::span<const Symbol> symbols) const {
    return symbols.subspan(begin, symbols.size() - begin - end);
  }
};

}  // namespace fstmetrics

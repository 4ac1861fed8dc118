#include "search/windows/window_shapes.h"

#include <bit>
#include <map>
#include <stdexcept>

namespace fstmetrics {

WindowShapes::WindowShapes(int window, Reordering reordering) : window(window), reordering(reordering) {
  if (window < 1 || window > kMaxShapeWindow) throw std::invalid_argument("no shapes for this window");
  // A shape is its set of taken words and the continuing offset, 0 where that does not matter. New ones are
  // numbered as they are met, from the empty one.
  using Shape = std::pair<unsigned, int>;
  std::map<Shape, int> number{{{0U, 0}, 0}};
  std::vector<Shape> shapes{{0U, 0}};
  for (std::size_t from = 0; from < shapes.size(); ++from) {
    const auto [mask, continuing] = shapes[from];
    first_taking.push_back(static_cast<int>(takings.size()));
    for (int offset = 0; offset < window; ++offset) {
      if (offset > 0 && (mask >> (offset - 1)) & 1U) continue;
      unsigned next = mask;
      int advance = 0, follows = offset + 1;
      if (offset > 0) {
        next |= 1U << (offset - 1);
      } else {
        advance = 1 + std::countr_one(mask);
        next = mask >> advance;
        follows -= advance;
      }
      const bool matters = reordering == Reordering::kMoves && follows > 0 && follows < window &&
                           !((next >> (follows - 1)) & 1U);
      const Shape shape{next, matters ? follows : 0};
      const auto [entry, is_new] = number.try_emplace(shape, static_cast<int>(shapes.size()));
      if (is_new) shapes.push_back(shape);
      const bool free = offset == 0 || offset == continuing;
      takings.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(entry->second),
                         static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(advance),
                         static_cast<std::uint8_t>(free ? 0 : 1)});
    }
  }
  first_taking.push_back(static_cast<int>(takings.size()));
  into.resize(shapes.size());
  for (const Taking& taking : takings) into[taking.to].push_back(taking);
  for (const auto& [mask, continuing] : shapes) {
    whole.push_back(mask == 0);
    taken.push_back(static_cast<std::uint8_t>(std::popcount(mask)));
    const bool block = continuing > 0 && continuing >= taken.back();
    disorder.push_back(mask == 0 ? Disorder::kNone : block ? Disorder::kBlock : Disorder::kSome);
  }
}

const WindowShapes& window_shapes(int window, Reordering reordering) {
  thread_local std::map<std::pair<int, Reordering>, WindowShapes> kept;
  const std::pair key{window, reordering};
  const auto found = kept.find(key);
  return found != kept.end() ? found->second : kept.emplace(key, WindowShapes(window, reordering)).first->second;
}

}  // namespace fstmetrics

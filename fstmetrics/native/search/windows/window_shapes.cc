#include "search/windows/window_shapes.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <iterator>
#include <map>
#include <stdexcept>

namespace fstmetrics {

namespace {

// The set of taken words beyond the leftmost not yet taken, and the continuing offset, 0 where that does not matter.
struct Shape {
  unsigned taken;
  int continuing;
  auto operator<=>(const Shape&) const = default;
  int size() const { return std::popcount(taken); }
};

struct Next {
  Shape shape;
  int advance;
};

// Taking the word at an offset, which is not taken yet.
Next taking(const Shape& shape, int offset, int window, Reordering reordering) {
  unsigned next = shape.taken;
  int advance = 0, follows = offset + 1;
  if (offset > 0) {
    next |= 1U << (offset - 1);
  } else {
    advance = 1 + std::countr_one(next);
    next >>= advance;
    follows -= advance;
  }
  const bool matters =
      reordering == Reordering::kMoves && follows > 0 && follows < window && !((next >> (follows - 1)) & 1U);
  return {{next, matters ? follows : 0}, advance};
}

bool is_taken(const Shape& shape, int offset) { return offset > 0 && (shape.taken >> (offset - 1)) & 1U; }

// All that can be met, those of fewer taken words first.
std::vector<Shape> all_shapes(int window, Reordering reordering) {
  std::vector<Shape> shapes{{0U, 0}};
  for (std::size_t from = 0; from < shapes.size(); ++from) {
    for (int offset = 0; offset < window; ++offset) {
      if (is_taken(shapes[from], offset)) continue;
      const Shape next = taking(shapes[from], offset, window, reordering).shape;
      if (std::find(shapes.begin(), shapes.end(), next) == shapes.end()) shapes.push_back(next);
    }
  }
  std::vector<Shape> by_size;
  for (int size = 0; by_size.size() < shapes.size(); ++size) {
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(by_size),
                 [&](const Shape& shape) { return shape.size() == size; });
  }
  return by_size;
}

}  // namespace

WindowShapes::WindowShapes(int window, Reordering reordering) : window(window), reordering(reordering) {
  if (window < 1 || window > kMaxShapeWindow) throw std::invalid_argument("no shapes for this window");
  const std::vector<Shape> shapes = all_shapes(window, reordering);
  std::map<Shape, int> number;
  for (const Shape& shape : shapes) number.emplace(shape, static_cast<int>(number.size()));
  into.resize(shapes.size());
  for (std::size_t from = 0; from < shapes.size(); ++from) {
    first_taking.push_back(static_cast<int>(takings.size()));
    for (int offset = 0; offset < window; ++offset) {
      if (is_taken(shapes[from], offset)) continue;
      const Next next = taking(shapes[from], offset, window, reordering);
      const bool free = offset == 0 || offset == shapes[from].continuing;
      takings.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(number.at(next.shape)),
                         static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(next.advance),
                         static_cast<std::uint8_t>(free ? 0 : 1)});
      into[takings.back().to].push_back(takings.back());
    }
  }
  first_taking.push_back(static_cast<int>(takings.size()));
  for (const Shape& shape : shapes) {
    whole.push_back(shape.taken == 0);
    taken.push_back(static_cast<std::uint8_t>(shape.size()));
    const bool block = shape.continuing > 0 && shape.continuing >= shape.size();
    disorder.push_back(shape.taken == 0 ? Disorder::kNone : block ? Disorder::kBlock : Disorder::kSome);
  }
}

const WindowShapes& window_shapes(int window, Reordering reordering) {
  thread_local std::map<std::pair<int, Reordering>, WindowShapes> kept;
  const std::pair key{window, reordering};
  const auto found = kept.find(key);
  return found != kept.end() ? found->second : kept.emplace(key, WindowShapes(window, reordering)).first->second;
}

}  // namespace fstmetrics

// Paths of many items in a few large blocks of memory, so that none of them takes memory of its own and gives it back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/problem.h"

namespace fstmetrics {

// A Path whose steps lie in a store.
struct StoredPath {
  Totals totals;
  std::span<const Step> steps;
  std::int32_t text = -1;
};

class PathStore {
 public:
  // What it returns is there as long as the store, which may be moved.
  std::span<const StoredPath> keep(std::span<const Path> paths) {
    std::vector<StoredPath>& block = paths_.with_room(paths.size());
    const std::size_t first = block.size();
    for (const Path& path : paths) {
      std::vector<Step>& steps = steps_.with_room(path.steps.size());
      steps.insert(steps.end(), path.steps.begin(), path.steps.end());
      block.push_back({path.totals, {steps.data() + steps.size() - path.steps.size(), path.steps.size()}, path.text});
    }
    return {block.data() + first, paths.size()};
  }

 private:
  template <class T>
  class Blocks {
   public:
    // A block with room for so many more in a row.
    std::vector<T>& with_room(std::size_t size) {
      if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < size) {
        const std::size_t next = blocks_.empty() ? kFirst : std::min(2 * blocks_.back().capacity(), kLargest);
        std::vector<T> block;
        block.reserve(std::max(next, size));
        blocks_.push_back(std::move(block));
      }
      return blocks_.back();
    }

   private:
    static constexpr std::size_t kFirst = 8, kLargest = 4096;
    std::vector<std::vector<T>> blocks_;  // none grows beyond its capacity
  };

  Blocks<StoredPath> paths_;
  Blocks<Step> steps_;
};

}  // namespace fstmetrics

// Giving back what was made in millions of small pieces: that takes seconds, in which nobody could be stopped, so a
// thread of its own does it.
#pragma once

#include <cstddef>
#include <thread>
#include <utility>

namespace fstmetrics {

// Empties a container, which may refer to nothing that does not belong to it. `pieces`: how many it has, about.
template <class Container>
void discard(Container& container, std::size_t pieces) noexcept {
  constexpr std::size_t kMany = 1 << 16;  // some ten milliseconds
  if (pieces < kMany) return;
  try {
    std::thread([all = std::move(container)]() mutable { const Container gone = std::move(all); }).detach();
  } catch (...) {  // no more threads, or no memory: then here
  }
}

}  // namespace fstmetrics

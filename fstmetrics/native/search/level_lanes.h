// The levels of the bit-parallel search side by side in one vector: lane e of a state's vector is the set of string
// positions that cost at most e edits. One pass over the graph fills all lanes, without asking which states matter.
//
// 16 levels for strings of up to 31 words, 8 for up to 63. Only without reordering. An arc costs two vector operations, a
// state about a dozen, so this is the fastest way as long as the answer lies within the lanes.
#pragma once

#include <cstdint>
#include <memory>

#include "automata/level_graph.h"

namespace fstmetrics {

class LevelLanes {
 public:
  // Fills the lanes. `match[label]` is the set of positions of a word. Returns the least cost of reading all of the string
  // and a path of the graph, or -1 if that is more than the lanes hold.
  int fill(const LevelGraph& graph, const std::uint64_t* match, int length);

  // Positions that cost exactly `level` at a state.
  std::uint64_t exactly(StateId state, int level) const {
    const std::uint64_t below = level > 0 ? lane(state, level - 1) : 0;
    return lane(state, level) & ~below;
  }

 private:
  std::uint64_t lane(StateId state, int level) const {
    return narrow_ ? reinterpret_cast<const std::uint32_t*>(vectors_)[static_cast<std::size_t>(state) * 16 + level]
                   : reinterpret_cast<const std::uint64_t*>(vectors_)[static_cast<std::size_t>(state) * 8 + level];
  }

  std::unique_ptr<unsigned char[]> memory_;
  unsigned char* vectors_ = nullptr;  // 64 bytes a state, aligned
  std::size_t states_ = 0;
  bool narrow_ = false;
};

}  // namespace fstmetrics

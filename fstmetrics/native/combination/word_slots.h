// The slots of ROVER: outputs of several systems, aligned one after another into a network of slots [Fiscus 1997].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fstmetrics {

// The output of a system, its words in order; begins and ends in seconds, both empty where nobody knows them.
struct SpokenWords {
  std::span<const std::int32_t> words;
  std::span<const double> begins, ends;
};

// A row a slot, a column a system: the place of the system's word in its output, or -1 where it has none there. The
// slots are those of SCTK's rover 0.1 (SCTK 2.4), its ties and the rounding of its 32-bit costs among them, so the
// order of systems matters. Where all systems have times, pauses that are common to all part the words first.
// `by_time`: words are aligned by how far apart they are instead of by what they are. Where a table would have more
// than `most_cells` cells, nothing is found, and `cells` is how many it would have.
std::vector<std::int32_t> word_slots(const std::vector<SpokenWords>& systems, bool by_time, std::int64_t most_cells,
                                     std::int64_t& cells);

}  // namespace fstmetrics

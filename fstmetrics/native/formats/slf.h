// HTK's standard lattice format (SLF), line by line; slf_lattice.h makes a lattice of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/columns.h"

namespace fstmetrics {

inline constexpr std::int32_t kNoWord = -1;  // the label of a link that leaves its word to a node

struct SlfText {
  std::vector<std::pair<std::string, std::string>> header;  // as written; of a name that comes twice the last counts
  std::vector<std::int64_t> nodes;
  std::vector<std::int32_t> node_labels;
  std::vector<std::int32_t>
      node_calls;  // the sub-lattice that stands for a node, by its name; kNoWord where there is none
  // Graph and acoustic scores as written, no final states. Labels of links and nodes are indices of `links.words`,
  // which need not be UTF-8 after escapes.
  ArcColumns links;
  std::int64_t line = 1;  // where it begins
  std::vector<double> pronunciation;
  std::vector<double> times;  // of nodes, in seconds; NaN where a node has none
};

// The lattices of a file: sub-lattices, each of which a line with a period ends, and then the main one, which is there
// even if nothing follows the last period. Throws Fault.
std::vector<SlfText> read_slf(std::string_view text);

}  // namespace fstmetrics

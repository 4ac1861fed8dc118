// A side that branches, a lattice or a network, together with the words of its labels.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/problem.h"
#include "text/word_table.h"

namespace fstmetrics {

// Immutable; any number of threads may use one.
class Graph {
 public:
  // `machine`: a prepared automaton or an RTN. `words[label]` is the word of a label; words[0] is not used.
  // `arc_costs`: what taking an arc costs, in units of the metric, by its origin (of an RTN, as Rtn::with_one_end()
  // numbers them); empty where it costs nothing. `only_hits`: by origin likewise, the arcs that only a match can take;
  // empty where there are none. Of references. Throws std::invalid_argument where a word stands twice, or is empty, or
  // the costs do not fit the machine.
  Graph(Side machine, std::span<const std::string_view> words, std::vector<std::int64_t> arc_costs = {},
        std::vector<std::uint8_t> only_hits = {});

  // The same of words that outlive the graph, without costs.
  Graph(Side machine, std::span<const Word> words);

  const Side& machine() const { return machine_; }
  const WordTable& table() const { return table_; }
  const std::shared_ptr<const std::vector<std::int64_t>>& arc_costs() const { return arc_costs_; }  // may be null
  // May be null; otherwise there are arc costs, too, so that no route passes both over.
  const std::shared_ptr<const std::vector<std::uint8_t>>& only_hits() const { return only_hits_; }

 private:
  Side machine_;
  std::unique_ptr<char[]> text_;  // what the table views, where that is the graph's own
  WordTable table_;
  std::shared_ptr<const std::vector<std::int64_t>> arc_costs_;
  std::shared_ptr<const std::vector<std::uint8_t>> only_hits_;
};

}  // namespace fstmetrics

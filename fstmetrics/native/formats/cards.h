// The cards of a network in JSON, as fstmetrics/data/network.py describes them, made into automata in one go.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "automata/automaton.h"

namespace fstmetrics {

// A card as written: phrases, or arcs.
struct CardText {
  struct WrittenArc {
    std::int64_t source, destination;
    std::string_view label;
  };

  std::string_view name;
  bool has_arcs = false;
  std::vector<std::string_view> phrases;
  std::vector<WrittenArc> arcs;
  std::int64_t start = 0;
  std::vector<std::int64_t> finals;
  std::vector<CostPair> arc_costs, final_costs;  // one an arc, one a final state; or none at all
};

// Cards whose labels are indices of `words` or calls (lazy/rtn.h). words[0] is the empty string.
struct CompiledCards {
  std::vector<std::string> words;
  std::vector<Automaton> cards;
};

// Nothing where anything at all is wrong with a card: who asked goes through the cards one by one to say what.
// Circles of calls, and cards without a path, are left to Rtn.
std::optional<CompiledCards> compiled(const std::vector<CardText>& cards);

}  // namespace fstmetrics

#include "search/graph.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace fstmetrics {
namespace {

void check_costs(const Side& machine, const std::vector<std::int64_t>& costs) {
  const auto check = [&](const Automaton& automaton) {
    if (!automaton.sorted()) throw std::invalid_argument("costs of arcs need acyclic automata");
    for (const Arc& arc : automaton.all_arcs()) {
      if (arc.origin < 0 || arc.origin >= static_cast<std::int64_t>(costs.size())) {
        throw std::invalid_argument("costs of arcs must cover every arc");
      }
    }
  };
  if (const auto* automaton = std::get_if<std::shared_ptr<const Automaton>>(&machine)) return check(**automaton);
  for (const Automaton& card : std::get<std::shared_ptr<const Rtn>>(machine)->cards()) check(card);
}

// A label without a word would be looked up outside of all tables.
void check_labels(const Side& machine, std::size_t words) {
  Label highest = 0;
  if (const auto* automaton = std::get_if<std::shared_ptr<const Automaton>>(&machine)) {
    if ((*automaton)->min_label() < 0) throw std::invalid_argument("an automaton that is not a card calls a card");
    highest = (*automaton)->max_label();
  } else {
    highest = std::get<std::shared_ptr<const Rtn>>(machine)->max_label();
  }
  if (static_cast<std::size_t>(highest) >= words) {
    throw std::invalid_argument("there are words for the labels up to " + std::to_string(words - 1) +
                                ", and an arc has label " + std::to_string(highest));
  }
}

}  // namespace

Graph::Graph(Side machine, std::span<const std::string_view> words, std::vector<std::int64_t> arc_costs,
             std::vector<std::uint8_t> only_hits)
    : machine_(std::move(machine)) {
  if (!only_hits.empty()) {
    arc_costs.resize(std::max(arc_costs.size(), only_hits.size()), 0);
    only_hits.resize(arc_costs.size(), 0);
    only_hits_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(only_hits));
  }
  if (!arc_costs.empty()) {
    check_costs(machine_, arc_costs);
    arc_costs_ = std::make_shared<const std::vector<std::int64_t>>(std::move(arc_costs));
  }
  if (words.empty()) throw std::invalid_argument("a graph's words begin with epsilon");
  check_labels(machine_, words.size());
  std::size_t size = 0;
  for (const std::string_view word : words) size += word.size();
  text_ = std::make_unique_for_overwrite<char[]>(size);
  table_.reset(words.size());
  const char* const end = text_.get() + size;
  char* at = text_.get();
  for (std::size_t label = 1; label < words.size(); ++label) {
    const std::string_view word = words[label];
    std::memcpy(at, word.data(), word.size());
    if (word.empty() || table_.intern(make_word(at, word.size(), end)) != static_cast<Label>(label)) {
      throw std::invalid_argument("word " + std::to_string(label) + " of a graph is empty or stands twice");
    }
    at += word.size();
  }
}

Graph::Graph(Side machine, std::span<const Word> words) : machine_(std::move(machine)) {
  check_labels(machine_, words.size());
  table_.reset(words.size());
  for (std::size_t label = 1; label < words.size(); ++label) {
    if (words[label].size == 0 || table_.intern(words[label]) != static_cast<Label>(label)) {
      throw std::invalid_argument("word " + std::to_string(label) + " of a graph is empty or stands twice");
    }
  }
}

}  // namespace fstmetrics

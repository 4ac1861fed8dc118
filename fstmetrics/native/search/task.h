// One item as the routes look at it: what they ask is found when it is first asked for, and once.
#pragma once

#include <optional>
#include <string>

#include "search/item.h"
#include "search/plan.h"
#include "search/string_side.h"

namespace fstmetrics {

class Task {
 public:
  // Both must outlive the task. No side is Texts.
  Task(const Item& item, const Question& question);

  const Question& question() const { return question_; }
  const Options& options() const { return question_.options; }
  const EditAutomaton& metric() const { return *question_.metric; }
  bool is_reordered() const { return question_.window > 1; }
  // Neither words nor arcs have costs of their own.
  bool has_plain_costs() const { return plain_costs_; }
  // Those of WER and HyTER: 0 for a match, 1 for all else.
  bool has_unit_costs() const { return unit_costs_; }

  // The item as all routes can take it. Throws SearchError where no route can.
  const Problem& problem();
  // Null where neither side is a string and the other an acyclic graph of at most as many arcs as may be written out.
  const StringAndGraph* string_and_graph();
  // Whether both sides are texts.
  bool is_two_texts() const {
    return std::holds_alternative<Text>(item_.hypothesis) && std::holds_alternative<Text>(item_.reference);
  }
  // Null where a side is not a plain string.
  const StringPair* string_pair();
  // What the routes over the product have to know. Throws SearchError where a side has no path, or H is cyclic.
  const Plan& plan();

  // Arcs of either side when it is written out, an upper bound.
  double hypothesis_arcs() { return arcs(true); }
  double reference_arcs() { return arcs(false); }
  // Of a string and a graph, whether the string is a path of the graph, as far as that is found at once.
  bool is_a_path();
  // Whether nearly all their cells lie on best paths.
  bool nearly_all_tie();
  // A route found that ties take more memory than there is.
  void ties_are_too_many() { all_tie_ = true; }

  // Keeps a text for as long as the task.
  const char* keep(std::string text) { return (kept_ = std::move(text)).c_str(); }

 private:
  double arcs(bool of_hypothesis);

  const Item& item_;
  const Question& question_;
  bool plain_costs_, unit_costs_;
  bool looked_for_string_ = false, looked_for_pair_ = false;
  std::optional<bool> all_tie_, is_a_path_;
  std::optional<StringAndGraph> sides_;
  std::optional<StringPair> pair_;
  std::optional<Problem> problem_;
  std::optional<Plan> plan_;
  std::string kept_;
};

}  // namespace fstmetrics

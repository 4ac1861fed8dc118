#include "search/string_side.h"

#include <algorithm>
#include <limits>

namespace fstmetrics {
namespace {

using AutomatonPtr = std::shared_ptr<const Automaton>;

// Words of a side that is one string; nothing otherwise.
std::optional<std::vector<Label>> string_of(const Side& side, std::size_t max_words) {
  if (const auto* permutations = std::get_if<Permutations>(&side)) {
    return permutations->words.size() > max_words ? std::nullopt : std::optional(permutations->words);
  }
  const auto* automaton = std::get_if<AutomatonPtr>(&side);
  if (!automaton || !(*automaton)->is_line()) return std::nullopt;
  if (static_cast<std::size_t>((*automaton)->num_arcs()) > max_words) return std::nullopt;
  std::vector<Label> words;
  for (const Arc& arc : (*automaton)->all_arcs()) words.push_back(arc.label);
  return words;
}

// The hypothesis label of each reference label.
std::vector<Label> to_hypothesis(const std::vector<Label>& to_reference, Label last) {
  std::vector<Label> inverse(last + 1, kNoMatch);
  for (std::size_t label = 1; label < to_reference.size(); ++label) {
    if (to_reference[label] > 0 && to_reference[label] <= last)
      inverse[to_reference[label]] = static_cast<Label>(label);
  }
  return inverse;
}

// The string's words by the graph's labels.
std::vector<Label> translated(const std::vector<Label>& words, const Problem& problem, bool is_hypothesis,
                              Label graph_labels) {
  Label last = 0;
  for (const Label word : words) last = std::max(last, word);
  const std::vector<Label> inverse = is_hypothesis ? std::vector<Label>() : to_hypothesis(problem.to_reference, last);
  std::vector<Label> labels;
  for (const Label word : words) {
    if (is_hypothesis && word >= static_cast<Label>(problem.to_reference.size())) {
      throw SearchError("a hypothesis label is not in the table of labels");
    }
    const Label label = is_hypothesis ? problem.to_reference[word] : inverse[word];
    labels.push_back(label <= graph_labels ? label : kNoMatch);
  }
  return labels;
}

// The number of each word among the different ones, from 1 as they come. `labels`: what `table` has of each, so that
// only words that it does not have are looked up. O(words), however many the table has.
std::vector<Label> word_numbers(const std::vector<Word>& words, const std::vector<Label>& labels,
                                const WordTable& table) {
  thread_local std::vector<Label> of_label, of_other;  // all kEpsilon between calls
  thread_local WordTable others;
  const std::size_t size = static_cast<std::size_t>(table.size()) + 1;
  if (of_label.size() < size) of_label.resize(size, kEpsilon);
  struct Clearing {
    const std::vector<Label>& labels;
    ~Clearing() {
      for (const Label label : labels) of_label[static_cast<std::size_t>(label)] = kEpsilon;
    }
  } const clearing{labels};
  of_other.assign(1, kEpsilon);
  others.reset(0);
  std::vector<Label> numbers;
  numbers.reserve(words.size());
  Label last = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_other = labels[i] == kEpsilon;
    const Label label = is_other ? others.intern(words[i]) : labels[i];
    if (is_other && static_cast<std::size_t>(label) == of_other.size()) of_other.push_back(kEpsilon);
    Label& number = (is_other ? of_other : of_label)[static_cast<std::size_t>(label)];
    if (number == kEpsilon) number = ++last;
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::shared_ptr<const SearchGraph> search_graph(const Side& side, std::int64_t max_arcs) {
  if (const auto* rtn = std::get_if<std::shared_ptr<const Rtn>>(&side)) return (*rtn)->search_graph(max_arcs);
  const auto* automaton = std::get_if<AutomatonPtr>(&side);
  if (!automaton || !(*automaton)->sorted() || !(*automaton)->has_path()) return nullptr;
  return std::make_shared<const SearchGraph>(*automaton);
}

std::optional<StringAndGraph> string_and_graph(const Problem& problem, std::size_t max_words, std::int64_t max_arcs) {
  auto words = string_of(problem.hypothesis, max_words);
  StringAndGraph sides;
  sides.is_hypothesis = words.has_value();
  if (!words && std::holds_alternative<Permutations>(problem.hypothesis)) return std::nullopt;
  if (!words) words = string_of(problem.reference, max_words);
  if (!words) return std::nullopt;
  sides.graph = search_graph(sides.is_hypothesis ? problem.reference : problem.hypothesis, max_arcs);
  if (!sides.graph) return std::nullopt;
  sides.words = *std::move(words);
  sides.labels = translated(sides.words, problem, sides.is_hypothesis, sides.graph->automaton().max_label());
  return sides;
}

std::optional<StringAndGraph> string_and_graph(const Item& item, const Question& question) {
  const auto* text = std::get_if<Text>(&item.hypothesis);
  const bool is_hypothesis = text != nullptr;
  if (!text) text = std::get_if<Text>(&item.reference);
  const auto* given = std::get_if<const Graph*>(is_hypothesis ? &item.reference : &item.hypothesis);
  if (!text || !given || (!is_hypothesis && question.window > 1)) return std::nullopt;
  const Graph& graph = **given;
  if (graph.arc_costs() || graph.table().find(make_word(kWildcard)) != kEpsilon) return std::nullopt;
  StringAndGraph sides;
  sides.is_hypothesis = is_hypothesis;
  sides.graph = search_graph(graph.machine(), question.options.max_expanded_arcs);
  if (!sides.graph || sides.graph->automaton().is_line())
    return std::nullopt;  // a pair of strings has routes of its own
  thread_local std::vector<Word> words;
  text->words(words);
  const Label last = sides.graph->automaton().max_label();
  sides.labels.reserve(words.size());
  for (const Word& word : words) sides.labels.push_back(graph.table().find(word));
  if (question.options.alignment) sides.words = word_numbers(words, sides.labels, graph.table());
  for (Label& label : sides.labels) label = label != kEpsilon && label <= last ? label : kNoMatch;
  return sides;
}

std::optional<StringPair> string_pair(const Problem& problem) {
  constexpr auto kAny = std::numeric_limits<std::size_t>::max();
  if (std::holds_alternative<Permutations>(problem.hypothesis)) return std::nullopt;
  auto hypothesis = string_of(problem.hypothesis, kAny), reference = string_of(problem.reference, kAny);
  if (!hypothesis || !reference) return std::nullopt;
  StringPair pair{*std::move(hypothesis), *std::move(reference), {}};
  pair.labels = translated(pair.hypothesis, problem, true, std::numeric_limits<Label>::max());
  return pair;
}

std::optional<StringPair> string_pair(const Item& item) {
  const auto *hypothesis = std::get_if<Text>(&item.hypothesis), *reference = std::get_if<Text>(&item.reference);
  if (!hypothesis || !reference) return std::nullopt;
  thread_local std::vector<Word> words;
  thread_local WordTable of_hypothesis, of_reference;
  StringPair pair;
  Polls poll;
  const auto label = [&](const Text& text, WordTable& table, std::vector<Label>& labels) {
    text.words(words);
    table.reset(0);
    labels.reserve(words.size());
    for (const Word& word : words) {
      poll(20);
      labels.push_back(table.intern(word));
    }
  };
  label(*reference, of_reference, pair.reference);
  label(*hypothesis, of_hypothesis, pair.hypothesis);
  // Each word of the hypothesis is looked up once.
  thread_local std::vector<Label> same;
  same.assign(1, kEpsilon);
  for (Label own = 1; own <= of_hypothesis.size(); ++own) {
    poll(20);
    const Label found = of_reference.find(of_hypothesis.word(own));
    same.push_back(found != kEpsilon ? found : kNoMatch);
  }
  pair.labels.reserve(pair.hypothesis.size());
  for (const Label own : pair.hypothesis) pair.labels.push_back(same[own]);
  return pair;
}

bool is_a_path(const StringAndGraph& sides, std::int64_t max_arcs) {
  const Automaton& graph = sides.graph->automaton();
  std::vector<StateId> at{graph.start()}, next;
  std::int64_t looked_at = 0;
  const auto reach = [](std::vector<StateId>& states, StateId state) {
    if (std::ranges::find(states, state) == states.end()) states.push_back(state);
  };
  const auto follow_epsilons = [&] {
    for (std::size_t i = 0; i < at.size() && looked_at <= max_arcs; ++i) {
      looked_at += std::ssize(at);
      for (const Arc& arc : graph.arcs(at[i])) {
        if (arc.label == kEpsilon) reach(at, arc.next);
      }
    }
  };
  follow_epsilons();
  for (const Label word : sides.labels) {
    next.clear();
    for (const StateId state : at) {
      const auto arcs = graph.arcs(state);
      looked_at += std::ssize(arcs) + std::ssize(next);
      for (const Arc& arc : arcs) {
        if (arc.label == word) reach(next, arc.next);
      }
    }
    if (next.empty() || looked_at > max_arcs) return false;
    at.swap(next);
    follow_epsilons();
  }
  return looked_at <= max_arcs && std::ranges::any_of(at, [&](StateId state) { return graph.is_final(state); });
}

void name_words(std::vector<Step>& steps, const StringAndGraph& sides) {
  for (Step& step : steps) {
    const std::int32_t position = sides.is_hypothesis ? step.origin : step.reference_origin;
    if (position >= 0) (sides.is_hypothesis ? step.hypothesis : step.reference) = sides.words[position];
  }
}

}  // namespace fstmetrics

// From a sentence as text to a score in one step: what a function that returns only a number needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/problem.h"

namespace fstmetrics {

// The words of UTF-8 text between white space, as Python's str.split() finds them.
void split_words(std::string_view text, std::vector<std::string_view>& words);

// Scores texts against one network or lattice. Immutable; any number of threads may use one.
class TextScorer {
 public:
  // `graph`: a prepared automaton or an RTN. `words[label]` is the word of a label; words[0] is not used. `ignored` words
  // do not count.
  TextScorer(Side graph, const std::vector<std::string>& words, const std::vector<std::string>& ignored);

  // Edits and moves divided by the words of the chosen reference, by the rules for zero lengths too; nothing where the
  // bit-parallel route does not apply. `text_is_hypothesis`: otherwise the text is the reference, and the window 1.
  std::optional<double> error_rate(std::string_view text, bool text_is_hypothesis, int window,
                                   Reordering reordering) const;

 private:
  Side graph_;
  std::vector<std::string> words_;                         // what the keys of labels_ view
  std::unordered_map<std::string_view, Label> labels_;  // kIgnored for words that do not count
};

}  // namespace fstmetrics

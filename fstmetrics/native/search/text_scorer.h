// From a sentence as text to a score in one step: what a function that returns only a number needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lazy/rtn.h"
#include "lazy/window_machine.h"

namespace fstmetrics {

// The words of UTF-8 text between white space, as Python's str.split() finds them.
void split_words(std::string_view text, std::vector<std::string_view>& words);

// Scores texts against one network. Immutable; any number of threads may use one.
class TextScorer {
 public:
  // `words[label]` is the word of a label; words[0] is not used. `ignored` words do not count.
  TextScorer(std::shared_ptr<const Rtn> rtn, const std::vector<std::string>& words,
             const std::vector<std::string>& ignored);

  // HyTER of the text, by the rules for zero lengths too; nothing where the bit-parallel route does not apply.
  std::optional<double> hyter(std::string_view text, int window, Reordering reordering) const;

 private:
  std::shared_ptr<const Rtn> rtn_;
  std::vector<std::string> words_;                         // what the keys of labels_ view
  std::unordered_map<std::string_view, Label> labels_;  // kIgnored for words that do not count
};

}  // namespace fstmetrics

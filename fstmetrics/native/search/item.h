// What a caller gives: each side of an item as text or as a graph, and the problem that the two make.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "search/graph.h"
#include "search/problem.h"
#include "text/words.h"

namespace fstmetrics {

// What a sentence is cut into.
enum class Unit : std::uint8_t {
  kWord,              // words between white space, without sentence markers
  kCharacterOfWords,  // the characters of these, and a space between one word and the next
  kCharacter          // all characters as they are
};

// A sentence; or a list of words as they are. It does not own what it views.
struct Text {
  std::string_view sentence;
  std::vector<std::string_view> list;
  bool is_list = false;
  Unit unit = Unit::kWord;

  // Clears `words` and fills it; empty strings are no words.
  void words(std::vector<Word>& words) const;
  // Of characters: clears `labels` and fills it, each character having the same label in any text. False of anything
  // else, and of what is no UTF-8.
  bool characters(std::vector<Label>& labels) const;
  // The same where they are the bytes of the sentence; nothing where they are not, or that is not told.
  std::optional<std::span<const unsigned char>> bytes() const;
};

// Several sentences, the best of which counts: hypotheses that are reordered in a window, each by itself; references.
using Texts = std::vector<Text>;

using Given = std::variant<Text, const Graph*, Texts>;

struct Item {
  Given hypothesis, reference;
  std::shared_ptr<const WordCosts> word_costs;  // may be null
};

// What all items of a batch have in common.
struct Question {
  std::shared_ptr<const EditAutomaton> metric;
  int window = 1;
  Reordering reordering = Reordering::kMoves;
  Options options;
};

// The item as the routes want it; no side is Texts. Labels of a text number its words as they come, repeated ones once.
Problem make_problem(const Item& item, const Question& question);

}  // namespace fstmetrics

// Many texts of which some leave a choice (formats/choices.h), and what a search takes of each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/choices.h"
#include "formats/text_lines.h"
#include "search/graph.h"
#include "text/text_arena.h"
#include "text/text_column.h"
#include "text/word_table.h"

namespace fstmetrics {

// What texts leave open.
struct ChoiceSurvey {
  static constexpr std::uint8_t kChoices = 1;   // a choice, or a stretch that may be anything
  static constexpr std::uint8_t kOptional = 2;  // words in parentheses
  std::vector<std::uint8_t> kinds;              // of each text
  std::int64_t depth = 0;                       // how deep choices stand within choices in any of them
};

// Adds what some texts leave open. False where one cannot be read, or has a word with white space in it, of which a
// parser of single texts tells.
bool survey_choices(const TextColumn& texts, const ChoiceNotation& notation, ChoiceSurvey& survey);

// The lines of a text in sclite's form, `word { word / word } ... (id)`, but for blank ones and comments, their texts
// as they are written. Nothing where a line has no id, or an id comes twice.
std::optional<TextLines> marked_trn_lines(std::string_view bytes, std::shared_ptr<const void> holder);

// What becomes of the words of texts before they are compared: each becomes none, one or several.
class ChangedWords {
 public:
  // Of the next word.
  void add(std::span<const std::string_view> words);
  // The numbers of what a word becomes, by its own number from 0.
  std::span<const Label> of(std::int32_t number) const {
    return {labels_.data() + begins_[number], labels_.data() + begins_[number + 1]};
  }
  std::size_t size() const { return begins_.size() - 1; }
  const WordTable& table() const { return table_; }

 private:
  std::vector<std::size_t> begins_{0};
  std::vector<Label> labels_;
  WordTable table_;
  TextArena arena_;
  bool is_ready_ = false;
};

// Texts, parsed. Immutable.
class ChoiceLines {
 public:
  // `are_words`: whether words in parentheses are ordinary words with their parentheses; else they may be left out.
  // No word has white space in it. Throws std::invalid_argument where a text cannot be read.
  ChoiceLines(std::shared_ptr<const TextColumn> texts, const ChoiceNotation& notation, bool are_words);
  ChoiceLines(const ChoiceLines&) = delete;
  ChoiceLines& operator=(const ChoiceLines&) = delete;

  // Of each text, whether it leaves a choice or a stretch open.
  const std::vector<std::uint8_t>& leave_choices() const { return leave_choices_; }
  // The words of those that do not, with a space between one and the next.
  const std::shared_ptr<const TextColumn>& texts() const { return texts_; }
  // How many texts do, and each word of theirs once, by its number.
  std::size_t num_graphs() const { return rows_.size(); }
  const std::vector<std::string_view>& words() const { return words_; }

  // What becomes of them where none is changed; sentence boundaries may be no words.
  ChangedWords unchanged_words(bool has_boundaries = false) const;

  // What searches take of a text that leaves a choice. `words` has all words, and outlives the graph.
  Graph graph(std::size_t row, const ChangedWords& words) const;
  // What words of a path of each text take at its choices, as an array of JSON: Transcript.taken() has the rule. Empty
  // for texts without a choice, an empty array where the words are no path.
  std::vector<std::string> alternatives(const std::vector<std::vector<std::string_view>>& paths,
                                        const ChangedWords& words) const;

 private:
  struct Choice {
    std::string_view written;
    StateId from, to;
  };
  struct Row {
    std::size_t arcs, choices;  // where its own begin
    StateId num_states, last;
  };
  void add(std::string_view text, const ChoiceParser& parser, bool are_words);
  void add_choices(std::string_view text, const ChoiceParser& parser, bool are_words);
  std::int32_t number_of(std::string_view word);
  std::span<const ChoiceArc> arcs(std::size_t row) const;
  std::span<const Choice> choices(std::size_t row) const;
  std::string taken(std::size_t row, const std::vector<std::string_view>& path, const ChangedWords& words) const;

  std::shared_ptr<const TextColumn> given_;
  std::vector<std::uint8_t> leave_choices_, have_choices_;
  std::shared_ptr<const TextColumn> texts_;
  std::vector<Row> rows_;
  std::vector<ChoiceArc> arcs_;  // of all rows; their words are numbers of `words_`
  std::vector<Choice> choices_;
  std::vector<std::string_view> words_;
  WordTable table_;
  TextArena arena_;
};

}  // namespace fstmetrics

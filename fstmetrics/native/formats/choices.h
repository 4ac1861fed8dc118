// Texts that leave a choice: `i've { um / uh / @ } as far as`, `{a|b|}`, `[a|b]`, `<*>`. fstmetrics/data/transcripts.py
// says what means what; here it is read, and nowhere else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "automata/automaton.h"
#include "text/text_arena.h"

namespace fstmetrics {

// How choices are written.
struct ChoiceNotation {
  char opening, bar, closing;  // 0: there are no choices
  bool is_sclite;              // braces are marks whatever is in them, `@` is nothing, `(word)` may be left out
  bool has_tags;               // `;` and what follows in a word does not count
};

// Why a text cannot be read.
struct ChoiceFault {
  enum class Reason : std::uint8_t { kClosesNothing, kNotClosed, kTouchesWord };
  Reason reason;
  std::size_t byte;  // of the mark
};

struct ChoiceArc {
  static constexpr std::int32_t kNoWord = -1;

  StateId source, destination;
  std::int32_t word;  // of ChoiceParser::words()
};

// Reads one text after the other. What it says is of the text read last, and views that text and the parser.
class ChoiceParser {
 public:
  // A place where there is a choice, not inside another one: its bytes, and the states between which its alternatives
  // lie.
  struct Choice {
    std::size_t begin, end;
    StateId from, to;
  };
  // The states before a word in parentheses and behind it, and where leaving it out ends.
  struct Optional {
    StateId before, behind, end;
  };

  explicit ChoiceParser(const ChoiceNotation& notation) : notation_(notation) {}

  // Throws std::length_error for a text of 2^31 bytes.
  std::optional<ChoiceFault> read(std::string_view text);

  // As the text has them; none leads to a lower state. State 0 is the start, the last one is final.
  const std::vector<ChoiceArc>& arcs() const { return arcs_; }
  StateId num_states() const { return states_; }
  StateId last() const { return state_; }
  // The word of every arc that has one, in the same order; the wildcard is kWildcard.
  const std::vector<std::string_view>& words() const { return words_; }
  const std::vector<Choice>& choices() const { return choices_; }
  const std::vector<Optional>& optional() const { return optional_; }
  // How deep choices stand within choices.
  std::int64_t depth() const { return depth_; }
  bool has_wildcards() const { return has_wildcards_; }

 private:
  enum class Kind : std::uint8_t { kNone, kOpen, kBar, kClose };
  struct Mark {
    std::size_t byte;
    Kind kind;
  };
  struct Open {
    std::size_t mark, bars;  // its number, and how many bars of others come before its own
  };
  struct Begun {
    std::size_t byte, ends;
    StateId state;
  };

  std::optional<ChoiceFault> find_marks();
  bool touches(std::size_t mark) const;
  void take(const Mark& mark);
  std::size_t end_of_word(std::size_t begin, std::size_t end, bool& is_plain) const;
  void take_word(std::size_t begin, std::size_t end, bool is_plain);
  std::string_view meant(std::string_view written);
  StateId add_word(std::string_view word);
  void join(std::size_t begin, std::size_t end, StateId start, std::span<const StateId> ends);

  const ChoiceNotation notation_;
  std::string_view text_;
  StateId state_ = 0, states_ = 1;
  std::vector<ChoiceArc> arcs_;
  std::vector<std::string_view> words_;
  std::vector<Choice> choices_;
  std::vector<Optional> optional_;
  std::int64_t depth_ = 0;
  bool has_wildcards_ = false;
  TextArena arena_;          // of words that are written otherwise
  std::vector<Mark> marks_;  // in order
  std::vector<Open> open_;   // of those that are not closed yet
  std::vector<std::size_t> bars_;
  std::vector<Begun> begun_;  // choices that the text is in
  std::vector<StateId> ends_;
};

}  // namespace fstmetrics

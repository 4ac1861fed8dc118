#include "formats/cards.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "formats/lines.h"
#include "formats/symbols.h"
#include "lazy/rtn.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

struct Token {
  std::string_view text;
  bool is_call;
};

bool is_special(char c) { return c == '[' || c == ']' || c == '\\'; }

// The words and calls of phrases, as data/cards.py has them.
class PhraseParser {
 public:
  // Tokens are views that live as long as the parser and the text; false if the phrase cannot be read.
  bool parse(std::string_view text, std::vector<Token>& tokens) {
    tokens.clear();
    std::size_t at = 0;
    while (true) {
      while (const std::size_t space = space_at(text, at)) at += space;
      if (at == text.size()) return true;
      const bool is_call = text[at] == '[';
      at += is_call;
      const std::size_t begin = at;
      bool escaped = false;
      for (; at < text.size() && text[at] != ']' && text[at] != '[' && (is_call || !space_at(text, at)); ++at) {
        if (text[at] != '\\') continue;
        if (++at == text.size() || !(is_special(text[at]) || text[at] == ';')) return false;
        escaped = true;
      }
      const std::string_view token = text.substr(begin, at - begin);
      if (is_call && (at == text.size() || text[at++] != ']')) return false;
      if (at < text.size() && !space_at(text, at)) return false;
      tokens.push_back({escaped ? unescaped(token) : token, is_call});
    }
  }

 private:
  std::string_view unescaped(std::string_view token) {
    std::string bare;
    for (std::size_t at = 0; at < token.size(); ++at) bare += token[at] == '\\' ? token[++at] : token[at];
    return kept_.emplace_back(std::move(bare));
  }

  std::deque<std::string> kept_;  // tokens with escapes, which are not in the text as they stand
};

class Compiler {
 public:
  explicit Compiler(const std::vector<CardText>& cards) : cards_(cards) {
    words_.intern("");
    for (const CardText& card : cards) names_.intern(card.name);
  }

  std::optional<CompiledCards> run() {
    CompiledCards result;
    for (const CardText& card : cards_) {
      if (!(card.has_arcs ? add_arcs(card) : add_phrases(card))) return std::nullopt;
      result.cards.emplace_back(spec_);
    }
    result.words.assign(words_.words().begin(), words_.words().end());
    return result;
  }

 private:
  // The label of a token; nothing for a call of a card that is not there.
  std::optional<Label> label_of(const Token& token) {
    if (!token.is_call) return words_.intern(token.text);
    const auto card = static_cast<std::size_t>(names_.intern(token.text));
    if (card >= cards_.size()) return std::nullopt;
    return call_label(static_cast<std::int32_t>(card));
  }

  void add_arc(StateId source, StateId destination, Label label) {
    spec_.sources.push_back(source);
    spec_.destinations.push_back(destination);
    spec_.labels.push_back(label);
  }

  void clear(StateId start) {
    for (auto* column : {&spec_.sources, &spec_.labels, &spec_.destinations, &spec_.finals}) column->clear();
    spec_.arc_costs.clear();
    spec_.final_costs.clear();
    spec_.start = start;
  }

  // One path a phrase. State 0 is the start, the last one the end of every phrase, so that arcs lead upwards.
  bool add_phrases(const CardText& card) {
    constexpr StateId kEnd = -1;
    clear(0);
    spec_.num_states = 1;
    for (const std::string_view phrase : card.phrases) {
      poll(50 + 10 * static_cast<std::int64_t>(phrase.size()));
      if (!parser_.parse(phrase, tokens_)) return false;
      if (tokens_.empty()) add_arc(0, kEnd, kEpsilon);
      StateId state = 0;
      for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const auto label = label_of(tokens_[i]);
        if (!label) return false;
        const StateId next = i + 1 == tokens_.size() ? kEnd : spec_.num_states++;
        add_arc(state, next, *label);
        state = next;
      }
    }
    std::replace(spec_.destinations.begin(), spec_.destinations.end(), kEnd, spec_.num_states);
    spec_.finals.push_back(spec_.num_states++);
    return !card.phrases.empty();
  }

  bool add_arcs(const CardText& card) {
    constexpr std::int64_t kMaxState = std::numeric_limits<StateId>::max() - 2;
    std::int64_t highest = 0;
    const auto known = [&](std::int64_t state) {
      highest = std::max(highest, state);
      return state >= 0 && state <= kMaxState;
    };
    if (!known(card.start)) return false;
    clear(static_cast<StateId>(card.start));
    for (const std::int64_t state : card.finals) {
      if (!known(state)) return false;
      spec_.finals.push_back(static_cast<StateId>(state));
    }
    for (const CardText::WrittenArc& arc : card.arcs) {
      poll(100);
      if (!known(arc.source) || !known(arc.destination)) return false;
      if (!parser_.parse(arc.label, tokens_) || tokens_.size() > 1) return false;
      const auto label = tokens_.empty() ? kEpsilon : label_of(tokens_[0]);
      if (!label) return false;
      add_arc(static_cast<StateId>(arc.source), static_cast<StateId>(arc.destination), *label);
    }
    spec_.num_states = static_cast<StateId>(highest + 1);
    if (static_cast<std::size_t>(highest) >= 2 * (1 + card.finals.size() + 2 * card.arcs.size())) close_gaps();
    spec_.arc_costs = card.arc_costs;
    spec_.final_costs = card.final_costs;
    return finals_are_reached();
  }

  // A state number is also the size of a table: with wild ones, those that are there are counted.
  void close_gaps() {
    std::vector<StateId> named{spec_.start};
    const auto columns = {&spec_.sources, &spec_.destinations, &spec_.finals};
    for (const auto* column : columns) named.insert(named.end(), column->begin(), column->end());
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    const auto number = [&](StateId& state) {
      state = static_cast<StateId>(std::lower_bound(named.begin(), named.end(), state) - named.begin());
    };
    for (auto* column : columns) std::for_each(column->begin(), column->end(), number);
    number(spec_.start);
    spec_.num_states = static_cast<StateId>(named.size());
  }

  bool finals_are_reached() const {
    const Automaton card(spec_);
    std::vector<std::uint8_t> reached(card.num_states(), 0);
    std::vector<StateId> pending{card.start()};
    reached[card.start()] = 1;
    while (!pending.empty()) {
      const StateId state = pending.back();
      pending.pop_back();
      for (const Arc& arc : card.arcs(state)) {
        if (!reached[arc.next]) reached[arc.next] = 1, pending.push_back(arc.next);
      }
    }
    return std::all_of(spec_.finals.begin(), spec_.finals.end(), [&](StateId state) { return reached[state] != 0; });
  }

  const std::vector<CardText>& cards_;
  PhraseParser parser_;
  Symbols words_, names_;
  AutomatonSpec spec_;
  std::vector<Token> tokens_;
};

}  // namespace

std::optional<CompiledCards> compiled(const std::vector<CardText>& cards) { return Compiler(cards).run(); }

}  // namespace fstmetrics

#include "formats/choice_lines.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "formats/lines.h"
#include "support/poll.h"
#include "text/json.h"
#include "text/words.h"

namespace fstmetrics {
namespace {

bool has_spaced_word(const ChoiceParser& parser) {
  return std::ranges::any_of(parser.words(),
                             [](std::string_view word) { return word.data() != kWildcard.data() && has_space(word); });
}

std::uint8_t kinds_of(const ChoiceParser& parser) {
  const bool leaves = parser.depth() > 0 || parser.has_wildcards();
  return static_cast<std::uint8_t>((leaves ? ChoiceSurvey::kChoices : 0) |
                                   (parser.optional().empty() ? 0 : ChoiceSurvey::kOptional));
}

// What words of one text after the other are numbered with.
class LocalLabels {
 public:
  // A text over words with numbers below `size` begins.
  void restart(std::size_t size) {
    seen_.resize(std::max(seen_.size(), size));
    ++generation_;
    words.assign(1, {});
  }
  Label of(Label number, const WordTable& table) {
    Seen& seen = seen_[number];
    if (seen.generation != generation_) {
      seen = {generation_, static_cast<Label>(words.size())};
      words.push_back(table.word(number));
    }
    return seen.label;
  }

  std::vector<Word> words;  // by label; the first is none

 private:
  struct Seen {
    std::uint64_t generation = 0;
    Label label = 0;
  };
  std::vector<Seen> seen_;
  std::uint64_t generation_ = 0;
};

// An arc whose word has become a label of the graph.
struct LabelledArc {
  StateId source, destination;
  Label label;
};

// Leaves those of a source as they come.
void sort_by_source(std::vector<ChoiceArc>& arcs) {
  std::stable_sort(arcs.begin(), arcs.end(),
                   [](const ChoiceArc& a, const ChoiceArc& b) { return a.source < b.source; });
}

std::shared_ptr<Automaton> automaton_of(const std::vector<LabelledArc>& given, StateId states, StateId last) {
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(states) + 1, 0);
  for (const LabelledArc& arc : given) ++offsets[arc.source + 1];
  for (StateId state = 0; state < states; ++state) offsets[state + 1] += offsets[state];
  std::vector<std::int32_t> fill(offsets.begin(), offsets.end() - 1);
  std::vector<Arc> arcs(given.size());
  for (const LabelledArc& arc : given) {
    const std::int32_t slot = fill[arc.source]++;
    arcs[slot] = {arc.label, arc.destination, 0, slot};
  }
  std::vector<std::uint8_t> is_final(static_cast<std::size_t>(states), 0);
  is_final[last] = 1;
  return std::make_shared<Automaton>(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

}  // namespace

bool survey_choices(const TextColumn& texts, const ChoiceNotation& notation, ChoiceSurvey& survey) {
  ChoiceParser parser(notation);
  for (const std::string_view text : texts.texts) {
    if (parser.read(text) || has_spaced_word(parser)) return false;
    survey.kinds.push_back(kinds_of(parser));
    survey.depth = std::max(survey.depth, parser.depth());
  }
  return true;
}

std::optional<TextLines> marked_trn_lines(std::string_view bytes, std::shared_ptr<const void> holder) {
  TextLines found{{holder, {}}, {holder, {}}};
  Polls poll;
  for (Lines lines(bytes); lines.next();) {
    poll(20 + static_cast<std::int64_t>(lines.line().size()));
    const LineItem item = trn_line(lines.line(), true);
    if (item.kind == LineKind::kNone) continue;
    if (item.kind != LineKind::kItem) return std::nullopt;
    // Up to the parenthesis: white space behind a backslash belongs to the text.
    const auto size = static_cast<std::size_t>(item.id.data() - item.text.data());
    const std::string_view text = std::string_view(item.text.data(), size);
    found.ids.texts.push_back(item.id);
    found.texts.texts.push_back(text.substr(0, text.rfind('(')));
  }
  if (found.ids.distinct().size() < found.ids.size()) return std::nullopt;
  return found;
}

void ChangedWords::add(std::span<const std::string_view> words) {
  if (!is_ready_) table_.reset(64);
  is_ready_ = true;
  for (const std::string_view word : words) {
    Label label = table_.find(make_word(word));
    if (label == kEpsilon) {
      char* const room = arena_.room(word.size());
      std::memcpy(room, word.data(), word.size());
      label = table_.intern(make_word(arena_.keep(room + word.size())));
    }
    labels_.push_back(label);
  }
  begins_.push_back(labels_.size());
}

ChoiceLines::ChoiceLines(std::shared_ptr<const TextColumn> texts, const ChoiceNotation& notation, bool are_words)
    : given_(std::move(texts)) {
  table_.reset(given_->size());
  leave_choices_.reserve(given_->size());
  std::string spaced;
  std::vector<std::size_t> ends;
  ChoiceParser parser(notation);
  for (const std::string_view text : given_->texts) {
    if (parser.read(text)) throw std::invalid_argument("a text that cannot be read");
    const std::uint8_t kinds = kinds_of(parser);
    const bool leaves = (kinds & ChoiceSurvey::kChoices) != 0 || (kinds != 0 && !are_words);
    leave_choices_.push_back(leaves ? 1 : 0);
    have_choices_.push_back(parser.choices().empty() ? 0 : 1);
    if (leaves) {
      add(text, parser, are_words);
      continue;
    }
    std::size_t optional = 0;
    StateId state = 0;
    for (const ChoiceArc& arc : parser.arcs()) {
      if (arc.word == ChoiceArc::kNoWord) continue;
      if (state++ > 0) spaced += ' ';
      const bool is_optional = optional < parser.optional().size() && parser.optional()[optional].before == arc.source;
      if (is_optional) spaced += '(';
      spaced += parser.words()[arc.word];
      if (is_optional) spaced += ')', ++optional;
    }
    ends.push_back(spaced.size());
  }
  auto kept = std::make_shared<const std::string>(std::move(spaced));
  TextColumn column{kept, {}};
  column.texts.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    column.texts.push_back(std::string_view(*kept).substr(begin, end - begin));
    begin = end;
  }
  texts_ = std::make_shared<const TextColumn>(std::move(column));
}

// The same arcs in the same order as Transcript.with_optional_words() makes.
void ChoiceLines::add(std::string_view text, const ChoiceParser& parser, bool are_words) {
  rows_.push_back({arcs_.size(), choices_.size(), parser.num_states(), parser.last()});
  add_choices(text, parser, are_words);
  if (!are_words || parser.optional().empty()) {
    for (ChoiceArc arc : parser.arcs()) {
      if (arc.word != ChoiceArc::kNoWord) arc.word = number_of(parser.words()[arc.word]);
      arcs_.push_back(arc);
    }
    return;
  }
  std::vector<ChoiceArc> arcs = parser.arcs();
  sort_by_source(arcs);
  std::vector<const ChoiceParser::Optional*> of_state(parser.num_states(), nullptr);
  for (const ChoiceParser::Optional& word : parser.optional()) of_state[word.behind] = of_state[word.end] = &word;
  std::string in_parentheses;
  for (ChoiceArc arc : arcs) {
    const ChoiceParser::Optional* const word = of_state[arc.destination];
    const bool is_its = word && word->before == arc.source;
    if (is_its && arc.destination == word->end) continue;  // the way round the word
    if (arc.word != ChoiceArc::kNoWord) {
      const std::string_view said = parser.words()[arc.word];
      if (is_its) {
        in_parentheses.clear();
        in_parentheses.push_back('(');
        in_parentheses.append(said);
        in_parentheses.push_back(')');
      }
      arc.word = number_of(is_its ? std::string_view(in_parentheses) : said);
    }
    arcs_.push_back(arc);
  }
}

void ChoiceLines::add_choices(std::string_view text, const ChoiceParser& parser, bool are_words) {
  auto optional = parser.optional().begin();
  for (const ChoiceParser::Choice& choice : parser.choices()) {
    if (are_words) {  // a word in parentheses that is no longer a choice
      while (optional != parser.optional().end() && optional->end < choice.to) ++optional;
      if (optional != parser.optional().end() && optional->end == choice.to) continue;
    }
    choices_.push_back({text.substr(choice.begin, choice.end - choice.begin), choice.from, choice.to});
  }
}

std::int32_t ChoiceLines::number_of(std::string_view word) {
  if (const Label known = table_.find(make_word(word)); known != kEpsilon) return known - 1;
  char* const room = arena_.room(word.size());
  std::memcpy(room, word.data(), word.size());
  words_.push_back(arena_.keep(room + word.size()));
  return table_.intern(make_word(words_.back())) - 1;
}

std::span<const ChoiceArc> ChoiceLines::arcs(std::size_t row) const {
  const std::size_t end = row + 1 < rows_.size() ? rows_[row + 1].arcs : arcs_.size();
  return {arcs_.data() + rows_[row].arcs, arcs_.data() + end};
}

std::span<const ChoiceLines::Choice> ChoiceLines::choices(std::size_t row) const {
  const std::size_t end = row + 1 < rows_.size() ? rows_[row + 1].choices : choices_.size();
  return {choices_.data() + rows_[row].choices, choices_.data() + end};
}

ChangedWords ChoiceLines::unchanged_words(bool has_boundaries) const {
  ChangedWords changed;
  for (const std::string_view& word : words_) {
    const bool is_marker = !has_boundaries && std::ranges::find(kSentenceMarkers, word) != kSentenceMarkers.end();
    changed.add({&word, is_marker ? 0U : 1U});
  }
  return changed;
}

std::vector<std::string> ChoiceLines::alternatives(const std::vector<std::vector<std::string_view>>& paths,
                                                   const ChangedWords& words) const {
  if (paths.size() != leave_choices_.size()) throw std::invalid_argument("a path of each text");
  std::vector<std::string> found(paths.size());
  std::size_t row = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (have_choices_[i] != 0) found[i] = leave_choices_[i] != 0 ? taken(row, paths[i], words) : "[]";
    row += leave_choices_[i];
  }
  return found;
}

// States that are reached behind so many words of the path, with the first way there; as Transcript._positions() has
// it.
std::string ChoiceLines::taken(std::size_t row, const std::vector<std::string_view>& path,
                               const ChangedWords& words) const {
  using Node = std::pair<StateId, std::size_t>;
  const auto key = [](const Node& node) { return (static_cast<std::uint64_t>(node.first) << 32) | node.second; };
  std::unordered_map<std::uint64_t, Node> came;
  std::vector<std::vector<std::size_t>> reached(static_cast<std::size_t>(rows_[row].num_states));
  reached[0].push_back(0);
  std::vector<ChoiceArc> sorted(arcs(row).begin(), arcs(row).end());
  sort_by_source(sorted);
  Polls poll;
  for (const ChoiceArc& arc : sorted) {
    const std::span<const Label> said = arc.word == ChoiceArc::kNoWord ? std::span<const Label>() : words.of(arc.word);
    for (std::size_t i = 0; i < reached[arc.source].size(); ++i) {  // a loop makes it longer
      poll(20);
      const std::size_t at = reached[arc.source][i], end = at + said.size();
      const auto is_said = [&](std::size_t n) { return words.table().word(said[n]).view() == path[at + n]; };
      bool fits = end <= path.size();
      for (std::size_t n = 0; fits && n < said.size(); ++n) fits = is_said(n);
      if (fits && came.try_emplace(key({arc.destination, end}), arc.source, at).second)
        reached[arc.destination].push_back(end);
    }
  }
  Node node{rows_[row].last, path.size()};
  if (!came.contains(key(node)) && node != Node{0, 0}) return "[]";
  std::vector<std::size_t> position(reached.size(), 0);
  position[node.first] = node.second;
  for (auto before = came.find(key(node)); before != came.end(); before = came.find(key(node))) {
    node = before->second;
    position[node.first] = node.second;
  }
  std::string json = "[", said;
  for (const Choice& choice : choices(row)) {
    said.clear();
    for (std::size_t at = position[choice.from]; at < position[choice.to]; ++at) {
      if (at > position[choice.from]) said += ' ';
      said += path[at];
    }
    json += json.size() > 1 ? ", {\"written\": " : "{\"written\": ";
    append_json(json, choice.written);
    json += ", \"taken\": ";
    append_json(json, said);
    json += '}';
  }
  return json += ']';
}

// As fstmetrics/engine/renaming.py has it.
Graph ChoiceLines::graph(std::size_t row, const ChangedWords& changed) const {
  thread_local LocalLabels labels;
  thread_local std::vector<LabelledArc> made;
  labels.restart(static_cast<std::size_t>(changed.table().size()) + 1);
  made.clear();
  StateId states = rows_[row].num_states;
  const auto becomes = [&](const ChoiceArc& arc) {
    return arc.word == ChoiceArc::kNoWord ? std::span<const Label>() : changed.of(arc.word);
  };
  const auto add = [&](const ChoiceArc& arc) {
    const std::span<const Label> words = becomes(arc);
    StateId source = arc.source;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      made.push_back({source, states, labels.of(words[i], changed.table())});
      source = states++;
    }
    made.push_back({source, arc.destination, words.empty() ? kEpsilon : labels.of(words.back(), changed.table())});
  };
  const std::span<const ChoiceArc> given = arcs(row);
  if (std::ranges::all_of(given, [&](const ChoiceArc& arc) { return becomes(arc).size() <= 1; })) {
    for (const ChoiceArc& arc : given) add(arc);
  } else {
    std::vector<ChoiceArc> sorted(given.begin(), given.end());
    sort_by_source(sorted);
    for (const ChoiceArc& arc : sorted) add(arc);
  }
  poll(100 * static_cast<std::int64_t>(made.size()));
  return Graph(prepared_of(automaton_of(made, states, rows_[row].last)), std::span<const Word>(labels.words));
}

}  // namespace fstmetrics

#include "formats/k2.h"

#include <algorithm>
#include <cmath>

#include "formats/fault.h"
#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/text_rows.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::string_view kIntoFinal = "-1", kEpsilonLabel = "0";
constexpr std::size_t kLeastFields = 3, kMostFields = 5;  // source, destination, label; output; score
constexpr std::size_t kBytesOfArc = 16;

// The one field of the last line that has any.
std::string_view last_field(std::string_view text) {
  if (!text.ends_with('\n')) throw ForAnotherReader{};
  std::vector<std::string_view> fields;
  while (!text.empty() && fields.empty()) {
    text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n') + 1;  // 0 in the first line
    split_fields(text.substr(begin), fields);
    text = text.substr(0, begin);
  }
  if (fields.size() != 1) throw ForAnotherReader{};
  return fields[0];
}

double score(std::string_view field) {
  double value = 0.0;
  const char* const end = field.data() + field.size();
  if (plain_number(field.data(), end, value) == end) return value;
  const std::optional<double> general = number(field);
  if (!general || !std::isfinite(*general)) throw ForAnotherReader{};
  return *general;
}

bool is_word(std::string_view label) { return label != kIntoFinal && label != kEpsilonLabel; }

// What an arc is whose labels are a list: several words, which need states of their own.
struct Phrase {
  std::int64_t source, destination, line;
  std::vector<std::string_view> words;
  double cost;
};

class Parser {
 public:
  Parser(std::string_view text, LatticeDraft& draft, Lexicon& lexicon)
      : text_(text),
        final_(last_field(text)),
        draft_(draft),
        lexicon_(lexicon),
        may_have_lists_(text.find('[') != text.npos) {}

  // Whether some input is not its output.
  bool run() {
    Polls poll;
    TextRows row(text_);
    while (row.next()) {
      if (row.size() == 0) continue;
      poll(20 + static_cast<std::int64_t>(row.end() - row.begin()));
      if (last_ > 0) throw ForAnotherReader{};  // something follows the final state
      if (row.size() == 1) {
        add_final(row);
      } else {
        may_have_lists_&& row.line().find('[') != std::string_view::npos ? add_list(row) : add_arc(row);
      }
    }
    if (last_ == 0 || (draft_.arcs.empty() && phrases_.empty())) throw ForAnotherReader{};
    add_phrases();
    return has_other_inputs_;
  }

 private:
  void add_final(const TextRows& row) {
    last_ = row.number();
    draft_.add_final({state_number(final_), last_, {}});
  }

  void add_arc(const TextRows& row) {
    if (fields_ == 0) fields_ = row.size();
    if (row.size() != fields_ || has_lists_ || fields_ < kLeastFields || fields_ > kMostFields)
      throw ForAnotherReader{};
    const std::int64_t source = state_number(row[0]), destination = state_number(row[1]);
    const bool into_final = row[1] == final_;
    if ((row[2] == kIntoFinal) != into_final) throw ForAnotherReader{};
    const std::string_view output = fields_ == kMostFields ? row[3] : row[2];
    if (fields_ == kMostFields &&
        (is_word(output) ? output : std::string_view()) != (is_word(row[2]) ? row[2] : std::string_view())) {
      has_other_inputs_ = true;
    }
    const std::int32_t label =
        lexicon_.label(into_final ? kEpsilonLabel : output, into_final ? kEpsilonLabel.end() : row.text_end());
    const double cost = fields_ > kLeastFields ? 0.0 - score(row.back()) : 0.0;
    draft_.add_arc({source, destination, row.number(), label, 0, {cost, 0.0}});
  }

  // `source destination label [labels] score`, the score perhaps left out.
  void add_list(const TextRows& row) {
    const std::string_view line = row.line();
    const std::size_t open = line.find('['), close = line.find(']');
    if (close == line.npos || close < open || line.find('[', open + 1) != line.npos ||
        line.find(']', close + 1) != line.npos) {
      throw ForAnotherReader{};
    }
    split_fields(line.substr(0, open), before_);
    split_fields(line.substr(open + 1, close - open - 1), labels_);
    split_fields(line.substr(close + 1), behind_);
    if (fields_ == 0) fields_ = kLeastFields + 1 + behind_.size(), has_lists_ = true;
    if (!has_lists_ || before_.size() != kLeastFields || behind_.size() > 1 ||
        fields_ != kLeastFields + 1 + behind_.size())
      throw ForAnotherReader{};
    const std::int64_t source = state_number(before_[0]), destination = state_number(before_[1]);
    const bool into_final = before_[1] == final_;
    if ((before_[2] == kIntoFinal) != into_final) throw ForAnotherReader{};
    const double cost = behind_.empty() ? 0.0 : 0.0 - score(behind_[0]);
    if (into_final) std::erase(labels_, kIntoFinal);
    const std::size_t said = std::ranges::count_if(labels_, is_word);
    const bool same =
        is_word(before_[2]) ? said == 1 && *std::ranges::find_if(labels_, is_word) == before_[2] : said == 0;
    has_other_inputs_ |= !same;
    for (const std::string_view label : labels_) {
      if (label.starts_with('-') || !is_label_number(label)) throw ForAnotherReader{};
    }
    std::erase_if(labels_, [](std::string_view label) { return label.find_first_not_of('0') == label.npos; });
    highest_ = std::max({highest_, source, destination});
    if (labels_.size() > 1) {
      phrases_.push_back({source, destination, row.number(), labels_, cost});
    } else {
      const std::string_view word = labels_.empty() ? kEpsilonLabel : labels_[0];
      const std::int32_t label = lexicon_.label(word, labels_.empty() ? word.end() : row.text_end());
      draft_.add_arc({source, destination, row.number(), label, 0, {cost, 0.0}});
    }
  }

  // Behind all other arcs, each word an arc; the first carries the cost.
  void add_phrases() {
    std::int64_t free = std::max(highest_, state_number(final_)) + 1;
    for (Phrase& phrase : phrases_) {
      for (std::size_t i = 0; i < phrase.words.size(); ++i) {
        const std::int64_t next = i + 1 < phrase.words.size() ? free++ : phrase.destination;
        const std::int32_t label = lexicon_.label(phrase.words[i], text_.end());
        draft_.add_arc({phrase.source, next, phrase.line, label, 0, {i == 0 ? phrase.cost : 0.0, 0.0}});
        phrase.source = next;
      }
    }
  }

  std::string_view text_, final_;
  LatticeDraft& draft_;
  Lexicon& lexicon_;
  std::size_t fields_ = 0;  // of every arc; 0 before the first
  std::int64_t last_ = 0;   // the line of the final state; 0 before it
  bool may_have_lists_, has_lists_ = false, has_other_inputs_ = false;
  std::int64_t highest_ = 0;  // state of an arc with a list
  std::vector<Phrase> phrases_;
  std::vector<std::string_view> before_, labels_, behind_;  // the fields of a line before, in and behind a list
};

}  // namespace

std::optional<bool> read_k2(std::string_view text, std::shared_ptr<const Labels> integers, const ItemLimits& limits,
                            std::string id, LatticeColumn& column) {
  LatticeDraft draft;
  draft.arcs.reserve(text.size() / kBytesOfArc);
  draft.start = 0;
  Lexicon lexicon(std::move(integers));
  try {
    const bool has_other_inputs = Parser(text, draft, lexicon).run();
    for (const LabelWord& word : lexicon.words()) {
      if (word.number < 0) return std::nullopt;
    }
    WordLattice lattice;
    lattice.id = std::move(id);
    lattice.end = static_cast<std::int64_t>(text.size());
    LatticeMaker(column.shared_vocabulary(), limits).complete(draft, lexicon.words(), lexicon.labels(), lattice);
    if (lattice.fault) return std::nullopt;
    column.add(std::move(lattice));
    return has_other_inputs;
  } catch (const ForAnotherReader&) {
  } catch (const Fault&) {}
  return std::nullopt;
}

}  // namespace fstmetrics

#include "formats/k2.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "formats/fault.h"
#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/text_rows.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::string_view kIntoFinal = "-1", kEpsilonLabel = "0";
constexpr std::size_t kOutput = 3;  // the place of an output label, or list of them, if there is one
constexpr std::size_t kLeastFields = 3, kMostFields = 5;  // source, destination, label; output; score
constexpr std::size_t kBytesOfArc = 16;
constexpr std::int64_t kMostStates = (std::int64_t{1} << 31) - 2;

using FieldSpan = std::span<const std::string_view>;

bool is_list(std::string_view field) { return field.starts_with('[') && field.ends_with(']'); }

// The fields of a line, lists in brackets among them; where there is an open one, a bracket that is no list's is one,
// too.
void split_lists(std::string_view line, std::vector<std::string_view>& fields) {
  if (line.find('[') == line.npos) return split_fields(line, fields);
  fields.clear();
  for (std::size_t at = 0; at < line.size();) {
    const auto next = [&](const char* any) { return std::min(line.find_first_of(any, at + 1), line.size()); };
    std::size_t end = at + 1;
    if (line[at] == '[') {
      const std::size_t bracket = next("[]");
      if (bracket < line.size() && line[bracket] == ']') end = bracket + 1;
    } else if (line[at] != ']' && !is_blank(line[at])) {
      end = next(" \t[]");
    }
    if (!is_blank(line[at])) fields.push_back(line.substr(at, end - at));
    at = end;
  }
}

double score(std::string_view field) {
  double value = 0.0;
  const char* const end = field.data() + field.size();
  if (plain_number(field.data(), end, value) == end) return value;
  const std::optional<double> general = number(field);
  if (!general || !std::isfinite(*general)) throw Fault("expected a number, not {}", field);
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
      : text_(text), draft_(draft), lexicon_(lexicon), may_have_lists_(text.find('[') != text.npos) {}

  // Whether some input is not its output.
  bool run() {
    const std::size_t end = find_final();
    const std::int64_t last = line_;
    Polls poll;
    TextRows row(text_.substr(0, end));
    try {
      while (row.next()) {
        if (row.size() == 0) continue;
        poll(20 + static_cast<std::int64_t>(row.end() - row.begin()));
        line_ = row.number();
        add(fields_of(row));
      }
      line_ = last;
      if (count_ == 0) refuse_final(FieldSpan(&final_, 1));
      draft_.add_final({state_number(final_), line_, {}});
    } catch (Fault& fault) {
      if (fault.line == 0) fault.line = line_;
      throw;
    }
    add_phrases();
    refuse_cut(text_);
    return has_other_inputs_;
  }

 private:
  // Takes the one field of the last line that has any, and its number; where that line begins.
  std::size_t find_final() {
    std::size_t begin = text_.size();
    while (begin > 0 && fields_.empty()) {
      std::string_view line = text_.substr(0, begin);
      if (line.ends_with('\n')) line.remove_suffix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = line.rfind('\n') + 1;  // 0 in the first line
      split_lists(line.substr(begin), fields_);
    }
    line_ = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    if (fields_.size() != 1) refuse_final(fields_);
    final_ = fields_[0];
    return begin;
  }

  [[noreturn]] void refuse_final(FieldSpan fields) const {
    Fault fault("expected the final state alone on the last line, found {}", joined(fields));
    fault.line = line_;
    throw fault;
  }

  FieldSpan fields_of(const TextRows& row) {
    if (row.size() <= TextRows::kKept && !(may_have_lists_ && row.line().find('[') != std::string_view::npos)) {
      return row.fields();
    }
    split_lists(row.line(), fields_);
    return fields_;
  }

  void add(FieldSpan fields) {
    check_form(fields);
    const std::int64_t source = state_number(fields[0]), destination = state_number(fields[1]);
    const std::int64_t highest = std::max(source, destination);
    if (highest >= kMostStates) throw out_of_range(highest, kMostStates);
    highest_ = std::max(highest_, highest);
    const bool into_final = fields[1] == final_, has_list = list_ == kOutput;
    if ((fields[2] == kIntoFinal) != into_final) {
      throw Fault("label {} into state " + std::to_string(destination) +
                      ": -1 must be on the arcs into the final state " + std::string(final_) + " only",
                  fields[2]);
    }
    if (has_list) return add_list(fields, source, destination, into_final);
    const std::string_view output = fields[fields.size() == kMostFields ? kOutput : 2];
    has_other_inputs_ |= said(output) != said(fields[2]);
    const std::int32_t label = label_of(into_final ? kEpsilonLabel : output);
    const double cost = fields.size() > kLeastFields ? 0.0 - score(fields.back()) : 0.0;
    draft_.add_arc({source, destination, line_, label, 0, {cost, 0.0}});
  }

  // All arcs are of the form of the first: as many fields, and a list, if any, where it has one.
  void check_form(FieldSpan fields) {
    const auto is_other = [](std::string_view field) { return !is_list(field); };
    const auto first = may_have_lists_ ? std::find_if_not(fields.begin(), fields.end(), is_other) : fields.end();
    const bool has_more = first != fields.end() && std::find_if_not(first + 1, fields.end(), is_other) != fields.end();
    const std::size_t list = first == fields.end() ? kNoList : static_cast<std::size_t>(first - fields.begin());
    if (count_++ == 0) {
      size_ = fields.size(), list_ = list;
      if (has_more || (list != kNoList && list > kOutput)) {
        throw Fault(
            "an arc with several labels or lists of labels, {}, which the text does not name; take off all but the "
            "words before k2.to_str, say by `del fsa.other_labels`",
            joined(fields));
      }
    }
    if (has_more || list != list_ || fields.size() != size_ || size_ < kLeastFields || size_ > kMostFields) {
      throw Fault("expected `source destination label [output] [score]`, all lines with as many fields as the first (" +
                      std::to_string(size_) + "), found {}",
                  joined(fields));
    }
  }

  // What of a label may be unlike another one.
  static std::string_view said(std::string_view label) { return is_word(label) ? label : std::string_view(); }

  std::int32_t label_of(std::string_view text) {
    const char* const readable = text.data() == kEpsilonLabel.data() ? text.data() + text.size() : text_.end();
    const std::int32_t label = lexicon_.label(text, readable);
    if (lexicon_.words().size() == known_) return label;
    known_ = lexicon_.words().size();
    check_number(lexicon_.words().back().number, text);
    return label;
  }

  static void check_number(std::int32_t number, std::string_view label) {
    if (number == kMissing) {
      throw Fault("label " + std::to_string(state_number(label)) + " is not in the symbol table");
    }
    if (number < 0) throw Fault("a label is a non-negative integer here, not {}", label);
  }

  // `source destination label [labels] score`, the score perhaps left out.
  void add_list(FieldSpan fields, std::int64_t source, std::int64_t destination, bool into_final) {
    split_fields(fields[kOutput].substr(1, fields[kOutput].size() - 2), labels_);
    const auto count = static_cast<std::size_t>(std::ranges::count_if(labels_, is_word));
    const bool same = is_word(fields[2]) ? count == 1 && *std::ranges::find_if(labels_, is_word) == fields[2] : !count;
    has_other_inputs_ |= !same;
    if (into_final) std::erase(labels_, kIntoFinal);
    std::erase_if(labels_, [&](std::string_view label) { return is_epsilon(label); });
    const double cost = fields.size() > kOutput + 1 ? 0.0 - score(fields.back()) : 0.0;
    if (labels_.size() > 1) {
      phrases_.push_back({source, destination, line_, labels_, cost});
    } else {
      const std::int32_t label = label_of(labels_.empty() ? kEpsilonLabel : labels_[0]);
      draft_.add_arc({source, destination, line_, label, 0, {cost, 0.0}});
    }
  }

  bool is_epsilon(std::string_view label) const {
    const std::int32_t number = lexicon_.labels().number_of(label);
    check_number(number, label);
    return number == Vocabulary::kNoWord;
  }

  // Behind all other arcs, each word an arc; the first carries the cost.
  void add_phrases() {
    std::int64_t free = std::max(highest_, state_number(final_)) + 1;
    for (Phrase& phrase : phrases_) {
      for (std::size_t i = 0; i < phrase.words.size(); ++i) {
        const std::int64_t next = i + 1 < phrase.words.size() ? free++ : phrase.destination;
        draft_.add_arc({phrase.source, next, phrase.line, label_of(phrase.words[i]), 0, {i == 0 ? phrase.cost : 0.0}});
        phrase.source = next;
      }
    }
  }

  static constexpr std::size_t kNoList = static_cast<std::size_t>(-1);

  std::string_view text_, final_;
  LatticeDraft& draft_;
  Lexicon& lexicon_;
  std::size_t known_ = 0;  // labels that have been looked at
  std::int64_t line_ = 0;
  std::size_t count_ = 0, size_ = 0, list_ = kNoList;  // arcs so far; of every arc the fields, and which is a list
  bool may_have_lists_, has_other_inputs_ = false;
  std::int64_t highest_ = 0;  // state of an arc
  std::vector<Phrase> phrases_;
  std::vector<std::string_view> fields_, labels_;
};

}  // namespace

void read_k2(std::string_view text, std::shared_ptr<const Labels> integers, const ItemLimits& limits, std::string id,
             LatticeColumn& column) {
  WordLattice lattice;
  lattice.id = std::move(id);
  lattice.end = static_cast<std::int64_t>(text.size());
  LatticeDraft draft;
  draft.arcs.reserve(text.size() / kBytesOfArc);
  draft.start = 0;
  Lexicon lexicon(std::move(integers));
  try {
    if (Parser(text, draft, lexicon).run()) lattice.left_out.emplace_back("input labels");
    LatticeMaker(column.shared_vocabulary(), limits).complete(draft, lexicon.words(), lexicon.labels(), lattice);
  } catch (Fault& fault) { lattice.fault = std::move(fault); }
  column.add(std::move(lattice));
}

}  // namespace fstmetrics

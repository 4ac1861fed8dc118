#include "formats/sphinx.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/fault.h"
#include "formats/lines.h"
#include "formats/numbers.h"
#include "support/poll.h"
#include "text/words.h"

namespace fstmetrics {
namespace {

constexpr int kMostStateDigits = 18;  // fit in an int64

// Moves past digits, which may have a sign; false where there are none, or too many.
bool take_number(std::string_view text, std::size_t& at, bool is_signed, std::int64_t& value) {
  const bool negative = is_signed && at < text.size() && text[at] == '-';
  at += negative;
  const std::size_t begin = at;
  value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    if (at - begin == kMostStateDigits) return false;
    value = 10 * value + (text[at] - '0');
  }
  if (negative) value = -value;
  return at > begin;
}

bool take_blanks(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_blank(text[at])) ++at;
  return at > begin;
}

// Moves past a line; false where it is no edge.
bool take_edge(std::string_view text, std::size_t& at, std::int64_t* numbers) {
  take_blanks(text, at);
  if (!take_number(text, at, false, numbers[0]) || !take_blanks(text, at)) return false;
  if (!take_number(text, at, false, numbers[1]) || !take_blanks(text, at)) return false;
  if (!take_number(text, at, true, numbers[2])) return false;
  while (at < text.size() && (is_blank(text[at]) || text[at] == '\r')) ++at;
  return at < text.size() && text[at++] == '\n';
}

constexpr std::string_view kEdges = "\nEdges (FROM-NODEID TO-NODEID ASCORE)";
constexpr std::size_t kBytesOfEdge = 12;
constexpr std::int64_t kLargestNumber = (std::int64_t{1} << 31) - 2;

std::int64_t count(std::string_view text, const std::string& what) {
  if (!is_digits(text)) throw Fault("expected " + what + ", a non-negative integer, not {}", text);
  const std::string_view digits = text.substr(std::min(text.find_first_not_of('0'), text.size() - 1));
  const std::int64_t value = digits.size() > 10 ? kLargestNumber + 1 : state_number(digits);
  if (value > kLargestNumber) {
    throw Fault("expected " + what + ", and {} is too large: at most " + std::to_string(kLargestNumber), text);
  }
  return value;
}

Fault cut_off(const std::string& message, std::string_view piece = {}) {
  return Fault(message + ": is the file cut off?", piece);
}

// `<sil>`, `[NOISE]`, `++NOISE++`.
bool is_filler(std::string_view word) {
  if (word == "<sil>") return true;
  if (word.starts_with('[') && word.ends_with(']')) return word.size() > 1 && word.find(']') == word.size() - 1;
  return word.size() >= 4 && word.starts_with("++") && word.ends_with("++");
}

// Without the number of a pronunciation, `word(2)`.
std::string_view bare(std::string_view word) {
  const std::size_t open = word.rfind('(');
  if (!word.ends_with(')') || open == 0 || open == word.npos) return word;
  return is_digits(word.substr(open + 1, word.size() - open - 2)) ? word.substr(0, open) : word;
}

// What stands before the edges.
class Head {
 public:
  explicit Head(std::string_view text) {
    std::int64_t last = 0;
    for_each_line(text, [&](std::int64_t number, std::string_view line) { take(last = number, line); });
    if (text.ends_with('\n') && std::ssize(words) < nodes) {
      try {
        take(last + 1, {});
      } catch (Fault& fault) {
        fault.line = last + 1;
        throw;
      }
    }
    if (std::ssize(words) < nodes) {
      throw cut_off("found " + std::to_string(words.size()) + " nodes, but `Nodes` says " + std::to_string(nodes));
    }
  }

  std::optional<double> base;
  std::int64_t nodes = -1, initial = -1, final = -1;
  std::int64_t place = 0;  // the line of `Nodes`
  std::vector<std::string_view> words;
  std::vector<double> frames;  // in which each word starts

 private:
  void take(std::int64_t number, std::string_view line) {
    split_fields(line, fields_);
    const std::string_view first = fields_.empty() ? std::string_view() : fields_[0];
    if (line.starts_with('#')) {
      if (fields_.size() == 3 && fields_[1] == "-logbase") take_base(fields_[2]);
    } else if (std::ssize(words) < nodes) {
      add_node();
    } else if (skipped_ > 0) {
      --skipped_;
    } else if (first == "Nodes") {
      nodes = count(fields_.size() > 1 ? fields_[1] : std::string_view(), "a number of nodes");
      place = number;
    } else if (fields_.size() == 2 && (first == "Initial" || first == "Final")) {
      (first == "Initial" ? initial : final) = count(fields_[1], "the number of a node");
    } else if (fields_.size() > 1 && first == "BestSegAscr") {
      skipped_ = count(fields_[1], "a number of scores");  // of words, which the edges have, too
    } else if (!fields_.empty() && first != "Frames") {
      throw Fault(
          "expected Frames, Nodes, Initial, Final, BestSegAscr or `" + std::string(kEdges.substr(1)) + "`, found {}",
          line);
    }
  }

  void take_base(std::string_view text) {
    base = number(text);
    if (!base || !std::isfinite(*base)) throw Fault("expected a number, not {}", text);
    if (*base <= 0 || *base == 1) throw Fault("a base of logarithms is positive and not 1, as {} is not", text);
  }

  void add_node() {
    if (fields_.size() < 5 || count(fields_[0], "the number of a node") != std::ssize(words)) {
      const std::string expected = std::to_string(words.size());
      throw Fault("expected node " + expected + ", `" + expected + " WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME`");
    }
    words.push_back(is_filler(fields_[1]) ? std::string_view() : bare(fields_[1]));
    frames.push_back(static_cast<double>(count(fields_[2], "the frame in which a word starts")));
  }

  std::int64_t skipped_ = 0;  // lines of scores that follow
  std::vector<std::string_view> fields_;
};

// The edges from a byte on, the first of which is in this line.
void add_edges(std::string_view text, std::size_t at, std::int64_t line, const Head& head, LatticeDraft& draft) {
  const double log_base = std::log(head.base.value_or(1.0));
  std::int64_t numbers[3];
  std::size_t end = at;
  for (Polls poll; take_edge(text, at, numbers); ++line) {
    poll(30);
    const double cost = 0.0 - static_cast<double>(numbers[2]) * log_base;
    draft.add_arc({numbers[0], numbers[1], line, static_cast<std::int32_t>(numbers[0]), 0, {0.0, cost}});
    end = at;
  }
  const std::string_view rest = stripped(text.substr(end, text.find('\n', end) - end));
  if (rest == "End") return;
  Fault fault = cut_off("expected an edge `FROM TO ASCORE`, or `End`, found {}", rest);
  fault.line = line;
  throw fault;
}

void check_ends(const Head& head) {
  if (!head.base) throw Fault("no remark `# -logbase BASE`, without which the scores mean nothing");
  for (const auto& [name, node] : {std::pair("Initial", head.initial), std::pair("Final", head.final)}) {
    if (node >= 0 && node < head.nodes) continue;
    throw Fault(std::string(name) + " must name one of the " + std::to_string(head.nodes) + " nodes");
  }
}

void check_edges(const Head& head, const LatticeDraft& draft) {
  for (const auto state : {&DraftArc::source, &DraftArc::destination}) {
    for (const DraftArc& arc : draft.arcs) {
      if (arc.*state < head.nodes) continue;
      Fault fault = out_of_range(arc.*state, head.nodes);
      fault.line = arc.place;
      throw fault;
    }
  }
}

// The final state; behind an arc for the word of the final node, which no edge leaves, if it is one. `number`: of that
// word.
void add_end(Head& head, std::int32_t number, LatticeDraft& draft) {
  std::int64_t end = head.final;
  head.frames.resize(static_cast<std::size_t>(head.nodes));  // `Nodes` may have been said twice
  if (number != Vocabulary::kNoWord && !Vocabulary::is_marker(number)) {
    end = head.nodes;
    draft.add_arc({head.final, end, head.place, static_cast<std::int32_t>(head.final), 0, {}});
    head.frames.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  draft.add_final({end, head.place, {}});
}

}  // namespace

void read_sphinx(std::string_view text, const ItemLimits& limits, std::string id, LatticeColumn& column) {
  WordLattice lattice;
  lattice.id = std::move(id);
  lattice.end = static_cast<std::int64_t>(text.size());
  lattice.left_out.emplace_back("end frames");
  try {
    const std::size_t at = text.find(kEdges);
    Head head(text.substr(0, at == text.npos ? at : at + 1));
    if (at == text.npos) throw cut_off("no line `" + std::string(kEdges.substr(1)) + "`");
    const std::size_t begin = std::min(text.find('\n', at + 1), text.size() - 1) + 1;
    LatticeDraft draft;
    draft.arcs.reserve((text.size() - begin) / kBytesOfEdge);
    const std::int64_t line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    add_edges(text, begin, line, head, draft);
    check_ends(head);
    check_edges(head, draft);
    draft.start = head.initial;
    std::vector<LabelWord> words;
    const std::shared_ptr<Vocabulary>& vocabulary = column.shared_vocabulary();
    for (const std::string_view word : head.words) words.push_back({vocabulary->intern(word), {}});
    add_end(head, words[head.final].number, draft);
    draft.num_states = std::ssize(head.frames);
    lattice.times = std::move(head.frames);
    lattice.time_unit = TimeUnit::kFrames;
    LatticeMaker(vocabulary, limits).complete(draft, words, Labels(vocabulary, LabelKind::kWords), lattice);
  } catch (Fault& fault) { lattice.fault = std::move(fault); }
  column.add(std::move(lattice));
}

}  // namespace fstmetrics

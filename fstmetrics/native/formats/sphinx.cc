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

constexpr int kMostDigits = 18;  // fit in an int64

// Moves past digits, which may have a sign; false where there are none, or too many.
bool take_number(std::string_view text, std::size_t& at, bool is_signed, std::int64_t& value) {
  const bool negative = is_signed && at < text.size() && text[at] == '-';
  at += negative;
  const std::size_t begin = at;
  value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    if (at - begin == kMostDigits) return false;
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
constexpr std::int64_t kMostCount = (std::int64_t{1} << 31) - 2;

std::int64_t count(std::string_view text) {
  if (text.size() > 10 || !is_digits(text)) throw ForAnotherReader{};
  const std::int64_t value = state_number(text);
  if (value > kMostCount) throw ForAnotherReader{};
  return value;
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

struct Head {
  std::optional<double> base;
  std::int64_t nodes = -1, initial = -1, final = -1;
  std::int64_t place = 0;  // the line of `Nodes`
  std::vector<std::string_view> words;
  std::vector<double> frames;
};

void add_node(Head& head, const std::vector<std::string_view>& fields) {
  if (fields.size() < 5 || count(fields[0]) != std::ssize(head.words)) throw ForAnotherReader{};
  head.words.push_back(is_filler(fields[1]) ? std::string_view() : bare(fields[1]));
  head.frames.push_back(static_cast<double>(count(fields[2])));
}

Head read_head(std::string_view text) {
  Head head;
  std::int64_t skipped = 0;
  std::vector<std::string_view> fields;
  for_each_line(text, [&](std::int64_t number, std::string_view line) {
    split_fields(line, fields);
    if (line.starts_with('#')) {
      if (fields.size() != 3 || fields[1] != "-logbase") return;
      head.base = fstmetrics::number(fields[2]);
      if (!head.base || !std::isfinite(*head.base) || *head.base <= 0 || *head.base == 1) throw ForAnotherReader{};
    } else if (std::ssize(head.words) < head.nodes) {
      add_node(head, fields);
    } else if (skipped > 0) {
      --skipped;
    } else if (!fields.empty() && fields[0] == "Nodes" && fields.size() > 1 && head.nodes < 0) {
      head.nodes = count(fields[1]);
      head.place = number;
    } else if (fields.size() == 2 && (fields[0] == "Initial" || fields[0] == "Final")) {
      (fields[0] == "Initial" ? head.initial : head.final) = count(fields[1]);
    } else if (fields.size() > 1 && fields[0] == "BestSegAscr") {
      skipped = count(fields[1]);
    } else if (!fields.empty() && fields[0] != "Frames") {
      throw ForAnotherReader{};
    }
  });
  const auto is_node = [&](std::int64_t node) { return node >= 0 && node < head.nodes; };
  if (!head.base || std::ssize(head.words) != head.nodes || !is_node(head.initial) || !is_node(head.final))
    throw ForAnotherReader{};
  return head;
}

// The byte where the edges end, the first of which is in this line.
std::size_t add_edges(std::string_view text, std::size_t at, std::int64_t line, const Head& head, LatticeDraft& draft) {
  const double log_base = std::log(*head.base);
  std::int64_t numbers[3];
  std::size_t end = at;
  for (Polls poll; take_edge(text, at, numbers); ++line) {
    poll(30);
    if (numbers[0] >= head.nodes || numbers[1] >= head.nodes) throw ForAnotherReader{};
    const double cost = 0.0 - static_cast<double>(numbers[2]) * log_base;
    draft.add_arc({numbers[0], numbers[1], line, static_cast<std::int32_t>(numbers[0]), 0, {0.0, cost}});
    end = at;
  }
  return end;
}

// The final state; behind an arc for the word of the final node, which no edge leaves, if it is one. `number`: of that word.
void add_end(Head& head, std::int32_t number, LatticeDraft& draft) {
  std::int64_t end = head.final;
  if (number != Vocabulary::kNoWord && !Vocabulary::is_marker(number)) {
    end = head.nodes;
    draft.add_arc({head.final, end, head.place, static_cast<std::int32_t>(head.final), 0, {}});
    head.frames.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  draft.add_final({end, head.place, {}});
}

}  // namespace

bool read_sphinx(std::string_view text, const ItemLimits& limits, std::string id, LatticeColumn& column) {
  const std::size_t at = text.find(kEdges);
  const std::size_t begin = at == text.npos ? at : text.find('\n', at + 1);
  if (begin == text.npos) return false;
  try {
    Head head = read_head(text.substr(0, at + 1));
    LatticeDraft draft;
    draft.start = head.initial;
    draft.arcs.reserve((text.size() - begin) / kBytesOfEdge);
    const std::int64_t line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 2;
    const std::size_t end = add_edges(text, begin + 1, line, head, draft);
    if (stripped(text.substr(end, text.find('\n', end) - end)) != "End") return false;
    std::vector<LabelWord> words;
    const std::shared_ptr<Vocabulary>& vocabulary = column.shared_vocabulary();
    for (const std::string_view word : head.words) words.push_back({vocabulary->intern(word), {}});
    add_end(head, words[head.final].number, draft);
    draft.num_states = std::ssize(head.frames);
    WordLattice lattice;
    lattice.id = std::move(id);
    lattice.end = static_cast<std::int64_t>(text.size());
    lattice.times = std::move(head.frames);
    lattice.time_unit = TimeUnit::kFrames;
    LatticeMaker(vocabulary, limits).complete(draft, words, Labels(vocabulary, LabelKind::kWords), lattice);
    if (lattice.fault) return false;
    column.add(std::move(lattice));
    return true;
  } catch (const ForAnotherReader&) {
  } catch (const Fault&) {}
  return false;
}

SphinxEdges read_sphinx_edges(std::string_view text, std::size_t at) {
  SphinxEdges edges;
  edges.numbers.reserve(3 * (text.size() - at) / kBytesOfEdge);
  edges.end = at;
  std::int64_t numbers[3];
  Polls poll;
  while (take_edge(text, at, numbers)) {
    poll(30);
    edges.numbers.insert(edges.numbers.end(), numbers, numbers + 3);
    edges.end = at;
  }
  return edges;
}

}  // namespace fstmetrics

#include "formats/att.h"

#include <algorithm>

#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/symbols.h"

namespace fstmetrics {
namespace {

using Fields = std::vector<std::string_view>;

void split_row(std::string_view line, Fields& fields) {
  split(line, fields);
  if (fields.size() > 5) {
    throw Fault("expected 1 to 5 fields, found " + std::to_string(fields.size()) + ": {}", line);
  }
}

// What OpenFst prints and reads as a weight; not "nan" and "inf", which are words.
bool is_weight(std::string_view field) {
  const char last = field.empty() ? ' ' : field.back();
  const std::string_view bare = field.substr(field.starts_with('-') || field.starts_with('+'));
  return bare == "Infinity" || (((last >= '0' && last <= '9') || last == '.') && number(field));
}

// Some line has five fields, or four of which the last is no number. Also counts the lines.
bool is_transducer(std::string_view text, std::size_t& lines) {
  bool transducer = false;
  Fields fields;
  for_each_line(text, [&](std::int64_t number, std::string_view line) {
    split_row(line, fields);
    lines = static_cast<std::size_t>(number);
    transducer = transducer || fields.size() == 5 || (fields.size() == 4 && !is_weight(fields[3]));
  });
  return transducer;
}

std::string joined(const Fields& fields) {
  std::string text;
  for (const std::string_view field : fields) text.append(text.empty() ? "" : " ").append(field);
  return text;
}

void add_row(ArcColumns& columns, Symbols& words, const Fields& fields, std::int64_t line, bool transducer) {
  const std::size_t weighted = transducer ? 5 : 4;
  const bool final = fields.size() <= 2;
  if (!final && fields.size() < weighted - 1) {
    throw Fault("three fields, and this is a transducer, whose arcs have four or five: {}", joined(fields));
  }
  const bool has_cost = fields.size() == (final ? 2 : weighted);
  const CostPair cost{has_cost ? cost_number(fields.back()) : 0.0, 0.0};
  const std::int64_t source = state_number(fields[0]);
  if (final) {
    columns.add_final(source, cost, line);
    return;
  }
  const std::string_view word = fields[weighted - 2];
  columns.add_arc(source, state_number(fields[1]), words.intern(word), cost, line);
}

bool includes(std::vector<std::int64_t>& all, std::vector<std::int64_t>& some) {
  std::sort(all.begin(), all.end());
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

void remember(std::vector<std::int64_t>& states, std::int64_t state) {
  if (states.empty() || states.back() != state) states.push_back(state);
}

}  // namespace

bool looks_like_att(std::string_view text) try {
  std::vector<std::int64_t> named, reached;
  bool has_final = false;
  Fields fields;
  for_each_line(text, [&](std::int64_t, std::string_view line) {
    split_row(line, fields);
    if (fields.empty()) return;
    const std::int64_t state = state_number(fields[0]);
    // The first line's state is the start, which no arc need enter.
    if (named.empty()) reached.push_back(state);
    remember(named, state);
    if (fields.size() > 2) remember(reached, state_number(fields[1]));
    if (fields.size() == 2) cost_number(fields[1]);
    has_final = has_final || fields.size() <= 2;
  });
  return has_final && includes(reached, named);
} catch (const Fault&) {
  return false;
}

ArcColumns read_att(std::string_view text, bool transducer) {
  std::size_t lines = 0;
  transducer = is_transducer(text, lines) || transducer;
  ArcColumns columns;
  columns.reserve(lines);
  Symbols words;
  Fields fields;
  std::int64_t last = 0;
  for_each_line(text, [&](std::int64_t number, std::string_view line) {
    split(line, fields);
    if (fields.empty()) return;
    add_row(columns, words, fields, number, transducer);
    last = number;
  });
  if (columns.finals.empty()) {
    Fault fault("no final state (a line with a state alone): is the file cut off?");
    fault.line = last;
    throw fault;
  }
  columns.set_words(words);
  return columns;
}

}  // namespace fstmetrics

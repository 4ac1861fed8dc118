#include "formats/att.h"

#include <algorithm>
#include <optional>

#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/text_rows.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

void split_row(std::string_view line, std::vector<std::string_view>& fields) {
  split_fields(line, fields);
  if (fields.size() > 5) {
    throw Fault("expected 1 to 5 fields, found " + std::to_string(fields.size()) + ": {}", line);
  }
}

// What OpenFst prints as a weight; not "nan" and "inf", which may be words.
bool is_weight(std::string_view field) {
  const char last = field.empty() ? ' ' : field.back();
  const std::string_view bare = field.substr(field.starts_with('-') || field.starts_with('+'));
  return bare == "Infinity" || (((last >= '0' && last <= '9') || last == '.') && number(field));
}

// What is a weight for OpenFst's reader and other programs, and may as well be a word: inf, nan, INFINITY.
bool may_be_weight(std::string_view field) { return !is_weight(field) && number(field); }

// The same as `is_weight` where it is written without an exponent.
std::optional<double> plain_weight(std::string_view field) {
  double value = 0.0;
  const char* const end = field.data() + field.size();
  if (plain_number(field.data(), end, value) != end) return std::nullopt;
  return value;
}

// Some line has five fields, or four of which the last is sure to be no number.
bool is_transducer(std::string_view text) {
  bool transducer = false;
  std::vector<std::string_view> fields;
  for_each_line(text, [&](std::int64_t, std::string_view line) {
    split_fields(line, fields);
    if (!fields.empty()) check_tabs(line, true);
    split_row(line, fields);
    transducer =
        transducer || fields.size() == 5 || (fields.size() == 4 && !is_weight(fields[3]) && !may_be_weight(fields[3]));
  });
  return transducer;
}

// Of a row whose fields are padded with blanks: whether a weight stands behind two of them where a label is due. Most
// likely the label is empty.
bool has_empty_label(const TextRows& row, std::size_t label) {
  if (row.size() != label + 1 || is_digits(row[label]) || !is_weight(row[label])) return false;
  return row[label].data() - (row[label - 1].data() + row[label - 1].size()) > 1;
}

// Throws where the fields of a row may be others than they seem.
void check_fields(const TextRows& row, std::size_t label) {
  if (row.is_regular()) return;
  check_tabs(row.line(), true);
  if (has_empty_label(row, label)) {
    throw Fault("{} where a label is due: a label that is no word is written <eps>", row[label]);
  }
}

// `weight`: the last field's, where that is known. Whether it is an arc whose input is not its output.
bool add_row(LatticeDraft& draft, Lexicon& lexicon, const TextRows& row, bool transducer,
             std::optional<double> weight) {
  const std::size_t weighted = transducer ? 5 : 4, count = row.size();
  const bool final = count <= 2;
  check_fields(row, weighted - 2);
  if (count > 5) throw Fault("expected 1 to 5 fields, found " + std::to_string(count) + ": {}", row.line());
  if (!final && count < weighted - 1) {
    throw Fault("three fields, and this is a transducer, whose arcs have four or five: {}", joined(row.fields()));
  }
  const bool has_cost = count == (final ? 2 : weighted);
  const CostPair cost{!has_cost ? 0.0 : weight ? *weight : cost_number(row.back()), 0.0};
  const std::int64_t source = state_number(row[0]);
  if (final) {
    draft.add_final({source, row.number(), cost});
    return false;
  }
  const std::int64_t destination = state_number(row[1]);
  draft.add_arc({source, destination, row.number(), lexicon.label(row[weighted - 2], row.text_end()), 0, cost});
  return transducer && row[2] != row[3];
}

// What may be found on the way: that the machine is another one than it seemed.
struct IsTransducer {};
struct HasWords {};

// Of four fields the last, where no line of the file says what it is.
Fault doubtful_weight(const TextRows& row) {
  Fault fault(
      "{} may be a cost or an output: write Infinity for a cost, as fstprint does, or leave the arc out; the "
      "format att-transducer reads outputs",
      row[3]);
  fault.line = row.number();
  return fault;
}

// Whether some input is not its output.
bool read_rows(std::string_view text, bool transducer, bool is_settled, bool by_first, LatticeDraft& draft,
               Lexicon& lexicon) {
  draft.clear();
  lexicon.restart();
  std::int64_t last = 0;
  std::size_t labels = 0;
  bool has_other_inputs = false;
  std::optional<Fault> doubt;
  Polls poll;
  TextRows row(text);
  try {
    while (row.next()) {
      if (row.size() == 0) continue;
      poll(20 + static_cast<std::int64_t>(row.end() - row.begin()));
      std::optional<double> weight;
      if (!transducer && !is_settled && row.size() > 3) {
        weight = row.size() == 4 ? plain_weight(row[3]) : std::nullopt;
        if (row.size() == 4 && !weight && may_be_weight(row[3])) {
          if (!doubt) doubt = doubtful_weight(row);
          weight = 0.0;
        } else if (row.size() == 5 || (row.size() == 4 && !weight && !is_weight(row[3]))) {
          throw IsTransducer();
        }
      }
      has_other_inputs |= add_row(draft, lexicon, row, transducer, weight);
      last = row.number();
      if (lexicon.words().size() == labels) continue;
      if (lexicon.labels().kind() != LabelKind::kWords && (labels == 0 || !by_first)) {
        if (lexicon.words().back().number == (by_first ? kMisfit : kNotNumber)) throw HasWords();
      }
      labels = lexicon.words().size();
    }
  } catch (Fault& fault) {
    if (fault.line == 0) fault.line = row.number();
    throw;
  }
  if (doubt) throw *doubt;
  if (draft.finals.empty()) {
    Fault fault("no final state (a line with a state alone): is the file cut off?");
    fault.line = last;
    throw fault;
  }
  return has_other_inputs;
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

// The fields of a line, as far as they may be told; if they are too many, those between tabs.
void split_loosely(std::string_view line, std::vector<std::string_view>& fields) {
  constexpr std::size_t kMost = 5;
  split_fields(line, fields);
  if (fields.size() <= kMost || line.find('\t') == line.npos) return;
  fields.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    fields.push_back(stripped(line.substr(begin, end - begin)));
    begin = end + 1;
  }
}

}  // namespace

bool looks_like_att(std::string_view text) try {
  std::vector<std::int64_t> named, reached;
  bool has_final = false;
  std::vector<std::string_view> fields;
  for_each_line(text, [&](std::int64_t, std::string_view line) {
    split_loosely(line, fields);
    if (fields.size() > 5) throw Fault("too many fields");
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
} catch (const Fault&) { return false; }

void read_att(std::string_view text, bool transducer, const LabelChoice& labels, const ItemLimits& limits,
              std::string id, LatticeColumn& column) {
  WordLattice lattice;
  lattice.id = std::move(id);
  lattice.end = static_cast<std::int64_t>(text.size());
  const bool by_first = labels.integers->has_table();
  bool integers = true, is_settled = false;
  LatticeDraft draft;
  draft.arcs.reserve(text.size() / 24);
  while (true) {
    Lexicon lexicon(integers ? labels.integers : labels.words);
    try {
      const bool told = read_rows(text, transducer, is_settled, by_first, draft, lexicon);
      refuse_cut(text);
      if (told) lattice.left_out.emplace_back("input labels");
      LatticeMaker(column.shared_vocabulary(), limits).complete(draft, lexicon.words(), lexicon.labels(), lattice);
    } catch (const IsTransducer&) {  // whose labels stand elsewhere
      transducer = integers = true;
      continue;
    } catch (const HasWords&) {
      integers = false;
      continue;
    } catch (Fault& fault) {
      // What a file is, all of its lines say, and one that can be nothing is told first.
      try {
        if (!is_settled) {
          is_settled = true;
          if (is_transducer(text) && !transducer) {
            transducer = true;
            continue;
          }
        }
        lattice.fault = std::move(fault);
      } catch (Fault& first) { lattice.fault = std::move(first); }
    }
    column.add(std::move(lattice));
    return;
  }
}

}  // namespace fstmetrics

// Records of JSON lines (docs/records.md) as columns, and their schema: what is let through needs no further look.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fstmetrics {

// What the schema has to know of a metric.
struct MetricRule {
  std::string metric;  // its own name, where that of the record says the unit, too
  bool has_paths = false;
  std::optional<std::vector<std::string>> columns;  // of its statistics; nothing where their number may differ
};

enum class RecordKind : std::uint8_t { kScore, kStatistics, kPath, kRisk };

// What is wrong with a line. `{}` in the message stands for a value of JSON; without a message the line is no record at
// all.
struct RecordFault {
  std::string message, piece;
  std::int64_t line = 0, begin = 0, end = 0;
};

// Some records in a row. Texts are written as JSON, as they are in the file but for escapes.
struct RecordColumns {
  static constexpr std::array<std::string_view, 7> kCounts = {"edits",     "matches", "substitutions", "insertions",
                                                              "deletions", "moves",   "path_length"};
  static constexpr std::array<std::string_view, 4> kMeasures = {"score", "gain", "max_gain", "reference_digest"};

  std::string ids, fields;                      // of all records, as arrays of JSON
  std::string metrics, signatures, words;       // the distinct ones; an empty text for no signature
  std::vector<std::int32_t> metric, signature;  // of each record, by number
  std::vector<std::uint8_t> kinds, oracles,
      aligned;                                    // RecordKind; whether it is of an oracle; whether it has an alignment
  std::vector<std::int64_t> lines, begins, ends;  // the number of its line, from 1, and the bytes of it
  std::array<std::vector<std::int64_t>, kCounts.size()> counts;  // 0 where a record has none
  std::array<std::vector<double>, kMeasures.size()> measures;    // not a number likewise
  std::vector<std::int32_t> further;                // the records with more than counts, words and alignment
  std::vector<std::int64_t> operations;             // how many each has
  std::vector<std::uint8_t> letters;                // of all operations
  std::vector<std::int32_t> hypothesis, reference;  // their words, by number; -1: none
  std::int64_t end = 0, last_line = 0;              // the byte after the last line, and the line's number
  std::optional<std::string> unknown;               // a metric of which there is no rule: nothing else is said
  std::optional<RecordFault> fault;                 // of the record behind these
};

class RecordSchema {
 public:
  // Without a rule a metric is unknown. `with_paths` are the names of those that have best paths, for messages.
  explicit RecordSchema(std::string with_paths) : with_paths_(std::move(with_paths)) {}
  void add(std::string name, MetricRule rule) { rules_[std::move(name)] = std::move(rule); }

  // The next records of a text, at most `most`, from the byte `at`, which begins line `line` + 1. Blank lines are
  // passed over. The last record may be of another metric than those before it.
  RecordColumns read(std::string_view text, std::int64_t at, std::int64_t line, std::int64_t most) const;

 private:
  std::map<std::string, MetricRule, std::less<>> rules_;
  std::string with_paths_;
};

// Of every word in the order in which they are taken, whether a reordering move is paid for it: for every word out of
// turn with `jumps`, else only for the first of a block that moves. `order` is one of all positions, from 0.
std::vector<bool> paid_moves(const std::vector<std::int64_t>& order, bool jumps);

}  // namespace fstmetrics

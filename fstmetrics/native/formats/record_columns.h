// Records of JSON lines (docs/records.md), cut into columns. What the values are is left to a reader of JSON: here they
// are only found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fstmetrics {

// Some records in a row. `values`, `metrics`, `signatures` and `words` are written as JSON, as they are in the file.
struct RecordColumns {
  // Fields of which each record has one value; `fields` is an empty object where a record has none.
  static constexpr std::array<std::string_view, 12> kNames = {
      "id",        "score", "edits",       "matches", "substitutions", "insertions",
      "deletions", "moves", "path_length", "gain",    "max_gain",      "fields"};

  std::array<std::string, kNames.size()> values;  // the values of all records, as an array of JSON
  std::string metrics, signatures, words;         // the distinct ones; a record without a signature has an empty one
  std::vector<std::int64_t> lines;                // the number of each record's line, from 1
  std::vector<std::int64_t> begins, ends;         // bytes of that line
  std::vector<std::int32_t> further;              // the records with other fields than these, or with moves
  std::vector<std::int64_t> operations, spoken, nearest;  // of each record: how many there are of the following
  std::vector<std::uint8_t> letters;                      // of all operations
  std::vector<std::int32_t> hypothesis, reference;        // their words, by number; -1: none
  std::vector<std::int32_t> spoken_words, nearest_words;  // of the fields `hypothesis` and `closest`
  std::int64_t end = 0, last_line = 0;                    // the byte after the last line, and the line's number
};

// The next records of a text, at most `most`, from the byte `at`, which begins line `line` + 1. Blank lines are passed
// over.
//
// Nothing where a line is not an object with these fields, each once, whose values have the form that a writer gives
// them: whoever asked reads those lines in another way. That a value which is found is JSON is not checked, only that
// its brackets match.
std::optional<RecordColumns> record_columns(std::string_view text, std::int64_t at, std::int64_t line,
                                            std::int64_t most);

}  // namespace fstmetrics

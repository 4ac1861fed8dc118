// How a line of a text says its item.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fstmetrics {

// A line: an item; none, as it is blank or a comment; or what only the reader in Python tells.
enum class LineKind { kItem, kNone, kOther };
// What is worth a remark about a text: it is empty, or the word that Python writes for a number that is missing.
enum class TextNote { kNone, kEmpty, kMissing };

struct LineItem {
  LineKind kind = LineKind::kOther;
  std::string_view id, text;
  TextNote note = TextNote::kNone;
};

// Reads one line after the other. What it gives is valid up to the next one.
class LineReader {
 public:
  virtual ~LineReader() = default;
  virtual LineItem read(std::string_view line) = 0;
  // The names of the fields that items have had, in the order in which they came.
  virtual std::vector<std::string> fields() const { return {}; }
};

class LineForm {
 public:
  virtual ~LineForm() = default;
  // With `is_known`, it is known that every line is an item or none.
  virtual std::unique_ptr<LineReader> reader(bool is_known = false) const = 0;
  // Bytes and lines before the first item, which nobody shows to a reader.
  virtual std::int64_t head_bytes() const { return 0; }
  virtual std::int64_t head_lines() const { return 0; }
  // Whether the longest text counts, and not the longest line.
  virtual bool has_columns() const { return false; }
};

}  // namespace fstmetrics

// What files say of many items beside their ids and texts: named values, row by row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_column.h"

namespace fstmetrics {

// Of numbers, `text` is the number as JSON has it.
enum class FieldKind : std::uint8_t { kNull, kFalse, kTrue, kInteger, kReal, kText };

struct FieldCell {
  std::int32_t name = 0;
  FieldKind kind = FieldKind::kNull;
  std::string_view text;
};

struct FieldRows {
  using Names = std::vector<std::string>;

  std::shared_ptr<const void> holder;  // of the bytes
  std::shared_ptr<const Names> names;
  std::vector<FieldCell> cells;
  std::vector<std::int64_t> ends;  // of the cells of each row

  std::size_t size() const { return ends.size(); }
  std::span<const FieldCell> row(std::size_t i) const {
    const std::int64_t begin = i ? ends[i - 1] : 0;
    return {cells.data() + begin, static_cast<std::size_t>(ends[i] - begin)};
  }
  void add_row(std::span<const FieldCell> row) {
    cells.insert(cells.end(), row.begin(), row.end());
    ends.push_back(static_cast<std::int64_t>(cells.size()));
  }
  // The rows with these numbers, which have to be below size(); of a negative one, a row without fields. They view the
  // same bytes.
  FieldRows taken(std::span<const std::int64_t> numbers) const;
  // The names that a row has, in the order in which they come.
  std::vector<std::string_view> present() const;

  // One field of all rows, which is null where a row lacks it: the number of each row's value, and where each value
  // comes first.
  struct Codes {
    std::vector<std::int64_t> codes, first;
  };
  Codes codes(std::string_view name) const;
  // A field of a row; null where it lacks it.
  FieldCell value(std::size_t row, std::string_view name) const;

  // Appends a row as an object of JSON, in the way in which Python's json writes it.
  void append_json(std::string& json, std::size_t row, bool ascii) const;
};

// The fields of several sides of the same items: where two have a value of the same name, the first one's. A value that
// says nothing, null or an empty text, gives way to the next side's.
FieldRows merged(std::span<const FieldRows* const> sides);

// The rows with a text each as the field of this name, where a row has it, otherwise behind its others; there are as
// many rows as texts. Without rows, that field alone.
FieldRows with_texts(const FieldRows* rows, std::string_view name, const TextColumn& texts);

}  // namespace fstmetrics

// Columns of texts and their fields, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

#include "formats/stored_lines.h"
#include "text/text_column.h"

namespace fstmetrics {

namespace nb = nanobind;

// Texts in memory, or in their file, of which parts are read when they are asked for; then Python's lock must not be
// held.
class BoundTexts {
 public:
  using Held = std::shared_ptr<const TextColumn>;

  explicit BoundTexts(TextColumn&& column) : held_(std::make_shared<const TextColumn>(std::move(column))) {}
  BoundTexts(std::shared_ptr<const StoredLines> lines, bool are_ids) : lines_(std::move(lines)), are_ids_(are_ids) {}

  std::size_t size() const { return lines_ ? lines_->size() : held_->size(); }
  // Those from one to another.
  Held part(std::size_t begin, std::size_t end) const;
  Held all() const { return lines_ ? part(0, size()) : held_; }
  // The texts with these numbers, which have to be below size(); of a negative one, an empty text.
  BoundTexts taken(std::span<const std::int64_t> numbers) const;
  bool operator==(const BoundTexts& other) const;
  // No text has more bytes.
  std::size_t longest() const;
  // Where they are; null: in memory.
  const std::shared_ptr<const StoredLines>& lines() const { return lines_; }

 private:
  Held held_;
  std::shared_ptr<const StoredLines> lines_;
  bool are_ids_ = false;
};

// All of a column, whether Python's lock is held or not.
BoundTexts::Held all_texts(const BoundTexts& texts);

inline std::shared_ptr<BoundTexts> shared_texts(TextColumn&& column) {
  return std::make_shared<BoundTexts>(std::move(column));
}

void bind_texts(nb::module_& m);

}  // namespace fstmetrics

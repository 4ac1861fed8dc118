// Many texts: views of bytes that somebody holds, and that no one changes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "text/word_table.h"

namespace fstmetrics {

struct TextColumn {
  std::shared_ptr<const void> holder;   // of the bytes
  std::vector<std::string_view> texts;  // UTF-8, but for lone surrogates

  std::size_t size() const { return texts.size(); }

  // The texts with these numbers, which have to be below size(); of a negative one, an empty text. They view the same
  // bytes.
  TextColumn taken(std::span<const std::int64_t> numbers) const;
  // Each text once, in the order in which they come.
  TextColumn distinct() const;
  // How many texts are not empty.
  std::size_t filled() const;
  // Bytes of the longest text.
  std::size_t longest() const;
  // Of each text a number of 53 bits, which every reader of JSON knows, that is made of its words as split_words()
  // finds them.
  std::vector<std::int64_t> digests() const;
};

// The texts of a column, to be looked up many at a time.
class TextIndex {
 public:
  explicit TextIndex(std::shared_ptr<const TextColumn> column);
  // How many different texts there are.
  std::size_t size() const { return first_.size(); }
  // For every text of the other column, the number of the first one here that is equal; -1 where none is.
  std::vector<std::int64_t> found(const TextColumn& others) const;

 private:
  std::shared_ptr<const TextColumn> column_;
  WordTable table_;
  std::vector<std::int64_t> first_;  // by label
};

// The texts of several columns; their bytes stay where they are.
TextColumn joined(std::span<const TextColumn* const> columns);

// The texts in bytes of their own.
TextColumn owned(std::span<const std::string_view> texts);

}  // namespace fstmetrics

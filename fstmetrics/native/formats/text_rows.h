// Lines of text as fields between spaces and tabs, found for 64 bytes at a time; lines, and `split_fields`, as of
// formats/lines.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fstmetrics {

class TextRows {
 public:
  // So many fields of a row are kept; further ones are counted.
  static constexpr std::size_t kKept = 16;

  explicit TextRows(std::string_view text);

  // Moves to the next line; false at the end.
  bool next();

  // The line without its end, and its number, from 1.
  std::string_view line() const;
  std::int64_t number() const { return number_; }
  // Where the line begins, and where the next one does.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

  // How many fields there are, and those that are kept.
  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t i) const { return fields_[i]; }
  std::string_view back() const { return fields_[size_ - 1]; }  // of a row all of whose fields are kept
  std::span<const std::string_view> fields() const { return {fields_.data(), std::min(size_, kKept)}; }
  // Whether one blank, always the same, stands between a field and the next, and none before and behind.
  bool is_regular() const;
  const char* text_end() const { return text_.data() + text_.size(); }

 private:
  void close(std::size_t begin, std::size_t end) {
    if (end == begin) return;
    if (size_ < kKept) fields_[size_] = text_.substr(begin, end - begin);
    ++size_;
  }
  void look();

  std::string_view text_;
  std::size_t block_ = 0;     // the 64 bytes at hand
  std::uint64_t spaces_ = 0;  // bits of those that are up to 0x20, as far as they have not been used
  std::size_t begin_ = 0, end_ = 0;
  std::int64_t number_ = 0;
  std::size_t size_ = 0;
  std::array<std::string_view, kKept> fields_;
};

// Throws a Fault for a line with tabs in which a field is empty; with `labels` also where a label between tabs has a
// space in it. Which field is which, such a line does not tell.
void check_tabs(std::string_view line, bool labels);

// Whether this is UTF-8 as Python takes it; `is_text`: and without a zero byte.
bool is_utf8(std::string_view bytes);
bool is_text(std::string_view bytes);

// The same text with U+FFFD for what is not UTF-8, as Python decodes it; a zero byte stays.
std::string with_replacements(std::string_view bytes);

// Where the last line of nothing but spaces ends that a line end precedes, up to which a text of items between such
// lines can be cut; 0 where there is none.
std::size_t last_blank_line(std::string_view text);

}  // namespace fstmetrics

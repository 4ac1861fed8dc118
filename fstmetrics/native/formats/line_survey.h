// What all lines of a text have in common, found piece by piece, so that no more than a piece has to be in memory.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/line_form.h"
#include "formats/stray_lines.h"
#include "formats/text_lines.h"
#include "text/word_table.h"

namespace fstmetrics {

class LineSurvey {
 public:
  // Of a text between two bytes of a file. Of a form, lines are those that are items, and first words are their ids;
  // what is told of second words is nothing. Without one, a line is words.
  LineSurvey(std::int64_t begin, std::int64_t end, const LineForm* form = nullptr)
      : reader_(form ? form->reader() : nullptr),
        has_columns_(form && form->has_columns()),
        begin_(begin),
        end_(end),
        at_(begin),
        number_(form ? form->head_lines() : 0) {
    seen_.reset(kMostSeen);
  }

  // Looks at the lines that end in the next bytes, or with `last` at all of them; returns how many bytes those are.
  std::size_t look(std::string_view bytes, bool last);

  // Whether it is UTF-8 as Python takes it, without characters that no text has.
  bool is_text() const { return is_text_; }
  // Whether no line is one that only the reader in Python tells.
  bool is_plain() const { return is_plain_; }
  std::int64_t lines() const { return lines_; }
  // The byte where they begin.
  std::int64_t begin() const { return begin_; }
  // How many lines there are up to the last one with a word; how many of them have one, and a second one.
  std::int64_t up_to_words() const { return up_to_words_; }
  std::int64_t filled() const { return filled_; }
  std::int64_t seconds() const { return seconds_; }
  // How many lines have one tab, which is behind the first word.
  std::int64_t tabbed() const { return tabbed_; }
  // Bytes of the longest line; of a table, of the longest id or text.
  std::int64_t longest() const { return longest_; }
  // First words that had come before: at least so many. Only some different ones are remembered, and none is counted
  // any more once a quarter of all lines that are expected begins with such words.
  std::int64_t repeated() const { return repeated_; }
  // Whether every first word is behind the one before, in the order of bytes; then none comes twice.
  bool is_ascending() const { return is_ascending_; }
  // Whether the digests are told: all first words look like ids, or a column has them.
  bool has_digests() const { return has_columns_ || looks_.all_fit; }
  // Texts that are worth a remark: how many there are, the numbers of the first ones' lines, and the first one.
  struct Noted {
    std::int64_t count = 0;
    std::vector<std::int64_t> lines;
    std::string first;
  };
  // The first line of words that no sentence is, and what it is; number 0 where there is none.
  std::int64_t stray_line() const { return stray_line_; }
  std::string_view stray() const { return stray_; }
  // Whether a line of words begins with a byte order mark, other than that of the file.
  bool has_mark() const { return has_mark_; }
  // The names of the fields that items have.
  std::vector<std::string> fields() const { return reader_ ? reader_->fields() : std::vector<std::string>(); }
  const Noted& empty() const { return empty_; }
  const Noted& missing() const { return missing_; }
  // Of first words in ASCII; nothing is told where one has other characters.
  const IdLooks& looks() const { return looks_; }
  bool has_others() const { return has_others_; }
  // A number that is the same for the same first words in the same order.
  std::uint64_t digest() const { return digest_; }
  // The same in any order, where none comes twice.
  std::uint64_t set_digest() const { return set_digest_; }
  // Whether a first word of the other text that is remembered is remembered here.
  bool shares(const LineSurvey& other) const;

  // A place where a line begins: the last one up to `line` that is known. And one at or behind it; the text's end if
  // none is.
  struct Place {
    std::int64_t line, byte;
  };
  Place before(std::int64_t line) const;
  Place behind(std::int64_t line) const;

 private:
  static constexpr std::size_t kMostSeen = 1 << 12;
  static constexpr std::size_t kMostPlaces = 1 << 18;
  static constexpr std::size_t kMostNoted = 3;

  // Whether the line counts.
  bool look_at(std::string_view line);
  void look_at_id(std::string_view id);
  void count(std::string_view first);
  void note(Noted& noted, std::string_view text);

  std::unique_ptr<LineReader> reader_;
  const bool has_columns_;
  const std::int64_t begin_, end_;
  bool is_text_ = true, is_plain_ = true, is_ascending_ = true, has_others_ = false, has_mark_ = false, counts_ = true;
  std::int64_t at_;
  std::int64_t lines_ = 0, up_to_words_ = 0, filled_ = 0, seconds_ = 0, tabbed_ = 0, longest_ = 0, repeated_ = 0;
  std::int64_t number_;  // of lines, blank ones and those before the first item among them
  Noted empty_, missing_;
  StrayLines strays_;
  std::int64_t stray_line_ = 0;
  std::string_view stray_;
  IdLooks looks_;
  std::uint64_t digest_ = 0, set_digest_ = 0;
  std::string last_;
  std::deque<std::string> words_;  // those in `seen_`
  WordTable seen_;
  std::vector<std::int64_t> places_;  // of every `stride_`-th line
  std::int64_t stride_ = 64;
};

}  // namespace fstmetrics

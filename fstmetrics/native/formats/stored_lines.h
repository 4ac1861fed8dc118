// Lines of a text that stays in its file: what they are is found once, and they are read again as they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/line_form.h"
#include "formats/line_survey.h"
#include "formats/table_rows.h"
#include "text/text_column.h"

namespace fstmetrics {

// The bytes of a file, in any order.
class FileBytes {
 public:
  virtual ~FileBytes() = default;
  virtual std::int64_t size() const = 0;
  // Reads so many bytes from a place. Throws where there are not so many; what has been read is to be believed after
  // `check`.
  virtual void read(char* to, std::size_t size, std::int64_t at) const = 0;
  // Throws where the file is not what it was.
  virtual void check() const = 0;
  // Throws the error of a file that is not what it was.
  [[noreturn]] virtual void refuse() const = 0;
};

// Calls look(bytes, last) for the bytes of a file from one on, about `window` at a time; it says how many of them it
// has used, and gets the others again with those that follow.
template <class Look>
void for_each_window(const FileBytes& file, std::int64_t begin, std::size_t window, Look look) {
  std::vector<char> bytes;
  std::size_t wanted = window;
  for (std::int64_t at = begin;;) {
    const std::size_t size = std::min(wanted, static_cast<std::size_t>(std::max<std::int64_t>(file.size() - at, 0)));
    const bool last = at + static_cast<std::int64_t>(size) >= file.size();
    bytes.resize(size);
    file.read(bytes.data(), size, at);
    file.check();
    const std::size_t used = look(std::string_view(bytes.data(), size), last);
    if (last) return;
    at += static_cast<std::int64_t>(used);
    wanted = used ? window : 2 * wanted;
  }
}

// The rows of ids, found by numbers of 96 bits made of them: 16 bytes a row, and half a byte more to find it.
class IdIndex {
 public:
  void reserve(std::size_t ids) { entries_.reserve(ids); }
  void add(std::string_view id, std::uint32_t row);
  // When all have been added.
  void close();
  // How many different ids there are.
  std::size_t size() const { return different_; }
  // The first row of an id; -1 where there is none.
  std::int64_t row(std::string_view id) const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint32_t check, row;
    auto operator<=>(const Entry&) const = default;
  };
  static Entry entry_of(std::string_view id, std::uint32_t row);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> directory_;  // where hashes with these first bits begin
  int shift_ = 63;
  std::size_t different_ = 0;
};

class StoredLines : public std::enable_shared_from_this<StoredLines> {
 public:
  // The number of no line: where a row has it, the row is empty.
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // So many lines of a file, as a survey of a form has found them. Without a form, lines are words, of which the first
  // are ids if `has_ids`. About `ahead` lines are read together.
  StoredLines(std::shared_ptr<const FileBytes> file, std::shared_ptr<const LineSurvey> survey,
              std::shared_ptr<const LineForm> form, bool has_ids, std::size_t lines, std::size_t ahead);
  // Some of these lines, in any order.
  StoredLines(std::shared_ptr<const StoredLines> whole, std::vector<std::uint32_t> rows);

  std::size_t size() const { return size_; }
  const LineSurvey& survey() const { return whole_ ? *whole_->survey_ : *survey_; }
  // Whether these are all lines of the file, in its order.
  bool is_whole() const { return !whole_; }
  // The columns of the lines from one to another.
  TablePart part(std::size_t begin, std::size_t end) const;
  // The lines with these numbers, which have to be below size(); of a negative one, an empty one.
  std::shared_ptr<const StoredLines> taken(std::span<const std::int64_t> numbers) const;
  // Where ids are. Whoever holds it keeps it: it is made again when nobody does.
  std::shared_ptr<const IdIndex> index() const;

 private:
  TablePart read(std::size_t begin, std::size_t end) const;
  TablePart in_order(std::size_t begin, std::size_t end) const;
  TablePart in_any_order(std::span<const std::uint32_t> rows) const;
  std::optional<TablePart> parsed(std::string_view bytes, std::shared_ptr<const void> holder) const;
  // Calls visit(id, begin, length) for every line, where it begins and how long it is.
  template <class Visit>
  void for_each(Visit visit) const;
  // Finds where all lines are, and calls visit(id) for each.
  template <class Visit>
  void find_places(Visit visit) const;
  // Lines with these places, one after the other, each with a line end.
  std::shared_ptr<const std::string> bytes_at(std::span<const std::uint32_t> rows) const;

  std::shared_ptr<const FileBytes> file_;
  std::shared_ptr<const LineSurvey> survey_;
  std::shared_ptr<const LineForm> form_;
  bool has_ids_ = false;
  std::shared_ptr<const StoredLines> whole_;
  std::vector<std::uint32_t> rows_;
  std::size_t size_, ahead_;
  mutable std::mutex mutex_;
  mutable TablePart read_;  // what was read last
  mutable std::size_t read_begin_ = 0, read_end_ = 0;
  mutable std::vector<std::uint64_t>
      places_;  // of each line, the byte where it begins, and in the last bits its length
  mutable bool has_places_ = false, has_long_ = false;
  mutable std::weak_ptr<const IdIndex> index_;
  mutable std::weak_ptr<const StoredLines> taken_;
};

}  // namespace fstmetrics

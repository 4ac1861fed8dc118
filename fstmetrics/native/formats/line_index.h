// Where the lines of ids are in a file, so that they can be read in any order without having the text in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "formats/line_form.h"
#include "text/text_column.h"

namespace fstmetrics {

// Of every id a hash and its line's place, 16 bytes, ordered by the hash, and half a byte more to find it. Two ids with the same hash
// are taken for one that comes twice; whoever reads a line compares its id.
class LineIndex {
 public:
  // Of so many lines with ids, from a byte of a file on; of a form, or in which the first words are ids.
  LineIndex(std::int64_t begin, std::int64_t lines, const LineForm* form = nullptr);

  // Looks at the lines that end in the next bytes, or with `last` at all of them; returns how many bytes those are.
  std::size_t look(std::string_view bytes, bool last);
  // When all have been looked at: puts them in order, and says whether no two ids have the same hash.
  bool close();

  // Whether all lines could be kept: none is longer than 16 MiB, and none further than half a tebibyte from the beginning.
  bool is_whole() const { return is_whole_; }
  std::size_t size() const { return entries_.size(); }

  // Where the lines of ids are, for `lines_at`; -1 of an id that is not known.
  std::vector<std::int64_t> places(const TextColumn& ids) const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::int64_t place;
  };
  static constexpr std::size_t kAnEntry = 8;  // a directory's entry leads to about so many

  const Entry* found(std::uint64_t hash) const;
  void keep(std::string_view id, std::int64_t begin, std::size_t length);

  std::unique_ptr<LineReader> reader_;
  bool is_whole_ = true;
  std::int64_t at_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> directory_;  // where hashes with these first bits begin
  int shift_ = 64;
};

// The lines at places, each with a line end behind it, read from an open file in the order in which they are there; lines that are
// near one another are read together.
class LinesAt {
 public:
  // Throws std::invalid_argument for a place of no line.
  explicit LinesAt(std::span<const std::int64_t> places);
  // How many bytes they are.
  std::size_t size() const { return size_; }
  // Writes them; false where the file ends before, or cannot be read.
  bool read(int file, char* to) const;

 private:
  struct Wanted {
    std::int64_t place;
    std::size_t to;
  };
  std::vector<Wanted> lines_;  // by place
  std::size_t size_ = 0;
};

}  // namespace fstmetrics

// Cells between commas or tabs as rows of a table.

#include <algorithm>
#include <cstring>

#include "formats/lines.h"
#include "formats/table_rows.h"

namespace fstmetrics {
namespace {

bool is_empty(std::string_view text) {
  const bool is_graphic = !text.empty() && text.front() > ' ' && static_cast<unsigned char>(text.front()) < 0x80;
  return !is_graphic && stripped(text).empty();
}

class DelimitedRowReader : public TableReader {
 public:
  explicit DelimitedRowReader(const DelimitedRowForm& form)
      : TableReader(form.roles), names_(form.head.names), delimiter_(form.delimiter), is_spaced_(form.is_spaced) {
    for (const std::string& name : names_) columns_.push_back(row_.column(name));
    is_usual_ = std::ranges::count(columns_, -1) == 0;
  }

 protected:
  LineKind read_values(std::string_view line) override {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (delimiter_ == '\t') {
      if (is_empty(line)) return LineKind::kNone;
    } else {
      if (line.empty()) return LineKind::kNone;
      if (line.find('\r') != line.npos) return LineKind::kOther;  // ends a row
    }
    cell_ = 0;
    may_be_head_ = true;
    const bool is_read = is_usual_ && (delimiter_ == '\t' ? read_plain(line) : read_quoted(line));
    return is_read && cell_ == columns_.size() && !may_be_head_ ? LineKind::kItem : LineKind::kOther;
  }

  TextNote note_of(std::string_view text) const override { return is_empty(text) ? TextNote::kEmpty : TextNote::kNone; }

 private:
  bool take(std::string_view text) {
    if (cell_ == columns_.size()) return false;
    may_be_head_ = may_be_head_ && is_name(text);
    return row_.add(columns_[cell_++], FieldKind::kText, text);
  }

  // Whether a cell is the name of a column, also behind a byte order mark, as where files were joined.
  bool is_name(std::string_view cell) const {
    if (cell_ == 0 && cell.starts_with(kByteOrderMark)) cell.remove_prefix(kByteOrderMark.size());
    return std::find(names_.begin(), names_.end(), stripped(cell)) != names_.end();
  }

  bool read_plain(std::string_view line) {
    while (true) {
      const std::size_t end = line.find(delimiter_);
      if (!take(line.substr(0, end))) return false;
      if (end == line.npos) return true;
      line.remove_prefix(end + 1);
    }
  }

  bool read_quoted(std::string_view line) {
    while (true) {
      if (is_spaced_) line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      std::size_t end = 0;
      if (line.starts_with('"')) {
        if (!read_quotes(line, end)) return false;
      } else {
        end = line.find(delimiter_);
        if (!take(line.substr(0, end))) return false;
      }
      if (end >= line.size()) return true;
      line.remove_prefix(end + 1);
    }
  }

  // A cell in quotes, and the place of the delimiter behind it, or the end of the line.
  bool read_quotes(std::string_view line, std::size_t& end) {
    std::size_t at = 1;
    std::size_t close = line.find('"', at);
    if (close == line.npos) return false;
    std::string_view text = line.substr(1, close - 1);
    if (close + 1 < line.size() && line[close + 1] == '"') {
      char* to = row_.arena().room(line.size());
      while (close + 1 < line.size() && line[close + 1] == '"') {
        to = std::copy(line.data() + at, line.data() + close + 1, to);
        at = close + 2;
        close = line.find('"', at);
        if (close == line.npos) return false;
      }
      to = std::copy(line.data() + at, line.data() + close, to);
      text = row_.arena().keep(to);
    }
    end = close + 1;
    return take(text) && (end == line.size() || line[end] == delimiter_);
  }

  const std::vector<std::string> names_;
  const char delimiter_;
  const bool is_spaced_;
  std::vector<std::int32_t> columns_;
  std::size_t cell_ = 0;
  bool is_usual_ = true, may_be_head_ = true;
};

}  // namespace

std::unique_ptr<TableReader> DelimitedRowForm::table_reader() const {
  return std::make_unique<DelimitedRowReader>(*this);
}

}  // namespace fstmetrics

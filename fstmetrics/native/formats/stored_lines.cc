#include "formats/stored_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "formats/text_lines.h"
#include "support/poll.h"
#include "support/xxh64.h"

namespace fstmetrics {
namespace {

constexpr std::size_t kWindow = 1 << 18;
// What is read of no more lines than so many times those that are read together is kept for the other columns.
constexpr std::size_t kMostKept = 8;
// Bytes of lines that are read together where they are in another order.
constexpr std::size_t kApart = 1 << 22;
constexpr int kBitsOfLength = 24;
// A read takes as long as copying so many bytes; and no more than so many are read at once.
constexpr std::int64_t kNearby = 1 << 12, kAtOnce = 1 << 17;
constexpr std::size_t kInBucket = 8;  // a directory's entry leads to about so many

std::int64_t begin_of_line(std::uint64_t place) { return static_cast<std::int64_t>(place >> kBitsOfLength); }
std::size_t length_of_line(std::uint64_t place) {
  return static_cast<std::size_t>(place & ((std::uint64_t{1} << kBitsOfLength) - 1));
}

TextColumn some_texts(const TextColumn& column, std::size_t begin, std::size_t end) {
  if (column.texts.empty()) return {column.holder, {}};
  const auto first = column.texts.begin();
  return {column.holder, {first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)}};
}

FieldRows some_fields(const FieldRows& rows, std::size_t begin, std::size_t end) {
  FieldRows some{rows.holder, rows.names, {}, {}};
  for (std::size_t row = begin; row < end && !rows.ends.empty(); ++row) some.add_row(rows.row(row));
  return some;
}

TablePart some_of(const TablePart& part, std::size_t begin, std::size_t end) {
  return {some_texts(part.ids, begin, end), some_texts(part.texts, begin, end), some_fields(part.fields, begin, end)};
}

// The rows with these numbers, of -1 empty ones.
TablePart taken_of(const TablePart& part, std::span<const std::int64_t> numbers) {
  const auto texts = [&](const TextColumn& column) {
    return column.texts.empty() && part.texts.size() != 0 ? column : column.taken(numbers);
  };
  return {texts(part.ids), part.texts.taken(numbers),
          part.fields.ends.empty() && part.texts.size() != 0 ? part.fields : part.fields.taken(numbers)};
}

}  // namespace

IdIndex::Entry IdIndex::entry_of(std::string_view id, std::uint32_t row) {
  // Half as many other bits: eight bytes a step, and what is left.
  std::uint64_t other = id.size();
  for (std::size_t at = 0; at < id.size(); at += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, id.data() + at, std::min<std::size_t>(8, id.size() - at));
    other = std::rotl((other ^ bytes) * 0x9E3779B97F4A7C15ULL, 29);
  }
  return {xxh64(id), static_cast<std::uint32_t>(other ^ other >> 32), row};
}

void IdIndex::add(std::string_view id, std::uint32_t row) { entries_.push_back(entry_of(id, row)); }

void IdIndex::close() {
  std::sort(entries_.begin(), entries_.end());
  const int bits = std::bit_width(entries_.size() / kInBucket) + 1;
  shift_ = 64 - bits;
  directory_.assign((std::size_t{1} << bits) + 1, static_cast<std::uint32_t>(entries_.size()));
  for (std::size_t i = entries_.size(); i-- > 0;) {
    directory_[static_cast<std::size_t>(entries_[i].hash >> shift_)] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = directory_.size() - 1; i-- > 0;) directory_[i] = std::min(directory_[i], directory_[i + 1]);
  different_ = entries_.empty() ? 0 : 1;
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    different_ += entries_[i].hash != entries_[i - 1].hash || entries_[i].check != entries_[i - 1].check;
  }
}

std::int64_t IdIndex::row(std::string_view id) const {
  const Entry wanted = entry_of(id, 0);
  const auto bucket = static_cast<std::size_t>(wanted.hash >> shift_);
  for (std::size_t i = directory_[bucket]; i < directory_[bucket + 1]; ++i) {
    if (entries_[i].hash == wanted.hash && entries_[i].check == wanted.check) return entries_[i].row;
  }
  return -1;
}

StoredLines::StoredLines(std::shared_ptr<const FileBytes> file, std::shared_ptr<const LineSurvey> survey,
                         std::shared_ptr<const LineForm> form, bool has_ids, std::size_t lines, std::size_t ahead)
    : file_(std::move(file)),
      survey_(std::move(survey)),
      form_(std::move(form)),
      has_ids_(has_ids),
      size_(lines),
      ahead_(ahead) {}

StoredLines::StoredLines(std::shared_ptr<const StoredLines> whole, std::vector<std::uint32_t> rows)
    : whole_(std::move(whole)), rows_(std::move(rows)), size_(rows_.size()), ahead_(whole_->ahead_) {
  // About so many that a read of the file finds some that are near each other.
  const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(whole_->file_->size(), 1));
  ahead_ = std::max(ahead_, kApart * whole_->size_ / bytes);
}

TablePart StoredLines::part(std::size_t begin, std::size_t end) const {
  const std::lock_guard lock(mutex_);
  if (end - begin > kMostKept * ahead_) return read(begin, end);
  if (begin < read_begin_ || end > read_end_) {
    const std::size_t last = std::max(end, std::min(begin + ahead_, size_));
    read_end_ = read_begin_ = 0;
    read_ = {};
    read_ = read(begin, last);
    read_begin_ = begin, read_end_ = last;
  }
  return some_of(read_, begin - read_begin_, end - read_begin_);
}

TablePart StoredLines::read(std::size_t begin, std::size_t end) const {
  if (!whole_) return in_order(begin, end);
  return whole_->in_any_order(std::span(rows_).subspan(begin, end - begin));
}

TablePart StoredLines::in_order(std::size_t begin, std::size_t end) const {
  const LineSurvey::Place first = survey_->before(static_cast<std::int64_t>(begin));
  const LineSurvey::Place behind = survey_->behind(static_cast<std::int64_t>(end));
  const auto bytes = std::make_shared<std::string>(static_cast<std::size_t>(behind.byte - first.byte), '\0');
  file_->read(bytes->data(), bytes->size(), first.byte);
  file_->check();
  std::optional<TablePart> found = parsed(*bytes, bytes);
  const std::size_t before = begin - static_cast<std::size_t>(first.line);
  if (!found || found->texts.size() < before + end - begin) file_->refuse();
  return some_of(*found, before, before + end - begin);
}

std::optional<TablePart> StoredLines::parsed(std::string_view bytes, std::shared_ptr<const void> holder) const {
  if (const auto* table = dynamic_cast<const TableForm*>(form_.get())) return table->part(bytes, std::move(holder));
  if (!form_ && !has_ids_) return TablePart{{}, text_lines(bytes, std::move(holder)), {}};
  auto lines = form_ ? trn_lines(bytes, std::move(holder), true) : id_lines(bytes, std::move(holder), true);
  if (!lines) return std::nullopt;
  return TablePart{std::move(lines->ids), std::move(lines->texts), {}};
}

TablePart StoredLines::in_any_order(std::span<const std::uint32_t> rows) const {
  bool in_turn = !rows.empty() && rows.front() != kNone;
  for (std::size_t i = 1; in_turn && i < rows.size(); ++i) in_turn = rows[i] == rows[i - 1] + 1;
  if (in_turn) return part(rows.front(), std::size_t{rows.back()} + 1);
  std::vector<std::int64_t> numbers;
  std::vector<std::uint32_t> lines;
  for (const std::uint32_t row : rows) {
    numbers.push_back(row == kNone ? -1 : static_cast<std::int64_t>(lines.size()));
    if (row != kNone) lines.push_back(row);
  }
  const std::lock_guard lock(mutex_);
  if (!has_places_) find_places([](std::string_view) {});
  if (has_long_) {
    const TablePart all = in_order(0, size_);
    std::transform(rows.begin(), rows.end(), numbers.begin(),
                   [](std::uint32_t row) { return row == kNone ? -1 : static_cast<std::int64_t>(row); });
    return taken_of(all, numbers);
  }
  const bool has_gaps = lines.size() < rows.size();
  if (lines.empty() && size_ > 0) lines.push_back(0);  // so that there are columns to take nothing of
  const auto bytes = bytes_at(lines);
  std::optional<TablePart> found = parsed(*bytes, bytes);
  if (!found || found->texts.size() != lines.size()) file_->refuse();
  return has_gaps || rows.empty() ? taken_of(*found, numbers) : std::move(*found);
}

template <class Visit>
void StoredLines::for_each(Visit visit) const {
  const std::unique_ptr<LineReader> reader = form_ ? form_->reader(true) : nullptr;
  std::size_t number = 0;
  std::int64_t byte = survey_->begin();
  Polls poll;
  for_each_window(*file_, byte, kWindow, [&](std::string_view bytes, bool last) {
    if (!last) bytes = bytes.substr(0, bytes.rfind('\n') + 1);  // nothing where there is none
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      poll(20 + static_cast<std::int64_t>(end - at) / 8);
      std::string_view line = bytes.substr(at, end - at);
      const std::int64_t begin = byte + static_cast<std::int64_t>(at);
      if (reader) {
        const LineItem item = reader->read(line);
        if (item.kind == LineKind::kItem) visit(item.id, begin, end - at), ++number;
      } else if (number < size_) {
        visit(has_ids_ ? first_word(line) : line, begin, end - at), ++number;
      }
      at = end + 1;
    }
    byte += static_cast<std::int64_t>(bytes.size());
    return bytes.size();
  });
  if (number != size_) file_->refuse();
}

template <class Visit>
void StoredLines::find_places(Visit visit) const {
  places_.clear();
  places_.reserve(size_);
  for_each([&](std::string_view id, std::int64_t begin, std::size_t length) {
    visit(id);
    has_long_ = has_long_ || length >= std::size_t{1} << kBitsOfLength || begin >= std::int64_t{1} << 39;
    places_.push_back(static_cast<std::uint64_t>(begin) << kBitsOfLength | length);
  });
  has_places_ = true;
}

std::shared_ptr<const IdIndex> StoredLines::index() const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const IdIndex> known = index_.lock();
  if (known) return known;
  const auto made = std::make_shared<IdIndex>();
  made->reserve(size_);
  std::uint32_t row = 0;
  if (whole_) {
    for (std::size_t begin = 0; begin < size_; begin += ahead_) {
      for (const std::string_view id : read(begin, std::min(begin + ahead_, size_)).ids.texts) made->add(id, row++);
    }
  } else {
    find_places([&](std::string_view id) { made->add(id, row++); });
  }
  made->close();
  index_ = made;
  return made;
}

std::shared_ptr<const StoredLines> StoredLines::taken(std::span<const std::int64_t> numbers) const {
  std::vector<std::uint32_t> rows;
  rows.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    const auto row = static_cast<std::size_t>(number);
    rows.push_back(number < 0 ? kNone : whole_ ? rows_[row] : static_cast<std::uint32_t>(row));
  }
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const StoredLines> known =
      taken_.lock();  // the ids, texts and fields of some lines are read together
  if (known && known->rows_ == rows) return known;
  known = std::make_shared<StoredLines>(whole_ ? whole_ : shared_from_this(), std::move(rows));
  taken_ = known;
  return known;
}

std::shared_ptr<const std::string> StoredLines::bytes_at(std::span<const std::uint32_t> rows) const {
  struct Wanted {
    std::uint64_t place;
    std::size_t to;
  };
  std::vector<Wanted> lines;
  lines.reserve(rows.size());
  std::size_t size = 0;
  for (const std::uint32_t row : rows) {
    lines.push_back({places_[row], size});
    size += length_of_line(places_[row]) + 1;
  }
  std::sort(lines.begin(), lines.end(), [](const Wanted& a, const Wanted& b) { return a.place < b.place; });
  const auto all = std::make_shared<std::string>(size, '\n');
  std::vector<char> bytes;
  Polls poll;
  for (std::size_t i = 0; i < lines.size();) {
    const std::int64_t begin = begin_of_line(lines[i].place);
    std::int64_t end = begin + static_cast<std::int64_t>(length_of_line(lines[i].place));
    std::size_t behind = i + 1;
    for (; behind < lines.size(); ++behind) {
      const std::int64_t next = begin_of_line(lines[behind].place);
      if (next > end + kNearby || next > begin + kAtOnce) break;
      end = std::max(end, next + static_cast<std::int64_t>(length_of_line(lines[behind].place)));
    }
    bytes.resize(static_cast<std::size_t>(end - begin));
    poll(1000 + (end - begin) / 8);
    file_->read(bytes.data(), bytes.size(), begin);
    for (; i < behind; ++i) {
      std::copy_n(bytes.data() + (begin_of_line(lines[i].place) - begin), length_of_line(lines[i].place),
                  all->data() + lines[i].to);
    }
  }
  file_->check();
  return all;
}

}  // namespace fstmetrics

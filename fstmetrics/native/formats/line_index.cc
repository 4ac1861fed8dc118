#include "formats/line_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "formats/text_lines.h"
#include "support/poll.h"
#include "support/read_at.h"
#include "support/xxh64.h"

namespace fstmetrics {
namespace {

// A place of a line: the byte where it begins, and in the last bits its length.
constexpr int kLengthBits = 24;
// A read takes as long as copying so many bytes; and no more than so many are read at once.
constexpr std::int64_t kNear = 1 << 12, kTogether = 1 << 17;

std::int64_t begin_of(std::int64_t place) { return place >> kLengthBits; }
std::size_t length_of(std::int64_t place) {
  return static_cast<std::size_t>(place & ((std::int64_t{1} << kLengthBits) - 1));
}

}  // namespace

LineIndex::LineIndex(std::int64_t begin, std::int64_t lines, const LineForm* form)
    : reader_(form ? form->reader(true) : nullptr), at_(begin) {
  entries_.reserve(static_cast<std::size_t>(lines));
}

std::size_t LineIndex::look(std::string_view bytes, bool last) {
  if (!last) bytes = bytes.substr(0, bytes.rfind('\n') + 1);  // nothing where there is none
  Polls poll;
  for (std::size_t at = 0; at < bytes.size();) {
    const void* found = std::memchr(bytes.data() + at, '\n', bytes.size() - at);
    const std::size_t end = found ? static_cast<const char*>(found) - bytes.data() : bytes.size();
    poll(20 + static_cast<std::int64_t>(end - at) / 8);
    std::string_view line = bytes.substr(at, end - at);
    const std::string_view id = reader_ ? reader_->read(line).id : first_word(line);
    if (!id.empty()) keep(id, at_ + static_cast<std::int64_t>(at), end - at);
    at = end + (found ? 1 : 0);
  }
  at_ += static_cast<std::int64_t>(bytes.size());
  return bytes.size();
}

void LineIndex::keep(std::string_view id, std::int64_t begin, std::size_t length) {
  is_whole_ = is_whole_ && length < (std::size_t{1} << kLengthBits) && begin < std::int64_t{1} << (63 - kLengthBits);
  entries_.push_back({xxh64(id), begin << kLengthBits | static_cast<std::int64_t>(length)});
}

bool LineIndex::close() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
  is_whole_ = is_whole_ && entries_.size() < UINT32_MAX;
  const int bits = std::bit_width(entries_.size() / kAnEntry) + 1;
  shift_ = 64 - bits;
  directory_.assign((std::size_t{1} << bits) + 1, static_cast<std::uint32_t>(entries_.size()));
  for (std::size_t i = entries_.size(); i-- > 0;) {
    directory_[static_cast<std::size_t>(entries_[i].hash >> shift_)] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = directory_.size() - 1; i-- > 0;) directory_[i] = std::min(directory_[i], directory_[i + 1]);
  return std::adjacent_find(entries_.begin(), entries_.end(),
                            [](const Entry& a, const Entry& b) { return a.hash == b.hash; }) == entries_.end();
}

const LineIndex::Entry* LineIndex::found(std::uint64_t hash) const {
  const auto bucket = static_cast<std::size_t>(hash >> shift_);
  for (std::size_t i = directory_[bucket]; i < directory_[bucket + 1]; ++i) {
    if (entries_[i].hash == hash) return &entries_[i];
  }
  return nullptr;
}

std::vector<std::int64_t> LineIndex::places(const TextColumn& ids) const {
  std::vector<std::int64_t> places;
  places.reserve(ids.size());
  Polls poll;
  for (const std::string_view id : ids.texts) {
    poll(100);
    const Entry* entry = directory_.empty() ? nullptr : found(xxh64(id));
    places.push_back(entry ? entry->place : -1);
  }
  return places;
}

LinesAt::LinesAt(std::span<const std::int64_t> places) {
  lines_.reserve(places.size());
  for (const std::int64_t place : places) {
    if (place < 0) throw std::invalid_argument("every line has a place");
    lines_.push_back({place, size_});
    size_ += length_of(place) + 1;
  }
  std::sort(lines_.begin(), lines_.end(), [](const Wanted& a, const Wanted& b) { return a.place < b.place; });
}

bool LinesAt::read(int file, char* to) const {
  std::vector<char> bytes;
  Polls poll;
  for (std::size_t i = 0; i < lines_.size();) {
    const std::int64_t begin = begin_of(lines_[i].place);
    std::int64_t end = begin + static_cast<std::int64_t>(length_of(lines_[i].place));
    std::size_t behind = i + 1;
    for (; behind < lines_.size(); ++behind) {
      const std::int64_t next = begin_of(lines_[behind].place);
      if (next > end + kNear || next > begin + kTogether) break;
      end = std::max(end, next + static_cast<std::int64_t>(length_of(lines_[behind].place)));
    }
    bytes.resize(static_cast<std::size_t>(end - begin));
    poll(1000 + (end - begin) / 8);
    if (!read_at(file, bytes.data(), bytes.size(), begin)) return false;
    for (; i < behind; ++i) {
      const std::size_t length = length_of(lines_[i].place);
      std::memcpy(to + lines_[i].to, bytes.data() + (begin_of(lines_[i].place) - begin), length);
      to[lines_[i].to + length] = '\n';
    }
  }
  return true;
}

}  // namespace fstmetrics

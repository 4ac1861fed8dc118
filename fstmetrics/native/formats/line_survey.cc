#include "formats/line_survey.h"

#include <algorithm>
#include <cstring>

#include "formats/lines.h"
#include "formats/text_rows.h"
#include "support/poll.h"
#include "support/xxh64.h"

namespace fstmetrics {
namespace {

// Characters that no text has, of those below 9.
constexpr std::string_view kControls("\0\1\2\3\4\10", 6);
// Of the lines that are expected, so many begin with words that had come before.
constexpr double kEnough = 0.25;

bool has_one_tab(std::string_view text) {
  const std::size_t tab = text.find('\t');
  return tab != text.npos && text.find('\t', tab + 1) == text.npos;
}

bool is_text_without_controls(std::string_view bytes) {
  unsigned low = 0, all = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    low |= byte < 9 ? 1U : 0U;
    all |= byte;
  }
  if (low != 0 && bytes.find_first_of(kControls) != bytes.npos) return false;
  return all < 0x80 || is_text(bytes);
}

}  // namespace

std::size_t LineSurvey::look(std::string_view bytes, bool last) {
  if (!last) bytes = bytes.substr(0, bytes.rfind('\n') + 1);
  if (bytes.empty()) return 0;  // of a line that does not end here nothing is known
  is_text_ = is_text_ && is_text_without_controls(bytes);
  Polls poll;
  for (std::size_t at = 0; at < bytes.size();) {
    const void* found = std::memchr(bytes.data() + at, '\n', bytes.size() - at);
    const std::size_t end = found ? static_cast<const char*>(found) - bytes.data() : bytes.size();
    poll(20 + static_cast<std::int64_t>(end - at) / 8);
    if (look_at(bytes.substr(at, end - at))) {
      if (lines_ % stride_ == 0) places_.push_back(at_ + static_cast<std::int64_t>(at));
      ++lines_;
    }
    at = end + (found ? 1 : 0);
  }
  if (places_.size() > kMostPlaces) {
    for (std::size_t i = 0; 2 * i < places_.size(); ++i) places_[i] = places_[2 * i];
    places_.resize((places_.size() + 1) / 2);
    stride_ *= 2;
  }
  at_ += static_cast<std::int64_t>(bytes.size());
  const double expected =
      static_cast<double>(lines_) * static_cast<double>(end_ - begin_) / static_cast<double>(at_ - begin_ + 1);
  counts_ = static_cast<double>(repeated_) < kEnough * expected;
  return bytes.size();
}

bool LineSurvey::look_at(std::string_view line) {
  const auto size = static_cast<std::int64_t>(line.size());
  ++number_;
  std::string_view first;
  if (reader_) {
    if (!is_plain_) return false;
    const LineItem found = reader_->read(line);
    is_plain_ = is_plain_ && found.kind != LineKind::kOther;
    if (found.kind != LineKind::kItem) return false;
    first = found.id;
    longest_ =
        std::max(longest_, has_columns_ ? static_cast<std::int64_t>(std::max(first.size(), found.text.size())) : size);
    if (found.note != TextNote::kNone) note(found.note == TextNote::kEmpty ? empty_ : missing_, found.text);
  } else {
    if (stray_line_ == 0 && !(stray_ = strays_.look(line)).empty()) stray_line_ = number_;
    if (!line.empty() && line.front() == kByteOrderMark.front()) has_mark_ |= line.starts_with(kByteOrderMark);
    first = first_word(line);
    longest_ = std::max(longest_, size);
  }
  if (first.empty()) return true;
  if (!reader_) {
    const std::string_view rest = line;
    const std::string_view second = first_word(line);
    seconds_ += second.empty() ? 0 : 1;
    const std::string_view gap = second.empty() ? rest : rest.substr(0, second.data() - rest.data());
    tabbed_ += has_one_tab(gap) && line.find('\t') == line.npos ? 1 : 0;
  }
  look_at_id(first);
  return true;
}

void LineSurvey::look_at_id(std::string_view id) {
  ++filled_;
  is_ascending_ = is_ascending_ && filled_ == lines_ + 1 && (lines_ == 0 || std::string_view(last_) < id);
  up_to_words_ = lines_ + 1;
  if (is_ascending_) last_ = id;
  if (counts_ && !reader_) count(id);
  if (!has_columns_) {
    if (!looks_.all_fit) return;
    has_others_ |= !looks_.add(id);
  }
  const std::uint64_t hash = xxh64(id);
  set_digest_ += hash;
  digest_ = (digest_ ^ hash) * 0x9E3779B97F4A7C15ULL;
  digest_ ^= digest_ >> 32;
}

void LineSurvey::note(Noted& noted, std::string_view text) {
  if (noted.count++ == 0) noted.first = text;
  if (noted.lines.size() < kMostNoted) noted.lines.push_back(number_);
}

void LineSurvey::count(std::string_view first) {
  const Word word = make_word(first);
  if (!is_ascending_ && seen_.find(word) != kEpsilon) {
    ++repeated_;
  } else if (words_.size() < kMostSeen) {
    seen_.intern(make_word(words_.emplace_back(first)));
  }
}

bool LineSurvey::shares(const LineSurvey& other) const {
  return std::any_of(other.words_.begin(), other.words_.end(),
                     [&](const std::string& word) { return seen_.find(make_word(word)) != kEpsilon; });
}

LineSurvey::Place LineSurvey::before(std::int64_t line) const {
  const std::int64_t place = line / stride_;
  if (line >= lines_ || place >= static_cast<std::int64_t>(places_.size())) return {lines_, at_};
  return {place * stride_, places_[static_cast<std::size_t>(place)]};
}

LineSurvey::Place LineSurvey::behind(std::int64_t line) const { return before(line + stride_ - 1); }

}  // namespace fstmetrics

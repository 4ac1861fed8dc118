#include "formats/choices.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "formats/lines.h"
#include "support/poll.h"
#include "text/words.h"

namespace fstmetrics {
namespace {

constexpr std::string_view kOpenStretch = "<*>", kNothing = "@";

bool ends_with_space(std::string_view text) {
  for (const std::size_t size : {1, 2, 3}) {
    if (text.size() >= size && space_at(text, text.size() - size) == size) return true;
  }
  return false;
}

// Whether a byte may begin white space.
bool may_be_space(char c) { return c <= ' ' || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

std::optional<ChoiceFault> ChoiceParser::read(std::string_view text) {
  if (text.size() >= static_cast<std::size_t>(std::numeric_limits<StateId>::max()))
    throw std::length_error("a text of 2^31 bytes");
  text_ = text;
  state_ = 0;
  states_ = 1;
  depth_ = 0;
  has_wildcards_ = false;
  arcs_.clear();
  words_.clear();
  choices_.clear();
  optional_.clear();
  begun_.clear();
  ends_.clear();
  arena_.clear();
  if (const std::optional<ChoiceFault> fault = find_marks()) return fault;
  Polls poll;
  std::size_t at = 0, mark = 0;
  while (at < text.size()) {
    if (mark < marks_.size() && marks_[mark].byte == at) {
      if (touches(mark)) return ChoiceFault{ChoiceFault::Reason::kTouchesWord, at};
      take(marks_[mark++]);
      ++at;
    } else if (const std::size_t space = may_be_space(text[at]) ? space_at(text, at) : 0) {
      at += space;
    } else {
      bool is_plain = true;
      const std::size_t end = end_of_word(at, mark < marks_.size() ? marks_[mark].byte : text.size(), is_plain);
      poll(20 + 2 * static_cast<std::int64_t>(end - at));
      take_word(at, end, is_plain);
      at = end;
    }
  }
  return std::nullopt;
}

// Which signs are marks: those of choices, outside of which the same signs are parts of words.
std::optional<ChoiceFault> ChoiceParser::find_marks() {
  marks_.clear();
  open_.clear();
  bars_.clear();
  if (notation_.opening == 0) return std::nullopt;
  bool are_all = true;
  Polls poll;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    const char sign = text_[at];
    if (sign == '\\') {
      ++at;
    } else if (sign == notation_.opening) {
      poll(10);
      open_.push_back({marks_.size(), bars_.size()});
      marks_.push_back({at, Kind::kNone});
    } else if (sign == notation_.bar && !open_.empty()) {
      bars_.push_back(marks_.size());
      marks_.push_back({at, Kind::kNone});
    } else if (sign == notation_.closing && open_.empty()) {
      if (notation_.is_sclite) return ChoiceFault{ChoiceFault::Reason::kClosesNothing, at};
    } else if (sign == notation_.closing) {
      const Open open = open_.back();
      open_.pop_back();
      if (notation_.is_sclite || bars_.size() > open.bars) {
        marks_[open.mark].kind = Kind::kOpen;
        for (std::size_t i = open.bars; i < bars_.size(); ++i) marks_[bars_[i]].kind = Kind::kBar;
        marks_.push_back({at, Kind::kClose});
      } else {
        are_all = false;
      }
      bars_.resize(open.bars);
    }
  }
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t bars = i + 1 < open_.size() ? open_[i + 1].bars : bars_.size();
    if (notation_.is_sclite || bars > open_[i].bars)
      return ChoiceFault{ChoiceFault::Reason::kNotClosed, marks_[open_[i].mark].byte};
  }
  if (!are_all || !open_.empty()) std::erase_if(marks_, [](const Mark& mark) { return mark.kind == Kind::kNone; });
  return std::nullopt;
}

// Whether a word ends where a choice begins, or begins where one ends.
bool ChoiceParser::touches(std::size_t mark) const {
  const std::size_t at = marks_[mark].byte;
  if (marks_[mark].kind == Kind::kOpen) {
    return at > 0 && !(mark > 0 && marks_[mark - 1].byte == at - 1) && !ends_with_space(text_.substr(0, at));
  }
  if (marks_[mark].kind != Kind::kClose || at + 1 == text_.size()) return false;
  return !(mark + 1 < marks_.size() && marks_[mark + 1].byte == at + 1) && space_at(text_, at + 1) == 0;
}

void ChoiceParser::take(const Mark& mark) {
  if (mark.kind == Kind::kOpen) {
    begun_.push_back({mark.byte, ends_.size(), state_});
    depth_ = std::max(depth_, std::ssize(begun_));
    return;
  }
  ends_.push_back(state_);
  const Begun begun = begun_.back();
  if (mark.kind == Kind::kBar) {
    state_ = begun.state;
    return;
  }
  begun_.pop_back();
  join(begun.byte, mark.byte + 1, begun.state, std::span(ends_).subspan(begun.ends));
  ends_.resize(begun.ends);
}

// `end`: of the next mark or the text. Whether the word means what is written.
std::size_t ChoiceParser::end_of_word(std::size_t at, std::size_t end, bool& is_plain) const {
  while (at < end) {
    const char sign = text_[at];
    if (sign == '\\') {
      is_plain = false;
      at += 2;
      continue;
    }
    if (may_be_space(sign) && space_at(text_, at) != 0) break;
    if (sign == ';') is_plain = is_plain && !notation_.has_tags;
    ++at;
  }
  return std::min(at, end);
}

void ChoiceParser::take_word(std::size_t begin, std::size_t end, bool is_plain) {
  const std::string_view written = text_.substr(begin, end - begin);
  if (written == kOpenStretch) {  // a state with a loop of its own, so that the loop belongs to no other alternative
    has_wildcards_ = true;
    arcs_.push_back({state_, states_, ChoiceArc::kNoWord});
    state_ = states_++;
    arcs_.push_back({state_, state_, static_cast<std::int32_t>(words_.size())});
    words_.push_back(kWildcard);
    return;
  }
  const std::string_view word = is_plain ? written : meant(written);
  const bool has_signs = notation_.is_sclite && written.front() != '\\';
  if (has_signs && word == kNothing) return;
  if (!has_signs || word.size() < 3 || word.front() != '(' || word.back() != ')') {
    add_word(word);
    return;
  }
  const StateId before = add_word(word.substr(1, word.size() - 2)), behind = state_;
  join(begin, end, before, std::array{behind, before});
  optional_.push_back({before, behind, state_});
}

// A word without backslashes that make the next sign an ordinary one, and without its tag.
std::string_view ChoiceParser::meant(std::string_view written) {
  char* const begin = arena_.room(written.size());
  char* to = begin;
  for (std::size_t at = 0; at < written.size(); ++at) {
    if (written[at] == '\\' && at + 1 < written.size()) {
      ++at;
    } else if (notation_.has_tags && written[at] == ';' && to != begin) {
      break;
    }
    *to++ = written[at];
  }
  return arena_.keep(to);
}

// The state before it.
StateId ChoiceParser::add_word(std::string_view word) {
  const StateId before = state_;
  arcs_.push_back({before, states_, static_cast<std::int32_t>(words_.size())});
  words_.push_back(word);
  state_ = states_++;
  return before;
}

// Alternatives without a word all end where the choice starts, and are one.
void ChoiceParser::join(std::size_t begin, std::size_t end, StateId start, std::span<const StateId> ends) {
  state_ = states_++;
  bool has_empty = false;
  for (const StateId last : ends) {
    if (last == start && has_empty) continue;
    has_empty |= last == start;
    arcs_.push_back({last, state_, ChoiceArc::kNoWord});
  }
  if (begun_.empty()) choices_.push_back({begin, end, start, state_});
}

}  // namespace fstmetrics

#include "formats/stray_lines.h"

#include <algorithm>

#include "formats/lines.h"
#include "formats/numbers.h"

namespace fstmetrics {
namespace {

bool is_figure(char c) { return c >= '0' && c <= '9'; }

std::size_t figures_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && is_figure(text[at])) ++at;
  return at - begin;
}

// Moves behind `1:02:03.4`, `02:03.4`, `02:03`, or `3.4` and `3.4s`; false where none of them begins.
bool skip_time(std::string_view text, std::size_t& at, bool& has_fraction) {
  std::size_t place = at, parts = 0;
  while (const std::size_t count = figures_at(text, place)) {
    place += count;
    ++parts;
    if (place >= text.size() || text[place] != ':' || parts == 3) break;
    ++place;
  }
  has_fraction =
      parts && place + 1 < text.size() && (text[place] == '.' || text[place] == ',') && figures_at(text, place + 1);
  if (has_fraction) place += 1 + figures_at(text, place + 1);
  if (parts == 0 || (parts == 1 && !has_fraction)) return false;
  if (place < text.size() && text[place] == 's') ++place;
  at = place;
  return true;
}

void skip_blanks(std::string_view text, std::size_t& at) {
  while (at < text.size() && is_blank(text[at])) ++at;
}

// `00:01.000 --> 00:02.000`, or with a comma between and hours.
bool is_cue(std::string_view line) {
  std::size_t at = 0;
  bool has_fraction = false;
  if (!skip_time(line, at, has_fraction) || !has_fraction) return false;
  skip_blanks(line, at);
  if (line.substr(at).starts_with("-->")) return true;
  return line.substr(at).starts_with(',') && skip_time(line, ++at, has_fraction) && at == line.size();
}

// `[00:01.000 --> 00:02.000]`, `[0.00s -> 1.50s]`, `[00:12.34]`.
bool is_timed(std::string_view line) {
  std::size_t at = 1;
  bool has_fraction = false;
  if (!skip_time(line, at, has_fraction)) return false;
  if (has_fraction && at < line.size() && line[at] == ']' && line.substr(0, at).find(':') != line.npos) return true;
  skip_blanks(line, at);
  return line.substr(at).starts_with("-->") || line.substr(at).starts_with("->");
}

// `|0-1|`, `|0-1,wa=0-0|`.
bool is_phrase_mark(std::string_view word) {
  if (word.size() < 5 || word.front() != '|' || word.back() != '|') return false;
  std::size_t at = 1;
  const std::size_t first = figures_at(word, at);
  at += first;
  if (!first || word[at] != '-') return false;
  const std::size_t second = figures_at(word, ++at);
  at += second;
  return second && (word[at] == ',' || at + 1 == word.size());
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// u12, ab_3-4: a letter first and a digit last, or with an underscore and a digit. `2nd` and `F` are none.
bool is_id(std::string_view word) {
  if (word.size() < 2 || word.find_first_of(" \t/()") != word.npos) return false;
  return (is_letter(word.front()) && is_figure(word.back())) ||
         (word.find('_') != word.npos && std::ranges::any_of(word, is_figure));
}

}  // namespace

std::string_view StrayLines::look_closely(std::string_view line) {
  const bool had_id = had_id_;
  had_id_ = false;
  while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  if (line.empty()) {
    had_id_ = had_id;
    return {};
  }
  const char first = line.front(), last = line.back();
  if (is_figure(first) && is_cue(line)) return "a time of subtitles";
  if (first == '[' && is_timed(line)) return "a printed time of a recogniser";
  if (first == '{' && last == '}' && line.starts_with("{\"") && line.find("\":") != line.npos)
    return "an object of JSON";
  if (first == '#' && line == "#!MLF!#") return "the head of a label file of HTK";
  if (first == 'W' && line == "WEBVTT") return "the head of subtitles";
  if (first == 'T' && line.starts_with("Traceback (most recent call last):")) return "an error of Python";
  if (last == '|' && is_phrase_mark(line.substr(line.find_last_of(" \t") + 1))) return "a mark of phrases of Moses";
  if (last == ')') {
    const std::string_view inside = line.substr(0, line.size() - 1).substr(line.rfind('(') + 1);
    const std::size_t space = inside.find(' ');
    if (space != inside.npos && space > 0 && inside.substr(space).starts_with(" -") && space + 2 < inside.size() &&
        is_digits(inside.substr(space + 2))) {
      return "a result of Sphinx with its score";
    }
    had_id_ = line.find('(') != line.npos && is_id(inside);
    if (had_id_ && had_id) return "a line of trn, with an id in parentheses";
  }
  if (const void* const bar = std::memchr(line.data(), '|', line.size())) {
    const std::size_t at = static_cast<const char*>(bar) - line.data();
    if (at > 1 && line.substr(at - 1).starts_with(" ||| ") && line.find_first_of(" \t") == at - 1) {
      return "a line of an n-best list";
    }
  }
  return {};
}

}  // namespace fstmetrics

#include "formats/text_lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "formats/lines.h"
#include "support/poll.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

bool is_graphic(char c) { return c > ' ' && static_cast<unsigned char>(c) < 0x80; }

// Length in bytes of the white space that ends a text; 0 if there is none.
std::size_t space_at_end(std::string_view text) {
  if (static_cast<unsigned char>(text.back()) < 0x80) return space_at(text, text.size() - 1);
  for (const std::size_t size : {2, 3}) {
    if (text.size() >= size && space_at(text, text.size() - size) == size) return size;
  }
  return 0;
}

std::string_view without_space_at_end(std::string_view text) {
  while (!text.empty()) {
    const unsigned char last = static_cast<unsigned char>(text.back());
    if (last > ' ' && last < 0x80) return text;
    const std::size_t space = space_at_end(text);
    if (space == 0) return text;
    text.remove_suffix(space);
  }
  return text;
}

std::string_view without_space_at_beginning(std::string_view text) {
  if (!text.empty() && text.front() == ' ') text.remove_prefix(1);  // the usual one
  while (!text.empty() && !is_graphic(text.front())) {
    const std::size_t space = space_at(text, 0);
    if (space == 0) break;
    text.remove_prefix(space);
  }
  return text;
}

// The end of the first word of a text that begins with one.
std::size_t end_of_word(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101ULL;
  std::size_t at = 0;
  while (at < text.size()) {
    if (at + 8 <= text.size()) {  // skip what is above ' ' and below 0x80, eight bytes at a time
      std::uint64_t bytes;
      std::memcpy(&bytes, text.data() + at, 8);
      const std::uint64_t low = ~((bytes & 0x7F * kEach) + (0x7F - ' ') * kEach);
      const std::uint64_t others = (low | bytes) & 0x80 * kEach;
      if (others == 0) {
        at += 8;
        continue;
      }
      if constexpr (std::endian::native == std::endian::little)
        at += static_cast<std::size_t>(std::countr_zero(others)) / 8;
    }
    const unsigned char byte = static_cast<unsigned char>(text[at]);
    if (byte == ' ' || ((byte < ' ' || byte >= 0x80) && space_at(text, at) != 0)) break;
    ++at;
  }
  return at;
}

// Calls visit(line) for every line without its end, until it says false; says whether it never did.
template <class Visit>
bool all_lines(std::string_view bytes, Visit visit) {
  Polls poll;
  for (Lines lines(bytes); lines.next();) {
    poll(20 + static_cast<std::int64_t>(lines.line().size()));
    if (!visit(lines.line())) return false;
  }
  return true;
}

std::size_t guessed_lines(std::string_view bytes) { return bytes.size() / 40 + 16; }

bool has_repeated(const std::vector<std::string_view>& texts) {
  WordTable table;
  table.reset(texts.size());
  Label different = 0;
  Polls poll;
  for (const std::string_view text : texts) {
    poll(50);
    if (table.intern(make_word(text)) != ++different) return true;
  }
  return false;
}

enum TrnByte : std::uint8_t { kWord, kSpace, kMark, kMaybeSpace };

constexpr std::array<TrnByte, 256> trn_bytes() {
  std::array<TrnByte, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = byte < ' ' || byte >= 0x80 ? kMaybeSpace : kWord;
  }
  for (const char mark : std::string_view("{}/@\\;(<")) table[static_cast<unsigned char>(mark)] = kMark;
  table[' '] = kSpace;
  return table;
}

// Whether white space is single spaces between words, and no character has a meaning in sclite's form.
bool is_plain_trn(std::string_view text) {
  static constexpr std::array<TrnByte, 256> kBytes = trn_bytes();
  TrnByte before = kSpace;
  for (std::size_t at = 0; at < text.size(); ++at) {
    TrnByte byte = kBytes[static_cast<unsigned char>(text[at])];
    if (byte == kMaybeSpace) byte = space_at(text, at) == 0 ? kWord : kMark;
    if (byte == kMark || (byte == kSpace && before == kSpace)) return false;
    before = byte;
  }
  return text.empty() || before != kSpace;
}

class TrnReader : public LineReader {
 public:
  explicit TrnReader(bool is_plain) : is_plain_(is_plain) {}
  LineItem read(std::string_view line) override { return trn_line(line, is_plain_); }

 private:
  const bool is_plain_;
};

}  // namespace

std::unique_ptr<LineReader> TrnForm::reader(bool is_known) const { return std::make_unique<TrnReader>(is_known); }

TextColumn text_lines(std::string_view bytes, std::shared_ptr<const void> holder) {
  TextColumn column{std::move(holder), {}};
  column.texts.reserve(guessed_lines(bytes));
  all_lines(bytes, [&](std::string_view line) {
    column.texts.push_back(without_space_at_end(line));
    return true;
  });
  column.texts.shrink_to_fit();
  return column;
}

std::optional<TextLines> id_lines(std::string_view bytes, std::shared_ptr<const void> holder, bool are_different) {
  TextLines lines{{holder, {}}, {holder, {}}};
  bool after_blank = false;
  const bool all_have_ids = all_lines(bytes, [&](std::string_view line) {
    line = without_space_at_beginning(without_space_at_end(line));
    if (line.empty()) return after_blank = true;
    if (after_blank) return false;
    const std::size_t end = end_of_word(line);
    lines.ids.texts.push_back(line.substr(0, end));
    lines.texts.texts.push_back(without_space_at_beginning(line.substr(end)));
    return true;
  });
  if (!all_have_ids || (!are_different && has_repeated(lines.ids.texts))) return std::nullopt;
  return lines;
}

std::string_view first_word(std::string_view& text) {
  text = without_space_at_beginning(text);
  const std::string_view word = text.substr(0, end_of_word(text));
  text.remove_prefix(word.size());
  return word;
}

TextLines first_words(std::string_view bytes, std::shared_ptr<const void> holder) {
  TextLines words{{holder, {}}, {holder, {}}};
  std::size_t filled = 0;
  all_lines(bytes, [&](std::string_view line) {
    for (auto* texts : {&words.ids.texts, &words.texts.texts}) texts->push_back(first_word(line));
    if (!words.ids.texts.back().empty()) filled = words.ids.size();
    return true;
  });
  words.ids.texts.resize(filled);
  words.texts.texts.resize(filled);
  return words;
}

namespace {

// Endings of files of sound and of their transcripts.
constexpr std::string_view kEndings[] = {"wav", "wave", "flac", "mp3", "m4a", "ogg",  "oga", "opus", "spx", "aac",
                                         "ac3", "aif",  "aiff", "amr", "caf", "wma",  "sph", "pcm",  "raw", "webm",
                                         "mp4", "mkv",  "mov",  "avi", "mpg", "mpeg", "3gp", "txt",  "lab"};

// Whether a word is the name of such a file, as abc.wav, in any case, with folders or without.
bool names_file(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos || dot == 0 || word[dot - 1] == '/') return false;
  std::string ending(word.substr(dot + 1));
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

}  // namespace

namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A word with a for every run of letters and 0 for every run of digits.
std::string form_of(std::string_view word) {
  std::string form;
  for (const char c : word) {
    if (is_ascii_digit(c) || is_ascii_letter(c)) {
      const char kind = is_ascii_digit(c) ? '0' : 'a';
      if (form.empty() || form.back() != kind) form.push_back(kind);
    } else {
      form.push_back(c);
    }
  }
  return form;
}

}  // namespace

bool IdLooks::add(std::string_view word) {
  if (names_file(word)) {
    one_form = all_decimal = false;
    return true;
  }
  if (!std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return false;
  const auto is_alnum = [](char c) { return is_ascii_digit(c) || is_ascii_letter(c); };
  const auto begin = std::find_if(word.begin(), word.end(), is_alnum);
  const auto end = std::find_if(word.rbegin(), word.rend(), is_alnum).base();
  const std::string_view core = begin < end ? std::string_view(begin, end) : std::string_view();
  const auto digits = std::count_if(core.begin(), core.end(), is_ascii_digit);
  const auto hyphens = std::count(core.begin(), core.end(), '-');
  const bool has_underscore = core.find('_') != core.npos;
  const bool has_markup = core.find_first_of("<>") != core.npos;
  all_fit = !has_markup && (digits > 0 || core.find_first_of("_-/\\") != core.npos);
  all_bare &= core.size() == word.size();
  all_certain &= has_underscore || (digits > 0 && hyphens > 1);
  all_decimal &= digits == static_cast<std::ptrdiff_t>(word.size());
  if (one_form) {
    std::string own = form_of(word);
    one_form = digits > 0 && (form.empty() || form == own);
    form = std::move(own);
  }
  return true;
}

IdLooks id_looks(const TextColumn& words) {
  IdLooks looks;
  Polls poll;
  for (const std::string_view word : words.texts) {
    poll(20 + static_cast<std::int64_t>(word.size()));
    if (!looks.add(word)) looks.others.texts.push_back(word);
    if (!looks.all_fit) return looks;
  }
  looks.others.holder = words.holder;
  looks.others = looks.others.distinct();
  return looks;
}

LineItem trn_line(std::string_view line, bool is_plain) {
  line = without_space_at_beginning(without_space_at_end(line));
  if (line.empty() || line.starts_with(";;")) return {LineKind::kNone, {}, {}, TextNote::kNone};
  const LineItem other;
  if (!line.ends_with(')') || line.starts_with(kByteOrderMark)) return other;
  line.remove_suffix(1);
  const std::size_t open = line.find_last_of("()");
  if (open == std::string_view::npos || line[open] != '(') return other;
  const std::string_view id = without_space_at_beginning(without_space_at_end(line.substr(open + 1)));
  const std::string_view text = without_space_at_end(line.substr(0, open));
  if (id.empty() || (!is_plain && !is_plain_trn(text))) return other;
  return {LineKind::kItem, id, text, TextNote::kNone};
}

std::optional<TextLines> trn_lines(std::string_view bytes, std::shared_ptr<const void> holder, bool is_known) {
  TextLines lines{{holder, {}}, {holder, {}}};
  const bool are_plain = all_lines(bytes, [&](std::string_view line) {
    const LineItem found = trn_line(line, is_known);
    if (found.kind != LineKind::kItem) return found.kind == LineKind::kNone;
    lines.ids.texts.push_back(found.id);
    lines.texts.texts.push_back(found.text);
    return true;
  });
  if (!are_plain || (!is_known && has_repeated(lines.ids.texts))) return std::nullopt;
  return lines;
}

}  // namespace fstmetrics

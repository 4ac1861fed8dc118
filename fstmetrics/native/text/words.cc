#include "text/words.h"

#include <algorithm>
#include <bit>

#include "support/simd.h"

namespace fstmetrics {
namespace {

constexpr std::uint64_t kEachByte = 0x0101010101010101ULL;
constexpr std::uint64_t kHighBits = 0x80 * kEachByte;
// Odd, with bits all over: 2^64 divided by the golden ratio.
constexpr std::uint64_t kMixing = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kHashed = 0xFFULL << 56;

// Eight bytes, the first one lowest.
std::uint64_t load(const char* at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

std::uint64_t short_key(const char* begin, std::size_t size, const char* readable) {
  std::uint64_t bytes = 0;
  if (readable - begin >= 8) {
    bytes = load(begin) & ((std::uint64_t{1} << (8 * size)) - 1);
  } else {
    for (std::size_t i = size; i-- > 0;) bytes = (bytes << 8) | static_cast<unsigned char>(begin[i]);
  }
  return bytes | (std::uint64_t{size} << 56);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t bytes) {
  hash = (hash ^ bytes) * kMixing;
  return hash ^ (hash >> 32);
}

// The last eight bytes may overlap those before.
std::uint64_t long_key(const char* begin, std::size_t size) {
  std::uint64_t hash = size;
  for (std::size_t i = 0; i + 8 < size; i += 8) hash = mixed(hash, load(begin + i));
  return mixed(hash, load(begin + size - 8)) | kHashed;
}

std::uint64_t key_of(const char* begin, std::size_t size, const char* readable) {
  return size < 8 ? short_key(begin, size, readable) : long_key(begin, size);
}

// Whether Python's str.isspace() is true of the character with this code.
bool is_space(std::int32_t code) {
  if (code <= ' ') return code == ' ' || (code >= 0x09 && code <= 0x0D) || code >= 0x1C;
  if (code < 0x85 || code > 0x3000) return false;
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

// Length in bytes of such a character that begins at `at`; 0 if there is none.
std::size_t space_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return first == ' ' || (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x1F);
  if (first == 0xC2) return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
  if (first == 0xE1) return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
  if (first == 0xE3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
  if (first != 0xE2) return 0;
  const unsigned third = byte(2);
  if (byte(1) == 0x81) return third == 0x9F ? 3 : 0;
  return byte(1) == 0x80 && ((third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF) ? 3
                                                                                                                  : 0;
}

// Bits for the bytes among eight at which white space could begin: up to 0x20, 0xC0 to 0xCF, 0xE0 to 0xEF.
std::uint64_t candidates(std::uint64_t bytes) {
  const std::uint64_t above_space = (bytes & ~kHighBits) + (0x7F - 0x20) * kEachByte;
  const std::uint64_t leads = bytes & (bytes << 1) & ~(bytes << 3);
  const std::uint64_t high = ((~above_space & ~bytes) | leads) & kHighBits;
  return ((high >> 7) * 0x0102040810204080ULL) >> 56;  // one bit of each byte, side by side
}

// The same for up to 64 bytes.
std::uint64_t candidates(std::string_view bytes) {
  std::uint64_t found = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) found |= candidates(load(bytes.data() + at)) << at;
  if (at < bytes.size()) {
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    if constexpr (std::endian::native == std::endian::big) rest = __builtin_bswap64(rest);
    found |= (candidates(rest) & ((std::uint64_t{1} << (bytes.size() - at)) - 1)) << at;
  }
  return found;
}

// Calls visit(where, length) for every piece of white space; stops if it returns false.
template <class Visit>
void for_each_space(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size(); at += 64) {
    for (std::uint64_t rest = candidates(text.substr(at, 64)); rest != 0; rest &= rest - 1) {
      const std::size_t where = at + std::countr_zero(rest);
      const std::size_t length = text[where] == ' ' ? 1 : space_at(text, where);
      if (length != 0 && !visit(where, length)) return;
    }
  }
}

bool is_sentence_marker(std::string_view word) {
  return std::find(kSentenceMarkers.begin(), kSentenceMarkers.end(), word) != kSentenceMarkers.end();
}

}  // namespace

// ARPA's and SRILM's; those of HTK's tutorial; those that HLStats and HBuild write if not told otherwise.
const std::vector<std::string_view> kSentenceMarkers = {"<s>", "</s>", "!SENT_START", "!SENT_END", "!ENTER", "!EXIT"};

Word make_word(const char* begin, std::size_t size, const char* readable) {
  return {key_of(begin, size, readable), begin, static_cast<std::uint32_t>(size)};
}

void split_words(std::string_view text, std::vector<Word>& words) {
  const char* const end = text.data() + text.size();
  std::size_t begin = 0;
  const auto add = [&](std::size_t to) {
    if (to == begin) return;
    const char* const first = text.data() + begin;
    const std::size_t size = to - begin;
    if ((*first == '<' || *first == '!') && is_sentence_marker({first, size})) return;
    words.emplace_back(key_of(first, size, end), first, static_cast<std::uint32_t>(size));
  };
  for_each_space(text, [&](std::size_t where, std::size_t length) {
    add(where);
    begin = where + length;
    return true;
  });
  add(text.size());
}

void split_characters(std::string_view text, std::vector<Word>& characters) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const auto lead = static_cast<unsigned char>(*at);
    const std::ptrdiff_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const auto size = static_cast<std::size_t>(std::min(length, end - at));
    characters.emplace_back(short_key(at, size, end), at, static_cast<std::uint32_t>(size));
    at += size;
  }
}

void split_characters_of_words(std::string_view text, std::vector<Word>& characters) {
  static constexpr char kSpace[] = " ";
  thread_local std::vector<Word> words;
  words.clear();
  split_words(text, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) characters.push_back(make_word({kSpace, 1}));
    split_characters(words[i].view(), characters);
  }
}

bool number_characters(std::string_view text, std::vector<std::int32_t>& numbers) {
  const char *at = text.data(), *const end = at + text.size();
  const std::size_t before = numbers.size();
  numbers.resize(before + text.size());
  std::int32_t* out = numbers.data() + before;
  unsigned char all = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(at[i]);
    all |= byte;
    out[i] = byte + 1;
  }
  if (all < 0x80) return true;
  const auto next = [&] { return at == end ? 0 : static_cast<unsigned char>(*at++); };
  const auto more = [&](std::int32_t& code) {
    const std::int32_t byte = next();
    code = code << 6 | (byte & 0x3F);
    return (byte & 0xC0) == 0x80;
  };
  while (at != end) {
    std::int32_t code = static_cast<unsigned char>(*at++);
    if (code >= 0xF0) {
      code -= 0xF0;
      if (code > 4 || !more(code) || !more(code) || !more(code) || code < 0x10000) return false;
    } else if (code >= 0xE0) {
      code -= 0xE0;
      if (!more(code) || !more(code) || code < 0x800) return false;
    } else if (code >= 0x80) {
      code -= 0xC0;
      if (code < 0 || !more(code) || code < 0x80) return false;
    }
    *out++ = code + 1;
  }
  numbers.resize(static_cast<std::size_t>(out - numbers.data()));
  return true;
}

bool number_characters_of_words(std::string_view text, std::vector<std::int32_t>& numbers) {
  // 1. Most texts are such words already.
  const std::size_t size = numbers.size();
  if (!number_characters(text, numbers)) return false;
  std::int32_t before = ' ' + 1;
  bool is_plain = true;
  for (std::size_t i = size; i < numbers.size() && is_plain; before = numbers[i++]) {
    const std::int32_t code = numbers[i] - 1;
    is_plain = before == ' ' + 1 ? code > ' ' && code != '<' && code != '!' && !is_space(code)
                                 : code == ' ' || !is_space(code);
  }
  if (is_plain && before != ' ' + 1) return true;
  numbers.resize(size);
  // 2. Others are taken apart.
  thread_local std::vector<Word> words;
  words.clear();
  split_words(text, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) numbers.push_back(' ' + 1);
    if (!number_characters(words[i].view(), numbers)) return false;
  }
  return true;
}

bool are_bytes(std::string_view text) {
  return std::ranges::none_of(text, [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; });
}

bool are_bytes_of_words(std::string_view text) {
  using Bytes = Vector<signed char, 16>;
  constexpr std::size_t kTogether = sizeof(Bytes);
  // Each byte is looked at with the one before it.
  if (text.size() <= kTogether || text.front() == ' ' || text.back() == ' ') return false;
  if (text.front() < ' ' || text.front() == '<' || text.front() == '!') return false;
  Bytes wrong{};
  for (std::size_t at = 1;; at = std::min(at + kTogether, text.size() - kTogether)) {
    Bytes bytes, before;
    std::memcpy(&bytes, text.data() + at, kTogether);
    std::memcpy(&before, text.data() + at - 1, kTogether);
    wrong |= (bytes < ' ') | ((before == ' ') & ((bytes == ' ') | (bytes == '<') | (bytes == '!')));
    if (at + kTogether == text.size()) break;
  }
  std::uint64_t halves[2];
  std::memcpy(halves, &wrong, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

bool has_space(std::string_view text) {
  bool found = false;
  for_each_space(text, [&](std::size_t, std::size_t) { return !(found = true); });
  return found;
}

}  // namespace fstmetrics

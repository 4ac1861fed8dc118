#include "text/mteval_signs.h"

#include <cstddef>

namespace fstmetrics {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_point(char c) { return c == '.' || c == ','; }

// Signs and spaces, but for apostrophes, hyphens and points.
bool is_sign(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

// Replaces each pair of bytes, from left to right, neither of which is in a pair before: what stands around the two is
// `before`, `between` and `behind`. Bytes of a longer character are no digits and no signs, as the character is none.
template <class Matches>
std::string with_pairs_apart(std::string_view text, std::string_view before, std::string_view between,
                             std::string_view behind, Matches matches) {
  std::string found;
  found.reserve(text.size() + text.size() / 4);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at + 1 == text.size() || !matches(text[at], text[at + 1])) {
      found += text[at];
      continue;
    }
    found += before;
    found += text[at];
    found += between;
    found += text[++at];
    found += behind;
  }
  return found;
}

}  // namespace

std::string with_signs_apart(std::string_view text) {
  std::string found;
  found.reserve(2 * text.size());
  for (const char c : text) {
    if (is_sign(c)) {
      found += ' ';
      found += c;
      found += ' ';
    } else {
      found += c;
    }
  }
  found = with_pairs_apart(found, "", " ", " ", [](char a, char b) { return !is_digit(a) && is_point(b); });
  found = with_pairs_apart(found, " ", " ", "", [](char a, char b) { return is_point(a) && !is_digit(b); });
  return with_pairs_apart(found, "", " ", " ", [](char a, char b) { return is_digit(a) && b == '-'; });
}

}  // namespace fstmetrics

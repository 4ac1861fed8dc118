#include "formats/sphinx.h"

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr int kMostDigits = 18;  // fit in an int64

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Moves past digits, which may have a sign; false where there are none, or too many.
bool take_number(std::string_view text, std::size_t& at, bool is_signed, std::int64_t& value) {
  const bool negative = is_signed && at < text.size() && text[at] == '-';
  at += negative;
  const std::size_t begin = at;
  value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    if (at - begin == kMostDigits) return false;
    value = 10 * value + (text[at] - '0');
  }
  if (negative) value = -value;
  return at > begin;
}

bool take_blanks(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_blank(text[at])) ++at;
  return at > begin;
}

// Moves past a line; false where it is no edge.
bool take_edge(std::string_view text, std::size_t& at, std::int64_t* numbers) {
  take_blanks(text, at);
  if (!take_number(text, at, false, numbers[0]) || !take_blanks(text, at)) return false;
  if (!take_number(text, at, false, numbers[1]) || !take_blanks(text, at)) return false;
  if (!take_number(text, at, true, numbers[2])) return false;
  while (at < text.size() && (is_blank(text[at]) || text[at] == '\r')) ++at;
  return at < text.size() && text[at++] == '\n';
}

}  // namespace

SphinxEdges read_sphinx_edges(std::string_view text, std::size_t at) {
  constexpr std::size_t kBytesOfEdge = 12;
  SphinxEdges edges;
  edges.numbers.reserve(3 * (text.size() - at) / kBytesOfEdge);
  edges.end = at;
  std::int64_t numbers[3];
  Polls poll;
  while (take_edge(text, at, numbers)) {
    poll(30);
    edges.numbers.insert(edges.numbers.end(), numbers, numbers + 3);
    edges.end = at;
  }
  return edges;
}

}  // namespace fstmetrics

#include "formats/symbol_table.h"

#include <utility>

#include "formats/lines.h"
#include "formats/numbers.h"

namespace fstmetrics {

namespace {

// The word and the integer of a line: what stands before and behind its last tab, or blanks. A word that a tab ends may
// have spaces in it.
std::pair<std::string_view, std::string_view> parts_of(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  const std::size_t end = tab == line.npos ? line.rfind(' ') : tab;
  if (end == line.npos) throw Fault("a symbol table line is `word integer`, not {}", line);
  const std::string_view word = trimmed(line.substr(0, end)), key = line.substr(end + 1);
  if (word.find(tab == line.npos ? ' ' : '\t') != word.npos) {
    throw Fault("a symbol table line is `word integer`, not {}", line);
  }
  return {word, trimmed(key)};
}

}  // namespace

std::vector<SymbolLine> read_symbol_table(std::string_view text) {
  constexpr std::size_t kMaxDigits = 18;  // fit in an int64
  std::vector<SymbolLine> symbols;
  for_each_line(text, [&](std::int64_t number, std::string_view whole) {
    const std::string_view line = trimmed(whole);
    if (line.empty()) return;
    const auto [word, integer] = parts_of(line);
    const bool negative = integer.starts_with('-');
    const std::string_view digits = integer.substr(negative);
    if (!is_digits(digits) || digits.size() > kMaxDigits) {
      throw Fault("{} is not an integer (expected `word integer`)", integer);
    }
    const std::int64_t key = state_number(digits);
    symbols.push_back({word, negative ? -key : key, number});
  });
  return symbols;
}

}  // namespace fstmetrics

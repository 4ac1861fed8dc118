#include "formats/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <version>

#include "formats/fault.h"

namespace fstmetrics {
namespace {

constexpr std::size_t kMaxStateDigits = 18;  // fits in an int64

// The general way, for what `from_chars` calls out of range, and for libraries that lack it.
double converted(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

std::optional<double> named(std::string_view text) {
  std::string lower(text.substr(0, 9));
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  if (lower == "inf" || lower == "infinity") return std::numeric_limits<double>::infinity();
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

// Whether this is digits with or without a point, and with or without an exponent.
bool is_decimal(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  std::size_t mantissa = digits();
  if (at < text.size() && text[at] == '.') ++at, mantissa += digits();
  if (mantissa == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

double decimal(std::string_view text) {
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
#endif
  return converted(text);
}

}  // namespace

bool is_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

std::int64_t general_state_number(std::string_view text) {
  std::int64_t value = 0;
  if (text.size() > kMaxStateDigits || !is_digits(text)) throw Fault("a state is a non-negative integer, not {}", text);
  for (const char c : text) value = 10 * value + (c - '0');
  return value;
}

std::optional<double> number(std::string_view text) {
  const char* const end = text.data() + text.size();
  if (double value = 0.0; plain_number(text.data(), end, value) == end) return value;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> value = is_decimal(text) ? decimal(text) : named(text);
  return value && negative ? std::optional(-*value) : value;
}

double cost_number(std::string_view text) {
  const std::optional<double> value = number(text);
  if (!value) throw Fault("a cost is a number, not {}", text);
  if (std::isnan(*value) || *value == -std::numeric_limits<double>::infinity()) {
    throw Fault("a cost is a number or Infinity, not {}", text);
  }
  return *value;
}

}  // namespace fstmetrics

// Numbers in text formats. Each throws a Fault without a place for anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fstmetrics {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_digits(std::string_view text);

// A state's number: decimal digits, at most 18 of them.
std::int64_t general_state_number(std::string_view text);
inline std::int64_t state_number(std::string_view text) {
  if (text.size() - 1 > 8) return general_state_number(text);  // none, or many
  std::uint32_t value = 0;
  for (const char c : text) {
    const unsigned digit = static_cast<unsigned char>(c) - unsigned{'0'};
    if (digit > 9) return general_state_number(text);
    value = 10 * value + digit;
  }
  return value;
}

// A number that begins here and is written without an exponent in at most 18 digits, and where it ends: with a comma,
// or at `end`. Null for all else, which `number` may read. Exact, as one correctly rounded division is [Clinger 1990].
inline const char* plain_number(const char* at, const char* end, double& value) {
  constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  if (at == end) return nullptr;
  const bool negative = *at == '-';
  at += negative;
  std::uint64_t digits = 0;
  const char* const begin = at;
  const auto take = [&] {
    for (; at != end; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
      if (digit > 9) return;
      digits = 10 * digits + digit;
    }
  };
  take();
  std::ptrdiff_t count = at - begin, fraction = 0;
  if (at != end && *at == '.') {
    const char* const point = ++at;
    take();
    fraction = at - point;
    count += fraction;
  }
  if (count == 0 || count > 18 || digits > kExact || (at != end && *at != ',')) return nullptr;
  value = static_cast<double>(digits) / kPowers[fraction];
  if (negative) value = -value;
  return at;
}

// A decimal number, with or without sign, fraction and exponent, or one of inf, infinity and nan in any case.
// What is too large for a double is infinite, as in Python's float().
std::optional<double> number(std::string_view text);

// A cost: such a number, but neither NaN nor minus infinity.
double cost_number(std::string_view text);

// Whether a label is an integer, of any sign. No int32 has more than ten digits.
inline bool is_label_number(std::string_view label) {
  label.remove_prefix(label.starts_with('-'));
  return label.size() <= 10 && is_digits(label);
}

}  // namespace fstmetrics

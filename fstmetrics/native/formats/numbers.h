// Numbers in text formats. Each throws a Fault without a place for anything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fstmetrics {

bool is_digits(std::string_view text);

// A state's number: decimal digits, at most 18 of them.
std::int64_t state_number(std::string_view text);

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

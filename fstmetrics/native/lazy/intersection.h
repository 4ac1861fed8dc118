// Whether two cards of a network have a string in common; nothing is expanded, no path is enumerated.
#pragma once

#include <cstdint>
#include <optional>

#include "lazy/rtn.h"

namespace fstmetrics {

// Intersects the languages of two cards, depth first over pairs of places that the same words lead to: a place is a
// card's state and the stack of calls to return from. Each pair is looked at once, so time and memory go with the pairs
// there are; nullopt where more than `max_pairs` pairs or places were met and the answer is still open.
std::optional<bool> share_string(const Rtn& rtn, std::int32_t first, std::int32_t second, std::int64_t max_pairs);

}  // namespace fstmetrics

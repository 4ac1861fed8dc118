// The two loops in which a chart spends its time.
#pragma once

#include <cstddef>

#include "search/tie_rules.h"

namespace fstmetrics {

// to[i] becomes the lesser of itself and from[i] + cost.
void relax(const std::int64_t* from, std::size_t count, std::int64_t cost, std::int64_t* to);
void relax(const Wide* from, std::size_t count, Wide cost, Wide* to);

// The least of one[i] + other[i]; infinity where there is none.
std::int64_t least_sum(const std::int64_t* one, const std::int64_t* other, std::size_t count);
Wide least_sum(const Wide* one, const Wide* other, std::size_t count);

}  // namespace fstmetrics

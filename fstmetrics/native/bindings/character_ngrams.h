// Counts of n-grams of characters and words, for chrF, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_character_ngrams(nanobind::module_& m);

}  // namespace fstmetrics

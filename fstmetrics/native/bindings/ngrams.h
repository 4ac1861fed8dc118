// N-grams of lattices, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_ngrams(nanobind::module_& m);

}  // namespace fstmetrics

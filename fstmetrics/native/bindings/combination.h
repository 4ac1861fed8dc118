// Outputs of several systems voted into one.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_combination(nanobind::module_& m);

}  // namespace fstmetrics

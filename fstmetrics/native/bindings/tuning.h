// Line searches for tuning, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_tuning(nanobind::module_& m);

}  // namespace fstmetrics

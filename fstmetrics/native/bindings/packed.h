// Packed lattices as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_packed(nanobind::module_& m);

}  // namespace fstmetrics

// Columns for other libraries by Arrow's C interface.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_arrow_stream(nanobind::module_& m);

}  // namespace fstmetrics

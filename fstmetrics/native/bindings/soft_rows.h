// Rows of the table of soft re-segmentation, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_soft_rows(nanobind::module_& m);

}  // namespace fstmetrics

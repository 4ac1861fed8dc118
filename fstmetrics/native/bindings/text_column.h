// Columns of texts, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_text_column(nanobind::module_& m);

}  // namespace fstmetrics

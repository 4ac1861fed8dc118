// Documents cut into segments, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_document_cuts(nanobind::module_& m);

}  // namespace fstmetrics

// TER, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_shift_search(nanobind::module_& m);

}  // namespace fstmetrics

// Tests between metrics, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_exchange_tests(nanobind::module_& m);

}  // namespace fstmetrics

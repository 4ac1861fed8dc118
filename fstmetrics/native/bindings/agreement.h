// Agreement of metrics with people, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_agreement(nanobind::module_& m);

}  // namespace fstmetrics

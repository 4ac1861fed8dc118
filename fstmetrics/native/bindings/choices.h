// Texts that leave a choice, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_choices(nanobind::module_& m);

}  // namespace fstmetrics

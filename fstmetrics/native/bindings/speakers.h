// Sessions of several speakers, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_speakers(nanobind::module_& m);

}  // namespace fstmetrics

// Alignments as other programs show them, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_program_alignments(nanobind::module_& m);

}  // namespace fstmetrics

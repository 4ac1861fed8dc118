// Tables of items: rows to columns, and their fields.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_table_rows(nanobind::module_& m);

}  // namespace fstmetrics

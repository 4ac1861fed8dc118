// Rows of text put together from columns: records, and what the journal of a run says of items.
#pragma once

#include <nanobind/nanobind.h>

namespace fstmetrics {

void bind_record_rows(nanobind::module_& m);

}  // namespace fstmetrics

// AT&T text, as readers/formats/att.py describes it.
#pragma once

#include <string_view>

#include "formats/columns.h"

namespace fstmetrics {

// Whether all lines are arcs or final states, and the machine hangs together. Never throws.
bool looks_like_att(std::string_view text);

// The machine of a file; throws Fault. A transducer if `transducer` says so, or some line can be nothing else.
ArcColumns read_att(std::string_view text, bool transducer = false);

}  // namespace fstmetrics

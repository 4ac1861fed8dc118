// k2's text form, as io/formats/k2_machines.py describes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Appends the machine of a file, whose fault is the parser's or of what it says.
void read_k2(std::string_view text, std::shared_ptr<const Labels> integers, const ItemLimits& limits, std::string id,
             LatticeColumn& column);

}  // namespace fstmetrics

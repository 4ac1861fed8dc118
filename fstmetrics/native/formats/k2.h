// k2's text form, as readers/formats/k2_text.py describes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Appends the machine of a file, and says whether some arc has an input label that is not its output. Nothing, and no
// machine, where something is wrong: that is for the reader in Python.
std::optional<bool> read_k2(std::string_view text, std::shared_ptr<const Labels> integers, const ItemLimits& limits,
                            std::string id, LatticeColumn& column);

}  // namespace fstmetrics

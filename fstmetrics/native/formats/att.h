// AT&T text, as io/formats/att.py describes it.
#pragma once

#include <memory>
#include <string_view>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Whether all lines are arcs or final states, and the machine hangs together. Never throws.
bool looks_like_att(std::string_view text);

// What labels are where they are integers and where they are words; which of the two they are, the file tells: by its
// first label where there is a symbol table, or else integers if all are.
struct LabelChoice {
  std::shared_ptr<const Labels> integers, words;
};

// Appends the machine of a file, whose fault is the parser's or of what it says; a transducer if `transducer` says so,
// or some line can be nothing else.
void read_att(std::string_view text, bool transducer, const LabelChoice& labels, const ItemLimits& limits,
              std::string id, LatticeColumn& column);

}  // namespace fstmetrics

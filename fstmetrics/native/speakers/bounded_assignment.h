// The same answer as a table of all tuples of states (assignment.h), from the tuples that may matter.
//
// An utterance costs at least what its best place anywhere in any stream costs; that is found first, utterance by
// utterance. Tuples from which what is left costs more than a bound on the whole are left out. The bound is raised
// until the best way that is found is within it: then no better one has been left out. So the work grows with the
// number of edits that utterances cost beyond their best places, not with the product of the streams' lengths.
//
// Words of a stream that no utterance takes are counted when the next utterance passes over them, or at the end: the
// best alignments have an order of operations in which nothing is skipped earlier.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "speakers/assignment.h"
#include "speakers/line_sweep.h"

namespace fstmetrics {

// Streams end in one state, their last; utterances have a path. Answers nothing once it took more than `most_work`
// steps of about a nanosecond. Throws SearchError where the tuples that have to be kept take more than max_cells cells
// of a table.
std::optional<Assignment> combine_bounded(std::span<const SweepLine> utterances, std::span<const SweepLine> streams,
                                          const NarrowFields& fields, const SweepSteps& steps, std::int64_t max_cells,
                                          double most_work);

}  // namespace fstmetrics

// The best way to hand utterances, in their order, to streams: ORC-WER and DI-cpWER.
//
// Sources: Sklyar et al., "Multi-turn RNN-T for streaming recognition of multi-party speech", ICASSP 2022 (ORC-WER);
// von Neumann et al., "On word error rate definitions and their efficient computation for multi-speaker speech
// recognition systems", ICASSP 2023, section 5 (the search below). There utterances and streams are strings; here all
// are acyclic automata.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/automaton.h"
#include "speakers/edit_sums.h"
#include "speakers/time_constraint.h"

namespace fstmetrics {

struct Assignment {
  EditCounts counts;                  // see edit_sums.h for ties
  std::vector<std::int32_t> streams;  // of each utterance
};

// How to search; both find the same sums.
//
// kTables: a table has a cell for every tuple of states, one of each stream. After each utterance a cell holds the
// least sum for the utterances so far against the streams up to those states; an utterance advances one stream, along
// the lines of the table. Time is O(arcs of all utterances times cells times streams). Tables are kept after every
// utterance where they fit, otherwise after some, from which those between are computed again for the way back.
//
// kBounded: bounded_assignment.h.
//
// kAuto: tables where they take milliseconds; otherwise the other, unless tables fit and it takes longer than they
// would.
enum class Assigning : std::uint8_t { kAuto, kTables, kBounded };

// The best assignment of utterances to streams, each stream being the concatenation of its utterances.
//
// All automata are prepared and sorted, and have a path; a stream has one final state, its last.
// `utterances_are_references`: whether skipping a word of an utterance is a deletion (ORC-WER) or an insertion.
// Throws SearchError where more than max_cells cells would be needed, or the session has too many words: 2^20, or, with
// choices among the hypotheses, more than 64 bits can count (NarrowFields; 2^15 of each side fit).
Assignment combine(std::span<const Automaton* const> utterances, std::span<const Automaton* const> streams,
                   bool utterances_are_references, std::int64_t max_cells, Assigning how = Assigning::kAuto);

// The same where words are aligned only if their times overlap (time_constraint.h); always kBounded.
Assignment combine_in_time(std::span<const TimedGraph> utterances, std::span<const TimedGraph> streams,
                           bool utterances_are_references, std::int64_t max_cells);

}  // namespace fstmetrics

#include "speakers/assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "search/problem.h"
#include "speakers/bounded_assignment.h"
#include "speakers/line_sweep.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

using Table = std::vector<NarrowSum>;

// As many tables as fit into this are all kept: there is no need to compute any again.
constexpr std::int64_t kCellsKept = std::int64_t{1} << 26;
// Cells that a pair of states of an utterance and of a stream takes on the way back, and, unless both are strings,
// forth.
constexpr double kCellsOfTrace = 2, kCellsOfLanes = 16;
// Nanoseconds for which there is no need to look for anything quicker.
constexpr double kQuick = 1e6;
// More tuples cannot be told apart by 128 bits.
constexpr double kMostTuples = 1e38;
// Words of a session; costs in 1/64 of an edit stay within 32 bits.
constexpr std::int64_t kMostWords = 1 << 20;
// Words of either side that NarrowFields has room for where hypotheses leave choices.
constexpr std::int64_t kMostWordsOfChoices = 32'000;

std::int64_t most_words(std::span<const Automaton* const> automata) {
  std::int64_t words = 0;
  for (const Automaton* automaton : automata) words += automaton->most_words();
  return words;
}

class Tables {
 public:
  Tables(std::span<const SweepLine> utterances, std::span<const SweepLine> streams, const NarrowFields& fields,
         const SweepSteps& steps)
      : fields_(fields), steps_(steps), utterances_(utterances), streams_(streams) {
    for (const SweepLine& stream : streams_) {
      strides_.push_back(cells_);
      if (__builtin_mul_overflow(cells_, static_cast<std::int64_t>(stream.states()), &cells_)) {
        cells_ = std::numeric_limits<std::int64_t>::max();
      }
      for (const SweepLine& utterance : utterances_) {
        const double cells = static_cast<double>(utterance.states()) * stream.states();
        const bool strings = utterance.is_line() && stream.is_line();
        beside_ = std::max(beside_, cells * (kCellsOfTrace + (strings ? 0 : kCellsOfLanes)));
      }
    }
  }

  // Whether tables fit into so many cells; decides which of them are kept.
  bool fit(std::int64_t max_cells) {
    const double count = static_cast<double>(utterances_.size()), cells = static_cast<double>(cells_);
    every_ = 1;
    if (count * cells > static_cast<double>(std::min(max_cells, kCellsKept))) {
      every_ = std::max(1, static_cast<int>(std::sqrt(count)));
    }
    return at_a_time() * cells + beside_ <= static_cast<double>(max_cells);
  }

  // About how long it takes.
  double nanoseconds() const {
    double states = 0, lines = 1;
    for (const SweepLine& utterance : utterances_) {
      states += utterance.states();
      lines *= utterance.is_line();
    }
    for (const SweepLine& stream : streams_) lines *= stream.is_line();
    return states * static_cast<double>(cells_) * static_cast<double>(streams_.size()) * (lines != 0 ? 0.5 : 2.0) *
           (every_ > 1 ? 2 : 1);
  }

  std::string refusal(std::int64_t max_cells) const {
    std::string sizes;
    for (const SweepLine& stream : streams_) sizes += (sizes.empty() ? "" : " x ") + std::to_string(stream.states());
    return "assigning " + std::to_string(utterances_.size()) + " utterances to " + std::to_string(streams_.size()) +
           " streams needs tables of " + sizes + " cells, " + std::to_string(static_cast<int>(at_a_time())) +
           " at a time, and " + std::to_string(static_cast<std::int64_t>(beside_)) + " more; the limit is " +
           std::to_string(max_cells) + " cells in all; --max cells=N changes it";
  }

  Assignment solve() {
    const int count = static_cast<int>(utterances_.size());
    std::vector<Table> kept;
    Table table = first_table();
    for (int u = 0; u < count; ++u) {
      if (u % every_ == 0) kept.push_back(table);
      table = after(u, table);
    }
    std::int64_t cell = cells_ - 1;
    NarrowSum sum = table[cell];
    Assignment found{fields_.counts_of(sum), std::vector<std::int32_t>(utterances_.size())};
    for (int begin = (count - 1) / every_ * every_; count > 0 && begin >= 0; begin -= every_) {
      const int end = std::min(begin + every_, count);
      std::vector<Table> between = {std::move(kept.back())};
      kept.pop_back();
      for (int u = begin; u + 1 < end; ++u) between.push_back(after(u, between.back()));
      for (int u = end - 1; u >= begin; --u) {
        const Table& before = between[u - begin];
        std::tie(found.streams[u], cell) = step_back(u, before, cell, sum);
        sum = before[cell];
      }
    }
    return found;
  }

 private:
  double at_a_time() const { return static_cast<double>(utterances_.size()) / every_ + every_ + 2; }

  // Nothing of the utterances yet: words of the streams are skipped.
  Table first_table() const {
    Table table(cells_, 0);
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const std::vector<NarrowSum> skipped = streams_[s].least_before_each_state(steps_.skip_stream);
      for (std::int64_t cell = 0; cell < cells_; ++cell) {
        table[cell] += skipped[cell / strides_[s] % streams_[s].states()];
      }
    }
    return table;
  }

  Table after(int u, const Table& before) {
    Table result(cells_, std::numeric_limits<NarrowSum>::max());
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      sweep_lines(utterances_[u], streams_[s], steps_, strides_[s], before, result, memory_);
    }
    return result;
  }

  // The stream that utterance u went to on the way to `cell`, and the cell before.
  std::pair<std::int32_t, std::int64_t> step_back(int u, const Table& before, std::int64_t cell, NarrowSum sum) const {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const std::int64_t stride = strides_[s], state = cell / stride % streams_[s].states(),
                         first = cell - state * stride;
      const auto [least, origin] =
          trace_line(utterances_[u], streams_[s], steps_, before.data() + first, stride, state);
      if (least == sum) return {static_cast<std::int32_t>(s), first + origin * stride};
    }
    throw std::logic_error("no stream leads to a cell of the table");
  }

  const NarrowFields fields_;
  const SweepSteps steps_;
  const std::span<const SweepLine> utterances_, streams_;
  std::vector<std::int64_t> strides_;
  std::int64_t cells_ = 1;
  double beside_ = 0;  // cells for one utterance against one stream
  int every_ = 1;      // utterances from one table that is kept to the next
  SweepMemory memory_;
};

}  // namespace

namespace {

// The sums of a session; refuses one that has too many words.
NarrowFields fields_of(std::span<const Automaton* const> references, std::span<const Automaton* const> hypotheses) {
  const std::int64_t reference_words = most_words(references), hypothesis_words = most_words(hypotheses),
                     words = reference_words + hypothesis_words;
  if (words >= kMostWords) {
    throw SearchError("a session of up to " + std::to_string(words) +
                      " words; utterances are assigned to streams in sessions of fewer than " +
                      std::to_string(kMostWords));
  }
  const bool strings =
      std::all_of(hypotheses.begin(), hypotheses.end(), [](const Automaton* each) { return each->is_line(); });
  const NarrowFields fields(reference_words, hypothesis_words, strings);
  if (!fields.fit()) {
    throw SearchError("a session of up to " + std::to_string(reference_words) + " words of references and " +
                      std::to_string(hypothesis_words) + " of hypotheses, which leave choices; with choices, up to " +
                      std::to_string(kMostWordsOfChoices) +
                      " of each are assigned to streams: give the best string of " +
                      "each hypothesis, or shorter sessions");
  }
  return fields;
}

SweepSteps sweep_steps(const NarrowFields& fields, bool utterances_are_references) {
  const auto narrow = fields.steps();
  return utterances_are_references ? SweepSteps{narrow.match, narrow.substitution, narrow.deletion, narrow.insertion}
                                   : SweepSteps{narrow.match, narrow.substitution, narrow.insertion, narrow.deletion};
}

double tuples_of(std::span<const SweepLine> streams) {
  double tuples = 1;
  for (const SweepLine& stream : streams) tuples *= stream.states();
  return tuples;
}

}  // namespace

Assignment combine(std::span<const Automaton* const> utterances, std::span<const Automaton* const> streams,
                   bool utterances_are_references, std::int64_t max_cells, Assigning how) {
  std::vector<SweepLine> u, s;
  for (const Automaton* automaton : utterances) u.emplace_back(*automaton);
  for (const Automaton* automaton : streams) s.emplace_back(*automaton);
  const NarrowFields fields =
      utterances_are_references ? fields_of(utterances, streams) : fields_of(streams, utterances);
  const SweepSteps steps = sweep_steps(fields, utterances_are_references);
  Tables tables(u, s, fields, steps);
  const bool fit = tables.fit(max_cells);
  const bool bounded = how != Assigning::kTables && tuples_of(s) < kMostTuples &&
                       !(how == Assigning::kAuto && fit && tables.nanoseconds() < kQuick);
  if (bounded) {
    const bool may_stop = how == Assigning::kAuto && fit;
    const double most_work = may_stop ? tables.nanoseconds() : std::numeric_limits<double>::infinity();
    if (auto found = combine_bounded(u, s, fields, steps, max_cells, most_work)) return *std::move(found);
  }
  if (!fit) throw SearchError(tables.refusal(max_cells));
  return tables.solve();
}

Assignment combine_in_time(std::span<const TimedGraph> utterances, std::span<const TimedGraph> streams,
                           bool utterances_are_references, std::int64_t max_cells) {
  std::vector<SweepLine> lines[2];
  std::vector<const Automaton*> automata[2];
  for (const int side : {0, 1}) {
    for (const TimedGraph& timed : side == 0 ? utterances : streams) {
      lines[side].emplace_back(timed);
      automata[side].push_back(timed.graph);
    }
  }
  if (tuples_of(lines[1]) >= kMostTuples) {
    throw SearchError("assigning utterances to " + std::to_string(streams.size()) +
                      " streams of so many words is not done: the product of their lengths is 10^38 or more; give "
                      "shorter sessions");
  }
  const bool orc = utterances_are_references;
  const NarrowFields fields = fields_of(automata[orc ? 0 : 1], automata[orc ? 1 : 0]);
  return *combine_bounded(lines[0], lines[1], fields, sweep_steps(fields, orc), max_cells,
                          std::numeric_limits<double>::infinity());
}

}  // namespace fstmetrics

#include "sessions/combination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "search/problem.h"
#include "sessions/bounded_combination.h"
#include "sessions/line_sweep.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

using Table = std::vector<NarrowSum>;

// As many tables as fit into this are all kept: there is no need to compute any again.
constexpr std::int64_t kCellsKept = std::int64_t{1} << 26;
// Nanoseconds for which there is no need to look for anything quicker.
constexpr double kQuick = 1e6;
// More tuples cannot be told apart by 128 bits.
constexpr double kMostTuples = 1e38;

class Tables {
 public:
  Tables(std::span<const SweepLine> utterances, std::span<const SweepLine> streams, const SweepSteps& steps)
      : steps_(steps), utterances_(utterances), streams_(streams) {
    for (const SweepLine& stream : streams_) {
      strides_.push_back(cells_);
      if (__builtin_mul_overflow(cells_, static_cast<std::int64_t>(stream.states()), &cells_)) {
        cells_ = std::numeric_limits<std::int64_t>::max();
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
    return at_a_time() * cells <= static_cast<double>(max_cells);
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
           " at a time; the limit is " + std::to_string(max_cells) + " cells in all; --max cells=N changes it";
  }

  Combination solve() {
    const int count = static_cast<int>(utterances_.size());
    std::vector<Table> kept;
    Table table = first_table();
    for (int u = 0; u < count; ++u) {
      if (u % every_ == 0) kept.push_back(table);
      table = after(u, table);
    }
    std::int64_t cell = cells_ - 1;
    NarrowSum sum = table[cell];
    Combination found = combination_of(sum, utterances_.size());
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

  const SweepSteps steps_;
  const std::span<const SweepLine> utterances_, streams_;
  std::vector<std::int64_t> strides_;
  std::int64_t cells_ = 1;
  int every_ = 1;  // utterances from one table that is kept to the next
  SweepMemory memory_;
};

}  // namespace

Combination combination_of(NarrowSum sum, std::size_t utterances) {
  constexpr std::int64_t size = std::int64_t{1} << kNarrowField;
  Combination found{0, 0, 0, std::vector<std::int32_t>(utterances)};
  found.matches = ((-sum) % size + size) % size;
  sum = (sum + found.matches) / size;
  found.length = ((-sum) % size + size) % size;
  found.edits = (sum + found.length) / size;
  return found;
}

Combination combine(std::span<const Automaton* const> utterances, std::span<const Automaton* const> streams,
                    bool utterances_are_references, std::int64_t max_cells, Combining how) {
  std::int64_t words = 0;
  double tuples = 1;
  std::vector<SweepLine> u, s;
  for (const Automaton* automaton : utterances) {
    words += automaton->most_words();
    u.emplace_back(*automaton);
  }
  for (const Automaton* automaton : streams) {
    words += automaton->most_words();
    tuples *= automaton->num_states();
    s.emplace_back(*automaton);
  }
  if (words >= kMostNarrowWords) {
    throw SearchError("a session of up to " + std::to_string(words) +
                      " words; utterances are assigned to streams in sessions of fewer than " +
                      std::to_string(kMostNarrowWords));
  }
  const auto& narrow = kNarrowSteps;
  const SweepSteps steps = utterances_are_references
                               ? SweepSteps{narrow.match, narrow.substitution, narrow.deletion, narrow.insertion}
                               : SweepSteps{narrow.match, narrow.substitution, narrow.insertion, narrow.deletion};
  Tables tables(u, s, steps);
  const bool fit = tables.fit(max_cells);
  const bool bounded = how != Combining::kTables && tuples < kMostTuples &&
                       !(how == Combining::kAuto && fit && tables.nanoseconds() < kQuick);
  if (bounded) {
    const bool may_stop = how == Combining::kAuto && fit;
    const double most_work = may_stop ? tables.nanoseconds() : std::numeric_limits<double>::infinity();
    if (auto found = combine_bounded(u, s, steps, max_cells, most_work)) return *std::move(found);
  }
  if (!fit) throw SearchError(tables.refusal(max_cells));
  return tables.solve();
}

}  // namespace fstmetrics

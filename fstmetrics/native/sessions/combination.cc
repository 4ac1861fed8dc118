#include "sessions/combination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "search/problem.h"
#include "sessions/line_sweep.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

using Table = std::vector<NarrowSum>;

// As many tables as fit into this are all kept: there is no need to compute any again.
constexpr std::int64_t kCellsKept = std::int64_t{1} << 26;

class Combining {
 public:
  Combining(std::span<const Automaton* const> utterances, std::span<const Automaton* const> streams, const SweepSteps& steps,
            std::int64_t max_cells)
      : steps_(steps) {
    for (const Automaton* utterance : utterances) utterances_.emplace_back(*utterance);
    for (const Automaton* stream : streams) streams_.emplace_back(*stream);
    for (const SweepLine& stream : streams_) {
      strides_.push_back(cells_);
      if (__builtin_mul_overflow(cells_, static_cast<std::int64_t>(stream.states()), &cells_)) {
        cells_ = std::numeric_limits<std::int64_t>::max();
      }
    }
    plan(max_cells);
  }

  Combination solve() {
    const int count = static_cast<int>(utterances_.size());
    std::vector<Table> kept;
    Table table = first_table();
    for (int u = 0; u < count; ++u) {
      if (u % every_ == 0) kept.push_back(table);
      table = after(u, table);
    }
    Combination found{0, 0, 0, std::vector<std::int32_t>(count)};
    std::int64_t cell = cells_ - 1;
    NarrowSum sum = table[cell];
    split(sum, found);
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
  void plan(std::int64_t max_cells) {
    const double count = static_cast<double>(utterances_.size()), cells = static_cast<double>(cells_);
    every_ = 1;
    if (count * cells > static_cast<double>(std::min(max_cells, kCellsKept))) {
      every_ = std::max(1, static_cast<int>(std::sqrt(count)));
    }
    const double tables = count / every_ + every_ + 2;
    if (tables * cells > static_cast<double>(max_cells)) {
      std::string sizes;
      for (const SweepLine& stream : streams_) sizes += (sizes.empty() ? "" : " x ") + std::to_string(stream.states());
      throw SearchError("assigning " + std::to_string(utterances_.size()) + " utterances to " +
                        std::to_string(streams_.size()) + " streams needs tables of " + sizes + " cells, " +
                        std::to_string(static_cast<int>(tables)) + " at a time; the limit is " + std::to_string(max_cells) +
                        " cells in all; --max cells=N changes it");
    }
  }

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
      const std::int64_t stride = strides_[s], state = cell / stride % streams_[s].states(), first = cell - state * stride;
      const auto [least, origin] = trace_line(utterances_[u], streams_[s], steps_, before.data() + first, stride, state);
      if (least == sum) return {static_cast<std::int32_t>(s), first + origin * stride};
    }
    throw std::logic_error("no stream leads to a cell of the table");
  }

  static void split(NarrowSum sum, Combination& found) {
    const std::int64_t size = std::int64_t{1} << kNarrowField;
    found.matches = ((-sum) % size + size) % size;
    sum = (sum + found.matches) / size;
    found.length = ((-sum) % size + size) % size;
    found.edits = (sum + found.length) / size;
  }

  const SweepSteps steps_;
  std::vector<SweepLine> utterances_, streams_;
  std::vector<std::int64_t> strides_;
  std::int64_t cells_ = 1;
  int every_ = 1;  // utterances from one table that is kept to the next
  SweepMemory memory_;
};

}  // namespace

Combination combine(std::span<const Automaton* const> utterances, std::span<const Automaton* const> streams,
                    bool utterances_are_references, std::int64_t max_cells) {
  std::int64_t words = 0;
  for (const auto& side : {utterances, streams}) {
    for (const Automaton* automaton : side) words += automaton->most_words();
  }
  if (words >= kMostNarrowWords) {
    throw SearchError("a session of up to " + std::to_string(words) + " words; utterances are assigned to streams in sessions of fewer than " +
                      std::to_string(kMostNarrowWords));
  }
  const auto& narrow = kNarrowSteps;
  const SweepSteps steps = utterances_are_references
                               ? SweepSteps{narrow.match, narrow.substitution, narrow.deletion, narrow.insertion}
                               : SweepSteps{narrow.match, narrow.substitution, narrow.insertion, narrow.deletion};
  return Combining(utterances, streams, steps, max_cells).solve();
}

}  // namespace fstmetrics

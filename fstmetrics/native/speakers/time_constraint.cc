#include "speakers/time_constraint.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/problem.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr WideSum kNone = WideSum{1} << 126;

// Words into each state, with their times.
struct TimedArc {
  StateId source;
  Label label;
  Interval time;
};

class IncomingArcs {
 public:
  explicit IncomingArcs(const TimedGraph& timed) : graph_(timed.graph) {
    const ReverseArcs& reversed = graph_->reversed();
    offsets_ = reversed.offsets;
    arcs_.reserve(reversed.arcs.size());
    for (const ReverseArcs::Incoming& in : reversed.arcs) {
      const std::int32_t origin = graph_->all_arcs()[in.arc].origin;
      arcs_.push_back({in.source, in.label, {timed.begin[origin], timed.end[origin]}});
    }
  }
  StateId states() const { return graph_->num_states(); }
  bool is_line() const { return graph_->is_line(); }
  std::span<const TimedArc> into(StateId state) const {
    return {arcs_.data() + offsets_[state], arcs_.data() + offsets_[state + 1]};
  }
  const std::vector<StateId>& finals() const { return graph_->reversed().finals; }

 private:
  const Automaton* graph_;
  std::vector<std::int32_t> offsets_;
  std::vector<TimedArc> arcs_;
};

[[noreturn]] void refuse(std::int64_t cells, std::int64_t most) {
  throw SearchError("time constraints need " + std::to_string(cells) + " cells, the limit is " + std::to_string(most) +
                    "; --max cells=N changes it");
}

// A string of words as columns: column c is after c words.
//
// For a state of the reference, `low` is the first word that any later arc may still be aligned with, and `high` one
// more than the last that an earlier one may have been. Left of `low` all that is left to do is to delete words of the
// reference, right of `high` to insert words; such cells follow from those between, which are all that is kept.
class StringTable {
 public:
  StringTable(const IncomingArcs& reference, const IncomingArcs& hypothesis, std::int64_t max_cells)
      : reference_(reference), words_(hypothesis.states() - 1) {
    for (StateId word = 1; word <= words_; ++word) line_.push_back(hypothesis.into(word)[0]);
    bound();
    std::int64_t cells = 0;
    for (StateId state = 0; state < reference_.states(); ++state) {
      starts_.push_back(cells);
      cells += high_[state] - low_[state] + 1;
    }
    if (cells > max_cells) refuse(cells, max_cells);
    table_.resize(cells);
  }

  WideSum best() {
    for (StateId state = 0; state < reference_.states(); ++state) fill(state);
    WideSum best = kNone;
    for (const StateId state : reference_.finals()) best = std::min(best, at(state, words_));
    return best;
  }

  // Of a reference that is a string: the operations of a best alignment. Of equally good ones the last operation is a
  // pair of words rather than a deletion, and that rather than an insertion.
  std::string operations() {
    best();
    std::string letters;
    StateId state = reference_.states() - 1;
    for (int column = words_; state > 0 || column > 0;) {
      if (state == 0 || column > high_[state]) {
        letters += 'I';
        --column;
        continue;
      }
      const TimedArc& arc = reference_.into(state)[0];
      const WideSum here = at(state, column);
      if (column > low_[state] && overlap(arc.time, line_[column - 1].time)) {
        const bool match = arc.label == line_[column - 1].label;
        if (at(arc.source, column - 1) + (match ? kWideSteps.match : kWideSteps.substitution) == here) {
          letters += match ? '=' : 'S';
          state = arc.source;
          --column;
          continue;
        }
      }
      if (at(arc.source, column) + kWideSteps.deletion == here) {
        letters += 'D';
        state = arc.source;
      } else {
        letters += 'I';
        --column;
      }
    }
    std::reverse(letters.begin(), letters.end());
    return letters;
  }

 private:
  void bound() {
    std::vector<double> latest_end(words_), first_begin(words_);
    double end = -std::numeric_limits<double>::infinity(), begin = -end;
    for (int word = 0; word < words_; ++word) latest_end[word] = end = std::max(end, line_[word].time.end);
    for (int word = words_ - 1; word >= 0; --word) first_begin[word] = begin = std::min(begin, line_[word].time.begin);
    const StateId states = reference_.states();
    low_.assign(states, words_);
    high_.assign(states, 0);
    for (StateId state = 0; state < states; ++state) {
      for (const TimedArc& arc : reference_.into(state)) {
        if (arc.label == kEpsilon) continue;
        const auto low = std::upper_bound(latest_end.begin(), latest_end.end(), arc.time.begin) - latest_end.begin();
        const auto high = std::lower_bound(first_begin.begin(), first_begin.end(), arc.time.end) - first_begin.begin();
        low_[state] = std::min(low_[state], static_cast<int>(low));
        high_[state] = std::max(high_[state], static_cast<int>(high));
      }
    }
    for (StateId state = states - 1; state-- > 0;) low_[state] = std::min(low_[state], low_[state + 1]);
    for (StateId state = 1; state < states; ++state) high_[state] = std::max(high_[state], high_[state - 1]);
    for (StateId state = 0; state < states; ++state) high_[state] = std::max(high_[state], low_[state]);
  }

  WideSum at(StateId state, int column) const {
    const int known = std::min(column, high_[state]);
    return table_[starts_[state] + known - low_[state]] + (column - known) * kWideSteps.insertion;
  }

  void fill(StateId state) {
    const int low = low_[state], high = high_[state];
    WideSum* row = table_.data() + starts_[state] - low;
    poll(8 * static_cast<std::int64_t>(high - low + 1) * (1 + std::ssize(reference_.into(state))));
    if (state == 0) {
      for (int column = low; column <= high; ++column) row[column] = column * kWideSteps.insertion;
      return;
    }
    std::fill(row + low, row + high + 1, kNone);
    for (const TimedArc& arc : reference_.into(state)) {
      const bool is_word = arc.label != kEpsilon;
      for (int column = low; column <= high; ++column) {
        row[column] = std::min(row[column], at(arc.source, column) + (is_word ? kWideSteps.deletion : 0));
        if (!is_word || column == low) continue;
        const TimedArc& word = line_[column - 1];
        if (!overlap(arc.time, word.time)) continue;
        const WideSum step = arc.label == word.label ? kWideSteps.match : kWideSteps.substitution;
        row[column] = std::min(row[column], at(arc.source, column - 1) + step);
      }
    }
    for (int column = low + 1; column <= high; ++column) {
      row[column] = std::min(row[column], row[column - 1] + kWideSteps.insertion);
    }
  }

  const IncomingArcs& reference_;
  const int words_;
  std::vector<TimedArc> line_;
  std::vector<int> low_, high_;
  std::vector<std::int64_t> starts_;
  std::vector<WideSum> table_;
};

WideSum best_of_graphs(const IncomingArcs& reference, const IncomingArcs& hypothesis, std::int64_t max_cells) {
  const std::int64_t columns = hypothesis.states(), cells = columns * reference.states();
  if (cells > max_cells) refuse(cells, max_cells);
  std::vector<WideSum> table(cells, kNone);
  table[0] = 0;
  for (StateId r = 0; r < reference.states(); ++r) {
    WideSum* row = table.data() + r * columns;
    for (StateId h = 0; h < hypothesis.states(); ++h) {
      WideSum best = row[h];
      for (const TimedArc& deleted : reference.into(r)) {
        const WideSum* before = table.data() + deleted.source * columns;
        const bool is_word = deleted.label != kEpsilon;
        best = std::min(best, before[h] + (is_word ? kWideSteps.deletion : 0));
        if (!is_word) continue;
        poll(2 * std::ssize(hypothesis.into(h)));
        for (const TimedArc& word : hypothesis.into(h)) {
          if (word.label == kEpsilon || !overlap(deleted.time, word.time)) continue;
          const WideSum step = word.label == deleted.label ? kWideSteps.match : kWideSteps.substitution;
          best = std::min(best, before[word.source] + step);
        }
      }
      for (const TimedArc& inserted : hypothesis.into(h)) {
        best = std::min(best, row[inserted.source] + (inserted.label == kEpsilon ? 0 : kWideSteps.insertion));
      }
      row[h] = best;
    }
  }
  WideSum best = kNone;
  for (const StateId r : reference.finals()) {
    for (const StateId h : hypothesis.finals()) best = std::min(best, table[r * columns + h]);
  }
  return best;
}

}  // namespace

EditCounts time_constrained(const TimedGraph& reference, const TimedGraph& hypothesis, std::int64_t max_cells) {
  const IncomingArcs r(reference), h(hypothesis);
  return counts_of(h.is_line() ? StringTable(r, h, max_cells).best() : best_of_graphs(r, h, max_cells));
}

std::string time_constrained_operations(const TimedGraph& reference, const TimedGraph& hypothesis,
                                        std::int64_t max_cells) {
  const IncomingArcs r(reference), h(hypothesis);
  if (!r.is_line() || !h.is_line()) throw std::invalid_argument("expected strings");
  return StringTable(r, h, max_cells).operations();
}

}  // namespace fstmetrics

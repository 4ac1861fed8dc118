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
  std::int32_t origin;
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
      arcs_.push_back({in.source, in.label, origin, {timed.begin[origin], timed.end[origin]}});
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

  void fill() {
    for (StateId state = 1; state < reference_.states(); ++state) fill(state);
  }

  // Left of the columns that are kept it is kNone.
  WideSum at(StateId state, StateId column) const {
    if (state == 0) return column * kWideSteps.insertion;
    if (column < low_[state]) return kNone;
    const StateId known = std::min(column, high_[state]);
    return table_[starts_[state] + known - low_[state]] + (column - known) * kWideSteps.insertion;
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

  void fill(StateId state) {
    const int low = low_[state], high = high_[state];
    WideSum* row = table_.data() + starts_[state] - low;
    poll(8 * static_cast<std::int64_t>(high - low + 1) * (1 + std::ssize(reference_.into(state))));
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

// A row a state of the reference, a column a state of the hypothesis.
class FullTable {
 public:
  FullTable(const IncomingArcs& reference, const IncomingArcs& hypothesis, std::int64_t max_cells)
      : reference_(reference), hypothesis_(hypothesis), columns_(hypothesis.states()) {
    const std::int64_t cells = columns_ * reference.states();
    if (cells > max_cells) refuse(cells, max_cells);
    table_.assign(cells, kNone);
    table_[0] = 0;
  }

  void fill() {
    for (StateId r = 0; r < reference_.states(); ++r) {
      WideSum* row = table_.data() + r * columns_;
      for (StateId h = 0; h < hypothesis_.states(); ++h) {
        WideSum best = row[h];
        for (const TimedArc& deleted : reference_.into(r)) {
          const WideSum* before = table_.data() + deleted.source * columns_;
          const bool is_word = deleted.label != kEpsilon;
          best = std::min(best, before[h] + (is_word ? kWideSteps.deletion : 0));
          if (!is_word) continue;
          poll(2 * std::ssize(hypothesis_.into(h)));
          for (const TimedArc& word : hypothesis_.into(h)) {
            if (word.label == kEpsilon || !overlap(deleted.time, word.time)) continue;
            const WideSum step = word.label == deleted.label ? kWideSteps.match : kWideSteps.substitution;
            best = std::min(best, before[word.source] + step);
          }
        }
        for (const TimedArc& inserted : hypothesis_.into(h)) {
          best = std::min(best, row[inserted.source] + (inserted.label == kEpsilon ? 0 : kWideSteps.insertion));
        }
        row[h] = best;
      }
    }
  }

  WideSum at(StateId r, StateId h) const { return table_[r * columns_ + h]; }

 private:
  const IncomingArcs& reference_;
  const IncomingArcs& hypothesis_;
  const std::int64_t columns_;
  std::vector<WideSum> table_;
};

// The final states of both sides where a best alignment ends.
template <typename Table>
std::pair<StateId, StateId> best_ends(const IncomingArcs& reference, const IncomingArcs& hypothesis,
                                      const Table& table) {
  std::pair<StateId, StateId> best{reference.finals()[0], hypothesis.finals()[0]};
  for (const StateId r : reference.finals()) {
    for (const StateId h : hypothesis.finals()) {
      if (table.at(r, h) < table.at(best.first, best.second)) best = {r, h};
    }
  }
  return best;
}

// Arcs of the last operation of a best alignment; null on a side that stays.
struct TimedStep {
  const TimedArc* reference = nullptr;
  const TimedArc* hypothesis = nullptr;
};

// Of equally good ones it is a pair of words rather than a deletion, and that rather than an insertion.
template <typename Table>
TimedStep last_step(const IncomingArcs& reference, const IncomingArcs& hypothesis, const Table& table, StateId r,
                    StateId h) {
  TimedStep found;
  const WideSum here = table.at(r, h);
  for (const TimedArc& heard : hypothesis.into(h)) {
    const WideSum step = heard.label == kEpsilon ? 0 : kWideSteps.insertion;
    if (table.at(r, heard.source) + step == here) found = {nullptr, &heard};
  }
  for (const TimedArc& said : reference.into(r)) {
    const WideSum step = said.label == kEpsilon ? 0 : kWideSteps.deletion;
    if (table.at(said.source, h) + step == here) found = {&said, nullptr};
  }
  for (const TimedArc& said : reference.into(r)) {
    for (const TimedArc& heard : hypothesis.into(h)) {
      if (said.label == kEpsilon || heard.label == kEpsilon || !overlap(said.time, heard.time)) continue;
      const WideSum step = said.label == heard.label ? kWideSteps.match : kWideSteps.substitution;
      if (table.at(said.source, heard.source) + step == here) return {&said, &heard};
    }
  }
  return found;
}

// Takes an arc of one side back, if there is one, and its word into the path.
void take(const TimedArc* arc, StateId& state, TimedPath& path) {
  if (arc == nullptr) return;
  if (arc->label != kEpsilon) path.emplace_back(arc->origin, arc->label);
  state = arc->source;
}

template <typename Table>
TimedAlignment traced(const IncomingArcs& reference, const IncomingArcs& hypothesis, const Table& table) {
  TimedAlignment found;
  auto [r, h] = best_ends(reference, hypothesis, table);
  while (r > 0 || h > 0) {
    const auto [said, heard] = last_step(reference, hypothesis, table, r, h);
    if (!said && !heard) throw std::logic_error("no operation leads to a cell of the table");
    if (said && heard) {
      found.letters += said->label == heard->label ? '=' : 'S';
    } else if ((said ? said : heard)->label != kEpsilon) {
      found.letters += said ? 'D' : 'I';
    }
    take(said, r, found.reference);
    take(heard, h, found.hypothesis);
  }
  std::ranges::reverse(found.letters);
  std::ranges::reverse(found.reference);
  std::ranges::reverse(found.hypothesis);
  return found;
}

// What `use` makes of both sides and their table.
template <typename Use>
auto with_table(const TimedGraph& reference, const TimedGraph& hypothesis, std::int64_t max_cells, const Use& use) {
  const IncomingArcs r(reference), h(hypothesis);
  const auto filled = [&](auto table) {
    table.fill();
    return use(r, h, table);
  };
  return h.is_line() ? filled(StringTable(r, h, max_cells)) : filled(FullTable(r, h, max_cells));
}

}  // namespace

EditCounts time_constrained(const TimedGraph& reference, const TimedGraph& hypothesis, std::int64_t max_cells) {
  return with_table(reference, hypothesis, max_cells, [](const auto& r, const auto& h, const auto& table) {
    const auto [said, heard] = best_ends(r, h, table);
    return counts_of(table.at(said, heard));
  });
}

TimedAlignment time_constrained_alignment(const TimedGraph& reference, const TimedGraph& hypothesis,
                                          std::int64_t max_cells) {
  return with_table(reference, hypothesis, max_cells,
                    [](const auto& r, const auto& h, const auto& table) { return traced(r, h, table); });
}

}  // namespace fstmetrics

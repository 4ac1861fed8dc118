#include "speakers/line_sweep.h"

#include <algorithm>
#include <limits>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr int kLanes = 16;

template <int kBytes>
using Lanes = Block<NarrowSum, kLanes, kBytes>;

template <int kBytes>
FSTMETRICS_INLINE Lanes<kBytes> plus(const Lanes<kBytes>& a, NarrowSum b) {
  Lanes<kBytes> sum;
  for (int i = 0; i < Lanes<kBytes>::kParts; ++i) sum.part[i] = a.part[i] + b;
  return sum;
}

template <int kBytes>
FSTMETRICS_INLINE Lanes<kBytes> least(const Lanes<kBytes>& a, const Lanes<kBytes>& b) {
  Lanes<kBytes> low;
  for (int i = 0; i < Lanes<kBytes>::kParts; ++i) low.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
  return low;
}

struct SweepTask {
  const SweepLine& utterance;
  const SweepLine& stream;
  const SweepSteps& steps;
  void* memory;       // a row of lanes for each state of the utterance; of a line, the first only
  const void** last;  // where the row of the last state is then
};

struct SweepKernel {
  template <int kBytes>
  static FSTMETRICS_INLINE void run(const SweepTask& task) {
    auto* rows = static_cast<Lanes<kBytes>*>(task.memory);
    if (task.utterance.is_line() && task.stream.is_line()) {
      lines<kBytes>(task, rows);
      *task.last = rows;
    } else {
      *task.last = graphs<kBytes>(task, rows);
    }
  }

 private:
  // In place: the row after each word of the utterance replaces the row before it.
  template <int kBytes>
  static FSTMETRICS_INLINE void lines(const SweepTask& task, Lanes<kBytes>* row) {
    const SweepSteps steps = task.steps;
    const StateId states = task.stream.states();
    for (StateId i = 0; i + 1 < task.utterance.states(); ++i) {
      const Label word = task.utterance.word(i);
      Lanes<kBytes> diagonal = row[0], left = plus<kBytes>(row[0], steps.skip_utterance);
      row[0] = left;
      for (StateId q = 1; q < states; ++q) {
        const Lanes<kBytes> up = row[q];
        const NarrowSum step = task.stream.word(q - 1) == word ? steps.match : steps.substitution;
        const Lanes<kBytes> others =
            least<kBytes>(plus<kBytes>(diagonal, step), plus<kBytes>(up, steps.skip_utterance));
        left = least<kBytes>(others, plus<kBytes>(left, steps.skip_stream));
        row[q] = left;
        diagonal = up;
      }
    }
  }

  // A row for each state of the utterance. Returns the row of the last, which all finals have been joined into.
  template <int kBytes>
  static FSTMETRICS_INLINE const Lanes<kBytes>* graphs(const SweepTask& task, Lanes<kBytes>* rows) {
    const SweepSteps steps = task.steps;
    const StateId states = task.stream.states(), ends = task.utterance.states();
    for (StateId u = 1; u < ends; ++u) {
      Lanes<kBytes>* row = rows + static_cast<std::int64_t>(u) * states;
      for (StateId q = 0; q < states; ++q) {
        Lanes<kBytes> best = plus<kBytes>(Lanes<kBytes>{}, std::numeric_limits<NarrowSum>::max());
        for (const auto& arc : task.utterance.into(u)) {
          const Lanes<kBytes>* before = rows + static_cast<std::int64_t>(arc.source) * states;
          if (arc.label == kEpsilon) {
            best = least<kBytes>(best, before[q]);
            continue;
          }
          best = least<kBytes>(best, plus<kBytes>(before[q], steps.skip_utterance));
          for (const auto& word : task.stream.into(q)) {
            if (word.label == kEpsilon) continue;
            const NarrowSum step = word.label == arc.label ? steps.match : steps.substitution;
            best = least<kBytes>(best, plus<kBytes>(before[word.source], step));
          }
        }
        for (const auto& word : task.stream.into(q)) {
          best = least<kBytes>(best, plus<kBytes>(row[word.source], word.label == kEpsilon ? 0 : steps.skip_stream));
        }
        row[q] = best;
      }
    }
    Lanes<kBytes>* last = rows + static_cast<std::int64_t>(ends - 1) * states;
    for (const StateId final : task.utterance.finals()) {
      const Lanes<kBytes>* row = rows + static_cast<std::int64_t>(final) * states;
      for (StateId q = 0; q < states; ++q) last[q] = least<kBytes>(last[q], row[q]);
    }
    return last;
  }
};

}  // namespace

SweepLine::SweepLine(const TimedGraph& timed) : SweepLine(*timed.graph) {
  constexpr double never = std::numeric_limits<double>::infinity();
  latest_end_.assign(states_, -never), first_begin_.assign(states_, never);
  first_source_.assign(states_, states_ - 1), without_words_.resize(states_);
  extent_ = {never, -never};
  for (StateId state = 0; state < states_; ++state) {
    without_words_[state] = state;
    for (const ReverseArcs::Incoming& arc : into(state)) {
      const std::int32_t origin = timed.graph->all_arcs()[arc.arc].origin;
      times_.push_back({timed.begin[origin], timed.end[origin]});
      if (arc.label == kEpsilon) continue;
      const Interval& time = times_.back();
      latest_end_[state] = std::max(latest_end_[state], time.end);
      first_begin_[state] = std::min(first_begin_[state], time.begin);
      first_source_[state] = std::min(first_source_[state], arc.source);
      extent_ = {std::min(extent_.begin, time.begin), std::max(extent_.end, time.end)};
    }
  }
  for (StateId state = states_ - 1; state > 0; --state) {
    for (const ReverseArcs::Incoming& arc : into(state)) {
      if (arc.label == kEpsilon)
        without_words_[arc.source] = std::max(without_words_[arc.source], without_words_[state]);
    }
  }
  for (StateId state = 1; state < states_; ++state) {
    latest_end_[state] = std::max(latest_end_[state], latest_end_[state - 1]);
    without_words_[state] = std::max(without_words_[state], without_words_[state - 1]);
  }
  for (StateId state = states_ - 1; state-- > 0;) {
    first_begin_[state] = std::min(first_begin_[state], first_begin_[state + 1]);
    first_source_[state] = std::min(first_source_[state], first_source_[state + 1]);
  }
}

SweepLine::Stretch SweepLine::meeting(const Interval& time) const {
  if (times_.empty()) return {0, states_ - 1};
  const auto low = std::upper_bound(latest_end_.begin(), latest_end_.end(), time.begin) - latest_end_.begin();
  const auto high = std::lower_bound(first_begin_.begin(), first_begin_.end(), time.end) - first_begin_.begin() - 1;
  if (high < low) return {0, 0};
  return {first_source_[low], static_cast<StateId>(high)};
}

std::vector<NarrowSum> SweepLine::least_before_each_state(NarrowSum skip) const {
  std::vector<NarrowSum> sums(states_, std::numeric_limits<NarrowSum>::max());
  sums[0] = 0;
  for (StateId state = 1; state < states_; ++state) {
    for (const auto& arc : into(state)) {
      sums[state] = std::min(sums[state], sums[arc.source] + (arc.label == kEpsilon ? 0 : skip));
    }
  }
  return sums;
}

void sweep_lines(const SweepLine& utterance, const SweepLine& stream, const SweepSteps& steps, std::int64_t stride,
                 std::span<const NarrowSum> before, std::span<NarrowSum> after, SweepMemory& memory) {
  const std::int64_t states = stream.states(), lines = std::ssize(before) / states;
  const bool in_place = utterance.is_line() && stream.is_line();
  const std::int64_t rows = in_place ? 1 : utterance.states();
  memory.reserve(rows * states * kLanes * sizeof(NarrowSum));
  auto* lanes = static_cast<NarrowSum*>(memory.data());
  std::int64_t firsts[kLanes];
  for (std::int64_t line = 0; line < lines; line += kLanes) {
    poll(rows * states * 20 + (in_place ? states * utterance.states() * 6 : 0));
    const int here = static_cast<int>(std::min<std::int64_t>(kLanes, lines - line));
    for (int i = 0; i < kLanes; ++i) {  // lines beyond the last are computed as the last, and left alone
      const std::int64_t number = line + std::min(i, here - 1);
      firsts[i] = number / stride * stride * states + number % stride;
    }
    for (std::int64_t q = 0; q < states; ++q) {
      for (int i = 0; i < kLanes; ++i) lanes[q * kLanes + i] = before[firsts[i] + q * stride];
    }
    const void* last = nullptr;
    run_kernel<SweepKernel>(SweepTask{utterance, stream, steps, lanes, &last});
    const auto* sums = static_cast<const NarrowSum*>(last);
    for (std::int64_t q = 0; q < states; ++q) {
      for (int i = 0; i < here; ++i) {
        NarrowSum& cell = after[firsts[i] + q * stride];
        cell = std::min(cell, sums[q * kLanes + i]);
      }
    }
  }
}

std::pair<NarrowSum, std::int64_t> trace_line(const SweepLine& utterance, const SweepLine& stream,
                                              const SweepSteps& steps, const NarrowSum* before, std::int64_t stride,
                                              std::int64_t state) {
  using Cell = std::pair<NarrowSum, std::int64_t>;
  const std::int64_t states = state + 1;
  poll(4 * states * utterance.states());
  std::vector<Cell> rows(states * utterance.states(), Cell{std::numeric_limits<NarrowSum>::max(), 0});
  const auto lower = [](Cell& cell, const Cell& from, NarrowSum step) {
    cell = std::min(cell, Cell{from.first + step, from.second});
  };
  for (std::int64_t q = 0; q < states; ++q) rows[q] = {before[q * stride], q};
  for (StateId u = 1; u < utterance.states(); ++u) {
    Cell* row = rows.data() + u * states;
    for (std::int64_t q = 0; q < states; ++q) {
      for (const auto& arc : utterance.into(u)) {
        const Cell* from = rows.data() + arc.source * states;
        lower(row[q], from[q], arc.label == kEpsilon ? 0 : steps.skip_utterance);
        if (arc.label == kEpsilon) continue;
        for (const auto& word : stream.into(static_cast<StateId>(q))) {
          if (word.label == kEpsilon) continue;
          lower(row[q], from[word.source], word.label == arc.label ? steps.match : steps.substitution);
        }
      }
      for (const auto& word : stream.into(static_cast<StateId>(q))) {
        lower(row[q], row[word.source], word.label == kEpsilon ? 0 : steps.skip_stream);
      }
    }
  }
  Cell best{std::numeric_limits<NarrowSum>::max(), 0};
  for (const StateId final : utterance.finals()) best = std::min(best, rows[final * states + state]);
  return best;
}

}  // namespace fstmetrics

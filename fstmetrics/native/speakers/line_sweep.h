// One utterance against one stream, along many lines of a table at once.
//
// A line of the table has a cell for every state of the stream. What comes in is the least sum before the utterance,
// what goes out the least sum after it, for each state. Sixteen lines go side by side in vectors.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "automata/automaton.h"
#include "speakers/edit_sums.h"
#include "speakers/time_constraint.h"
#include "support/simd.h"

namespace fstmetrics {

struct SweepSteps {
  NarrowSum match, substitution, skip_utterance, skip_stream;
};

// A prepared and sorted automaton by the arcs into each state, whose words may have times.
class SweepLine {
 public:
  explicit SweepLine(const Automaton& automaton)
      : arcs_(automaton.reversed()), states_(automaton.num_states()), is_line_(automaton.is_line()) {}
  explicit SweepLine(const TimedGraph& timed);

  StateId states() const { return states_; }
  bool is_line() const { return is_line_; }
  std::span<const ReverseArcs::Incoming> into(StateId state) const { return arcs_.incoming(state); }
  const std::vector<StateId>& finals() const { return arcs_.finals; }
  // Of a line: its word number i, from 0.
  Label word(StateId i) const { return arcs_.arcs[i].label; }
  // Whether an arc and one of another line may be aligned: their times overlap, or there are none.
  bool meets(const ReverseArcs::Incoming& own, const SweepLine& line, const ReverseArcs::Incoming& other) const {
    return times_.empty() || overlap(time(own), line.time(other));
  }
  // The same of word number i of two lines.
  bool meets(StateId i, const SweepLine& line, StateId other) const {
    return times_.empty() || overlap(times_[i], line.times_[other]);
  }

  // States between which all arcs lie that may be aligned with words of that time; one state where there are none.
  struct Stretch {
    StateId first, last;
    StateId states() const { return last - first + 1; }
  };
  Stretch meeting(const Interval& time) const;
  // When the words of the automaton begin and end.
  const Interval& extent() const { return extent_; }
  // The last state that can be reached without a word from this one or those before it.
  StateId without_words(StateId state) const { return times_.empty() ? states_ - 1 : without_words_[state]; }

  // The least sum of words that are skipped on the way to each state.
  std::vector<NarrowSum> least_before_each_state(NarrowSum skip) const;

 private:
  const Interval& time(const ReverseArcs::Incoming& arc) const { return times_[&arc - arcs_.arcs.data()]; }

  const ReverseArcs& arcs_;
  StateId states_;
  bool is_line_;
  std::vector<Interval> times_;  // of each arc, in the order of arcs_
  Interval extent_{};
  // By state, of the arcs into it and into those before it: when the last one ends; of those into it and behind it:
  // when the first one begins, and the first state that one comes from.
  std::vector<double> latest_end_, first_begin_;
  std::vector<StateId> first_source_, without_words_;
};

using SweepMemory = VectorMemory;

// Lowers the cells of `after` to the sums from `before` with the utterance against the stream whose states are `stride`
// cells apart.
void sweep_lines(const SweepLine& utterance, const SweepLine& stream, const SweepSteps& steps, std::int64_t stride,
                 std::span<const NarrowSum> before, std::span<NarrowSum> after, SweepMemory& memory);

// Of the line from `before` with cells `stride` apart: the sum after the utterance at `state`, and the state before it.
std::pair<NarrowSum, std::int64_t> trace_line(const SweepLine& utterance, const SweepLine& stream,
                                              const SweepSteps& steps, const NarrowSum* before, std::int64_t stride,
                                              std::int64_t state);

}  // namespace fstmetrics

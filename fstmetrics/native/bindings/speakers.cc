#include "bindings/speakers.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "speakers/assignment.h"
#include "speakers/time_constraint.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using Automata = std::vector<std::shared_ptr<Automaton>>;
// An automaton, and when each of its arcs begins and ends.
using Timed = std::tuple<std::shared_ptr<Automaton>, Doubles, Doubles>;

const Automaton& checked(const std::shared_ptr<Automaton>& automaton) {
  if (!automaton || !automaton->has_path() || !automaton->sorted()) {
    throw std::invalid_argument("expected prepared automata without cycles, each with a path");
  }
  return *automaton;
}

Assigning parse_assigning(const std::string& name) {
  if (name == "auto") return Assigning::kAuto;
  if (name == "tables") return Assigning::kTables;
  if (name == "bounded") return Assigning::kBounded;
  throw std::invalid_argument("how is 'auto', 'tables' or 'bounded', not '" + name + "'");
}

TimedGraph timed_graph(const Timed& timed) {
  const auto& [automaton, begin, end] = timed;
  for (const Arc& arc : checked(automaton).all_arcs()) {
    if (arc.origin < 0 || static_cast<std::size_t>(arc.origin) >= std::min(begin.size(), end.size())) {
      throw std::invalid_argument("times must cover the origin of every arc");
    }
  }
  return {automaton.get(), {begin.data(), begin.size()}, {end.data(), end.size()}};
}

nb::ndarray<nb::numpy, std::int64_t> constrain(const std::vector<Timed>& references,
                                               const std::vector<Timed>& hypotheses, std::int64_t max_cells) {
  if (references.size() != hypotheses.size())
    throw std::invalid_argument("references and hypotheses must be equally many");
  std::vector<TimedGraph> r, h;
  for (const Timed& timed : references) r.push_back(timed_graph(timed));
  for (const Timed& timed : hypotheses) h.push_back(timed_graph(timed));
  std::vector<std::int64_t> counts;
  {
    const Unlocked unlocked;
    for (std::size_t pair = 0; pair < r.size(); ++pair) {
      for (const std::int64_t count : time_constrained(r[pair], h[pair], max_cells)) counts.push_back(count);
    }
  }
  return to_numpy(std::move(counts), 4);
}

std::tuple<EditCounts, std::vector<std::int32_t>> combined(const Automata& utterances, const Automata& streams,
                                                           bool utterances_are_references, std::int64_t max_cells,
                                                           const std::string& how) {
  std::vector<const Automaton*> u, s;
  for (const auto& automaton : utterances) u.push_back(&checked(automaton));
  for (const auto& automaton : streams) {
    const Automaton& stream = checked(automaton);
    for (StateId state = 0; state + 1 < stream.num_states(); ++state) {
      if (stream.is_final(state)) throw std::invalid_argument("expected streams with one final state");
    }
    s.push_back(&stream);
  }
  if (s.empty()) throw std::invalid_argument("expected a stream at least");
  const Assigning route = parse_assigning(how);
  const Unlocked unlocked;
  Assignment found = combine(u, s, utterances_are_references, max_cells, route);
  return {found.counts, std::move(found.streams)};
}

std::tuple<std::string, TimedPath, TimedPath> constrained_alignment(const Timed& reference, const Timed& hypothesis,
                                                                    std::int64_t max_cells) {
  const TimedGraph r = timed_graph(reference), h = timed_graph(hypothesis);
  const Unlocked unlocked;
  TimedAlignment found = time_constrained_alignment(r, h, max_cells);
  return {std::move(found.letters), std::move(found.reference), std::move(found.hypothesis)};
}

std::tuple<EditCounts, std::vector<std::int32_t>> combined_in_time(const std::vector<Timed>& utterances,
                                                                   const std::vector<Timed>& streams,
                                                                   bool utterances_are_references,
                                                                   std::int64_t max_cells) {
  std::vector<TimedGraph> u, s;
  for (const Timed& timed : utterances) u.push_back(timed_graph(timed));
  for (const Timed& timed : streams) s.push_back(timed_graph(timed));
  if (s.empty()) throw std::invalid_argument("expected a stream at least");
  const Unlocked unlocked;
  Assignment found = combine_in_time(u, s, utterances_are_references, max_cells);
  return {found.counts, std::move(found.streams)};
}

}  // namespace

void bind_speakers(nb::module_& m) {
  m.def(
      "time_constrained", constrain, "references"_a, "hypotheses"_a, "max_cells"_a, kOwned,
      "Edits, reference words, matches and deletions of each pair, words aligned only where their times overlap; shape "
      "[pairs, 4]. Each side is an automaton and when its arcs, by origin, begin and end.");
  m.def("combine", combined, "utterances"_a, "streams"_a, "utterances_are_references"_a, "max_cells"_a,
        "how"_a = "auto",
        "Edits, reference words, matches and deletions of the best assignment of utterances, in order, to streams; and "
        "the stream of each utterance.");
  m.def("combine_in_time", combined_in_time, "utterances"_a, "streams"_a, "utterances_are_references"_a, "max_cells"_a,
        "The same where words are aligned only where their times overlap; each side as of `time_constrained`.");
  m.def("time_constrained_alignment", constrained_alignment, "reference"_a, "hypothesis"_a, "max_cells"_a,
        "A best alignment, words aligned only where their times overlap: its operations, = S I D, and of each word of "
        "the paths of both sides the origin of its arc and its label.");
}

}  // namespace fstmetrics

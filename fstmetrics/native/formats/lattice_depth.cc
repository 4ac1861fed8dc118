#include "formats/lattice_depth.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "automata/automaton.h"
#include "automata/weighted.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

struct Change {
  double time;
  int arcs;
};

// Arcs side by side of changes in any order.
void stack(std::vector<Change>& changes, LatticeDepth& depth) {
  std::ranges::sort(changes, {}, &Change::time);
  std::int64_t arcs = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const double time = changes[i].time;
    for (; i < changes.size() && changes[i].time == time; ++i) arcs += changes[i].arcs;
    depth.times.push_back(time);
    if (i < changes.size()) depth.arcs.push_back(arcs);
  }
}

}  // namespace

std::optional<LatticeDepth> depth_of(const LatticeColumn& column, std::size_t i) {
  const WordLattice& lattice = column[i];
  if (!lattice.automaton) return std::nullopt;
  const Automaton& old = *lattice.automaton;
  const Automaton& useful = *column.prepared(i);
  if (!useful.sorted()) return std::nullopt;
  Polls poll;
  LatticeDepth depth;
  std::vector<Change> changes;
  const auto add = [&](double begin, double end) {
    if (end > begin) changes.insert(changes.end(), {{begin, 1}, {end, -1}});
  };
  if (!lattice.times.empty()) {
    depth.unit = lattice.time_unit;
    if (std::ranges::any_of(lattice.times, [](double time) { return time == 0 && std::signbit(time); })) {
      return std::nullopt;
    }
    std::vector<StateId> sources(old.num_arcs());
    for (StateId state = 0; state < old.num_states(); ++state) {
      std::fill_n(sources.begin() + old.first_arc(state), old.arcs(state).size(), state);
    }
    for (const Arc& arc : useful.all_arcs()) {
      poll(10);
      const double begin = lattice.times[sources[arc.origin]];
      const double end = lattice.times[old.all_arcs()[arc.origin].next];
      depth.untimed += !(end >= begin);
      add(begin, end);
    }
  } else {
    depth.unit = lattice.has_frames ? TimeUnit::kFrames : TimeUnit::kWords;
    std::vector<std::int64_t> lengths(old.num_arcs());
    for (std::int32_t arc = 0; arc < old.num_arcs(); ++arc) {
      lengths[arc] = lattice.has_frames ? lattice.frames[arc] : old.all_arcs()[arc].label != kEpsilon;
    }
    const std::vector<std::int64_t> longest = longest_before(useful, lengths);
    for (StateId state = 0; state < useful.num_states(); ++state) {
      poll(work_at(useful, state));
      for (const Arc& arc : useful.arcs(state)) {
        if (lengths[arc.origin] > 0) add(static_cast<double>(longest[state]), static_cast<double>(longest[arc.next]));
      }
    }
  }
  stack(changes, depth);
  return depth;
}

}  // namespace fstmetrics

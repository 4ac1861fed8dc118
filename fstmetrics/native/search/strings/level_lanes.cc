#include "search/strings/level_lanes.h"

#include "support/poll.h"

namespace fstmetrics {
namespace {

struct LevelWork {
  const SweepGraph* graph;
  const MatchingArcs* arcs;
  const std::uint64_t* positions;
  void* vectors;
};

template <class Lane, int kLevels>
struct LevelSweep {
  template <int kBytes>
  using All = Levels<Lane, kLevels, Direction::kForwards, kBytes>;

  // Vectors may alias anything, so whatever the loop reads of other objects is taken out of them before it.
  template <int kBytes>
  FSTMETRICS_INLINE static void run(const LevelWork& task) {
    const SweepGraph& graph = *task.graph;
    auto* const all = static_cast<All<kBytes>*>(task.vectors);
    const SweepGraph::Place size = graph.size(), start = graph.starts().front();
    const bool has_epsilons = graph.has_epsilons();
    const SweepGraph::Place* group = graph.groups(0);
    const std::uint32_t* const first_group = graph.first_groups();
    const MatchingArcs::Matching* const arcs = task.arcs->arcs();
    const std::int32_t* const first_arc = task.arcs->firsts();
    const std::uint64_t* const positions = task.positions;
    all[size] = {};
    for (SweepGraph::Place place = 0; place < size; ++place) {
      if (place % kPlacesBetweenPolls == 0) poll(20 * kPlacesBetweenPolls);
      const SweepGraph::Place* const end = group + (first_group[place + 1] - first_group[place]) * SweepGraph::kGroup;
      All<kBytes> here = by_words(all, group, end);
      group = end;
      if (const std::int32_t arc = first_arc[place]; arc >= 0) here.add(by_matches(all, arcs, positions, arc));
      if (place == start) here.add(All<kBytes>::from(0));
      if (has_epsilons) {
        for (const SweepGraph::Place neighbour : graph.by_epsilon(place)) here.add(all[neighbour]);
      }
      all[place] = here;
    }
  }

 private:
  // A word of the graph alone, or paired with another word, takes one level.
  template <int kBytes>
  FSTMETRICS_INLINE static All<kBytes> by_words(const All<kBytes>* all, const SweepGraph::Place* group,
                                                const SweepGraph::Place* end) {
    All<kBytes> any{};
    do {
      for (int i = 0; i < SweepGraph::kGroup; ++i) any.add(all[group[i]]);
      group += SweepGraph::kGroup;
    } while (group != end);
    any.add(any.template stepped<1>());
    return any.template raised<1>();
  }

  template <int kBytes>
  FSTMETRICS_INLINE static All<kBytes> by_matches(const All<kBytes>* all, const MatchingArcs::Matching* arcs,
                                                  const std::uint64_t* positions, std::int32_t arc) {
    All<kBytes> matched{};
    do {
      const MatchingArcs::Matching& matching = arcs[arc];
      matched.add_at(all[matching.neighbour], static_cast<Lane>(positions[matching.word]));
      arc = matching.next;
    } while (arc >= 0);
    matched = matched.template stepped<1>();
    matched.add_words();
    return matched;
  }
};

}  // namespace

int LevelLanes::run(const SearchGraph& graph, const StringSide& string, const WordPositions& words) {
  graph_ = &graph.automaton().sweep_graph(Direction::kForwards);
  arcs_.list(*graph_, words.labels());
  narrow_ = string.length() <= 31;
  int cost = -1;
  with_enough_levels(are_near() ? kFewLevels : first_levels(narrow_), [&](int levels) {
    levels_ = levels;
    memory_.reserve((static_cast<std::size_t>(graph_->size()) + 1) * levels * (narrow_ ? 4 : 8));
    const LevelWork work{graph_, &arcs_, words.positions(), memory_.data()};
    if (narrow_ && levels == kFewLevels) {
      run_kernel<LevelSweep<std::uint32_t, kFewLevels>, 32>(work);
    } else {
      run_sweep<LevelSweep, 32>(work, narrow_, levels);
    }
    return (cost = cost_at_end(string.length())) >= 0;
  });
  near_ = cost >= 0 && cost < kFewLevels ? near_ + (near_ < kManyNear) : 0;
  return cost;
}

int LevelLanes::cost_at_end(int length) const {
  const auto reaches = [&](SweepGraph::Place place, int level) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(place) * levels_ + level;
    return ((narrow_ ? lanes<std::uint32_t>()[at] : lanes<std::uint64_t>()[at]) >> length) & 1;
  };
  for (int level = 0; level < levels_; ++level) {
    for (const SweepGraph::Place place : graph_->ends()) {
      if (reaches(place, level)) return level;
    }
  }
  return -1;
}

}  // namespace fstmetrics

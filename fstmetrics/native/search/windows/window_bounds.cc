#include "search/windows/window_bounds.h"

#include <algorithm>

#include "support/poll.h"

namespace fstmetrics {
namespace {

struct BoundsWork {
  const SweepGraph* graph;
  const MatchingArcs* arcs;
  const WindowBounds::Eased* eased;
  int length;
  void* vectors;
};

// By disorder, the sets of numbers from which the end is reached at each cost. More disorder allows all that less does.
template <class Lane, int kLevels, int kKinds, int kBytes>
struct ByDisorder {
  using All = Levels<Lane, kLevels, kBytes>;
  All of[kKinds];

  FSTMETRICS_INLINE const All& none() const { return of[0]; }
  FSTMETRICS_INLINE const All& some() const { return of[1]; }
  FSTMETRICS_INLINE const All& most() const { return of[kKinds - 1]; }
  FSTMETRICS_INLINE void add(const ByDisorder& other) {
    for (int i = 0; i < kKinds; ++i) of[i].add(other.of[i]);
  }
};

template <int kKinds>
struct Kinds {
  template <class Lane, int kLevels>
  struct Sweep {
    // Vectors may alias anything, so whatever the loop reads of other objects is taken out of them before it.
    template <int kBytes>
    FSTMETRICS_INLINE static void run(const BoundsWork& task) {
      using Sets = ByDisorder<Lane, kLevels, kKinds, kBytes>;
      const SweepGraph& graph = *task.graph;
      auto* const all = static_cast<Sets*>(task.vectors);
      const SweepGraph::Place size = graph.size();
      const bool has_epsilons = graph.has_epsilons();
      const SweepGraph::Place* group = graph.groups(0);
      const std::uint32_t* const first_group = graph.first_groups();
      const MatchingArcs::Matching* const arcs = task.arcs->arcs();
      const std::int32_t* const first_arc = task.arcs->firsts();
      const WindowBounds::Eased* const eased = task.eased;
      all[size] = {};
      auto next_start = graph.starts().begin();
      for (SweepGraph::Place place = 0; place < size; ++place) {
        if (place % kPlacesBetweenPolls == 0) poll(50 * kPlacesBetweenPolls);
        const SweepGraph::Place* const end = group + (first_group[place + 1] - first_group[place]) * SweepGraph::kGroup;
        Sets here = by_words(all, group, end);
        group = end;
        if (const std::int32_t arc = first_arc[place]; arc >= 0) here.add(by_matches(all, arcs, eased, arc));
        if (place == *next_start) {
          here.of[0].add(Sets::All::from(task.length));
          if (next_start + 1 != graph.starts().end()) ++next_start;
        }
        if (has_epsilons) {
          for (const SweepGraph::Place neighbour : graph.by_epsilon(place)) here.add(all[neighbour]);
        }
        // A move takes a word that is then read alone.
        const auto moved = here.most().template stepped<1>().template raised<2>();
        for (int i = 0; i + 1 < kKinds; ++i) here.of[i].add(moved);
        for (int i = 1; i < kKinds; ++i) here.of[i].add(here.of[i - 1]);
        all[place] = here;
      }
    }

   private:
    // A word of the graph alone, or paired with another word, takes one level; one more if that is taken by a move.
    template <class Sets>
    FSTMETRICS_INLINE static Sets by_words(const Sets* all, const SweepGraph::Place* group,
                                           const SweepGraph::Place* end) {
      Sets any{};
      do {
        for (int i = 0; i < SweepGraph::kGroup; ++i) any.add(all[group[i]]);
        group += SweepGraph::kGroup;
      } while (group != end);
      const auto moved = any.most().template stepped<1>().template raised<2>();
      for (int i = 0; i < kKinds; ++i) {
        any.of[i].add(any.of[i].template stepped<1>());
        any.of[i] = any.of[i].template raised<1>();
        if (i + 1 < kKinds) any.of[i].add(moved);
      }
      return any;
    }

    template <class Sets>
    FSTMETRICS_INLINE static Sets by_matches(const Sets* all, const MatchingArcs::Matching* arcs,
                                             const WindowBounds::Eased* all_eased, std::int32_t arc) {
      Sets matched{}, moved{};
      do {
        const MatchingArcs::Matching& matching = arcs[arc];
        const Sets& after = all[matching.neighbour];
        const WindowBounds::Eased& eased = all_eased[matching.word];
        // The neighbour's numbers are those after the word.
        const auto in_order = static_cast<Lane>(eased.in_order << 1), late = static_cast<Lane>(eased.late << 1),
                   early = static_cast<Lane>(eased.early << 1);
        matched.of[0].add_at(after.none(), in_order);
        moved.of[0].add_at(after.most(), early);
        for (int i = 1; i < kKinds; ++i) matched.of[i].add_at(after.some(), late);
        if constexpr (kKinds == 3) {
          matched.of[2].add_at(after.most(), in_order | early);
          moved.of[1].add_at(after.most(), in_order | early);
        }
        arc = matching.next;
      } while (arc >= 0);
      for (int i = 0; i < kKinds; ++i) {
        if (i + 1 < kKinds) matched.of[i].add(moved.of[i].template raised<1>());
        matched.of[i] = matched.of[i].template stepped<1>();
        matched.of[i].add_words();
      }
      return matched;
    }
  };
};

}  // namespace

int WindowBounds::fill(const SweepGraph& graph, const MatchingArcs& arcs, const StringSide& string,
                       const WordPositions& words) {
  ease(string, words);
  narrow_ = string.length() <= 31;
  kinds_ = string.shapes.reordering == Reordering::kMoves ? 3 : 2;
  int least = -1;
  with_enough_levels(first_levels(narrow_), [&](int levels) {
    levels_ = levels;
    memory_.reserve((static_cast<std::size_t>(graph.size()) + 1) * kinds_ * levels * (narrow_ ? 4 : 8));
    const BoundsWork task{&graph, &arcs, eased_.data(), string.length(), memory_.data()};
    kinds_ == 3 ? run_sweep<Kinds<3>::Sweep>(task, narrow_, levels) : run_sweep<Kinds<2>::Sweep>(task, narrow_, levels);
    for (int left = 0; left < levels && least < 0; ++left) {
      if (within(graph.ends().front(), Disorder::kNone, left) & 1) least = left;
    }
    return least >= 0;
  });
  return least;
}

// The word taken as number t, counted from 0, stands less than a window from t.
void WindowBounds::ease(const StringSide& string, const WordPositions& words) {
  for (std::size_t word = 0; word < words.labels().size(); ++word) {
    const std::uint64_t at = words.positions()[word];
    eased_[word] = {at, 0, 0};
    for (int by = 1; by < string.shapes.window; ++by) {
      eased_[word].early |= at >> by;
      eased_[word].late |= at << by & words.before_word(0);
    }
  }
}

}  // namespace fstmetrics

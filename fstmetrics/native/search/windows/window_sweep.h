// Reordering in a window, unit costs: one sweep from the start over the few cells that a best path may lie on.
//
// The cells are those of search/strings/bit_parallel.h. A cell whose cost and bound of what is still to come
// (search/windows/window_bounds.h) exceed a limit is not looked at. The limit is the bound at the start, and one more
// each time that nothing is found: mostly at once, so that of all cells few more are met than lie on best paths.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "automata/search_graph.h"
#include "search/strings/bit_string.h"
#include "search/windows/window_bounds.h"
#include "support/growing_array.h"
#include "support/poll.h"

namespace fstmetrics {

// Scratch space, kept between searches.
class WindowSweep {
 public:
  // The least cost, or -1 if that is more than the bounds can tell, or the sets would take more than `max_cells` of 8
  // bytes.
  int run(const SearchGraph& graph, const StringSide& string, const WordPositions& words, std::int64_t max_cells);

  // What the bounds take for a place, in cells of 8 bytes, and where sets are: of each disorder all levels.
  static constexpr std::int64_t kCellsOfState = (kDisorders + 1) * kMaxLevels;

  // As search/strings/bit_ties.h wants it.
  bool maybe(StateId state, int cost, std::uint64_t) const {
    return (std::uint64_t{costs_[sweep_->place_of(state)]} << 2 >> cost) & 7;
  }
  std::uint64_t exactly(StateId state, int cost, int shape) const {
    return cost < 0 || cost > most_ ? 0 : at(sweep_->place_of(state), cost, shape);
  }
  std::int64_t worked() const { return worked_; }

 private:
  using Place = SweepGraph::Place;
  // Positions by shape.
  struct Sets {
    std::uint64_t used;                           // the shapes that have any
    std::array<std::uint64_t, kDisorders> taken;  // by disorder: numbers of words taken
    std::array<std::uint64_t, WindowShapes::kMaxShapes> of;

    void clear() { used = 0, taken.fill(0); }
    void add(int shape, std::uint64_t positions, const WindowShapes& shapes) {
      if (positions == 0) return;
      of[shape] = positions | (used & bit(shape) ? of[shape] : 0);
      used |= bit(shape);
      taken[static_cast<int>(shapes.disorder[shape])] |= positions << shapes.taken[shape];
    }
  };

  enum class Met : std::uint8_t { kEnd, kNothing, kTooMuch };
  Met search(int most);
  bool reaches_end() const;
  void work(Place place, int cost);
  void take_new(Place place, int cost);
  void take_words();
  void push_matches(const MatchingArcs::Matching& arc, int cost);
  void add(Place place, int cost, int shape, std::uint64_t positions);
  void add_all(Place place, int cost, const Sets& sets);
  // Calls visit(taking) for the takings of every shape in use here.
  template <class Visit>
  void for_each_taking(Visit visit) const {
    const WindowShapes& all = string_->shapes;
    for_each_bit(here_.used, [&](int shape) {
      for (int i = all.first_taking[shape]; i < all.first_taking[shape + 1]; ++i) visit(all.takings[i]);
    });
  }

  bool has(Place place, int cost) const { return (costs_[place] >> cost) & 1; }
  // What there is at a place and a cost: the shapes in use, then the positions of each.
  std::uint64_t* sets(Place place, int cost) {
    return sets_.begin() + std::size_t{slots_[static_cast<std::size_t>(place) * (most_ + 1) + cost]} * (shapes_ + 1);
  }
  const std::uint64_t* sets(Place place, int cost) const { return const_cast<WindowSweep*>(this)->sets(place, cost); }
  std::uint64_t at(Place place, int cost, int shape) const {
    if (!has(place, cost)) return 0;
    const std::uint64_t* sets = this->sets(place, cost);
    return *sets & bit(shape) ? sets[1 + shape] : 0;
  }
  // Whether the end may be reached within the limit from any of these.
  bool near(Place place, int cost, const Sets& sets) const {
    std::uint64_t any = 0;
    for (const Disorder d : {Disorder::kNone, Disorder::kSome, Disorder::kBlock}) {
      if (const std::uint64_t taken = sets.taken[static_cast<int>(d)])
        any |= taken & bounds_.within(place, d, most_ - cost);
    }
    return any != 0;
  }
  // Positions of a shape from which it may be.
  std::uint64_t near(Place place, int cost, int shape) const {
    return bounds_.within(place, string_->shapes.disorder[shape], most_ - cost) >> string_->shapes.taken[shape];
  }

  Polls poll_;
  const SweepGraph* sweep_ = nullptr;
  const StringSide* string_ = nullptr;
  const WordPositions* words_ = nullptr;
  int shapes_ = 1, most_ = 0;
  std::int64_t max_cells_ = 0;
  std::int64_t worked_ = 0;
  MatchingArcs arcs_;
  WindowBounds bounds_;
  std::vector<std::uint32_t> costs_;        // by place: the costs at which it has positions
  std::unique_ptr<std::uint32_t[]> slots_;  // by place and cost, where it has: the number of its sets; else not written
  std::size_t slots_size_ = 0;
  GrowingArray<std::uint64_t> sets_;
  // Of the place at work: positions met at less cost, those that are new, and where taking a word leads from there,
  // without a move and with one.
  Sets seen_, here_, plain_, moved_;
};

}  // namespace fstmetrics

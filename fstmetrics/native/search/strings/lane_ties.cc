#include "search/strings/lane_ties.h"

#include <array>
#include <bit>
#include <limits>
#include <new>

#include "search/tie_breaker.h"
#include "support/poll.h"

namespace fstmetrics {

// One search over lanes of this type.
template <class Lane>
class LaneTies::Ways {
 public:
  using Place = SweepGraph::Place;

  Ways(const SearchGraph& graph, const StringSide& string, const WordPositions& words, const LevelLanes& lanes,
       const StringWeights<std::int64_t>& weights, LaneTies& kept)
      : graph_(graph),
        sweep_(lanes.graph()),
        words_(words),
        arcs_(lanes.matching_arcs()),
        lanes_(lanes.template lanes<Lane>()),
        levels_(lanes.levels()),
        string_alone_(string.is_hypothesis ? Op::kInsertion : Op::kDeletion),
        graph_alone_(string.is_hypothesis ? Op::kDeletion : Op::kInsertion),
        weights_(weights),
        kept_(kept),
        cells_(kept.cells_) {}

  // A cell where paths end.
  void end_at(Place place, int length, int cost) {
    if (at(place, cost) & bit(length))
      offer(place, {0, -1, -1, place, -1, as_byte(length), as_byte(cost), Op::kEpsilon});
  }

  // Breaks the ties of all cells, from the last place to the first. False where more than `max_cells` would be kept.
  bool settle(std::int64_t max_cells) {
    std::vector<std::uint64_t>& waiting = kept_.waiting_;
    for (std::size_t block = waiting.size(); block-- > 0;) {
      while (waiting[block] != 0) {
        const int highest = 63 - std::countl_zero(waiting[block]);
        waiting[block] &= ~bit(highest);
        settle_place(static_cast<Place>(block * 64 + highest));
        if (static_cast<std::int64_t>(cells_.size() * sizeof(Cell) / 8) - kFreeCells > max_cells) return false;
      }
    }
    return true;
  }

 private:
  static std::uint8_t as_byte(int value) { return static_cast<std::uint8_t>(value); }
  // Positions reached at no more than a cost. Of cells on best paths none before can be reached at less.
  Lane at(Place place, int cost) const { return lanes_[static_cast<std::ptrdiff_t>(place) * levels_ + cost]; }

  void settle_place(Place place) {
    std::uint64_t here = 0;
    for (Number number = kept_.first_[place]; number >= 0; number = cells_[number].other) {
      here |= bit(cells_[number].position);
      best_[cells_[number].position] = number;
    }
    while (here != 0) {
      const int position = 63 - std::countl_zero(here);
      here &= ~bit(position);
      const Number number = kept_.start_ = best_[position];
      const int cost = cells_[number].cost;
      if (position > 0 && cost > 0 && (at(place, cost - 1) & bit(position - 1))) {
        const Cell alone{cells_[number].rank + weights_.string_only,
                         number,
                         -1,
                         place,
                         -1,
                         as_byte(position - 1),
                         as_byte(cost - 1),
                         string_alone_};
        if (!(here & bit(position - 1))) {
          best_[position - 1] = add(alone);
          here |= bit(position - 1);
        } else if (is_better(alone, cells_[best_[position - 1]])) {
          cells_[best_[position - 1]] = alone;
        }
      }
      before(place, number, position, cost);
    }
  }

  // Offers the cells of other places from which a best path may lead to this one.
  void before(Place place, Number number, int position, int cost) {
    const std::uint64_t here = bit(position), from = position > 0 ? bit(position - 1) : 0;
    const std::int64_t rank = cells_[number].rank;
    for (std::int32_t i = arcs_.first(place); i >= 0; i = arcs_[i].next) {
      const MatchingArcs::Matching& arc = arcs_[i];
      if (words_.positions()[arc.word] & from & at(arc.neighbour, cost)) {
        offer(arc.neighbour, {rank + weights_.match, number, -1, arc.neighbour, arc.arc, as_byte(position - 1),
                              as_byte(cost), Op::kMatch});
      }
    }
    if (cost > 0) {
      poll_(20);
      Lane any = 0;
      for (const Place *group = sweep_.groups(place), *end = sweep_.groups(place + 1); group != end;
           group += SweepGraph::kGroup) {
        for (int i = 0; i < SweepGraph::kGroup; ++i) any |= at(group[i], cost - 1);
      }
      if (any & (here | from)) by_one(place, number, position, cost);
    }
    if (!sweep_.by_epsilon(place).empty()) by_epsilons(place, number, position, cost);
  }

  // By a word of the graph alone, or beside another.
  void by_one(Place place, Number number, int position, int cost) {
    const std::uint64_t here = bit(position), from = position > 0 ? bit(position - 1) : 0;
    const std::int64_t rank = cells_[number].rank;
    const auto incoming = graph_.incoming(sweep_.state_of(place));
    poll_(20 + 10 * std::ssize(incoming));
    for (const SearchGraph::Incoming& in : incoming) {
      const Place source = sweep_.place_of(in.source);
      const std::uint64_t reached = at(source, cost - 1);
      if ((reached & (here | from)) == 0 || in.label == kEpsilon) continue;
      if (reached & here) {
        offer(source, {rank + weights_.graph_only, number, -1, source, in.arc, as_byte(position), as_byte(cost - 1),
                       graph_alone_});
      }
      if (reached & from & ~words_.of(in.label)) {
        offer(source, {rank + weights_.substitution, number, -1, source, in.arc, as_byte(position - 1),
                       as_byte(cost - 1), Op::kSubstitution});
      }
    }
  }

  void by_epsilons(Place place, Number number, int position, int cost) {
    for (const SearchGraph::Incoming& in : graph_.incoming(sweep_.state_of(place))) {
      poll_(10);
      const Place source = sweep_.place_of(in.source);
      if (in.label == kEpsilon && (at(source, cost) & bit(position))) {
        offer(source,
              {cells_[number].rank, number, -1, source, in.arc, as_byte(position), as_byte(cost), Op::kEpsilon});
      }
    }
  }

  void offer(Place place, const Cell& cell) {
    std::uint64_t& block = kept_.waiting_[place / 64];
    Number& first = kept_.first_[place];
    const bool is_first = !(block & bit(place % 64));
    block |= bit(place % 64);
    if (!is_first) {
      for (Number number = first; number >= 0; number = cells_[number].other) {
        Cell& known = cells_[number];
        if (known.position != cell.position) continue;
        if (is_better(cell, known)) replace(known, cell);
        return;
      }
    }
    const Number number = add(cell);
    cells_[number].other = is_first ? -1 : first;
    first = number;
  }

  Number add(const Cell& cell) {
    if (cells_.size() == std::numeric_limits<Number>::max()) throw std::bad_alloc();
    cells_.resize(cells_.size() + 1);
    const auto number = static_cast<Number>(cells_.size() - 1);
    cells_[number].place = cell.place;
    replace(cells_[number], cell);
    return number;
  }

  // Field by field: as a whole it would be read back before the pieces that it was made of have been written.
  static void replace(Cell& known, const Cell& cell) {
    known.rank = cell.rank, known.next = cell.next, known.arc = cell.arc;
    known.position = cell.position, known.cost = cell.cost, known.op = cell.op;
  }

  bool is_better(const Cell& cell, const Cell& known) const {
    if (cell.rank != known.rank) return cell.rank < known.rank;
    if (known.next < 0 || cell.next < 0) return false;
    const Cell &one = cells_[cell.next], &two = cells_[known.next];
    if (one.place != two.place) return sweep_.state_of(one.place) > sweep_.state_of(two.place);
    if (one.cost != two.cost) return one.cost > two.cost;
    return cell.arc != known.arc ? cell.arc < known.arc : one.position < two.position;
  }

  Polls poll_;
  const SearchGraph& graph_;
  const SweepGraph& sweep_;
  const WordPositions& words_;
  const MatchingArcs& arcs_;
  const Lane* const lanes_;
  const std::ptrdiff_t levels_;
  const Op string_alone_, graph_alone_;
  const StringWeights<std::int64_t> weights_;
  LaneTies& kept_;
  GrowingArray<Cell>& cells_;
  std::array<Number, 64> best_;  // of the place at hand, by position
};

Totals LaneTies::settle(const SearchGraph& graph, const StringSide& string, const WordPositions& words, int least,
                        std::int64_t max_cells, const LevelLanes& lanes) {
  graph_ = &graph, string_is_hypothesis_ = string.is_hypothesis;
  // The cost is known by now, and with it how many words a best path can have: few bits hold the totals.
  const std::int64_t own = string.length(), other = own + least;
  const auto ranking = make_ranking<std::int64_t>(
      {string.is_hypothesis ? own : other, string.is_hypothesis ? other : own, false, 1}, true);
  const auto places = static_cast<std::size_t>(graph.num_states());
  waiting_.assign((places + 63) / 64, 0);
  if (first_.size() < places) first_.resize(places);
  cells_.clear();
  const auto run = [&](auto ways) {
    for (const SweepGraph::Place place : lanes.graph().ends()) ways.end_at(place, string.length(), least);
    check_kept(ways.settle(max_cells), max_cells);
  };
  const StringWeights<std::int64_t> weights(ranking, string.is_hypothesis);
  lanes.narrow() ? run(Ways<std::uint32_t>(graph, string, words, lanes, weights, *this))
                 : run(Ways<std::uint64_t>(graph, string, words, lanes, weights, *this));
  return ranking.totals(cells_[start_].rank + least * ranking.cost);
}

std::vector<Step> LaneTies::trace() const {
  const auto arcs = graph_->automaton().all_arcs();
  const Op graph_only = string_is_hypothesis_ ? Op::kDeletion : Op::kInsertion;
  std::size_t size = 0;
  for (Number number = start_; cells_[number].next >= 0; number = cells_[number].next) ++size;
  std::vector<Step> steps;
  steps.reserve(size);
  for (Number number = start_; cells_[number].next >= 0; number = cells_[number].next) {
    const Cell& cell = cells_[number];
    if (cell.op == Op::kEpsilon) continue;
    Step& step = steps.emplace_back(Step{cell.op});
    if (cell.op != graph_only) (string_is_hypothesis_ ? step.origin : step.reference_origin) = cell.position;
    if (cell.arc >= 0) {
      (string_is_hypothesis_ ? step.reference : step.hypothesis) = arcs[cell.arc].label;
      (string_is_hypothesis_ ? step.reference_origin : step.origin) = arcs[cell.arc].origin;
    }
  }
  return steps;
}

}  // namespace fstmetrics

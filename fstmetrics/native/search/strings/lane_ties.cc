#include "search/strings/lane_ties.h"

#include <array>
#include <bit>
#include <limits>
#include <new>

#include "search/tie_breaker.h"
#include "support/poll.h"

namespace fstmetrics {

// One search over so many lanes a place.
template <int kLanes>
class LaneTies::Ways {
 public:
  using Place = SweepArcs::Place;

  Ways(const StringSide& string, const LevelLanes& lanes, const StringWeights<std::int64_t>& weights, LaneTies& kept)
      : sweep_(lanes.graph()),
        others_(lanes.other_arcs()),
        lanes_(lanes),
        string_alone_(string.is_hypothesis ? Op::kInsertion : Op::kDeletion),
        graph_alone_(string.is_hypothesis ? Op::kDeletion : Op::kInsertion),
        weights_(weights),
        kept_(kept),
        waiting_(kept.waiting_.data()),
        first_(kept.first_.data()),
        cells_(kept.cells_) {}

  // A cell where paths end.
  void end_at(Place place, int length, int level) {
    if (levels(place)[length] == level) offer(place, {0, -1, -1, place, -1, as_byte(length), Op::kEpsilon});
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
  const std::uint8_t* levels(Place place) const { return lanes_.levels() + std::ptrdiff_t{place} * kLanes; }

  void settle_place(Place place) {
    std::uint64_t here = 0;
    for (Number number = first_[place]; number >= 0; number = cells_[number].other) {
      here |= bit(cells_[number].position);
      best_[cells_[number].position] = number;
    }
    const std::uint8_t* const levels = this->levels(place);
    while (here != 0) {
      const int position = 63 - std::countl_zero(here);
      here &= ~bit(position);
      const Number number = kept_.start_ = best_[position];
      const int level = levels[position];
      if (position > 0 && levels[position - 1] == level) {
        const Cell alone{
            cells_[number].rank + weights_.string_only, number, -1, place, -1, as_byte(position - 1), string_alone_};
        if (!(here & bit(position - 1))) {
          best_[position - 1] = add(alone);
          here |= bit(position - 1);
        } else if (is_better(alone, cells_[best_[position - 1]])) {
          cells_[best_[position - 1]] = alone;
        }
      }
      before(place, number, position, level);
    }
  }

  // Offers the cells of other places from which a best path may lead to this one. Errors by an arc that is not the
  // first one of its neighbour lose against those by that.
  void before(Place place, Number number, int position, int level) {
    const std::int64_t rank = cells_[number].rank;
    const std::uint32_t begin = sweep_.firsts()[place], end = sweep_.firsts()[place + 1];
    poll_(20 + 10 * std::int64_t{end - begin});
    const bool has_word = position > 0;
    const int earlier = position > 0 ? position - 1 : 0;
    const SweepArcs::Incoming* const arcs = sweep_.arcs();
    const std::int32_t* const numbers = sweep_.numbers();
    const std::uint8_t* const all = lanes_.levels();
    for (std::uint32_t i = begin; i != end; ++i) {
      const auto [source, label] = arcs[i];
      const std::uint8_t* const levels = all + std::ptrdiff_t{source} * kLanes;
      if (levels[earlier] > level + 1) continue;  // nor is the level at the position that of a word of the graph alone
      const bool matches = has_word && lanes_.misses(label)[earlier] == 0;
      if (has_word && levels[earlier] == level + matches) {
        offer(source, {rank + (matches ? weights_.match : weights_.substitution), number, -1, source, numbers[i],
                       as_byte(earlier), matches ? Op::kMatch : Op::kSubstitution});
      }
      if (levels[position] == level - 1) {
        offer(source, {rank + weights_.graph_only, number, -1, source, numbers[i], as_byte(position), graph_alone_});
      }
    }
    for (std::int32_t i = others_.first(place); i >= 0; i = others_[i].next) {
      const MatchingArcs::Matching& arc = others_[i];
      if (has_word && lanes_.misses(arc)[earlier] == 0 && levels(arc.neighbour)[earlier] == level + 1) {
        offer(arc.neighbour, {rank + weights_.match, number, -1, arc.neighbour, arc.arc, as_byte(earlier), Op::kMatch});
      }
    }
    for (const auto& [source, arc] : sweep_.by_epsilon(place)) {
      if (levels(source)[position] == level) {
        offer(source, {rank, number, -1, source, arc, as_byte(position), Op::kEpsilon});
      }
    }
  }

  void offer(Place place, const Cell& cell) {
    std::uint64_t& block = waiting_[place / 64];
    Number& first = first_[place];
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
    known.position = cell.position, known.op = cell.op;
  }

  int cost(const Cell& cell) const { return levels(cell.place)[cell.position] + cell.position - (kLanes - 1); }

  bool is_better(const Cell& cell, const Cell& known) const {
    if (cell.rank != known.rank) return cell.rank < known.rank;
    if (known.next < 0 || cell.next < 0) return false;
    const Cell &one = cells_[cell.next], &two = cells_[known.next];
    if (one.place != two.place) return sweep_.state_of(one.place) > sweep_.state_of(two.place);
    if (cost(one) != cost(two)) return cost(one) > cost(two);
    return cell.arc != known.arc ? cell.arc < known.arc : one.position < two.position;
  }

  Polls poll_;
  const SweepArcs& sweep_;
  const MatchingArcs& others_;
  const LevelLanes& lanes_;
  const Op string_alone_, graph_alone_;
  const StringWeights<std::int64_t> weights_;
  LaneTies& kept_;
  std::uint64_t* const waiting_;
  Number* const first_;
  GrowingArray<Cell>& cells_;
  std::array<Number, 64> best_;  // of the place at hand, by position
};

Totals LaneTies::settle(const SearchGraph& graph, const StringSide& string, int least, std::int64_t max_cells,
                        const LevelLanes& lanes) {
  graph_ = &graph, string_is_hypothesis_ = string.is_hypothesis;
  // The cost is known by now, and with it how many words a best path can have: few bits hold the totals.
  const std::int64_t own = string.length(), other = own + least;
  most_steps_ = static_cast<std::size_t>(other);
  const auto ranking = make_ranking<std::int64_t>(
      {string.is_hypothesis ? own : other, string.is_hypothesis ? other : own, false, 1}, true);
  const auto places = static_cast<std::size_t>(graph.num_states());
  waiting_.assign((places + 63) / 64, 0);
  if (first_.size() < places) first_.resize(places);
  cells_.clear();
  const auto run = [&](auto ways) {
    for (const SweepArcs::Place place : lanes.graph().ends()) {
      ways.end_at(place, string.length(), lanes.level(string.length(), least));
    }
    check_kept(ways.settle(max_cells), max_cells);
  };
  const StringWeights<std::int64_t> weights(ranking, string.is_hypothesis);
  lanes.lanes() == 32 ? run(Ways<32>(string, lanes, weights, *this)) : run(Ways<64>(string, lanes, weights, *this));
  return ranking.totals(cells_[start_].rank + least * ranking.cost);
}

std::vector<Step> LaneTies::trace() const {
  const auto arcs = graph_->automaton().all_arcs();
  const Op graph_only = string_is_hypothesis_ ? Op::kDeletion : Op::kInsertion;
  std::vector<Step> steps;
  steps.reserve(most_steps_);
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

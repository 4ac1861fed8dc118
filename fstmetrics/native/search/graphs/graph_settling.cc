#include "search/graphs/graph_settling.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "search/product.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// Calls visit(state) from the last to the first; states before the one at hand may come alive meanwhile, and with them
// the set may move.
template <class Live, class Visit>
void for_each_from_last(std::size_t blocks, Live live, Visit visit) {
  for (std::size_t block = blocks; block-- > 0;) {
    std::uint64_t open = ~std::uint64_t{0};
    while (const std::uint64_t rest = live(block) & open) {
      const int highest = 63 - std::countl_zero(rest);
      open = (std::uint64_t{1} << highest) - 1;
      visit(static_cast<StateId>(block * 64 + highest));
    }
  }
}

}  // namespace

template <class T>
GraphSettling<T>::GraphSettling(const PairProblem& problem, const GraphTable<T>& table, const PairWeights& weights,
                                std::int64_t best, std::int64_t max_cells)
    : problem_(problem),
      table_(table),
      weights_(weights),
      best_(best),
      slots_(problem.lanes.num_states(), -1),
      half_live_(blocks(), 0),
      half_ranks_(table.width()),
      below_(table.width()),
      last_with_(problem.last_key + 1, -1) {
  for (const StateId lane : problem.lanes.finals()) {
    for (const StateId sweep : problem.sweep.finals()) {
      if (table.at(lane, sweep) == best) offer(lane, sweep, 0);
    }
  }
  for (StateId lane = problem.lanes.num_states() - 1; lane >= 0; --lane) {
    if (slots_[lane] < 0) continue;
    settle(lane);
    check_kept(static_cast<std::int64_t>(ranks_.bytes() / 8), max_cells);
  }
}

template <class T>
std::int64_t GraphSettling<T>::rank() const {
  return ranks_.at(key(problem_.lanes.graph->start(), problem_.sweep.graph->start()));
}

template <class T>
void GraphSettling<T>::offer(StateId lane, StateId sweep, std::int64_t rank) {
  if (slots_[lane] < 0) {
    slots_[lane] = static_cast<std::int32_t>(live_.size() / blocks());
    const std::size_t first = live_.size();
    live_.resize(first + blocks());
    std::fill_n(live_.begin() + first, blocks(), 0);
  }
  std::uint64_t& block = live_[slots_[lane] * blocks() + (sweep >> 6)];
  const std::uint64_t mark = std::uint64_t{1} << (sweep & 63);
  std::int64_t& kept = ranks_[key(lane, sweep)];
  if (!(block & mark) || rank < kept) kept = rank;
  block |= mark;
}

template <class T>
void GraphSettling<T>::offer_half(StateId sweep, std::int64_t rank) {
  std::uint64_t& block = half_live_[sweep >> 6];
  const std::uint64_t mark = std::uint64_t{1} << (sweep & 63);
  if (!(block & mark) || rank < half_ranks_[sweep]) half_ranks_[sweep] = rank;
  block |= mark;
}

template <class T>
void GraphSettling<T>::settle(StateId lane) {
  std::fill(below_.begin(), below_.end(), GraphTable<T>::unreached());
  for (const StateId source : problem_.lanes.groups->before_by_words(lane)) {
    poll(table_.width() / 16);
    const T* row = table_.row(source);
    T* below = below_.data();  // bytes may alias anything, so bounds and pointers are values of their own
    for (int i = 0, width = table_.width(); i < width; ++i) below[i] = std::min(below[i], row[i]);
  }
  link_words(lane);
  const auto live = [&](std::size_t block) { return live_[slots_[lane] * blocks() + block]; };
  for_each_from_last(blocks(), live, [&](StateId sweep) { settle_cell(lane, sweep); });
  unlink_words(lane);
  settle_substitutions(lane);
}

template <class T>
void GraphSettling<T>::link_words(StateId lane) {
  const auto incoming = problem_.lanes.incoming(lane);
  before_it_.resize(std::max(before_it_.size(), incoming.size()));
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    const Label key = problem_.lanes.key_of(incoming[i].label);
    if (key == kEpsilon) continue;
    before_it_[i] = last_with_[key];
    last_with_[key] = static_cast<std::int32_t>(i);
  }
}

template <class T>
void GraphSettling<T>::unlink_words(StateId lane) {
  for (const ReverseArcs::Incoming& in : problem_.lanes.incoming(lane)) {
    const Label key = problem_.lanes.key_of(in.label);
    if (key != kEpsilon) last_with_[key] = -1;
  }
}

// Offers to every cell before this one what is best from here on.
template <class T>
void GraphSettling<T>::settle_cell(StateId lane, StateId sweep) {
  const StateGroups& lanes = *problem_.lanes.groups;
  const StateGroups& sweeps = *problem_.sweep.groups;
  poll_(20 + 5 * (std::ssize(problem_.lanes.incoming(lane)) + std::ssize(problem_.sweep.incoming(sweep))));
  const PairCosts& costs = problem_.costs;
  const T* row = table_.row(lane);
  const std::int64_t cost = row[sweep], rank = ranks_.at(key(lane, sweep));
  // 1. A word of the sweep side, alone or as half of a pair.
  for (const StateId source : sweeps.before_by_words(sweep)) {
    if (row[source] + costs.sweep_only == cost) offer(lane, source, rank + weights_.sweep_only);
    if (below_[source] + costs.substitution == cost) offer_half(source, rank + weights_.substitution);
  }
  for (const StateId source : sweeps.before_by_epsilons(sweep)) {
    if (row[source] == cost) offer(lane, source, rank);
  }
  // 2. A word of the lane side alone.
  if (below_[sweep] + costs.lane_only == cost) {
    for (const StateId source : lanes.before_by_words(lane)) {
      if (table_.at(source, sweep) == below_[sweep]) offer(source, sweep, rank + weights_.lane_only);
    }
  }
  for (const StateId source : lanes.before_by_epsilons(lane)) {
    if (table_.at(source, sweep) == cost) offer(source, sweep, rank);
  }
  // 3. The same word on both sides.
  const auto lane_words = problem_.lanes.incoming(lane);
  for (const ReverseArcs::Incoming& in : problem_.sweep.incoming(sweep)) {
    const Label word = problem_.sweep.key_of(in.label);
    if (word == kEpsilon) continue;
    for (std::int32_t i = last_with_[word]; i >= 0; i = before_it_[i]) {
      const StateId source = lane_words[i].source;
      if (table_.at(source, in.source) + costs.match == cost) offer(source, in.source, rank + weights_.match);
    }
  }
}

// The other half of the pairs. A pair of the same word may be among them, where a match costs no less; it ranks behind
// the match.
template <class T>
void GraphSettling<T>::settle_substitutions(StateId lane) {
  Polls poll;
  const auto live = [&](std::size_t block) { return half_live_[block]; };
  for_each_from_last(blocks(), live, [&](StateId sweep) {
    poll(5 + 5 * std::ssize(problem_.lanes.incoming(lane)));
    for (const StateId source : problem_.lanes.groups->before_by_words(lane)) {
      if (table_.at(source, sweep) == below_[sweep]) offer(source, sweep, half_ranks_[sweep]);
    }
  });
  std::fill(half_live_.begin(), half_live_.end(), 0);
}

// A walk from the start to the goal, at each cell the first step that keeps the cost and the rank.
template <class T>
class GraphSettling<T>::Walk {
 public:
  Walk(const GraphSettling& settled, bool lanes_are_hypothesis)
      : s_(settled),
        lanes_(*settled.problem_.lanes.graph),
        sweeps_(*settled.problem_.sweep.graph),
        lanes_are_hypothesis_(lanes_are_hypothesis),
        lane_(lanes_.start()),
        sweep_(sweeps_.start()) {}

  std::vector<Step> steps() {
    while (!at_goal()) {
      if (!step()) throw std::logic_error("the path of a settled table broke off");
    }
    return std::move(steps_);
  }

 private:
  std::int64_t rank() const { return s_.ranks_.at(s_.key(lane_, sweep_)); }
  bool at_goal() const {
    return lanes_.is_final(lane_) && sweeps_.is_final(sweep_) && s_.table_.at(lane_, sweep_) == s_.best_ && rank() == 0;
  }

  // Word pairs come first, so alignments prefer them.
  bool step() {
    const auto lane_arcs = lanes_.arcs(lane_), sweep_arcs = sweeps_.arcs(sweep_);
    for (const Arc& l : lane_arcs) {
      poll(10 * std::ssize(sweep_arcs));
      for (const Arc& s : sweep_arcs) {
        if (pair(l, s)) return true;
      }
    }
    return std::any_of(lane_arcs.begin(), lane_arcs.end(), [&](const Arc& l) { return lane_alone(l); }) ||
           std::any_of(sweep_arcs.begin(), sweep_arcs.end(), [&](const Arc& s) { return sweep_alone(s); });
  }
  bool pair(const Arc& l, const Arc& s) {
    const PairCosts& costs = s_.problem_.costs;
    if (l.label == kEpsilon || s.label == kEpsilon) return false;
    if (s_.problem_.same_word(l.label, s.label)) return take(&l, &s, Op::kMatch, costs.match, s_.weights_.match);
    return take(&l, &s, Op::kSubstitution, costs.substitution, s_.weights_.substitution);
  }
  bool lane_alone(const Arc& l) {
    if (l.label == kEpsilon) return take(&l, nullptr, Op::kEpsilon, 0, 0);
    const Op op = lanes_are_hypothesis_ ? Op::kInsertion : Op::kDeletion;
    return take(&l, nullptr, op, s_.problem_.costs.lane_only, s_.weights_.lane_only);
  }
  bool sweep_alone(const Arc& s) {
    if (s.label == kEpsilon) return take(nullptr, &s, Op::kEpsilon, 0, 0);
    const Op op = lanes_are_hypothesis_ ? Op::kDeletion : Op::kInsertion;
    return take(nullptr, &s, op, s_.problem_.costs.sweep_only, s_.weights_.sweep_only);
  }

  bool take(const Arc* l, const Arc* s, Op op, std::int64_t cost, std::int64_t weight) {
    const StateId lane = l ? l->next : lane_, sweep = s ? s->next : sweep_;
    if (!s_.is_live(lane, sweep) || s_.table_.at(lane, sweep) != s_.table_.at(lane_, sweep_) + cost) return false;
    if (s_.ranks_.at(s_.key(lane, sweep)) + weight != rank()) return false;
    if (op != Op::kEpsilon) steps_.push_back(lanes_are_hypothesis_ ? make_step(op, l, s) : make_step(op, s, l));
    lane_ = lane, sweep_ = sweep;
    return true;
  }

  const GraphSettling& s_;
  const Automaton& lanes_;
  const Automaton& sweeps_;
  const bool lanes_are_hypothesis_;
  StateId lane_, sweep_;
  std::vector<Step> steps_;
};

template <class T>
std::vector<Step> GraphSettling<T>::trace(bool lanes_are_hypothesis) const {
  return Walk(*this, lanes_are_hypothesis).steps();
}

template class GraphSettling<std::uint8_t>;
template class GraphSettling<std::int16_t>;

}  // namespace fstmetrics

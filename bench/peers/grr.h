// The 4-GRR oracle by OpenFst: lattice ∘ the automaton of [C08 §4.3], composed lazily, in topological order.
#ifndef FSTMETRICS_BENCH_PEERS_GRR_H_
#define FSTMETRICS_BENCH_PEERS_GRR_H_

#include "recipes.h"

namespace peer {

inline constexpr int kOrder = 4;  // N, with alpha = 1 and beta = 0

// States (position, memory); a gain is a negative cost.
inline Fst RecognitionAutomaton(const std::vector<Label> &reference) {
  Fst fst;
  const int length = reference.size();
  for (int state = 0; state < (length + 1) * kOrder; ++state) fst.AddState();
  fst.SetStart(0);
  for (int i = 0; i <= length; ++i) {
    for (int m = 0; m < kOrder; ++m) {
      const StateId here = i * kOrder + m, same = i * kOrder, next = same + kOrder;
      const auto add = [&](Label label, int cost, StateId to) {
        fst.AddArc(here, Arc(label, label, Weight(cost), to));
      };
      if (i < length) {
        add(kEpsilon, 0, next);
        add(reference[i], -m - 1, next + std::min(m + 1, kOrder - 1));
        add(kAnyWord, 0, next);
      }
      add(kAnyWord, 1, same);
    }
  }
  for (int m = 0; m < kOrder; ++m) fst.SetFinal(length * kOrder + m, Weight::One());
  fst.SetProperties(fst::kILabelSorted | fst::kAcceptor, fst::kILabelSorted | fst::kAcceptor);
  return fst;
}

// States in the order of their rank, a queue for each rank. Exact after one pass if every arc raises the rank.
template <class Rank>
class RankQueue : public fst::QueueBase<StateId> {
 public:
  RankQueue(size_t ranks, Rank rank)
      : fst::QueueBase<StateId>(fst::OTHER_QUEUE), rank_(rank), first_(ranks, fst::kNoStateId) {}
  StateId Head() const final {
    while (first_[at_] == fst::kNoStateId) ++at_;
    return first_[at_];
  }
  void Enqueue(StateId state) final {
    if (static_cast<size_t>(state) >= next_.size()) next_.resize(2 * state + 64);
    auto &first = first_[rank_(state)];
    next_[state] = first;
    first = state;
    ++size_;
  }
  void Dequeue() final {
    const StateId state = Head();
    first_[at_] = next_[state];
    --size_;
  }
  void Update(StateId) final {}
  bool Empty() const final { return size_ == 0; }
  void Clear() final {}

 private:
  Rank rank_;
  std::vector<StateId> first_, next_;
  mutable size_t at_ = 0;
  size_t size_ = 0;
};

inline Answer RecognisedNgrams(const Machine &lattice, const std::vector<Label> &reference) {
  const Fst automaton = RecognitionAutomaton(reference);
  const auto product = LazyProduct(lattice.cards[0], automaton);
  std::vector<size_t> position(lattice.order[0].size());
  for (size_t i = 0; i < position.size(); ++i) position[lattice.order[0][i]] = i;
  const size_t columns = reference.size() + 1;
  const auto rank = [&](StateId state) {
    const auto tuple = product.table->Tuple(state);
    return position[tuple.StateId1()] * columns + tuple.StateId2() / kOrder;
  };
  RankQueue<decltype(rank)> queue(position.size() * columns, rank);
  std::vector<Weight> distance;
  const double cost = ShortestDistance(product.fst, &distance, &queue, false);
  return {cost, distance.size()};
}

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_GRR_H_

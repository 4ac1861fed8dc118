// The composition H ∘ Levenshtein ∘ R as a delayed machine of its own, and A* over it.
//
// `EditFst` expands a state into the edit operations directly, which is what a trivially filtered composition
// with the one-state Levenshtein transducer would give, without its |words|² arcs. It keeps only the arcs of the
// state at hand, as a search that never returns to a state needs no cache.
#ifndef FSTMETRICS_BENCH_PEERS_EDIT_FST_H_
#define FSTMETRICS_BENCH_PEERS_EDIT_FST_H_

#include <cstdint>

#include "sides.h"

namespace peer {

struct Answer {
  double cost = 0;
  size_t states = 0;  // product states that came into being
  size_t arcs = 0;    // of a product that was built as a whole
};

// Pairs of states to product states, by open addressing.
class PairTable {
 public:
  struct Pair {
    StateId left, right;
  };
  PairTable() : slots_(1 << 10, -1) {}
  // The pair's number, and whether it is new.
  std::pair<StateId, bool> Find(StateId left, StateId right) {
    if (2 * pairs_.size() >= slots_.size()) Grow();
    size_t slot = Hash(left, right) & (slots_.size() - 1);
    for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const Pair &pair = pairs_[slots_[slot]];
      if (pair.left == left && pair.right == right) return {slots_[slot], false};
    }
    slots_[slot] = pairs_.size();
    pairs_.push_back({left, right});
    return {slots_[slot], true};
  }
  Pair At(StateId state) const { return pairs_[state]; }
  size_t Size() const { return pairs_.size(); }

 private:
  static size_t Hash(StateId left, StateId right) {
    const uint64_t key = (static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right)) * 0x9E3779B97F4A7C15u;
    return key >> 29;
  }
  void Grow() {
    slots_.assign(slots_.size() * 4, -1);
    for (size_t i = 0; i < pairs_.size(); ++i) {
      size_t slot = Hash(pairs_[i].left, pairs_[i].right) & (slots_.size() - 1);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }
  std::vector<StateId> slots_;
  std::vector<Pair> pairs_;
};

// The least number of edits between paths of which only lengths and lacking words are known. With n and m words
// left, max(n, m) operations at least, of which at most min(n - lacking, m - lacking) are matches; the best
// difference n - m that both sides allow. Consistent: a step changes it by no more than the step costs.
inline int LeastEdits(const Left &left, const Left &right) {
  const int most = std::max(left.lacking, right.lacking);
  const int low = left.low - right.high, high = left.high - right.low;
  if (low > most - right.lacking) return low + right.lacking;
  if (high < left.lacking - most) return left.lacking - high;
  return most;
}

// How much of what is left the estimate looks at: nothing (Dijkstra); the lengths of both sides, and the left one's
// words that the right one lacks; these and the right one's words that the left one lacks.
enum class Look { kNothing, kLengths, kBothSides };

inline int Estimated(Look look, const Left &left, const Left &right) {
  if (look == Look::kNothing) return 0;
  return LeastEdits(left, look == Look::kLengths ? Left{right.low, right.high, 0} : right);
}

template <class LeftSide, class RightSide>
class EditFstImpl : public fst::internal::FstImpl<Arc> {
 public:
  using Arc = peer::Arc;  // OpenFst looks for it here

  EditFstImpl(LeftSide *left, RightSide *right, Look look) : left_(left), right_(right), look_(look) {
    SetType("edit");
    SetProperties(fst::kAcceptor);
  }
  EditFstImpl(const EditFstImpl &) = default;

  StateId Start() { return Id(left_->Start(), right_->Start()); }
  Weight Final(StateId state) const {
    const auto [left, right] = pairs_.At(state);
    return left_->IsFinal(left) && right_->IsFinal(right) ? Weight::One() : Weight::Zero();
  }
  size_t NumArcs(StateId state) { return Expand(state), arcs_.size(); }
  size_t NumInputEpsilons(StateId) const { return 0; }  // its arcs carry no labels
  size_t NumOutputEpsilons(StateId) const { return 0; }
  void InitArcIterator(StateId state, fst::ArcIteratorData<Arc> *data) {
    Expand(state);
    data->base = nullptr;
    data->ref_count = nullptr;
    data->arcs = arcs_.data();
    data->narcs = arcs_.size();
  }

  const Weight &Estimate(StateId state) const { return estimates_[state]; }
  size_t NumKnownStates() const { return pairs_.Size(); }

 private:
  struct Step {
    Label label;
    int cost;
    StateId next;
  };

  StateId Id(StateId left, StateId right) {
    const auto [id, is_new] = pairs_.Find(left, right);
    if (is_new) estimates_.emplace_back(Estimated(look_, left_->LeftOf(left), right_->LeftOf(right)));
    return id;
  }
  void Add(int cost, StateId left, StateId right) { arcs_.emplace_back(0, 0, Weight(cost), Id(left, right)); }

  // The side's words leaving the state into `steps`; its epsilons are followed at once. True if there was nothing
  // else: then edits can wait until after them.
  template <class Side>
  bool OnlyEpsilons(const Side &side, StateId state, std::vector<Step> *steps, std::vector<Step> *epsilons) {
    steps->clear();
    epsilons->clear();
    side.ForEachArc(state, [&](Label label, int cost, StateId next) {
      (label == kEpsilon ? epsilons : steps)->push_back({label, cost, next});
    });
    return steps->empty() && !epsilons->empty() && !side.IsFinal(state);
  }

  void Expand(StateId state) {
    arcs_.clear();
    const auto [left, right] = pairs_.At(state);
    const bool right_waits = OnlyEpsilons(*right_, right, &right_steps_, &epsilons_);
    for (const auto &step : epsilons_) Add(0, left, step.next);
    if (right_waits) return;
    const bool left_waits = OnlyEpsilons(*left_, left, &left_steps_, &epsilons_);
    for (const auto &step : epsilons_) Add(step.cost, step.next, right);
    if (left_waits) return;
    for (const auto &l : left_steps_) Add(1 + l.cost, l.next, right);
    for (const auto &r : right_steps_) {
      Add(1, left, r.next);
      for (const auto &l : left_steps_) Add((l.label != r.label) + l.cost, l.next, r.next);
    }
  }

  LeftSide *left_;
  RightSide *right_;
  Look look_;
  PairTable pairs_;
  std::vector<Weight> estimates_;
  std::vector<Arc> arcs_;  // of the state expanded last
  std::vector<Step> left_steps_, right_steps_, epsilons_;
};

template <class LeftSide, class RightSide>
class EditFst : public fst::ImplToFst<EditFstImpl<LeftSide, RightSide>> {
 public:
  using Impl = EditFstImpl<LeftSide, RightSide>;
  EditFst(LeftSide *left, RightSide *right, Look look)
      : fst::ImplToFst<Impl>(std::make_shared<Impl>(left, right, look)) {}
  EditFst(const EditFst &fst, bool safe) : fst::ImplToFst<Impl>(fst, safe) {}
  EditFst *Copy(bool safe = false) const override { return new EditFst(*this, safe); }
  void InitStateIterator(fst::StateIteratorData<Arc> *) const override {
    throw std::logic_error("the states of a delayed machine are not listed");
  }
  void InitArcIterator(StateId state, fst::ArcIteratorData<Arc> *data) const override {
    this->GetMutableImpl()->InitArcIterator(state, data);
  }
  const Impl &Known() const { return *this->GetImpl(); }
};

template <class Queue>
double ShortestDistance(const fst::Fst<Arc> &machine, std::vector<Weight> *distance, Queue *queue, bool first_path) {
  fst::AnyArcFilter<Arc> filter;
  fst::ShortestPathOptions<Arc, Queue, fst::AnyArcFilter<Arc>> options(queue, filter);
  options.first_path = first_path;
  StateId last;
  std::vector<std::pair<StateId, size_t>> parents;
  fst::internal::SingleShortestPath(machine, distance, options, &last, &parents);
  if (last == fst::kNoStateId) throw std::runtime_error("no path");
  return fst::Times((*distance)[last], machine.Final(last)).Value();
}

template <class LeftSide, class RightSide>
Answer AStar(LeftSide *left, RightSide *right, Look look) {
  using Machine = EditFst<LeftSide, RightSide>;
  struct Estimate {
    const typename Machine::Impl &known;
    const Weight &operator()(StateId state) const { return known.Estimate(state); }
  };
  const Machine machine(left, right, look);
  const Estimate estimate{machine.Known()};
  std::vector<Weight> distance;
  fst::NaturalAStarQueue<StateId, Weight, Estimate> queue(distance, estimate);
  const double cost = ShortestDistance(machine, &distance, &queue, true);
  return {cost, machine.Known().NumKnownStates()};
}

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_EDIT_FST_H_

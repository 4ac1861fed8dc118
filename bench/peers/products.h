// H ∘ T ∘ R by OpenFst's own composition: as a whole, or delayed and searched by Dijkstra, by A*, or in topological
// order.
//
// T comes in two factors, as `fstmetrics.compile` has it, and R as cards for Replace. Without an epsilon filter:
// redundant epsilon paths do not change the shortest distance.
#ifndef FSTMETRICS_BENCH_PEERS_PRODUCTS_H_
#define FSTMETRICS_BENCH_PEERS_PRODUCTS_H_

#include "edit_fst.h"

namespace peer {

using AnyFst = fst::Fst<Arc>;
using Sorted = fst::SortedMatcher<AnyFst>;
using Trivial = fst::TrivialComposeFilter<Sorted>;
using Table = fst::GenericComposeStateTable<Arc, Trivial::FilterState>;

struct Composition {
  Table *table;  // the composition owns it
  fst::ComposeFst<Arc> fst;
};

// A delayed composition. Words of the one side are looked up in the other, which is sorted. All states are kept where
// they are asked for again and again.
inline Composition Delayed(const AnyFst &left, const AnyFst &right, bool is_left_sorted, bool is_kept) {
  fst::ComposeFstOptions<Arc, Sorted, Trivial, Table> options(fst::CacheOptions(!is_kept, 0));
  options.matcher1 = new Sorted(left, is_left_sorted ? fst::MATCH_OUTPUT : fst::MATCH_NONE);
  options.matcher2 = new Sorted(right, is_left_sorted ? fst::MATCH_NONE : fst::MATCH_INPUT);
  options.filter = new Trivial(left, right, options.matcher1, options.matcher2);
  options.state_table = new Table(left, right);
  return {options.state_table, fst::ComposeFst<Arc>(left, right, options)};
}

// The delayed product of an item. A state is a pair of a state of H and one of T and R.
class Product {
 public:
  Product(const Item &item, const AnyFst &references)
      : before_(Delayed(item.hypothesis.cards[0], item.left, false, true)),
        sorted_(before_.fst, fst::OLabelCompare<Arc>()),
        behind_(Delayed(item.right, references, true, true)),
        all_(Delayed(sorted_, behind_.fst, true, false)) {}

  const AnyFst &Automaton() const { return all_.fst; }
  StateId Hypothesis(StateId state) const {
    return before_.table->Tuple(all_.table->Tuple(state).StateId1()).StateId1();
  }
  StateId Reference(StateId state) const {
    return behind_.table->Tuple(all_.table->Tuple(state).StateId2()).StateId2();
  }
  size_t NumKnownStates() const { return all_.table->Size(); }

 private:
  Composition before_;
  fst::ArcSortFst<Arc, fst::OLabelCompare<Arc>> sorted_;
  Composition behind_, all_;
};

// R, whose calls are replaced as it is walked.
inline std::unique_ptr<AnyFst> References(const Machine &machine) {
  if (machine.cards.size() == 1) return std::unique_ptr<AnyFst>(machine.cards[0].Copy());
  return std::make_unique<Replace>(LazyReplace(machine, new ReplaceTable({}, kFirstCall), fst::CacheOptions(false, 0)));
}

inline Answer Dijkstra(const Item &item) {
  const auto references = References(item.references);
  const Product product(item, *references);
  std::vector<Weight> distance;
  fst::NaturalShortestFirstQueue<StateId, Weight> queue(distance);
  const double cost = ShortestDistance(product.Automaton(), &distance, &queue, true);
  return {cost, product.NumKnownStates()};
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

inline std::vector<size_t> Positions(const std::vector<StateId> &order) {
  std::vector<size_t> position(order.size());
  for (size_t i = 0; i < position.size(); ++i) position[order[i]] = i;
  return position;
}

// Of costs of which some are gains, by the place of both sides in a topological order.
inline Answer InOrder(const Item &item) {
  if (item.references.cards.size() > 1) throw std::runtime_error("gains are for references of one card");
  const Product product(item, item.references.cards[0]);
  const auto rows = Positions(item.hypothesis.order[0]), columns = Positions(item.references.order[0]);
  const auto rank = [&](StateId state) {
    return rows[product.Hypothesis(state)] * columns.size() + columns[product.Reference(state)];
  };
  RankQueue<decltype(rank)> queue(rows.size() * columns.size(), rank);
  std::vector<Weight> distance;
  const double cost = ShortestDistance(product.Automaton(), &distance, &queue, false);
  return {cost, product.NumKnownStates()};
}

// The estimate sees the lengths of what is left, and the words of each side that the other lacks. For costs of 1.
template <class Right>
Answer ProductAStar(const Item &item, LatticeSide *left, Right *right) {
  const Product product(item, right->Automaton());
  struct Estimate {
    const Product &product;
    const LatticeSide &left;
    Right &right;
    mutable std::vector<Weight> known;
    const Weight &operator()(StateId state) const {
      if (static_cast<size_t>(state) >= known.size()) known.resize(2 * state + 64, Weight::NoWeight());
      if (!known[state].Member()) {
        known[state] =
            Weight(LeastEdits(left.LeftOf(product.Hypothesis(state)), right.LeftOf(product.Reference(state))));
      }
      return known[state];
    }
  };
  const Estimate estimate{product, *left, *right, {}};
  std::vector<Weight> distance;
  fst::NaturalAStarQueue<StateId, Weight, Estimate> queue(distance, estimate);
  const double cost = ShortestDistance(product.Automaton(), &distance, &queue, true);
  return {cost, product.NumKnownStates()};
}

// Everything is built before it is searched.
inline Answer Eager(const Item &item, const AnyFst &references) {
  fst::ComposeOptions options(true, fst::TRIVIAL_FILTER);
  Fst before, behind, all;
  fst::Compose(item.hypothesis.cards[0], item.left, &before, options);
  fst::ArcSort(&before, fst::OLabelCompare<Arc>());
  fst::Compose(item.right, references, &behind, options);
  fst::Compose(before, behind, &all, options);
  if (all.Start() == fst::kNoStateId) throw std::runtime_error("no path");
  size_t arcs = 0;
  for (StateId state = 0; state < all.NumStates(); ++state) arcs += all.NumArcs(state);
  return {fst::ShortestDistance(all).Value(), static_cast<size_t>(all.NumStates()), arcs};
}

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_PRODUCTS_H_

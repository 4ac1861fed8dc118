// The composition as [H12 §3] writes it, by OpenFst's own machines, searched by Dijkstra. Substitutions and insertions
// take any word, by `SigmaMatcher`: an arc for every pair of words takes ten to a hundred times as long.
#ifndef FSTMETRICS_BENCH_PEERS_RECIPES_H_
#define FSTMETRICS_BENCH_PEERS_RECIPES_H_

#include "edit_fst.h"

namespace peer {

inline constexpr Label kAnyWord = kFirstCall;

// Π(x, k) ∘ Levenshtein written out: of n·2^(k-1) states those that can be reached. Sorted by label.
inline Fst EditedPermutations(const std::vector<Label> &words, int window) {
  const WindowSide side(words, window, WordSet(0));
  Fst fst;
  std::vector<StateId> states{side.Start()};
  std::unordered_map<StateId, StateId> ids{{side.Start(), fst.AddState()}};
  fst.SetStart(0);
  for (StateId here = 0; here < fst.NumStates(); ++here) {
    const StateId state = states[here];
    if (side.IsFinal(state)) fst.SetFinal(here, Weight::One());
    fst.AddArc(here, Arc(kAnyWord, kAnyWord, Weight(1), here));
    side.ForEachArc(state, [&](Label word, int cost, StateId to) {
      const auto [known, is_new] = ids.try_emplace(to, ids.size());
      if (is_new) fst.AddState(), states.push_back(to);
      const StateId next = known->second;
      fst.AddArc(here, Arc(word, word, Weight(cost), next));
      fst.AddArc(here, Arc(kAnyWord, kAnyWord, Weight(cost + 1), next));
      fst.AddArc(here, Arc(kEpsilon, kEpsilon, Weight(cost + 1), next));
    });
  }
  fst::ArcSort(&fst, fst::ILabelCompare<Arc>());
  return fst;
}

using AnyFst = fst::Fst<Arc>;
using Sorted = fst::SortedMatcher<AnyFst>;
using Sigma = fst::SigmaMatcher<Sorted>;
using Trivial = fst::TrivialComposeFilter<Sorted, Sigma>;

// The state table of compositions, without a node to allocate at every look-up.
class TrivialTable {
 public:
  using StateId = Arc::StateId;
  using FilterState = Trivial::FilterState;
  using StateTuple = fst::DefaultComposeStateTuple<StateId, FilterState>;

  TrivialTable(const AnyFst &, const AnyFst &) {}
  StateId FindState(const StateTuple &tuple) { return pairs_.Find(tuple.StateId1(), tuple.StateId2()).first; }
  StateTuple Tuple(StateId state) const {
    const auto [first, second] = pairs_.At(state);
    return {first, second, FilterState(true)};
  }
  bool Error() const { return false; }

 private:
  PairTable pairs_;
};

// A machine and an automaton with `kAnyWord`, composed lazily, the arcs of the first looked up in the second. Without
// an epsilon filter: redundant epsilon paths do not change the shortest distance. Keeps the state at hand only.
struct Product {
  TrivialTable *table;  // the composition owns it
  fst::ComposeFst<Arc> fst;
};

inline Product LazyProduct(const AnyFst &machine, const AnyFst &automaton) {
  fst::ComposeFstImplOptions<Sorted, Sigma, Trivial, TrivialTable> options(fst::CacheOptions(true, 0));
  options.matcher1 = new Sorted(machine, fst::MATCH_NONE);
  options.matcher2 = new Sigma(automaton, fst::MATCH_INPUT, kAnyWord);
  options.filter = new Trivial(machine, automaton, options.matcher1, options.matcher2);
  options.state_table = new TrivialTable(machine, automaton);
  return {options.state_table, fst::ComposeFst<Arc>(machine, automaton, options)};
}

inline Answer LiteralDijkstra(const std::vector<Label> &words, int window, const Machine &machine) {
  const Fst edited = EditedPermutations(words, window);
  std::unique_ptr<AnyFst> references(machine.cards[0].Copy());
  if (machine.cards.size() > 1) {  // its states are asked for again and again: all are kept
    references = std::make_unique<Replace>(
        LazyReplace(machine, new ReplaceTable({}, kFirstCall), fst::CacheOptions(false, 0)));
  }
  const auto product = LazyProduct(*references, edited);
  std::vector<Weight> distance;
  fst::NaturalShortestFirstQueue<StateId, Weight> queue(distance);
  const double cost = ShortestDistance(product.fst, &distance, &queue, true);
  return {cost, distance.size()};
}

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_RECIPES_H_

// The two sides of a search: states, their arcs, and what is certainly left to do from each (`Left`).
//
// A side has Start(), IsFinal(state), LeftOf(state), and ForEachArc(state, f), which calls
// f(label, cost, next state). States are small whole numbers; they come into being when they are first met.
#ifndef FSTMETRICS_BENCH_PEERS_SIDES_H_
#define FSTMETRICS_BENCH_PEERS_SIDES_H_

#include "machines.h"

namespace peer {

// Fewest and most words to the end, and how many of them at least the other side lacks.
struct Left {
  int low = 0;
  int high = 0;
  int lacking = 0;
};

// Per card and state, how many words to the card's end the other side certainly lacks.
class Lacking {
 public:
  Lacking(const Machine &machine, const WordSet &other) : counts_(machine.cards.size()) {
    for (const int card : machine.callees_first) Fill(machine, card, other);
  }
  int At(int card, StateId state) const { return counts_[card][state]; }

 private:
  void Fill(const Machine &machine, int card, const WordSet &other) {
    const Fst &fst = machine.cards[card];
    auto &counts = counts_[card];
    counts.assign(fst.NumStates(), 0);
    for (auto state = machine.order[card].rbegin(); state != machine.order[card].rend(); ++state) {
      int best = fst.Final(*state) != Weight::Zero() ? 0 : 1 << 29;
      for (fst::ArcIterator<Fst> arcs(fst, *state); !arcs.Done(); arcs.Next()) {
        const auto &arc = arcs.Value();
        const int step = IsCall(arc.ilabel) ? counts_[arc.ilabel - kFirstCall][Start(machine, arc.ilabel)]
                                            : arc.ilabel != kEpsilon && !other.Has(arc.ilabel);
        best = std::min(best, step + counts[arc.nextstate]);
      }
      counts[*state] = best;
    }
  }
  static StateId Start(const Machine &machine, Label call) { return machine.cards[call - kFirstCall].Start(); }

  std::vector<std::vector<int>> counts_;
};

// One automaton: a string, its permutations with the price of moves, or a lattice.
class LatticeSide {
 public:
  LatticeSide(const Machine &machine, const WordSet &other)
      : fst_(machine.cards[0]), spans_(machine.spans[0]), lacking_(machine, other) {}

  const fst::Fst<Arc> &Automaton() const { return fst_; }
  StateId Start() const { return fst_.Start(); }
  bool IsFinal(StateId state) const { return fst_.Final(state) != Weight::Zero(); }
  Left LeftOf(StateId state) const {
    return {spans_[state].low, spans_[state].high, lacking_.At(0, state)};
  }
  template <class Function>
  void ForEachArc(StateId state, Function &&function) const {
    for (fst::ArcIterator<Fst> arcs(fst_, state); !arcs.Done(); arcs.Next()) {
      function(arcs.Value().ilabel, static_cast<int>(arcs.Value().weight.Value()), arcs.Value().nextstate);
    }
  }

 private:
  const Fst &fst_;
  const std::vector<Span> &spans_;
  Lacking lacking_;
};

using ReplaceTable = fst::DefaultReplaceStateTable<Arc>;
using Replace = fst::ReplaceFst<Arc, ReplaceTable>;

// A recursive transition network, expanded as it is walked.
inline Replace LazyReplace(const Machine &machine, ReplaceTable *table, const fst::CacheOptions &cache) {
  fst::FstList<Arc> cards;
  for (size_t i = 0; i < machine.cards.size(); ++i) cards.emplace_back(kFirstCall + i, &machine.cards[i]);
  fst::ReplaceFstOptions<Arc, ReplaceTable> options(cache, kFirstCall);
  options.call_label_type = options.return_label_type = fst::REPLACE_LABEL_NEITHER;
  options.call_output_label = 0;
  options.state_table = table;  // the machine owns it
  return Replace(cards, options);
}

// A network. What is left of a state is what is left in its card and in the cards that wait for it.
class NetworkSide {
 public:
  NetworkSide(const Machine &machine, const WordSet &other)
      : machine_(machine),
        lacking_(machine, other),
        table_(new ReplaceTable({}, kFirstCall)),
        // Every state is asked for many times, so all are kept.
        fst_(LazyReplace(machine, table_, fst::CacheOptions(false, 0))) {}

  const fst::Fst<Arc> &Automaton() const { return fst_; }
  StateId Start() const { return fst_.Start(); }
  bool IsFinal(StateId state) const { return fst_.Final(state) != Weight::Zero(); }
  Left LeftOf(StateId state) {
    if (static_cast<size_t>(state) >= left_.size()) left_.resize(2 * state + 64, {-1, 0, 0});
    auto &left = left_[state];
    if (left.low < 0) {
      const auto &tuple = table_->Tuple(state);
      left = Plus(InCard(tuple.fst_id, tuple.fst_state), Waiting(tuple.prefix_id));
    }
    return left;
  }
  template <class Function>
  void ForEachArc(StateId state, Function &&function) const {
    fst::ArcIteratorData<Arc> data;
    fst_.InitArcIterator(state, &data);
    for (size_t i = 0; i < data.narcs; ++i) function(data.arcs[i].ilabel, 0, data.arcs[i].nextstate);
    if (data.ref_count) --*data.ref_count;
  }

 private:
  static Left Plus(Left a, Left b) { return {a.low + b.low, a.high + b.high, a.lacking + b.lacking}; }
  Left InCard(int fst_id, StateId state) const {  // ReplaceFst numbers its machines from 1
    const auto &span = machine_.spans[fst_id - 1][state];
    return {span.low, span.high, lacking_.At(fst_id - 1, state)};
  }
  Left Waiting(size_t prefix) {
    if (prefix >= waiting_.size()) waiting_.resize(prefix + 1, {-1, 0, 0});
    if (waiting_[prefix].low < 0) {
      Left sum;
      for (const auto &call : table_->GetStackPrefix(prefix).prefix_) {
        sum = Plus(sum, InCard(call.fst_id, call.nextstate));
      }
      waiting_[prefix] = sum;
    }
    return waiting_[prefix];
  }

  const Machine &machine_;
  Lacking lacking_;
  ReplaceTable *table_;
  Replace fst_;
  std::vector<Left> left_;     // by state
  std::vector<Left> waiting_;  // by stack of calls
};

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_SIDES_H_

// What the peer program reads: H, T and R of an item, as `fstmetrics.compile` makes them. ../compiled_items.py writes them.
//
// A folder has h.fst, t-left.fst, t-right.fst, and the cards of R, cards/1.fst and so on, the root first; weights are
// whole numbers. The file `calls` has the label that calls each card, one a line.
#ifndef FSTMETRICS_BENCH_PEERS_MACHINES_H_
#define FSTMETRICS_BENCH_PEERS_MACHINES_H_

#include <fst/fstlib.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace peer {

using Arc = fst::StdArc;
using Label = Arc::Label;
using StateId = Arc::StateId;
using Weight = Arc::Weight;
using Fst = fst::VectorFst<Arc>;

inline constexpr Label kEpsilon = 0;
inline constexpr Label kFirstCall = 1 << 24;  // calls, by the number of the card from 0

inline bool IsCall(Label label) { return label >= kFirstCall; }

// Fewest and most words of a path to the end.
struct Span {
  int low = 0;
  int high = 0;
};

// A set of words, by label.
class WordSet {
 public:
  explicit WordSet(size_t size) : holds_(size, 0) {}
  void Add(Label word) {
    if (static_cast<size_t>(word) >= holds_.size()) holds_.resize(word + 1, 0);
    holds_[word] = 1;
  }
  bool Has(Label word) const { return static_cast<size_t>(word) < holds_.size() && holds_[word]; }

 private:
  std::vector<char> holds_;
};

// Cards and what does not depend on a problem: an order of their states, and the lengths of what is left.
struct Machine {
  std::vector<Fst> cards;
  std::vector<std::vector<StateId>> order;  // of each card, topological
  std::vector<std::vector<Span>> spans;     // of each card's states, to the card's end
  std::vector<int> callees_first;           // card numbers
  WordSet words{0};

  Span OfCard(int card) const { return spans[card][cards[card].Start()]; }
};

inline std::vector<StateId> TopologicalOrder(const Fst &card) {
  std::vector<StateId> position;
  bool acyclic = false;
  fst::TopOrderVisitor<Arc> visitor(&position, &acyclic);
  fst::DfsVisit(card, &visitor);
  if (!acyclic) throw std::runtime_error("a card is cyclic");
  std::vector<StateId> order(position.size());
  for (size_t state = 0; state < position.size(); ++state) order[position[state]] = state;
  return order;
}

inline void VisitCallees(const Machine &machine, int card, std::vector<char> *seen, std::vector<int> *done) {
  if ((*seen)[card]) return;
  (*seen)[card] = 1;
  for (StateId state = 0; state < machine.cards[card].NumStates(); ++state) {
    for (fst::ArcIterator<Fst> arcs(machine.cards[card], state); !arcs.Done(); arcs.Next()) {
      if (const auto label = arcs.Value().ilabel; IsCall(label)) VisitCallees(machine, label - kFirstCall, seen, done);
    }
  }
  done->push_back(card);
}

inline void FillSpans(Machine *machine, int card) {
  constexpr int kNone = 1 << 29;  // no path seen yet
  const Fst &fst = machine->cards[card];
  auto &spans = machine->spans[card];
  spans.assign(fst.NumStates(), {kNone, -kNone});
  for (auto state = machine->order[card].rbegin(); state != machine->order[card].rend(); ++state) {
    Span best = spans[*state];
    if (fst.Final(*state) != Weight::Zero()) best = {0, 0};
    for (fst::ArcIterator<Fst> arcs(fst, *state); !arcs.Done(); arcs.Next()) {
      const auto &arc = arcs.Value();
      const Span step = IsCall(arc.ilabel) ? machine->OfCard(arc.ilabel - kFirstCall)
                                           : Span{arc.ilabel != kEpsilon, arc.ilabel != kEpsilon};
      best.low = std::min(best.low, step.low + spans[arc.nextstate].low);
      best.high = std::max(best.high, step.high + spans[arc.nextstate].high);
    }
    spans[*state] = best;
  }
}

inline void Prepare(Machine *machine) {
  for (const auto &card : machine->cards) machine->order.push_back(TopologicalOrder(card));
  std::vector<char> seen(machine->cards.size(), 0);
  VisitCallees(*machine, 0, &seen, &machine->callees_first);
  machine->spans.resize(machine->cards.size());
  for (const int card : machine->callees_first) FillSpans(machine, card);
}

inline Fst ReadFst(const std::string &path) {
  const std::unique_ptr<Fst> fst(Fst::Read(path));
  if (!fst) throw std::runtime_error("cannot read " + path);
  return *fst;
}

// Of cards and the labels that call them: calls get the numbers of cards.
inline Machine Prepared(std::vector<Fst> cards, const std::vector<Label> &calls) {
  std::unordered_map<Label, Label> number;
  for (size_t card = 0; card < calls.size(); ++card) number[calls[card]] = kFirstCall + card;
  Machine machine;
  machine.cards = std::move(cards);
  for (auto &card : machine.cards) {
    card.SetInputSymbols(nullptr);
    card.SetOutputSymbols(nullptr);
    for (StateId state = 0; state < card.NumStates(); ++state) {
      for (fst::MutableArcIterator<Fst> arcs(&card, state); !arcs.Done(); arcs.Next()) {
        Arc arc = arcs.Value();
        const auto call = number.find(arc.ilabel);
        if (call != number.end()) {
          arc.ilabel = arc.olabel = call->second;
          arcs.SetValue(arc);
        } else if (arc.ilabel != kEpsilon) {
          machine.words.Add(arc.ilabel);
        }
      }
    }
  }
  Prepare(&machine);
  return machine;
}

inline Machine ReadReferences(const std::string &folder) {
  std::ifstream file(folder + "/calls");
  if (!file) throw std::runtime_error("cannot read " + folder + "/calls");
  std::vector<Label> calls;
  for (Label call; file >> call;) calls.push_back(call);
  std::vector<Fst> cards;
  for (size_t card = 1; card <= std::max<size_t>(calls.size(), 1); ++card) {
    cards.push_back(ReadFst(folder + "/cards/" + std::to_string(card) + ".fst"));
  }
  return Prepared(std::move(cards), calls);
}

// The machines of an item.
struct Item {
  Machine hypothesis, references;
  Fst left, right;  // T in its two factors, sorted by the side on which words are looked up
  bool has_gains = false;
};

inline Item ReadItem(const std::string &folder) {
  Item item{Prepared({ReadFst(folder + "/h.fst")}, {}), ReadReferences(folder), ReadFst(folder + "/t-left.fst"),
            ReadFst(folder + "/t-right.fst")};
  for (Fst *factor : {&item.left, &item.right}) {
    factor->SetInputSymbols(nullptr);
    factor->SetOutputSymbols(nullptr);
  }
  fst::ArcSort(&item.left, fst::ILabelCompare<Arc>());
  fst::ArcSort(&item.right, fst::OLabelCompare<Arc>());
  for (StateId state = 0; state < item.right.NumStates(); ++state) {
    for (fst::ArcIterator<Fst> arcs(item.right, state); !arcs.Done(); arcs.Next()) {
      item.has_gains = item.has_gains || arcs.Value().weight.Value() < 0;
    }
  }
  return item;
}

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_MACHINES_H_

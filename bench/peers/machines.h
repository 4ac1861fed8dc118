// What the peer program reads: words, and automata that may call each other (`Machine`).
//
// A machine's file has one item a line; the first card is the root.
//   card STATES START           a new card; what follows belongs to it
//   final STATE
//   word FROM TO WORD           an arc that carries a word
//   call FROM TO CARD           an arc that calls a card, by its number from 0
#ifndef FSTMETRICS_BENCH_PEERS_MACHINES_H_
#define FSTMETRICS_BENCH_PEERS_MACHINES_H_

#include <fst/fstlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>
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
inline constexpr Label kUnknown = 1;  // a word of a string that no machine has
inline constexpr Label kFirstCall = 1 << 24;

inline bool IsCall(Label label) { return label >= kFirstCall; }

class Vocabulary {
 public:
  Label Add(const std::string &word) { return ids_.try_emplace(word, kUnknown + 1 + ids_.size()).first->second; }
  Label Find(const std::string &word) const {
    const auto found = ids_.find(word);
    return found == ids_.end() ? kUnknown : found->second;
  }
  size_t Size() const { return ids_.size() + kUnknown + 1; }

 private:
  std::unordered_map<std::string, Label> ids_;
};

inline std::vector<Label> Words(const std::string &text, const Vocabulary &vocabulary) {
  std::vector<Label> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(vocabulary.Find(word));
  return words;
}

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

inline Machine ReadMachine(const std::string &path, Vocabulary *vocabulary) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Machine machine;
  std::string kind, word;
  for (StateId from, to; file >> kind;) {
    if (kind == "card") {
      file >> from >> to;
      auto &card = machine.cards.emplace_back();
      card.ReserveStates(from);
      while (from-- > 0) card.AddState();
      card.SetStart(to);
    } else if (kind == "final") {
      file >> from;
      machine.cards.back().SetFinal(from, Weight::One());
    } else if (kind == "word") {
      file >> from >> to >> word;
      const Label label = word == "<eps>" ? kEpsilon : vocabulary->Add(word);
      if (label != kEpsilon) machine.words.Add(label);
      machine.cards.back().AddArc(from, Arc(label, label, Weight::One(), to));
    } else if (kind == "call") {
      int card;
      file >> from >> to >> card;
      machine.cards.back().AddArc(from, Arc(kFirstCall + card, kFirstCall + card, Weight::One(), to));
    } else {
      throw std::runtime_error(path + ": a line that starts with " + kind);
    }
  }
  Prepare(&machine);
  return machine;
}

}  // namespace peer

#endif  // FSTMETRICS_BENCH_PEERS_MACHINES_H_

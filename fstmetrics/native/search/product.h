// The composition H o T o R, one product state at a time: what can be done next, and what it is worth.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "search/problem.h"
#include "search/tie_rules.h"
#include "support/poll.h"

namespace fstmetrics {

// The metric's costs as ranked integers.
template <class V>
class Pricing {
 public:
  struct Priced {
    int next;
    V cost;
  };

  // Both must outlive the pricing.
  Pricing(const Problem& problem, const Ranking<V>& ranking)
      : words_(problem.word_costs.get()),
        unit_(ranking.cost),
        to_reference_(problem.to_reference.data()),
        wildcard_(problem.wildcard),
        hypothesis_costs_(problem.hypothesis_costs ? problem.hypothesis_costs->data() : nullptr),
        reference_costs_(problem.reference_costs ? problem.reference_costs->data() : nullptr),
        only_hits_(problem.only_hits ? problem.only_hits->data() : nullptr) {
    const EditAutomaton& metric = *problem.metric;
    const auto tie = ranking.ties();
    for (const auto& from_memory : metric.transitions) {
      for (int op = 0; op < kNumOps; ++op) {
        priced_.push_back({from_memory[op].next, from_memory[op].cost * ranking.cost + tie[op]});
      }
    }
    move_ = metric.move_cost * ranking.cost + ranking.move;
  }

  int num_memories() const { return static_cast<int>(priced_.size()) / kNumOps; }
  bool depends_on_words() const { return words_ != nullptr; }
  bool same_word(Label hypothesis, Label reference) const { return to_reference_[hypothesis] == reference; }

  bool takes_any_word(Label reference) const { return reference == wildcard_; }
  // Whether a reference arc can be taken by a match alone: the words of a compound.
  bool takes_only_hits(const Arc& reference) const { return only_hits_ && only_hits_[reference.origin]; }

  Priced match(int memory, Label reference) const {
    return with(memory, Op::kMatch, words_ ? words_->match[reference] : 0);
  }
  Priced substitution(int memory, Label hypothesis, Label reference) const {
    if (!words_) return with(memory, Op::kSubstitution, 0);
    return with(memory, Op::kSubstitution, words_->substitution[hypothesis * words_->reference_labels + reference]);
  }
  Priced insertion(int memory, Label hypothesis) const {
    return with(memory, Op::kInsertion, words_ ? words_->insertion[hypothesis] : 0);
  }
  Priced deletion(int memory, Label reference) const {
    return with(memory, Op::kDeletion, words_ ? words_->deletion[reference] : 0);
  }
  Priced pair(int memory, Label hypothesis, Label reference) const {
    return same_word(hypothesis, reference) ? match(memory, reference) : substitution(memory, hypothesis, reference);
  }
  // A reference arc that no hypothesis word is paired with; an epsilon leaves the memory as it is.
  Priced reference_alone(int memory, const Arc& arc) const {
    Priced priced = arc.label == kEpsilon ? Priced{memory, V{0}} : deletion(memory, arc.label);
    priced.cost += reference_arc(arc);
    return priced;
  }
  // What an arc of either side costs whatever the operation, moves included.
  V hypothesis_arc(const Arc& arc) const {
    const V moves = arc.moves == 0 ? V{0} : arc.moves * move_;
    return hypothesis_costs_ ? moves + hypothesis_costs_[arc.origin] * unit_ : moves;
  }
  // The same without what arcs of H cost, moves aside.
  Pricing without_hypothesis_costs() const {
    Pricing pricing = *this;
    pricing.hypothesis_costs_ = nullptr;
    return pricing;
  }
  // Whether a sum of costs is of arcs alone: every operation counts among the ties, whatever the metric makes it cost.
  bool has_operations(V sum) const { return sum % unit_ != 0; }
  V reference_arc(const Arc& arc) const { return reference_costs_ ? reference_costs_[arc.origin] * unit_ : V{0}; }

 private:
  Priced with(int memory, Op op, std::int64_t word_cost) const {
    Priced priced = priced_[memory * kNumOps + static_cast<int>(op)];
    priced.cost += word_cost * unit_;
    return priced;
  }

  std::vector<Priced> priced_;
  const WordCosts* words_;
  V unit_;
  V move_;
  const Label* to_reference_;
  Label wildcard_;
  const std::int64_t* hypothesis_costs_;
  const std::int64_t* reference_costs_;
  const std::uint8_t* only_hits_;
};

// Calls visit(op, hypothesis_arc, reference_arc, next_memory, cost) for every transition of the product
// state whose sides have these arcs; the arc of a side that stands still is null. This loop is the definition
// of composition in every search. Word pairs come first, so alignments prefer them.
template <class V, class Visit>
void for_each_step(std::span<const Arc> hypothesis, std::span<const Arc> reference, int memory,
                   const Pricing<V>& pricing, Visit&& visit) {
  for (const Arc& h : hypothesis) {
    if (h.label == kEpsilon) continue;
    const V taken = pricing.hypothesis_arc(h);
    for (const Arc& r : reference) {
      if (r.label == kEpsilon) continue;
      if (pricing.takes_any_word(r.label)) {
        visit(Op::kFree, &h, &r, memory, taken);
        continue;
      }
      const bool same = pricing.same_word(h.label, r.label);
      if (!same && pricing.takes_only_hits(r)) continue;
      const auto priced = same ? pricing.match(memory, r.label) : pricing.substitution(memory, h.label, r.label);
      visit(same ? Op::kMatch : Op::kSubstitution, &h, &r, priced.next, priced.cost + taken + pricing.reference_arc(r));
    }
  }
  constexpr const Arc* kStill = nullptr;
  for (const Arc& r : reference) {
    if (r.label == kEpsilon) {
      visit(Op::kEpsilon, kStill, &r, memory, pricing.reference_arc(r));
    } else if (!pricing.takes_any_word(r.label) && !pricing.takes_only_hits(r)) {
      const auto priced = pricing.deletion(memory, r.label);
      visit(Op::kDeletion, kStill, &r, priced.next, priced.cost + pricing.reference_arc(r));
    }
  }
  for (const Arc& h : hypothesis) {
    if (h.label == kEpsilon) {
      visit(Op::kEpsilon, &h, kStill, memory, pricing.hypothesis_arc(h));
    } else {
      const auto priced = pricing.insertion(memory, h.label);
      visit(Op::kInsertion, &h, kStill, priced.next, priced.cost + pricing.hypothesis_arc(h));
    }
  }
}

inline Step make_step(Op op, const Arc* h, const Arc* r) {
  Step step{op};
  if (h) step.hypothesis = h->label, step.origin = h->origin, step.moves = h->moves;
  if (r && op != Op::kFree) step.reference = r->label, step.reference_origin = r->origin;
  return step;
}

// A best path: at each product state the first transition that lies on one. `at(h, r, memory)` is what the best way on
// from there costs; it is asked for states in the order of a path, and of those that one step leads to. What is done
// with a step is one function: inlined for every kind of step it was a tenth of the code of all searches.
template <class V, class At>
std::vector<Step> first_best_path(const Automaton& hypothesis, const Automaton& reference, const Pricing<V>& pricing,
                                  At at) {
  Polls poll;
  std::vector<Step> steps;
  StateId h = hypothesis.start(), r = reference.start();
  int memory = 0;
  while (true) {
    const V here = at(h, r, memory);
    if (hypothesis.is_final(h) && reference.is_final(r) && here == 0) return steps;
    poll((5 + 2 * std::ssize(hypothesis.arcs(h))) * (1 + std::ssize(reference.arcs(r))));
    bool found = false;
    for_each_step(hypothesis.arcs(h), reference.arcs(r), memory, pricing,
                  [&, from_h = h, from_r = r](Op op, const Arc* ha, const Arc* ra, int next, V cost)
                      __attribute__((noinline)) {
                        const StateId to_h = ha ? ha->next : from_h, to_r = ra ? ra->next : from_r;
                        if (found || cost + at(to_h, to_r, next) != here) return;
                        found = true;
                        if (op != Op::kEpsilon) steps.push_back(make_step(op, ha, ra));
                        h = to_h, r = to_r, memory = next;
                      });
    if (!found) throw std::logic_error("the path of a filled table broke off");
  }
}

}  // namespace fstmetrics

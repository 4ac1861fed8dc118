// The composition H o T o R, one product state at a time: what can be done next, and what it is worth.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/problem.h"
#include "search/ranking.h"

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
        arc_costs_(problem.reference_costs ? problem.reference_costs->data() : nullptr) {
    const EditAutomaton& metric = *problem.metric;
    const V tie[kNumOps] = {ranking.reference_word + ranking.match, ranking.reference_word + ranking.edit,
                            ranking.edit, ranking.reference_word + ranking.edit + ranking.deletion};
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

  Priced match(int memory, Label reference) const {
    return with(memory, Op::kMatch, words_ ? words_->match[reference] : 0);
  }
  Priced substitution(int memory, Label hypothesis, Label reference) const {
    if (!words_) return with(memory, Op::kSubstitution, 0);
    return with(memory, Op::kSubstitution,
                words_->substitution[hypothesis * words_->reference_labels + reference]);
  }
  Priced insertion(int memory, Label hypothesis) const {
    return with(memory, Op::kInsertion, words_ ? words_->insertion[hypothesis] : 0);
  }
  Priced deletion(int memory, Label reference) const {
    return with(memory, Op::kDeletion, words_ ? words_->deletion[reference] : 0);
  }
  // What a reference arc costs whatever the operation.
  V arc(const Arc& reference) const { return arc_costs_ ? arc_costs_[reference.origin] * unit_ : V{0}; }
  V moves(std::int32_t count) const { return count == 0 ? V{0} : count * move_; }

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
  const std::int64_t* arc_costs_;
};

// Calls visit(op, hypothesis_arc, reference_arc, next_memory, cost) for every transition of the product
// state whose sides have these arcs; the arc of a side that stands still is null. This loop is the definition
// of composition in every search. Word pairs come first, so alignments prefer them.
template <class V, class Visit>
void for_each_step(std::span<const Arc> hypothesis, std::span<const Arc> reference, int memory,
                   const Pricing<V>& pricing, Visit&& visit) {
  for (const Arc& h : hypothesis) {
    if (h.label == kEpsilon) continue;
    const V moves = pricing.moves(h.moves);
    for (const Arc& r : reference) {
      if (r.label == kEpsilon) continue;
      const bool same = pricing.same_word(h.label, r.label);
      const auto priced =
          same ? pricing.match(memory, r.label) : pricing.substitution(memory, h.label, r.label);
      visit(same ? Op::kMatch : Op::kSubstitution, &h, &r, priced.next, priced.cost + moves + pricing.arc(r));
    }
  }
  constexpr const Arc* kStill = nullptr;
  for (const Arc& r : reference) {
    if (r.label == kEpsilon) {
      visit(Op::kEpsilon, kStill, &r, memory, pricing.arc(r));
    } else {
      const auto priced = pricing.deletion(memory, r.label);
      visit(Op::kDeletion, kStill, &r, priced.next, priced.cost + pricing.arc(r));
    }
  }
  for (const Arc& h : hypothesis) {
    if (h.label == kEpsilon) {
      visit(Op::kEpsilon, &h, kStill, memory, V{0});
    } else {
      const auto priced = pricing.insertion(memory, h.label);
      visit(Op::kInsertion, &h, kStill, priced.next, priced.cost + pricing.moves(h.moves));
    }
  }
}

inline Step make_step(Op op, const Arc* h, const Arc* r) {
  Step step{op};
  if (h) step.hypothesis = h->label, step.origin = h->origin, step.moves = h->moves;
  if (r) step.reference = r->label, step.reference_origin = r->origin;
  return step;
}

}  // namespace fstmetrics

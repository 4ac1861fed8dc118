// The side of a chart that is written out, together with the metric's memory, as a chart walks it.
//
// A context is a state of that side and a memory, numbered state * memories + memory. Steps lead to contexts of the
// same or a higher state, as the side is acyclic; those that read no word of the other side lead to a higher state.
// What the network's own arcs cost, as a forest's do by a decoder's model, is no part of a step; taken() has it.
#pragma once

#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "search/product.h"
#include "support/poll.h"

namespace fstmetrics {

template <class V>
class FlatSteps {
 public:
  struct Step {
    std::int32_t to;  // a context
    V cost;
  };
  // Steps from each context, in flat arrays.
  struct Table {
    std::vector<std::int32_t> offsets{0};
    std::vector<Step> steps;
    std::span<const Step> from(std::int32_t context) const {
      return {steps.data() + offsets[context], steps.data() + offsets[context + 1]};
    }
  };

  // Whether there are all steps, or only those of an aligner who knows no word but the next one and has made up its
  // mind: one for each context and word, a match if there is one, and none alone. Then each step's cost is turned
  // round, and least costs are those of whoever is charged the less the dearer the aligner's operations are
  // (search/fear/fear.h).
  enum class Choice : std::uint8_t { kAll, kMadeUp };

  // `flat` is prepared and sorted. `matchable`: by label of the network, whether the flat side has the word. All must
  // outlive this object. Throws SearchError, here and later, beyond `max_steps` steps in all tables.
  FlatSteps(NetworkSide network, const Automaton& flat, const Pricing<V>& pricing, const Matchable& matchable,
            std::int64_t max_steps, Choice choice = Choice::kAll)
      : network_(network),
        choice_(choice),
        flat_(flat),
        pricing_(pricing),
        steps_(network == NetworkSide::kHypothesis ? pricing.without_hypothesis_costs() : pricing),
        matchable_(matchable),
        max_steps_(max_steps),
        memories_(pricing.num_memories()),
        with_word_(matchable.size()) {
    alone_ = table({});
  }

  std::int32_t size() const { return flat_.num_states() * memories_; }
  // The first context that steps from `context` may lead to.
  std::int32_t first_after(std::int32_t context) const { return context - context % memories_; }
  bool is_final(std::int32_t context) const { return flat_.is_final(context / memories_); }
  // What taking an arc of the network costs beside the step.
  V taken(const Arc& arc) const { return network_ == NetworkSide::kHypothesis ? pricing_.hypothesis_arc(arc) : V{0}; }
  // The costs of operations and of the flat side's arcs.
  const Pricing<V>& pricing() const { return steps_; }

  // Steps while the network stands still.
  const Table& alone() const { return alone_; }
  // Steps with a word of the network. Made when first asked for; once for all words that the flat side lacks, where
  // costs do not depend on words.
  const Table& with_word(Label word) {
    auto& made = matchable_[word] || pricing_.depends_on_words() ? with_word_[word] : with_other_word_;
    if (!made) {
      const Arc arc{word, 0};
      made = std::make_unique<Table>(table({&arc, 1}));
    }
    return *made;
  }

  // row[y] becomes the least of what leads there by steps alone from what is in the row; lower contexts than `first`
  // are left out.
  void spread(std::span<V> row, std::int32_t first) const {
    Polls poll;
    for (std::int32_t x = first; x < size(); ++x) {
      const V here = row[x - first];
      if (!is_reached(here)) continue;
      poll(2 + std::ssize(alone_.from(x)));
      for (const Step& step : alone_.from(x)) {
        V& there = row[step.to - first];
        there = std::min(there, here + step.cost);
      }
    }
  }

  // Sums of one unreached and one reached cost stay above this, all sums of reached ones below.
  static bool is_reached(V cost) { return cost < Ranking<V>::infinity() / 2; }

  // Calls visit(op, arc of the flat side or null, to, cost) for every step from a context with these arcs of the
  // network.
  template <class Visit>
  void for_each(std::span<const Arc> network, std::int32_t context, Visit&& visit) const {
    const StateId state = context / memories_;
    const auto each = [&](Op op, const Arc* h, const Arc* r, int next, V cost) {
      const Arc* own = network_ == NetworkSide::kHypothesis ? h : r;
      const Arc* flat = network_ == NetworkSide::kHypothesis ? r : h;
      if ((own != nullptr) == network.empty()) return;
      visit(op, flat, (flat ? flat->next : state) * memories_ + next, cost);
    };
    const int memory = context % memories_;
    if (network_ == NetworkSide::kHypothesis) {
      for_each_step(network, flat_.arcs(state), memory, steps_, each);
    } else {
      for_each_step(flat_.arcs(state), network, memory, steps_, each);
    }
  }

  // The step of an alignment: arcs of a network have no origins that mean anything.
  fstmetrics::Step step(Op op, const Arc* network, const Arc* flat) const {
    auto made = network_ == NetworkSide::kHypothesis ? make_step(op, network, flat) : make_step(op, flat, network);
    (network_ == NetworkSide::kHypothesis ? made.origin : made.reference_origin) = -1;
    return made;
  }

 private:
  Step made_up_step(std::span<const Arc> network, std::int32_t context) const {
    Step chosen{-1, V{0}};
    bool matches = false;
    for_each(network, context, [&](Op op, const Arc*, std::int32_t to, V cost) {
      if (chosen.to >= 0 && (matches || op != Op::kMatch)) return;  // pairs of words come before insertions
      chosen = {to, -cost}, matches = op == Op::kMatch;
    });
    return chosen;
  }

  Table table(std::span<const Arc> network) {
    Polls poll;
    Table made;
    for (std::int32_t x = 0; x < size(); ++x) {
      poll(20 + 5 * std::ssize(flat_.arcs(x / memories_)));
      if (choice_ == Choice::kAll) {
        for_each(network, x, [&](Op, const Arc*, std::int32_t to, V cost) { made.steps.push_back({to, cost}); });
      } else if (!network.empty()) {
        made.steps.push_back(made_up_step(network, x));
      }
      made.offsets.push_back(static_cast<std::int32_t>(made.steps.size()));
    }
    num_steps_ += std::ssize(made.steps);
    if (num_steps_ > max_steps_) {
      throw SearchError("the chart needs more steps between words than the limit of " + std::to_string(max_steps_) +
                        "; raise " + kMaxCells + ", or use route best-first");
    }
    return made;
  }

  const NetworkSide network_;
  const Choice choice_;
  const Automaton& flat_;
  const Pricing<V>& pricing_;
  const Pricing<V> steps_;
  const Matchable& matchable_;
  const std::int64_t max_steps_;
  const int memories_;
  std::int64_t num_steps_ = 0;
  Table alone_;
  std::vector<std::unique_ptr<Table>> with_word_;
  std::unique_ptr<Table> with_other_word_;
};

}  // namespace fstmetrics

// The k best distinct pairs of both sides, merged from two enumerations of word sequences.
//
// References are spelled out first, against all of H; then, for each in turn, the hypotheses against that
// reference. A string's permutations are one hypothesis and are not told apart.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "automata/weighted.h"
#include "lazy/explicit_machine.h"
#include "search/best_first/word_sequences.h"
#include "search/plan.h"
#include "search/product.h"
#include "search/topological/topological.h"
#include "support/discard.h"

namespace fstmetrics {

// An automaton with one path; an arc's origin is its position.
inline Automaton line_of(const std::vector<Label>& words) {
  std::vector<std::int32_t> offsets{0};
  std::vector<Arc> arcs;
  for (const Label word : words) {
    const auto position = static_cast<std::int32_t>(arcs.size());
    arcs.push_back({word, position + 1, 0, position});
    offsets.push_back(position + 1);
  }
  offsets.push_back(offsets.back());
  std::vector<std::uint8_t> is_final(words.size() + 1, 0);
  is_final.back() = 1;
  return Automaton(0, std::move(offsets), std::move(arcs), std::move(is_final));
}

template <class V>
class KBest {
 public:
  // `plan.h` must be written out; `references` spells out R. All must outlive this object.
  KBest(const Plan& plan, const Ranking<V>& ranking, const Pricing<V>& pricing, WordSequences<V>& references)
      : plan_(plan), ranking_(ranking), pricing_(pricing), references_(references) {}
  // What is open refers to the plan, but asks nothing of it when it goes.
  ~KBest() { discard(open_, open_.size() * kPieces); }

  // The next `count` paths, or as many as there are.
  std::vector<Path> take(int count) {
    std::vector<Path> paths;
    while (static_cast<int>(paths.size()) < count && advance(paths)) {}
    return paths;
  }

  std::int64_t expanded() const {
    std::int64_t total = done_ + references_.expanded();
    for (const auto& [bound, hypotheses] : open_) total += hypotheses->sequences.expanded();
    return total;
  }

 private:
  static constexpr std::size_t kPieces = 100;  // of what is open against one reference, about

  // The hypotheses against one reference.
  struct Hypotheses {
    Hypotheses(const KBest& all, const std::vector<Label>& words)
        : reference(all.reference_of(words)),
          table(*all.plan_.h, reference, all.pricing_, all.plan_.options.max_cells),
          machine(*all.plan_.h, all.plan_.alphabets.hypothesis),
          sequences(
              SpelledOut::kHypothesis, machine, reference, all.pricing_,
              [this](StateId h, StateId r, int memory) { return table.at(h, r, memory); },
              all.plan_.options.max_nodes) {}
    const Automaton reference;
    const CostToGo<V> table;
    ExplicitMachine machine;
    WordSequences<V> sequences;
  };

  // One step of work on whatever promises most; false when there is nothing left.
  bool advance(std::vector<Path>& paths) {
    const auto next = references_.bound();
    if (!open_.empty() && (!next || open_.begin()->first <= *next)) {
      advance_hypotheses(paths);
      return true;
    }
    if (!next) return false;
    const auto found = references_.advance();
    if (!found) return true;
    if (std::holds_alternative<Permutations>(plan_.problem.hypothesis)) {
      paths.push_back(aligned(*plan_.h, reference_of(found->words)));
    } else {
      open_.emplace(found->cost, std::make_unique<Hypotheses>(*this, found->words));
    }
    return true;
  }

  void advance_hypotheses(std::vector<Path>& paths) {
    std::unique_ptr<Hypotheses> hypotheses = std::move(open_.begin()->second);
    open_.erase(open_.begin());
    if (const auto found = hypotheses->sequences.advance()) {
      paths.push_back(aligned(paths_with_words(*plan_.h, found->words), hypotheses->reference));
    }
    if (const auto bound = hypotheses->sequences.bound()) {
      open_.emplace(*bound, std::move(hypotheses));
    } else {
      done_ += hypotheses->sequences.expanded();
    }
  }

  // The paths of R with these words; where none costs anything, one is as good as another.
  Automaton reference_of(const std::vector<Label>& words) const {
    return plan_.problem.reference_costs ? paths_with_words(*plan_.r, words) : line_of(words);
  }

  Path aligned(const Automaton& hypothesis, const Automaton& reference) const {
    const CostToGo<V> table(hypothesis, reference, pricing_, plan_.options.max_cells);
    Path path{ranking_.totals(table.best()), {}};
    if (plan_.options.alignment) path.steps = table.trace();
    return path;
  }

  const Plan& plan_;
  const Ranking<V>& ranking_;
  const Pricing<V>& pricing_;
  WordSequences<V>& references_;
  std::multimap<V, std::unique_ptr<Hypotheses>> open_;
  std::int64_t done_ = 0;
};

}  // namespace fstmetrics

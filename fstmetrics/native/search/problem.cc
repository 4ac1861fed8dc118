#include "search/problem.h"

#include <algorithm>

#include "lazy/explicit_machine.h"
#include "lazy/replace_machine.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

template <class... Cases>
struct Which : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Which(Cases...) -> Which<Cases...>;

template <class Visit>
void for_each_label(const Side& side, Visit visit) {
  std::visit(Which{[&](const std::shared_ptr<const Automaton>& automaton) {
                     poll(4 * std::int64_t{automaton->num_arcs()});
                     for (const Arc& arc : automaton->all_arcs()) {
                       if (arc.label < 0) throw SearchError("an automaton that is not a card calls a card");
                       visit(arc.label);
                     }
                   },
                   [&](const std::shared_ptr<const Rtn>& rtn) {
                     for (const Automaton& card : rtn->cards()) {
                       poll(4 + 4 * std::int64_t{card.num_arcs()});
                       for (const Arc& arc : card.all_arcs()) {
                         if (arc.label >= 0) visit(arc.label);
                       }
                     }
                   },
                   [&](const Permutations& permutations) {
                     for (const Label label : permutations.words) visit(label);
                   }},
             side);
}

}  // namespace

const char* route_name(Route route) {
  switch (route) {
    case Route::kBitParallel:
      return "bit-parallel";
    case Route::kStringPair:
      return "string-pair";
    case Route::kUnitRows:
      return "unit-rows";
    case Route::kRows:
      return "rows";
    case Route::kGraphs:
      return "graphs";
    case Route::kChart:
      return "chart";
    case Route::kTopological:
      return "topological";
    case Route::kBestFirst:
      return "best-first";
    case Route::kDijkstra:
      return "dijkstra";
    default:
      return "auto";
  }
}

void check_kept(bool fits, std::int64_t max_cells) {
  if (fits) return;
  throw SearchError("very many paths are equally good: what has to be kept of them exceeds the limit of " +
                    std::to_string(max_cells) + " cells of 8 bytes; raise " + kMaxCells +
                    ", or use route topological or best-first");
}

Alphabets shared_words(const Problem& problem) {
  Label last = 0;
  for_each_label(problem.reference, [&](Label label) { last = std::max(last, label); });
  Matchable in_reference(last + 1, 0);
  for_each_label(problem.reference, [&](Label label) { in_reference[label] = 1; });
  Alphabets alphabets{Matchable(problem.to_reference.size(), 0), Matchable(last + 1, 0)};
  const bool any = problem.wildcard > 0 && problem.wildcard <= last && in_reference[problem.wildcard];
  if (any) alphabets.reference[problem.wildcard] = 1;
  for_each_label(problem.hypothesis, [&](Label label) {
    if (label >= static_cast<Label>(problem.to_reference.size())) {
      throw SearchError("hypothesis label " + std::to_string(label) + " is not in the table of " +
                        std::to_string(problem.to_reference.size()) + " labels");
    }
    if (any) alphabets.hypothesis[label] = 1;
    const Label same = problem.to_reference[label];
    if (same <= 0 || same > last || !in_reference[same]) return;
    alphabets.hypothesis[label] = 1;
    alphabets.reference[same] = 1;
  });
  return alphabets;
}

bool has_unit_costs(const Problem& problem) {
  if (problem.word_costs || problem.has_arc_costs()) return false;
  return has_unit_costs(*problem.metric, std::holds_alternative<Permutations>(problem.hypothesis));
}

bool has_unit_costs(const EditAutomaton& metric, bool moves) {
  if (metric.num_memories() != 1 || metric.length_tie != LengthTie::kLongest) return false;
  if (moves && metric.move_cost != 1) return false;
  for (int op = 0; op < kNumOps; ++op) {
    if (metric.transitions[0][op].cost != (op == static_cast<int>(Op::kMatch) ? 0 : 1)) return false;
  }
  return true;
}

std::unique_ptr<Machine> make_machine(const Side& side, const Matchable& matchable) {
  return std::visit(Which{[&](const std::shared_ptr<const Automaton>& automaton) -> std::unique_ptr<Machine> {
                            return std::make_unique<ExplicitMachine>(*automaton, matchable);
                          },
                          [&](const std::shared_ptr<const Rtn>& rtn) -> std::unique_ptr<Machine> {
                            try {
                              return std::make_unique<ReplaceMachine>(*rtn, matchable);
                            } catch (const std::length_error& error) { throw SearchError(error.what()); }
                          },
                          [&](const Permutations& p) -> std::unique_ptr<Machine> {
                            return std::make_unique<WindowMachine>(p.words, p.window, p.reordering, matchable);
                          }},
                    side);
}

std::int64_t expanded_arcs(const Side& side) {
  return std::visit(
      Which{[](const std::shared_ptr<const Automaton>& automaton) -> std::int64_t { return automaton->num_arcs(); },
            [](const std::shared_ptr<const Rtn>& rtn) { return rtn->expanded_arcs(); },
            [](const Permutations& p) { return expanded_arcs(std::ssize(p.words), p.window, p.reordering); }},
      side);
}

std::int64_t expanded_arcs(std::int64_t words, int most, Reordering reordering) {
  // A position, a set of k - 1 words, a continuation; k arcs each.
  const std::int64_t window = std::min<std::int64_t>(most, words);
  if (window > 24) return Remaining::kUnbounded;
  const std::int64_t lasts = reordering == Reordering::kMoves ? std::max<std::int64_t>(window - 1, 1) : 1;
  return window == 0 ? 0 : words * (std::int64_t{1} << (window - 1)) * lasts * window;
}

std::shared_ptr<const Automaton> expanded(const Side& side, std::int64_t max_arcs) {
  return std::visit(Which{[](const std::shared_ptr<const Automaton>& automaton) { return automaton; },
                          [&](const std::shared_ptr<const Rtn>& rtn) { return rtn->unfolded(max_arcs); },
                          [&](const Permutations& p) -> std::shared_ptr<const Automaton> {
                            if (expanded_arcs(side) > max_arcs) return nullptr;
                            Label last = 0;
                            for (const Label label : p.words) last = std::max(last, label);
                            const Matchable any(last + 1, 1);
                            WindowMachine machine(p.words, p.window, p.reordering, any);
                            const Expansion all = expand(machine, max_arcs);
                            return std::make_shared<const Automaton>(all.automaton);
                          }},
                    side);
}

}  // namespace fstmetrics

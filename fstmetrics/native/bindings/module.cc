// fstmetrics._native: automata, networks and searches, as Python sees them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <new>

#include "automata/best_path.h"
#include "automata/minimal.h"
#include "automata/weighted.h"
#include "automata/word_posteriors.h"
#include "bindings/agreement.h"
#include "bindings/arrays.h"
#include "bindings/arrow_stream.h"
#include "bindings/best_path_sides.h"
#include "bindings/character_ngrams.h"
#include "bindings/choices.h"
#include "bindings/combination.h"
#include "bindings/document_cuts.h"
#include "bindings/exchange_tests.h"
#include "bindings/formats.h"
#include "bindings/lattices.h"
#include "bindings/ngrams.h"
#include "bindings/packed.h"
#include "bindings/program_alignments.h"
#include "bindings/record_rows.h"
#include "bindings/rewriting.h"
#include "bindings/search.h"
#include "bindings/shift_search.h"
#include "bindings/signals.h"
#include "bindings/soft_rows.h"
#include "bindings/speakers.h"
#include "bindings/table_rows.h"
#include "bindings/texts.h"
#include "bindings/tuning.h"
#include "lazy/best_derivation.h"
#include "lazy/intersection.h"
#include "lazy/rtn.h"
#include "lazy/weighted_cards.h"
#include "metric/edit_automaton.h"
#include "resampling/draws.h"
#include "resampling/poisson_draws.h"
#include "support/instruction_set.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace fstmetrics {
namespace {

// A derivation that is longer would not fit into memory as Python objects.
constexpr std::int64_t kMostDerivationArcs = 10'000'000;

template <class Get>
nb::ndarray<nb::numpy, std::int32_t> arc_column(const Automaton& automaton, Get get) {
  std::vector<std::int32_t> column;
  column.reserve(automaton.num_arcs());
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    for (const Arc& arc : automaton.arcs(state)) column.push_back(get(state, arc));
  }
  return to_numpy(std::move(column));
}

// By label, whether it counts as a word.
std::vector<std::uint8_t> words_that_count(const Automaton& automaton, const std::vector<Label>& silent) {
  std::vector<std::uint8_t> counts(static_cast<std::size_t>(automaton.max_label()) + 1, 1);
  for (const Label label : silent) {
    if (label >= 0 && label <= automaton.max_label()) counts[label] = 0;
  }
  return counts;
}

void check_origins(const Automaton& automaton, const Automaton& prepared) {
  for (const Arc& arc : prepared.all_arcs()) {
    if (arc.origin < 0 || arc.origin >= automaton.num_arcs() || arc.label > automaton.max_label()) {
      throw std::invalid_argument("an automaton is prepared from another one");
    }
  }
}

// The costs, once it is sure that every arc has one.
template <class Array>
auto checked(const Automaton& automaton, const Array& costs) {
  for (const Arc& arc : automaton.all_arcs()) {
    if (arc.origin < 0 || static_cast<std::size_t>(arc.origin) >= costs.size()) {
      throw std::invalid_argument("costs must cover the origin of every arc");
    }
  }
  return costs.data();
}

template <class Array>
auto checked(const Rtn& rtn, const Array& costs) {
  for (const Automaton& card : rtn.cards()) checked(card, costs);
  return costs.data();
}

// Whether each word counts, once it is sure that all labels are covered.
std::vector<std::uint8_t> checked_flags(const Flags& flags, Label max_label) {
  if (flags.size() <= static_cast<std::size_t>(max_label)) {
    throw std::invalid_argument("it is said of " + std::to_string(flags.size()) +
                                " labels whether they count, and an arc has label " + std::to_string(max_label));
  }
  return to_vector<std::uint8_t>(flags);
}

// Of the cards as they were given, useless arcs included.
Label largest_label(const Rtn& rtn) {
  Label largest = 0;
  for (std::int32_t card = 0; card < static_cast<std::int32_t>(rtn.cards().size()); ++card) {
    largest = std::max(largest, rtn.as_given(card).max_label());
  }
  return largest;
}

// What a function has for each sequence, other threads running meanwhile.
template <class Function>
std::vector<double> each(const std::vector<std::vector<Label>>& sequences, Function function) {
  std::vector<double> values;
  const Unlocked unlocked;
  for (const auto& words : sequences) {
    poll(100);
    values.push_back(function(words));
  }
  return values;
}

// For pickling: what the constructor takes, and the origins of arcs.
using AutomatonState =
    std::tuple<StateId, StateId, Ints, Ints, Ints, Ints, std::optional<Costs>, std::optional<Costs>, Ints>;

nb::tuple state_of(nb::handle self) {
  const auto get = [&](const char* name) { return self.attr(name); };
  const bool costs = nb::cast<bool>(get("has_costs"));
  const auto cost = [&](const char* name) { return costs ? nb::object(get(name)) : nb::none(); };
  return nb::make_tuple(get("num_states"), get("start"), get("sources"), get("labels"), get("destinations"),
                        get("finals"), cost("arc_costs"), cost("final_costs"), get("origins"));
}

void set_state(Automaton& self, const AutomatonState& state) {
  const auto& [states, start, sources, labels, destinations, finals, arc_costs, final_costs, origins] = state;
  if (states == 0) {  // a prepared automaton without a path
    new (&self) Automaton(0, {0}, {}, {});
    return;
  }
  new (&self) Automaton(AutomatonSpec{states, start, to_vector<StateId>(sources), to_vector<Label>(labels),
                                      to_vector<StateId>(destinations), to_vector<StateId>(finals), to_costs(arc_costs),
                                      to_costs(final_costs), to_vector<std::int32_t>(origins)});
}

void bind_automata(nb::module_& m) {
  nb::class_<Automaton>(m, "Automaton", "Immutable word automaton; arcs sorted by source state in flat arrays.")
      .def(
          "__init__",
          [](Automaton* self, StateId num_states, StateId start, Ints sources, Ints labels, Ints destinations,
             Ints finals, std::optional<Costs> arc_costs, std::optional<Costs> final_costs) {
            new (self) Automaton(AutomatonSpec{num_states,
                                               start,
                                               to_vector<StateId>(sources),
                                               to_vector<Label>(labels),
                                               to_vector<StateId>(destinations),
                                               to_vector<StateId>(finals),
                                               to_costs(arc_costs),
                                               to_costs(final_costs),
                                               {}});
          },
          nb::call_guard<SignalWatch>(), "num_states"_a, "start"_a, "sources"_a, "labels"_a, "destinations"_a,
          "finals"_a, "arc_costs"_a = nb::none(), "final_costs"_a = nb::none())
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def("__setstate__", &set_state)
      .def_prop_ro("num_states", &Automaton::num_states)
      .def_prop_ro("num_arcs", &Automaton::num_arcs)
      .def_prop_ro("start", &Automaton::start)
      .def_prop_ro("min_label", &Automaton::min_label, "The smallest label, if it calls a card; otherwise 0.")
      .def_prop_ro("max_label", &Automaton::max_label, "The largest label, 0 if no arc has a word.")
      .def_prop_ro("sorted", &Automaton::sorted, "Whether every arc leads to a higher state.")
      .def_prop_ro("has_path", &Automaton::has_path, "False for a prepared automaton that accepts nothing.")
      .def_prop_ro("has_costs", &Automaton::has_costs)
      .def_prop_ro(
          "sources", [](const Automaton& a) { return arc_column(a, [](StateId s, const Arc&) { return s; }); }, kOwned)
      .def_prop_ro(
          "labels", [](const Automaton& a) { return arc_column(a, [](StateId, const Arc& r) { return r.label; }); },
          kOwned)
      .def_prop_ro(
          "destinations",
          [](const Automaton& a) { return arc_column(a, [](StateId, const Arc& r) { return r.next; }); }, kOwned)
      .def_prop_ro(
          "origins", [](const Automaton& a) { return arc_column(a, [](StateId, const Arc& r) { return r.origin; }); },
          kOwned)
      .def_prop_ro(
          "finals",
          [](const Automaton& a) {
            std::vector<std::int32_t> finals;
            for (StateId s = 0; s < a.num_states(); ++s) {
              if (a.is_final(s)) finals.push_back(s);
            }
            return to_numpy(std::move(finals));
          },
          kOwned)
      .def_prop_ro(
          "arc_costs",
          [](const Automaton& a) {
            std::vector<double> costs;
            for (std::int32_t i = 0; i < a.num_arcs(); ++i) {
              const CostPair cost = a.arc_cost(i);
              costs.insert(costs.end(), cost.begin(), cost.end());
            }
            return to_numpy(std::move(costs), 2);
          },
          kOwned)
      .def_prop_ro(
          "final_costs",
          [](const Automaton& a) {
            std::vector<double> costs;
            for (StateId s = 0; s < a.num_states(); ++s) {
              const CostPair cost = a.final_cost(s);
              if (a.is_final(s)) costs.insert(costs.end(), cost.begin(), cost.end());
            }
            return to_numpy(std::move(costs), 2);
          },
          kOwned)
      .def(
          "prepared", [](const Automaton& a) { return std::make_shared<Automaton>(prepared(a)); },
          nb::call_guard<Unlocked>(),
          "The same paths: useful states only, in topological order; freed of epsilons if cyclic.")
      .def(
          "minimal",
          [](const Automaton& a, StateId most_states) -> std::shared_ptr<Automaton> {
            auto least = minimal(a, most_states);
            return least ? std::make_shared<Automaton>(*std::move(least)) : nullptr;
          },
          "most_states"_a, nb::call_guard<Unlocked>(),
          "The least deterministic automaton with the same strings, costs left behind, states numbered breadth first "
          "by "
          "labels. None where the deterministic automaton has more than most_states states, before it is made minimal.")
      .def(
          "best_paths",
          [](const Automaton& a, const Automaton& prepared,
             const std::vector<std::tuple<double, double, double>>& scales, const std::vector<Label>& silent) {
            const std::vector<std::uint8_t> counts = words_that_count(a, silent);
            check_origins(a, prepared);
            std::vector<LatticeScales> each;
            for (const auto& [graph, acoustic, word_penalty] : scales) each.push_back({graph, acoustic, word_penalty});
            std::vector<BestPath> best;
            {
              const Unlocked unlocked;
              best = best_paths(a, prepared, each, counts);
            }
            std::vector<std::tuple<double, std::vector<std::int32_t>, std::vector<Label>>> found;
            for (BestPath& path : best) {
              std::vector<Label> words;
              for (const std::int32_t arc : path.arcs) {
                const Label label = a.all_arcs()[arc].label;
                if (counts[label]) words.push_back(label);
              }
              found.emplace_back(path.cost, std::move(path.arcs), std::move(words));
            }
            return found;
          },
          "prepared"_a, "scales"_a, "silent"_a,
          "Cost, arc numbers and words of the path of least weighted cost, by each (graph, acoustic, word penalty). "
          "`silent`: "
          "the labels that are no words.")
      .def(
          "word_posteriors",
          [](const Automaton& a, const Automaton& prepared, const std::tuple<double, double, double>& scales,
             const std::vector<Label>& silent, double scale, std::optional<Doubles> begins,
             std::optional<Doubles> ends) {
            const std::vector<std::uint8_t> counts = words_that_count(a, silent);
            check_origins(a, prepared);
            const auto [graph, acoustic, word_penalty] = scales;
            std::optional<ArcSpans> spans;
            if (begins && ends) spans = {to_vector<double>(*begins), to_vector<double>(*ends)};
            const auto arcs = static_cast<std::size_t>(a.num_arcs());
            if (spans && (spans->begins.size() != arcs || spans->ends.size() != arcs)) {
              throw std::invalid_argument("a beginning and an end for each arc are expected");
            }
            std::vector<SureWord> found;
            {
              const Unlocked unlocked;
              found =
                  sure_words(a, prepared, {graph, acoustic, word_penalty}, counts, scale, spans ? &*spans : nullptr);
            }
            std::vector<std::pair<std::int32_t, double>> words;
            for (const SureWord& word : found) words.emplace_back(word.arc, word.posterior);
            return words;
          },
          "prepared"_a, "scales"_a, "silent"_a, "scale"_a, "begins"_a.none(), "ends"_a.none(),
          "The arcs of the words of the best path, each with the posterior of its word at the middle of its time; "
          "costs "
          "are multiplied by `scale` first. Arguments as of best_paths.")
      .def_prop_ro("kinds_of_costs", &Automaton::kinds_of_costs,
                   "Whether any graph cost, and any acoustic cost is not zero.")
      .def(
          "with_one_end", [](const Automaton& a) { return std::make_shared<Automaton>(with_one_end(a)); },
          nb::call_guard<Unlocked>(),
          "The paths as prepared, ending in the last state: final states lead there by an epsilon of origin num_arcs + "
          "state.")
      .def(
          "least_costs_through",
          [](const Automaton& a, Longs costs) {
            return to_numpy(least_costs_through(a, {checked(a, costs), costs.size()}));
          },
          nb::call_guard<SignalWatch>(), "costs"_a, kOwned,
          "By origin, the least cost of a path through an arc of an automaton with one end; 2^63 - 1 on no path.")
      .def(
          "least_costs",
          [](const Automaton& a, Doubles costs, const std::vector<std::vector<Label>>& sequences) {
            return each(sequences, [&, view = std::span(checked(a, costs), costs.size())](const auto& words) {
              return least_cost_of(a, view, words);
            });
          },
          "costs"_a, "sequences"_a,
          "The least cost of a path with each sequence of labels, of an automaton with one end; inf without one.")
      .def(
          "longest_before",
          [](const Automaton& a, Longs lengths) {
            return to_numpy(longest_before(a, {checked(a, lengths), lengths.size()}));
          },
          nb::call_guard<SignalWatch>(), "lengths"_a, kOwned,
          "The longest way from the start to each state of a sorted automaton, arcs being as long as said by origin.")
      .def(
          "log_mass", [](const Automaton& a, Doubles costs) { return log_mass(a, {checked(a, costs), costs.size()}); },
          nb::call_guard<SignalWatch>(), "costs"_a,
          "log of the sum of exp(-cost) over the paths of an automaton with one end; costs go by origin.")
      .def(
          "log_masses",
          [](const Automaton& a, Doubles costs, const std::vector<std::vector<Label>>& sequences) {
            return each(sequences, [&, view = std::span(checked(a, costs), costs.size())](const auto& words) {
              return log_mass_of(a, view, words);
            });
          },
          "costs"_a, "sequences"_a, "The same over the paths with the words of each sequence of labels.");

  nb::class_<Rtn>(m, "Rtn", "Cards that call one another: label -c - 1 on an arc calls card c.")
      .def(
          "__init__",
          [](Rtn* self, const std::vector<std::shared_ptr<Automaton>>& cards, std::int32_t root) {
            std::vector<Automaton> copies;
            for (const auto& card : cards) {
              if (!card) throw nb::type_error("a card is an Automaton, not None");
              copies.push_back(*card);
            }
            new (self) Rtn(std::move(copies), root);
          },
          nb::call_guard<SignalWatch>(), "cards"_a, "root"_a)
      .def(
          "__getstate__",
          [](const Rtn& rtn) {
            nb::list cards;
            for (std::int32_t card = 0; card < static_cast<std::int32_t>(rtn.cards().size()); ++card) {
              cards.append(std::make_shared<Automaton>(rtn.as_given(card)));
            }
            return nb::make_tuple(std::move(cards), rtn.root());
          },
          nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def("__setstate__",
           [](Rtn& self, const std::tuple<std::vector<std::shared_ptr<Automaton>>, std::int32_t>& state) {
             std::vector<Automaton> cards;
             for (const auto& card : std::get<0>(state)) cards.push_back(*card);
             new (&self) Rtn(std::move(cards), std::get<1>(state));
           })
      .def_prop_ro("root", &Rtn::root)
      .def_prop_ro("cards",
                   [](const Rtn& rtn) {
                     std::vector<std::shared_ptr<Automaton>> cards;
                     for (const Automaton& card : rtn.cards()) cards.push_back(std::make_shared<Automaton>(card));
                     return cards;
                   })
      .def_prop_ro("depth", &Rtn::depth, "How deep cards call cards: 1 where the root calls none.")
      .def_prop_ro("num_states", &Rtn::num_states, "Useful states of all cards together.")
      .def_prop_ro("num_arcs", &Rtn::num_arcs, "Useful arcs of all cards together.")
      .def_prop_ro("expanded_arcs", &Rtn::expanded_arcs, "Upper bound of the arcs of the expansion.")
      .def(
          "expanded",
          [](const Rtn& rtn, std::int64_t max_arcs) -> std::shared_ptr<Automaton> {
            const auto automaton = rtn.expanded(max_arcs);
            return automaton ? std::make_shared<Automaton>(*automaton) : nullptr;
          },
          "max_arcs"_a, nb::call_guard<Unlocked>(),
          "The expansion, prepared: a path for every path. None where it could have more than max_arcs arcs.")
      .def(
          "unfolded",
          [](const Rtn& rtn, std::int64_t max_arcs) -> std::shared_ptr<Automaton> {
            const auto automaton = rtn.unfolded(max_arcs);
            return automaton ? std::make_shared<Automaton>(*automaton) : nullptr;
          },
          "max_arcs"_a, nb::call_guard<Unlocked>(),
          "The same strings with equal parts once, as searches want it; None likewise.")
      .def_prop_ro("has_costs", &Rtn::has_costs, "Whether an arc or final state of some card carries costs.")
      .def("with_one_end", &Rtn::with_one_end, nb::call_guard<Unlocked>(),
           "The same derivations, cards ending in one state; origins are numbers over all cards, of arcs, then of "
           "states.")
      .def(
          "scaled_costs",
          [](const Rtn& rtn, double graph, double acoustic, double word_penalty, Flags counts_as_word) {
            return to_numpy(
                scaled_costs(rtn, {graph, acoustic, word_penalty}, checked_flags(counts_as_word, largest_label(rtn))));
          },
          nb::call_guard<SignalWatch>(), "graph_scale"_a, "acoustic_scale"_a, "word_penalty"_a, "counts_as_word"_a,
          kOwned, "Weighted costs by the origins that arcs have after with_one_end().")
      .def(
          "largest_sum",
          [](const Rtn& rtn, Longs costs) { return largest_sum(rtn, {checked(rtn, costs), costs.size()}); },
          nb::call_guard<SignalWatch>(), "costs"_a,
          "The most that the arcs of a derivation cost, whatever their signs; costs go by origin.")
      .def(
          "log_mass", [](const Rtn& rtn, Doubles costs) { return log_mass(rtn, {checked(rtn, costs), costs.size()}); },
          nb::call_guard<SignalWatch>(), "costs"_a,
          "log of the sum of exp(-cost) over all derivations of cards with one end; costs go by origin.")
      .def(
          "log_masses",
          [](const Rtn& rtn, Doubles costs, const std::vector<std::vector<Label>>& sequences) {
            return each(sequences, [&, view = std::span(checked(rtn, costs), costs.size())](const auto& words) {
              return log_mass_of(rtn, view, words);
            });
          },
          "costs"_a, "sequences"_a, "The same over the derivations of each sequence of labels.")
      .def(
          "least_costs",
          [](const Rtn& rtn, Doubles costs, const std::vector<std::vector<Label>>& sequences) {
            return each(sequences, [&, view = std::span(checked(rtn, costs), costs.size())](const auto& words) {
              return least_cost_of(rtn, view, words);
            });
          },
          "costs"_a, "sequences"_a, "The least cost of a derivation of each sequence of labels; inf without one.")
      .def(
          "best_path",
          [](const Rtn& rtn, double graph, double acoustic, double word_penalty, Flags counts_as_word) {
            const auto flags = checked_flags(counts_as_word, largest_label(rtn));
            BestDerivation best;
            {
              const Unlocked unlocked;
              best = best_derivation(rtn, {graph, acoustic, word_penalty}, flags, kMostDerivationArcs);
            }
            std::vector<std::int32_t> columns[3];
            for (const auto& taken : best.arcs) {
              columns[0].push_back(taken.card), columns[1].push_back(taken.arc), columns[2].push_back(taken.label);
            }
            return std::make_tuple(best.cost, to_numpy(std::move(columns[0])), to_numpy(std::move(columns[1])),
                                   to_numpy(std::move(columns[2])));
          },
          "graph_scale"_a, "acoustic_scale"_a, "word_penalty"_a, "counts_as_word"_a,
          "Cost, cards, arcs as given and labels of the derivation with the least weighted cost.")
      .def(
          "share_string",
          [](const Rtn& rtn, std::int32_t first, std::int32_t second, std::int64_t max_pairs) {
            for (const std::int32_t card : {first, second}) {
              if (card < 0 || card >= static_cast<std::int32_t>(rtn.cards().size())) {
                throw std::invalid_argument("there is no card " + std::to_string(card));
              }
            }
            return share_string(rtn, first, second, max_pairs);
          },
          "first"_a, "second"_a, "max_pairs"_a, nb::call_guard<Unlocked>(),
          "Whether two cards have a string in common; None where more than max_pairs places or pairs of places would "
          "be looked at.");
}

void bind_metric(nb::module_& m) {
  nb::class_<EditAutomaton>(m, "EditAutomaton", "A metric: memories and, for each, four edit operations.")
      .def(
          "__init__",
          [](EditAutomaton* self, LongTable next, LongTable cost, std::int64_t move_cost, bool longest) {
            if (next.shape(0) == 0 || next.shape(1) != kNumOps || cost.shape(0) != next.shape(0) ||
                cost.shape(1) != kNumOps) {
              throw std::invalid_argument("next and cost must be tables of memories x 4 operations");
            }
            const auto memories = static_cast<std::int64_t>(next.shape(0));
            EditAutomaton metric;
            metric.transitions.resize(memories);
            for (std::int64_t memory = 0; memory < memories; ++memory) {
              for (int op = 0; op < kNumOps; ++op) {
                if (next(memory, op) < 0 || next(memory, op) >= memories) {
                  throw std::invalid_argument("memory " + std::to_string(memory) + " leads to memory " +
                                              std::to_string(next(memory, op)) + " of " + std::to_string(memories));
                }
                metric.transitions[memory][op] = {static_cast<std::int32_t>(next(memory, op)), cost(memory, op)};
              }
            }
            metric.move_cost = move_cost;
            metric.length_tie = longest ? LengthTie::kLongest : LengthTie::kByGain;
            new (self) EditAutomaton(std::move(metric));
          },
          "next"_a, "cost"_a, "move_cost"_a, "longest"_a);

  nb::class_<WordCosts>(m, "WordCosts", "Costs that depend on the words, added to an EditAutomaton's.")
      .def(
          "__init__",
          [](WordCosts* self, Longs match, LongTable substitution, Longs insertion, Longs deletion) {
            if (match.size() != deletion.size() || substitution.shape(0) != insertion.size() ||
                substitution.shape(1) != match.size()) {
              throw std::invalid_argument(
                  "word costs: match and deletion go by reference label, insertion by "
                  "hypothesis label, substitution by both");
            }
            new (self)
                WordCosts{to_vector<std::int64_t>(match), to_vector<std::int64_t>(insertion),
                          to_vector<std::int64_t>(deletion), to_vector<std::int64_t>(substitution), match.size()};
          },
          "match"_a, "substitution"_a, "insertion"_a, "deletion"_a);
}

using Weights = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Draw>
auto fill_rows(Draw draw) {
  return [draw](const Seeded& seeded, std::int64_t first, int threads, Weights weights) {
    const std::uint64_t* words = seeded.data();
    const Generator generator{wide(words[0], words[1]), wide(words[2], words[3])};
    const Rows rows{first, static_cast<std::int64_t>(weights.shape(0)), static_cast<std::int64_t>(weights.shape(1))};
    if (rows.items >= std::int64_t{1} << 32) throw nb::value_error("2^32 items or more");
    const Unlocked unlocked;
    draw(generator, rows, threads, weights.data());
  };
}

void bind_resampling(nb::module_& m) {
  m.def("draw_with_replacement", fill_rows(draw_with_replacement), "generator"_a, "first"_a, "threads"_a, "weights"_a,
        "Fills each row with how often each item is drawn; rows are numbered from `first`.");
  m.def("toss_coins", fill_rows(toss_coins), "generator"_a, "first"_a, "threads"_a, "weights"_a,
        "Fills each row with 0 and 1; rows are numbered from `first`.");
  m.def(
      "draw_poisson",
      [](std::uint64_t key, std::int64_t first, std::int64_t first_item, std::int64_t step, int threads,
         Weights weights) {
        const std::int64_t count = static_cast<std::int64_t>(weights.shape(0));
        const std::int64_t items = static_cast<std::int64_t>(weights.shape(1));
        const Unlocked unlocked;
        draw_poisson(key, {first, count, items}, {first_item, step}, threads, weights.data());
      },
      "key"_a, "first"_a, "first_item"_a, "step"_a, "threads"_a, "weights"_a,
      "Fills each row with Poisson numbers of mean 1; rows are numbered from `first`, items from\n`first_item` in "
      "steps.");
}

}  // namespace
}  // namespace fstmetrics

namespace fstmetrics {
namespace {

// Searches say of which item (search/batch.h); here it is reading, preparing or writing out.
void explain_lack_of_memory(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(
        PyExc_MemoryError,
        "there is not enough memory for this; raise what the process may have, or set a limit (--max NAME=N, "
        "fstmetrics.limited) that refuses it beforehand");
  }
}

}  // namespace
}  // namespace fstmetrics

NB_MODULE(_native, m) {
  fstmetrics::instruction_set();  // throws before anything is computed
  nb::register_exception_translator(fstmetrics::explain_lack_of_memory);
  // Objects that live as long as the interpreter, such as a metric in a module's globals, are no leaks.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled core of fstmetrics: automata, networks and searches.";
  m.def("instruction_set", &fstmetrics::instruction_set,
        "The instruction set that kernels use: x86-64-v4 (AVX-512), x86-64-v3 (AVX2) or plain; the widest that the "
        "machine has,\n"
        "but at most what the environment variable FSTMETRICS_INSTRUCTION_SET named when the engine was loaded.");
  m.def("compiler", &fstmetrics::compiler, "The compiler of the engine, and its version.");
  fstmetrics::bind_automata(m);
  fstmetrics::bind_ngrams(m);
  fstmetrics::bind_character_ngrams(m);
  fstmetrics::bind_rewriting(m);
  fstmetrics::bind_metric(m);
  fstmetrics::bind_arrow_stream(m);
  fstmetrics::bind_texts(m);
  fstmetrics::bind_table_rows(m);
  struct Stop {
    fstmetrics::StopFlag flag = std::make_shared<std::atomic<bool>>(false);
  };
  nb::class_<Stop>(m, "Stop", "Ends what the engine does on a thread, where nobody waits for it any more.")
      .def(nb::init<>())
      .def(
          "set", [](Stop& stop) { *stop.flag = true; },
          "Calls of the engine on the thread that heeds this raise RuntimeError soon.")
      .def(
          "heed", [](const Stop& stop) { fstmetrics::heeded = stop.flag; },
          "The engine looks at this in every call on the thread that asks.");
  fstmetrics::bind_search(m);
  fstmetrics::bind_record_rows(m);
  fstmetrics::bind_speakers(m);
  fstmetrics::bind_shift_search(m);
  fstmetrics::bind_soft_rows(m);
  fstmetrics::bind_document_cuts(m);
  fstmetrics::bind_program_alignments(m);
  fstmetrics::bind_formats(m);
  fstmetrics::bind_lattices(m);
  fstmetrics::bind_best_path_sides(m);
  fstmetrics::bind_choices(m);
  fstmetrics::bind_packed(m);
  fstmetrics::bind_cards(m);
  fstmetrics::bind_resampling(m);
  fstmetrics::bind_tuning(m);
  fstmetrics::bind_combination(m);
  fstmetrics::bind_agreement(m);
  fstmetrics::bind_exchange_tests(m);
}

// One evaluation: the best path in H o T o R, as it is handed to a search.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "automata/automaton.h"
#include "lazy/machine.h"
#include "lazy/rtn.h"
#include "lazy/window_machine.h"
#include "metric/edit_automaton.h"
#include "search/tie_rules.h"

namespace fstmetrics {

// Of a search over a network's cards, which side the network is; the other one is written out.
enum class NetworkSide : std::uint8_t { kHypothesis, kReference };

// All permutations of a string in a local window.
struct Permutations {
  std::vector<Label> words;
  int window = 1;
  Reordering reordering = Reordering::kMoves;
};

// A side of the composition. Automata must be prepared.
using Side = std::variant<std::shared_ptr<const Automaton>, std::shared_ptr<const Rtn>, Permutations>;

// Both sides number their own words. `to_reference` says, for every hypothesis label, which reference label
// is the same word; kNoMatch where there is none. Epsilon maps to epsilon.
inline constexpr Label kNoMatch = -1;

struct Problem {
  Side hypothesis;
  Side reference;
  std::vector<Label> to_reference;
  std::shared_ptr<const EditAutomaton> metric;
  std::shared_ptr<const WordCosts> word_costs;  // may be null
  // What taking an arc costs beside the operation, in units, by the arc's origin: what a decoder's model thinks of a
  // hypothesis, the price of rewriting a reference. Of any sign. Null where nothing does; otherwise the side is an
  // acyclic automaton, or, of hypotheses, an RTN of acyclic cards: then they stand on its cards, and the chart route it
  // is.
  std::shared_ptr<const std::vector<std::int64_t>> hypothesis_costs;
  std::shared_ptr<const std::vector<std::int64_t>> reference_costs;
  // By origin, the arcs of the reference that only a match can take; null where there are none. Then there are costs,
  // too.
  std::shared_ptr<const std::vector<std::uint8_t>> only_hits = nullptr;
  // The reference label that takes any one hypothesis word, which then counts nowhere, and that is no word of R itself;
  // kNoMatch where there is none. It stands on loops, so R is cyclic and routes for acyclic sides do not apply.
  Label wildcard = kNoMatch;

  bool has_arc_costs() const { return hypothesis_costs || reference_costs; }
  // Whether costs stand on cards: a network that is written out loses them.
  bool has_costs_on_cards() const {
    return hypothesis_costs && std::holds_alternative<std::shared_ptr<const Rtn>>(hypothesis);
  }
};

enum class Route : std::uint8_t {
  kAuto,
  kBitParallel,
  kStringPair,
  kUnitRows,
  kRows,
  kGraphs,
  kChart,
  kTopological,
  kBestFirst,
  kDijkstra
};
const char* route_name(Route route);

// Limits are on memory and patience, never on exactness: where one is reached the search stops with an error. Callers
// set them all; what holds where nobody asks for more is in fstmetrics/support/limits.py.
struct Options {
  Route route = Route::kAuto;
  int nbest = 1;
  bool alignment = true;
  bool score_only = false;             // of the totals, cost and reference words are enough; no alignment then
  bool fear = false;                   // what search/fear/fear.h finds, instead of the best path
  std::int64_t max_expanded_arcs = 0;  // of an RTN or permutations, before best-first is used instead
  // Of the topological and chart routes, 8 or 16 bytes each; as many bytes for graphs.
  std::int64_t max_cells = 0;
  std::int64_t max_nodes = 0;  // of the best-first route, about 100 bytes each with their queue entries
  bool later = false;          // alignments may be left to left_ops() (search/batch.h)
};

// How errors name them to whoever may raise them.
inline constexpr char kMaxExpandedArcs[] = "max_expanded_arcs (--max expansion=N, or SearchOptions in Python)";
inline constexpr char kMaxCells[] = "max_cells (--max cells=N, or SearchOptions in Python)";
inline constexpr char kMaxNodes[] = "max_nodes (--max nodes=N, or SearchOptions in Python)";

// A search that cannot be done as asked; the message says why and what to do.
class SearchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The limit Options::max_nodes.
class TooManyNodes : public SearchError {
 public:
  using SearchError::SearchError;
};

// Cells of 8 bytes that settling ties may keep whatever the limit: 8 MiB.
inline constexpr std::int64_t kFreeCells = 1 << 20;
// Throws SearchError where what it has to keep does not fit those and the limit.
void check_kept(bool fits, std::int64_t max_cells);

// What a search looked at.
struct Counters {
  std::int64_t pushed = 0;  // entries put into the queue
  std::int64_t popped = 0;  // entries taken from it
  std::int64_t expanded =
      0;  // product states whose arcs were looked at; cells or blocks of them, where a table is filled
  std::int64_t hypothesis_states = 0;  // states of H that came into being
  std::int64_t reference_states = 0;   // states of R that came into being

  void add(const Counters& other) {
    pushed += other.pushed, popped += other.popped, expanded += other.expanded;
    hypothesis_states += other.hypothesis_states, reference_states += other.reference_states;
  }
};

// One operation of an alignment. A label is kEpsilon where the operation has no word on that side.
struct Step {
  Op op;
  Label hypothesis = kEpsilon;
  Label reference = kEpsilon;
  std::int32_t origin = -1;            // of the hypothesis arc
  std::int32_t reference_origin = -1;  // of the reference arc
  std::int32_t moves = 0;
};

struct Path {
  Totals totals;
  std::vector<Step> steps;  // without epsilons; empty if no alignment was asked for
  std::int32_t text = -1;   // which one, where the hypothesis is several texts
};

struct Outcome {
  Route route = Route::kAuto;
  std::vector<Path> paths;  // best first
  Counters counters;
};

// Which labels of each side occur on the other.
struct Alphabets {
  Matchable hypothesis;  // by hypothesis label
  Matchable reference;   // by reference label
};
Alphabets shared_words(const Problem& problem);

// Whether costs are those of WER and HyTER: 0 for a match, 1 for all else, and nothing for rewriting.
bool has_unit_costs(const Problem& problem);
// The same of a metric without word costs; `moves`: whether moves are to cost 1, too.
bool has_unit_costs(const EditAutomaton& metric, bool moves);

std::unique_ptr<Machine> make_machine(const Side& side, const Matchable& matchable);

// Number of arcs of a side when it is written out, an upper bound; capped at Remaining::kUnbounded.
std::int64_t expanded_arcs(const Side& side);
// The same of the permutations of so many words in a window.
std::int64_t expanded_arcs(std::int64_t words, int window, Reordering reordering);
// The side written out and prepared; null if that is more than `max_arcs` arcs.
std::shared_ptr<const Automaton> expanded(const Side& side, std::int64_t max_arcs);

}  // namespace fstmetrics

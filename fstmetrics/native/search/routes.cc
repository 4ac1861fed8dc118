// How a route is chosen: predictions are sums of sizes that are known before a search, times nanoseconds that were
// fitted to measurements (`python -m bench.fit_routes` prints them; bench/NOTES.md says how good they are). The
// cheapest route that can be used is gone. It may find that it cannot after all, as its memory does not suffice or the
// answer is too far away: then the next one has its turn.

#include "search/routes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "search/fear/fear.h"
#include "search/graphs/graphs.h"
#include "search/product_routes.h"
#include "search/rows/rows.h"
#include "search/rows/unit_route.h"
#include "search/strings/bit_route.h"
#include "search/strings/bit_string.h"
#include "search/strings/level_search.h"
#include "search/strings/string_pair.h"
#include "search/topological/line_table.h"

namespace fstmetrics {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSecond = 1e9;

using Reason = const char*;  // why a route cannot be used; null if it can

using Patience = std::function<double()>;

struct Row {
  Route route;
  Reason takes;  // what it takes, for whoever asked for it in vain; null where the reason says all
  Reason (*why_not)(Task&);
  Terms (*terms)(Task&);     // only of tasks that it can do
  Terms nanoseconds;         // of each term
  double (*besides)(Task&);  // nanoseconds that are not in proportion to sizes
  double (*bytes)(Task&);
  // Nothing where it cannot after all. `patience` says what the next route would take, in nanoseconds.
  std::optional<Outcome> (*solve)(Task&, const Patience& patience);
  // Nanoseconds that it takes at least, next to `others` that another route takes; null where the first term says it.
  // Asked only where that does not suffice.
  double (*least)(Task&, double others) = nullptr;

  // Where others take less, it is not even asked whether it can: that may take longer than a search.
  bool is_hopeless(Task& task, double others) const {
    return nanoseconds[0] >= others || (least && least(task, others) >= others);
  }
};

// ---------------------------------------------------------------------------------------------------- a string and a
// graph

constexpr char kOneBest[] = "nbest is more than 1";
constexpr char kNoString[] =
    "neither side is a string and the other one acyclic, with a path, and of at most as many arcs as max_expanded_arcs";
constexpr char kNotUnit[] = "its costs are not 0 for a match and 1 for all else";
constexpr char kReordered[] = "words are reordered";
constexpr char kNotPlain[] = "costs depend on words or stand on arcs";
constexpr char kMismatches[] = "a match may be worse than a substitution";
constexpr char kTooMuchMemory[] = "it would take more memory";

struct Sizes {
  double words, states, arcs, neighbours, memories;
  // Vectors of 64 bytes for a row of as many cells as the string has positions.
  double vectors(double bytes_a_cell) const { return std::ceil((words + 1) * bytes_a_cell / 64); }
  double arcs_of_state() const { return arcs / states; }
};

Sizes sizes_of(Task& task) {
  const StringAndGraph& sides = *task.string_and_graph();
  return {static_cast<double>(sides.labels.size()), static_cast<double>(sides.graph->num_states()),
          static_cast<double>(sides.graph->automaton().num_arcs()), static_cast<double>(sides.graph->neighbours()),
          static_cast<double>(task.metric().num_memories())};
}

double nothing_besides(Task&) { return 0; }

Reason why_not_one_string(Task& task) {
  if (task.options().nbest > 1) return kOneBest;
  return task.string_and_graph() ? nullptr : kNoString;
}

bool topological_holds(Task& task) {
  const Sizes s = sizes_of(task);
  const double cells = (s.words + 1) * s.states * s.memories;
  if (cells <= static_cast<double>(std::min(kMostWholeCells, task.options().max_cells))) return true;
  const auto words = static_cast<std::int64_t>(s.words), states = static_cast<std::int64_t>(s.states);
  return cells > static_cast<double>(kMostWholeCells) &&
         LineTable<std::int64_t>::kept_cells(words, states, task.metric().num_memories()) <= task.options().max_cells;
}

// Of a score, ties decide about the length of the reference only; and where settling them would be too much, another
// route can.
bool settles(Task& task) {
  return !(task.options().score_only && !task.string_and_graph()->is_hypothesis && topological_holds(task));
}

// Arcs that are looked at where the ties of a path or two are settled.
double path_arcs(Task& task) {
  const Sizes s = sizes_of(task);
  return settles(task) ? s.words * s.arcs_of_state() : 0;
}

// Cells that settling ties goes over beside.
double tied_cells(Task& task) {
  const Sizes s = sizes_of(task);
  return settles(task) && task.nearly_all_tie() ? s.words * s.states : 0;
}

struct BitParallelRow {
  static Reason why_not(Task& task) {
    if (!task.has_unit_costs()) return kNotUnit;
    if (const Reason reason = why_not_one_string(task)) return reason;
    if (task.string_and_graph()->labels.size() > kMaxBitWords) return "the string has more than 63 words";
    if (task.question().window > WindowShapes::kMaxShapeWindow) return "the window is larger than 6";
    return bit_parallel_bytes(task) > 8.0 * static_cast<double>(task.options().max_cells) ? kTooMuchMemory : nullptr;
  }
  static Terms terms(Task& task) {
    if (task.is_reordered()) return {1};  // all other routes take far longer
    const Sizes s = sizes_of(task);
    const double vectors = s.words > 31 ? 2 : 1;  // a state, of 32 bytes
    return {1, s.states * vectors, s.neighbours * vectors, s.words, path_arcs(task), tied_cells(task)};
  }
  static std::optional<Outcome> solve(Task& task, const Patience& patience) {
    const auto most_levels = [&] {
      const double levels = task.is_reordered() ? kNever : patience() / (kNanosecondsOfLevel * sizes_of(task).states);
      return static_cast<int>(std::min<double>(levels, LevelSearch::kAnyLevel));
    };
    return solve_bit_parallel(task, most_levels);
  }
  // What lies beyond the levels side by side in vectors is looked for level by level.
  static constexpr double kNanosecondsOfLevel = 30;
};

struct StringPairRow {
  static Reason why_not(Task& task) {
    if (!task.has_unit_costs()) return kNotUnit;
    if (task.options().nbest > 1) return kOneBest;
    if (task.is_reordered()) return kReordered;
    if (task.is_two_texts()) return nullptr;
    const StringAndGraph* sides = task.string_and_graph();
    const bool can = (!sides || sides->graph->automaton().is_line()) && task.string_pair();
    return can ? nullptr : "a side is not a plain string";
  }
  static Terms terms(Task&) { return {1}; }
  static double bytes(Task& task) {
    return static_cast<double>(task.string_pair()->hypothesis.size() + task.string_pair()->reference.size());
  }
  static std::optional<Outcome> solve(Task& task, const Patience&) { return solve_string_pair(task); }
};

struct UnitRowsRow {
  static Reason why_not(Task& task) {
    if (!task.has_unit_costs()) return kNotUnit;
    if (task.is_reordered()) return kReordered;
    if (const Reason reason = why_not_one_string(task)) return reason;
    if (!unit_rows_take(task.string_and_graph()->labels.size())) return "the string is too long";
    return bytes(task) > 4.0 * static_cast<double>(task.options().max_cells) ? kTooMuchMemory : nullptr;
  }
  static Terms terms(Task& task) {
    const Sizes s = sizes_of(task);
    const double vectors = s.vectors(1);
    return {1, s.states * vectors, s.arcs * vectors, s.words, path_arcs(task), tied_cells(task)};
  }
  static double bytes(Task& task) {
    const Sizes s = sizes_of(task);
    return s.states * s.vectors(1) * 64;
  }
  static std::optional<Outcome> solve(Task& task, const Patience&) { return solve_unit_rows(task, settles(task)); }
};

struct RowsRow {
  static Reason why_not(Task& task) {
    if (!task.has_plain_costs()) return kNotPlain;
    if (task.is_reordered()) return kReordered;
    if (const Reason reason = why_not_one_string(task)) return reason;
    if (bytes(task) > 8.0 * static_cast<double>(task.options().max_cells)) return kTooMuchMemory;
    return task.has_unit_costs() || rows_take(task.metric()) ? nullptr : kMismatches;
  }
  static Terms terms(Task& task) {
    const Sizes s = sizes_of(task);
    const double vectors = s.vectors(2);
    return {
        1, s.states * vectors * (3 + s.memories), s.arcs * vectors, s.arcs, s.words, path_arcs(task), tied_cells(task)};
  }
  static double bytes(Task& task) {
    const Sizes s = sizes_of(task);
    return (s.words + 1) * s.states * s.memories * 2;
  }
  static std::optional<Outcome> solve(Task& task, const Patience&) { return solve_rows(task); }
};

// -------------------------------------------------------------------------------------------------------------- two
// graphs

struct GraphsRow {
  static Reason why_not(Task& task) {
    if (!task.has_plain_costs()) return kNotPlain;
    if (task.metric().num_memories() > 1) return "the metric has memories";
    if (!graphs_take(task.metric())) return kMismatches;
    if (task.options().nbest > 1) return kOneBest;
    return task.is_reordered() ? kReordered : nullptr;
  }
  static Terms terms(Task& task) {
    if (!task.string_and_graph()) {
      const double h = task.hypothesis_arcs(), r = task.reference_arcs();
      return {1, 0, 0, 0, 0, 0, h + r, h * r};
    }
    const Sizes s = sizes_of(task);
    return {1, s.arcs, s.words * s.words, s.words * s.states, s.states, tied_cells(task)};
  }
  static double bytes(Task&) { return 0; }  // known when the sides are written out
  static std::optional<Outcome> solve(Task& task, const Patience&) { return solve_graphs(task); }
};

// ------------------------------------------------------------------------------------------------------------- the
// product

bool is_too_large(const Side& side, const Options& options) { return expanded_arcs(side) > options.max_expanded_arcs; }

std::optional<Outcome> solve_by(Route route, Task& task) {
  Plan plan = task.plan();
  go_by(route, plan);
  return solve_as_planned(plan);
}

// Whether both sides can be, as far as it is known without a problem.
bool is_written_out(Task& task) { return task.has_plain_costs() && !task.is_reordered() && task.string_and_graph(); }

struct ChartRow {
  static Reason why_not(Task& task) {
    std::string why = why_not_chart(task.problem(), task.options());
    return why.empty() ? nullptr : task.keep(std::move(why));
  }
  static Terms terms(Task& task) {
    return {1, chart_steps(*chart_sides(task.problem(), task.options()), task.metric().num_memories())};
  }
  // Where both sides can be written out, and equal parts shared, the others do less.
  static double besides(Task& task) {
    if (task.has_plain_costs() && task.string_and_graph()) return kNever;
    const Problem& problem = task.problem();
    const bool is_needed = problem.has_costs_on_cards() || is_too_large(problem.hypothesis, task.options()) ||
                           is_too_large(problem.reference, task.options());
    return is_needed ? 0 : kNever;
  }
  static double bytes(Task&) { return 0; }
  static std::optional<Outcome> solve(Task& task, const Patience&) { return solve_by(Route::kChart, task); }
};

struct TopologicalRow {
  static Reason why_not(Task& task) {
    if (is_written_out(task)) return nullptr;
    std::string why = why_not_topological(task.problem(), task.options());
    return why.empty() ? nullptr : task.keep(std::move(why));
  }
  static Terms terms(Task& task) {
    const double h = task.hypothesis_arcs(), r = task.reference_arcs();
    const double pairs = h * r * task.metric().num_memories();
    return {1, h + r, task.is_reordered() ? 0 : pairs, task.is_reordered() ? pairs / task.question().window : 0};
  }
  // Beyond its limit it is only there to say so, unless best-first may do better.
  static double besides(Task& task) {
    return task.string_and_graph() && !task.is_reordered() && !topological_holds(task) ? 0.05 * kSecond : 0;
  }
  static double bytes(Task& task) {
    return 8 * task.hypothesis_arcs() * task.reference_arcs() * task.metric().num_memories();
  }
  static std::optional<Outcome> solve(Task& task, const Patience&) { return solve_by(Route::kTopological, task); }
};

struct BestFirstRow {
  static constexpr double kTried = 0.1 * kSecond;   // what one would wait in vain
  static constexpr double kSoon = 0.001 * kSecond;  // less is not waited for, but for a string that is a path

  static Reason why_not(Task& task) {
    if (task.problem().has_costs_on_cards())
      return "costs stand on the cards of a network, which only the chart route handles";
    if (task.plan().costs.negative)
      return "there are negative costs, which only the topological and chart routes handle";
    return task.plan().deletes_for_nothing() ? "the references are cyclic and deletions cost nothing" : nullptr;
  }
  static Terms terms(Task&) { return {1}; }
  // What it takes depends on how far the sides are apart, which nobody knows before: little where they are near, and no
  // end of time where they are not. So it is tried where all others take longer than one would wait in vain, or if a
  // string is a path of the other side.
  static double besides(Task& task) {
    if (task.options().nbest > 1 && task.is_reordered() && table_holds(task.plan())) return kNever;
    if (task.options().nbest > 1 && is_too_large(task.problem().hypothesis, task.options())) return 1000 * kSecond;
    if (is_too_large(task.problem().hypothesis, task.options()) ||
        is_too_large(task.problem().reference, task.options()))
      return 10 * kSecond;
    if (sides_are_unlike(task)) return 100 * kSecond;
    if (may_be_near(task) && task.is_a_path()) return when_near(task);
    const bool others_fill_tables =
        task.has_plain_costs() && !task.is_reordered() && task.metric().num_memories() == 1 && !task.plan().is_cyclic();
    if (others_fill_tables && task.options().nbest == 1) return 5 * kSecond;
    if (task.is_reordered()) return std::min(in_window(task) + kSoon, kTried);
    if (task.problem().wildcard != kNoMatch) return 0.5 * kSecond / task.metric().num_memories();
    return kTried;
  }
  static double bytes(Task&) { return 0; }
  static double least(Task& task, double others) {
    if (may_be_near(task) && when_near(task) < others && task.is_a_path()) return 0;
    if (others <= kSoon) return kSoon;  // without a look at the sides
    return task.is_reordered() || task.problem().wildcard != kNoMatch ? kSoon : kTried;
  }
  static std::optional<Outcome> solve(Task& task, const Patience& patience);

 private:
  // Of permutations against graphs of few states it meets a twentieth of all pairs of states or so, fewer the larger
  // the window, and looks at all arcs that leave the graph's state with each word of the window.
  static double in_window(Task& task) {
    if (!task.string_and_graph()) return kNever;
    const Sizes s = sizes_of(task);
    const double window = task.question().window, pairs = task.hypothesis_arcs() / window * s.states;
    return 0.18 / window * pairs * nanoseconds_of_node(task, s);
  }
  static double nanoseconds_of_node(Task& task, const Sizes& s) {
    return (170 + 8 * s.arcs_of_state()) * task.question().window;
  }
  // A string is a path of the other side more often than one would think: of many that are recognised without an error.
  static bool may_be_near(Task& task) {
    return task.has_plain_costs() && task.options().nbest == 1 && task.string_and_graph() &&
           task.string_and_graph()->graph->num_states() > 2;
  }
  // Then it meets little more than that path.
  static double when_near(Task& task) {
    if (task.is_reordered()) return 0.3 * in_window(task);
    const Sizes s = sizes_of(task);
    return 5 * s.arcs + 700 * s.words;
  }
  // So unlike in length that it would look at all there is.
  static bool sides_are_unlike(Task& task) {
    if (task.is_reordered() || !task.string_and_graph()) return false;
    const Sizes s = sizes_of(task);
    return s.words / 2 >= s.states ||
           s.words * 2 <= static_cast<double>(task.string_and_graph()->graph->automaton().least_words());
  }
};

// Product states that best-first may meet of permutations too many to be written out, unless it is asked for: a few
// seconds.
constexpr std::int64_t kMostTriedNodes = 1'000'000;
// Parts of the time of the next route that it may look for an answer: where it is likely to be found in that time, and
// where not.
constexpr double kLikely = 0.8, kUnlikely = 0.2;

// Reordering in a window: it has a part of the time of the next route, and then that has its turn.
std::optional<Outcome> BestFirstRow::solve(Task& task, const Patience& patience) {
  const Options& options = task.options();
  if (!task.is_reordered() || options.route != Route::kAuto || options.nbest > 1)
    return solve_by(Route::kBestFirst, task);
  const bool holds = table_holds(task.plan());
  const bool are_too_many = is_too_large(task.problem().hypothesis, options);
  Plan plan = task.plan();
  if (holds) {
    const bool is_likely = in_window(task) < patience() || (may_be_near(task) && task.is_a_path());
    const double time = patience() * (is_likely ? kLikely : kUnlikely);
    const double node = task.string_and_graph() ? nanoseconds_of_node(task, sizes_of(task)) : 1000;
    plan.options.max_nodes = std::min(options.max_nodes, static_cast<std::int64_t>(std::min(time / node, 1e15)) + 1);
  }
  if (are_too_many) plan.options.max_nodes = std::min(options.max_nodes, kMostTriedNodes);
  try {
    go_by(Route::kBestFirst, plan);
    return solve_as_planned(plan);
  } catch (const TooManyNodes&) {
    if (holds) return std::nullopt;
    if (!are_too_many || plan.options.max_nodes == options.max_nodes) throw;
  }
  const auto& permutations = std::get<Permutations>(task.problem().hypothesis);
  throw SearchError("reordering " + std::to_string(permutations.words.size()) + " words in a window of " +
                    std::to_string(permutations.window) + " takes up to " +
                    std::to_string(expanded_arcs(task.problem().hypothesis)) +
                    " arcs written out, more than the limit of " + std::to_string(options.max_expanded_arcs) +
                    ", and the closest path is too far away to be found without that; use a smaller "
                    "window, raise " +
                    kMaxExpandedArcs + ", or let route best-first go on as far as " + kMaxNodes + " allows");
}

std::optional<Outcome> solve_dijkstra(Task& task, const Patience&) { return solve_by(Route::kDijkstra, task); }

// --------------------------------------------------------------------------------------------------------------- the
// table

// The routes that are often fastest come first, so that the others are not even asked where they cannot be faster.
constexpr Row kRows[] = {
    {Route::kStringPair,
     "it takes unit costs, rewriting at no cost, a plain string on both sides, and nbest 1",
     StringPairRow::why_not,
     StringPairRow::terms,
     {1},
     nothing_besides,
     StringPairRow::bytes,
     StringPairRow::solve},
    {Route::kBitParallel,
     "it takes unit costs, rewriting at no cost, a string of at most 63 words on one side (window at most 6), an "
     "acyclic other side, "
     "sets of at most as many bytes as 8 times max_cells (--max cells=N, or SearchOptions in Python), and nbest 1",
     BitParallelRow::why_not,
     BitParallelRow::terms,
     {330, 0.5, 1.9, 38, 0.4, 150},
     nothing_besides,
     bit_parallel_bytes,
     BitParallelRow::solve},
    {Route::kUnitRows,
     "it takes unit costs, rewriting at no cost, a plain string on one side, an acyclic other side, fewer than 65,535 "
     "edits, rows of at "
     "most 4 bytes a cell of max_cells (--max cells=N, or SearchOptions in Python), and nbest 1",
     UnitRowsRow::why_not,
     UnitRowsRow::terms,
     {700, 7, 1.1, 29, 3, 45},
     nothing_besides,
     UnitRowsRow::bytes,
     UnitRowsRow::solve},
    {Route::kRows,
     "it takes a plain string on one side, an acyclic other side, costs that depend neither on words nor on rewriting "
     "and by which a "
     "match is never worse than a substitution, and nbest 1",
     RowsRow::why_not,
     RowsRow::terms,
     {900, 3.5, 1.3, 0.63, 130, 3.7, 75},
     nothing_besides,
     RowsRow::bytes,
     RowsRow::solve},
    {Route::kGraphs,
     "it takes two acyclic sides without a window, of paths of a few thousand words and at most as many arcs written "
     "out as "
     "max_expanded_arcs (--max expansion=N, or SearchOptions in Python), at most 4 times as many pairs of states as "
     "max_cells (--max "
     "cells=N, or SearchOptions in Python), a metric of one memory whose costs depend neither on words nor on "
     "rewriting and by which a "
     "match is never worse than a substitution, and nbest 1",
     GraphsRow::why_not,
     GraphsRow::terms,
     {2900, 4, 11.8, 0.9, 7.7, 75, 3.2, 0.067},
     nothing_besides,
     GraphsRow::bytes,
     GraphsRow::solve},
    {Route::kTopological,
     nullptr,
     TopologicalRow::why_not,
     TopologicalRow::terms,
     {1500, 5, 5.5, 5},
     TopologicalRow::besides,
     TopologicalRow::bytes,
     TopologicalRow::solve},
    {Route::kChart,
     nullptr,
     ChartRow::why_not,
     ChartRow::terms,
     {1e5, 0.5},
     ChartRow::besides,
     ChartRow::bytes,
     ChartRow::solve,
     [](Task& task, double) { return ChartRow::besides(task); }},
    {Route::kBestFirst,
     nullptr,
     BestFirstRow::why_not,
     BestFirstRow::terms,
     {20'000},
     BestFirstRow::besides,
     BestFirstRow::bytes,
     BestFirstRow::solve,
     BestFirstRow::least},
    {Route::kDijkstra,
     nullptr,
     BestFirstRow::why_not,
     BestFirstRow::terms,
     {kNever},
     nothing_besides,
     BestFirstRow::bytes,
     solve_dijkstra},
};

double predicted(const Row& row, Task& task) {
  const Terms terms = row.terms(task);
  double sum = row.besides(task);
  for (std::size_t i = 0; i < kTerms; ++i) sum += terms[i] * row.nanoseconds[i];
  return sum;
}

[[noreturn]] void refuse_row(const Row& row, Reason why) {
  if (!row.takes) refuse(row.route, why);
  refuse(row.route, row.takes + (why ? std::string("; here ") + why : std::string()));
}

Outcome solve_forced(const Row& row, Task& task) {
  if (const Reason why = row.why_not(task)) refuse_row(row, why);
  if (auto outcome = row.solve(task, [] { return kNever; })) return *std::move(outcome);
  refuse_row(row, nullptr);
}

const Row& row_of(Route route) {
  return *std::ranges::find_if(kRows, [&](const Row& row) { return row.route == route; });
}

// The rows that are left, the cheapest first.
class Choice {
 public:
  explicit Choice(Task& task) : task_(task) {}

  Outcome solve() {
    while (const Row* row = cheapest(nullptr)) {
      const auto patience = [this, row] {
        const Row* next = cheapest(row);
        return next ? nanoseconds(*next) : kNever;
      };
      if (auto outcome = row->solve(task_, patience)) return *std::move(outcome);
      tried_[row - kRows] = true;
      known_ = {};
    }
    const Row& last = row_of(task_.problem().has_costs_on_cards() ? Route::kChart : Route::kTopological);
    refuse_row(last, last.why_not(task_));
  }

 private:
  const Row* cheapest(const Row* but) {
    const Row* best = nullptr;
    double least = kNever;
    for (const Row& row : kRows) {
      if (&row == but || row.is_hopeless(task_, least)) continue;
      if (const double time = nanoseconds(row); time < least) best = &row, least = time;
    }
    return best;
  }
  // kNever where a row cannot be used, or was in vain.
  double nanoseconds(const Row& row) {
    double& known = known_[&row - kRows];
    if (known == 0) known = tried_[&row - kRows] || row.why_not(task_) ? kNever : predicted(row, task_);
    return known;
  }

  Task& task_;
  std::array<double, std::size(kRows)> known_{};  // 0 where it is not
  std::array<bool, std::size(kRows)> tried_{};
};

}  // namespace

Outcome solve(const Item& item, const Question& question) {
  Task task(item, question);
  if (question.options.fear) return solve_fear(task.problem(), question.options);
  if (question.options.route != Route::kAuto) return solve_forced(row_of(question.options.route), task);
  return Choice(task).solve();
}

std::vector<RouteView> view_routes(const Item& item, const Question& question) {
  Task task(item, question);
  std::vector<RouteView> views;
  for (const Row& row : kRows) {
    const Reason why = row.why_not(task);
    if (why) {
      views.push_back({row.route, why, kNever, 0, {}});
    } else {
      views.push_back({row.route, "", predicted(row, task), row.bytes(task), row.terms(task)});
    }
  }
  return views;
}

}  // namespace fstmetrics

#include "search/rows/forgetful_rows.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "support/poll.h"

namespace fstmetrics {
namespace {

using GraphPlace = SweepGraph::Place;

template <class T>
struct ForgetfulWork {
  const SweepGraph* graph;
  const MatchingArcs* arcs;
  const std::int32_t* first_standing;
  const typename ForgetfulRows<T>::Standing* standings;
  int length, memories, target;
  std::size_t blocks, stride;
  T substitution, string_only, graph_only;
  std::span<const Transition> match;  // by memory
  void* rows;
  void* entered;  // rows of one state by memory, of what comes by a match or begins here
  std::uint8_t* lively;
};

// A block of a row.
template <class T, int kBytes>
struct Cells : Block<T, ForgetfulRows<T>::kCells, kBytes> {
  using Base = Block<T, ForgetfulRows<T>::kCells, kBytes>;
  using Base::kLanes;
  using Base::kParts;
  using Base::part;

  FSTMETRICS_INLINE static Cells all(T value) {
    Cells result;
    for (int i = 0; i < kParts; ++i) result.part[i] = typename Base::V{} + value;
    return result;
  }
  FSTMETRICS_INLINE void lower(const Cells& other) {
    for (int i = 0; i < kParts; ++i) part[i] = part[i] < other.part[i] ? part[i] : other.part[i];
  }
  FSTMETRICS_INLINE Cells plus(T cost) const {
    Cells result;
    for (int i = 0; i < kParts; ++i) result.part[i] = part[i] + cost;
    return result;
  }
  FSTMETRICS_INLINE Cells at_least(const T* bounds) const {
    const auto* least = reinterpret_cast<const typename Base::V*>(bounds);
    Cells result;
    for (int i = 0; i < kParts; ++i) result.part[i] = part[i] > least[i] ? part[i] : least[i];
    return result;
  }
  // Cells move up by kBy, coming from the block below.
  template <int kBy>
  FSTMETRICS_INLINE Cells moved(const Cells& below) const {
    return {this->template moved_up<kBy>(below)};
  }
  // A running minimum of steps that cost `cost`, of at most `length`.
  template <int kBy = 1>
  FSTMETRICS_INLINE void run_along(T cost, int length) {
    if constexpr (kBy < ForgetfulRows<T>::kCells) {
      if (kBy > length) return;
      lower(moved<kBy>(all(unreached<T>())).plus(static_cast<T>(kBy * cost)));
      run_along<2 * kBy>(cost, length);
    }
  }
  FSTMETRICS_INLINE T last() const { return part[kParts - 1][kLanes - 1]; }
};

template <class T>
struct FillForgetful {
  template <int kBytes>
  using Row = Cells<T, kBytes>*;

  template <int kBytes>
  FSTMETRICS_INLINE static void run(const ForgetfulWork<T>& t) {
    Polls poll;
    const SweepGraph& graph = *t.graph;
    const auto none = Cells<T, kBytes>::all(unreached<T>());
    for (std::size_t b = 0; b < t.blocks; ++b) row<kBytes>(t, graph.size())[b] = none;
    for (GraphPlace place = 0; place < graph.size(); ++place) {
      poll(static_cast<std::int64_t>(t.blocks) * (4 * t.memories + (graph.groups(place + 1) - graph.groups(place))));
      by_words<kBytes>(t, place);
      const bool starts = place == graph.starts().front();
      const bool enters = starts || t.arcs->first(place) >= 0;
      if (enters) {
        by_matches<kBytes>(t, place);
        if (starts) static_cast<T*>(t.entered)[0] = 0;
        read_words<kBytes>(t, place);
      }
      spread<kBytes>(t, place, enters);
      for (const GraphPlace neighbour : graph.by_epsilon(place)) by_epsilon<kBytes>(t, place, neighbour);
    }
  }

 private:
  // Row 0 is that of the least costs, row 1 + m that of memory m.
  template <int kBytes>
  FSTMETRICS_INLINE static Row<kBytes> row(const ForgetfulWork<T>& t, GraphPlace place, std::size_t number = 0) {
    return static_cast<Row<kBytes>>(t.rows) + place * t.stride + number * t.blocks;
  }
  // The row of a memory: of a place that is not lively the only one, or none.
  template <int kBytes>
  FSTMETRICS_INLINE static Row<kBytes> memory_row(const ForgetfulWork<T>& t, GraphPlace place, int memory) {
    if (t.lively[place]) return row<kBytes>(t, place, 1 + memory);
    return row<kBytes>(t, memory == t.target ? place : t.graph->size());
  }
  template <int kBytes>
  FSTMETRICS_INLINE static Row<kBytes> entered(const ForgetfulWork<T>& t, int memory) {
    return static_cast<Row<kBytes>>(t.entered) + memory * t.blocks;
  }

  static constexpr std::int64_t kLargeState = 1 << 16;  // of so many words a poll for each block of positions
  FSTMETRICS_INLINE static std::int64_t graph_words(const ForgetfulWork<T>& t, GraphPlace place) {
    return t.graph->groups(place + 1) - t.graph->groups(place);
  }

  // A word of the graph alone, or paired with another word.
  template <int kBytes>
  FSTMETRICS_INLINE static void by_words(const ForgetfulWork<T>& t, GraphPlace place) {
    Polls poll;
    const auto none = Cells<T, kBytes>::all(unreached<T>());
    const Row<kBytes> here = row<kBytes>(t, place);
    auto below = none;
    const bool is_large = graph_words(t, place) > kLargeState;
    for (std::size_t b = 0; b < t.blocks; ++b) {
      if (is_large) poll(2 * graph_words(t, place));
      auto any = none;
      for (const GraphPlace *group = t.graph->groups(place), *end = t.graph->groups(place + 1); group != end;) {
        for (int i = 0; i < SweepGraph::kGroup; ++i) any.lower(row<kBytes>(t, *group++)[b]);
      }
      here[b] = none;
      here[b].lower(any.plus(t.graph_only));
      here[b].lower(any.template moved<1>(below).plus(t.substitution));
      below = any;
    }
  }

  template <int kBytes>
  FSTMETRICS_INLINE static void by_matches(const ForgetfulWork<T>& t, GraphPlace place) {
    Polls poll;
    const auto none = Cells<T, kBytes>::all(unreached<T>());
    for (std::size_t b = 0; b < t.memories * t.blocks; ++b) entered<kBytes>(t, 0)[b] = none;
    for (std::int32_t arc = t.arcs->first(place); arc >= 0; arc = (*t.arcs)[arc].next) {
      const MatchingArcs::Matching& matching = (*t.arcs)[arc];
      poll(2);
      for (std::int32_t at = t.first_standing[matching.word]; at >= 0; at = t.standings[at].next) {
        const auto& standing = t.standings[at];
        const auto match = [&](int memory, const Cells<T, kBytes>& from) {
          const Transition& to = t.match[memory];
          entered<kBytes>(t, to.next)[standing.block].lower(from.at_least(standing.mask).plus(static_cast<T>(to.cost)));
        };
        if (t.lively[matching.neighbour]) {
          for (int m = 0; m < t.memories; ++m) match(m, row<kBytes>(t, matching.neighbour, 1 + m)[standing.block]);
        } else {
          match(t.target, row<kBytes>(t, matching.neighbour)[standing.block]);
        }
      }
    }
    // Found where their words begin.
    for (int m = 0; m < t.memories; ++m) {
      auto below = none;
      for (std::size_t b = 0; b < t.blocks; ++b) {
        const auto cells = entered<kBytes>(t, m)[b];
        entered<kBytes>(t, m)[b] = cells.template moved<1>(below);
        below = cells;
      }
    }
  }

  // Words of the string alone.
  template <int kBytes>
  FSTMETRICS_INLINE static void read_words(const ForgetfulWork<T>& t, GraphPlace place) {
    const Row<kBytes> here = row<kBytes>(t, place);
    auto below = Cells<T, kBytes>::all(unreached<T>());
    for (std::size_t b = 0; b < t.blocks; ++b) {
      auto cells = entered<kBytes>(t, 0)[b];
      for (int m = 1; m < t.memories; ++m) cells.lower(entered<kBytes>(t, m)[b]);
      if (b > 0) first_lane<kBytes>(cells, below.last() + t.string_only);
      cells.run_along(t.string_only, t.length);
      here[b].lower(cells.template moved<1>(below).plus(t.string_only));
      below = cells;
    }
  }
  template <int kBytes>
  FSTMETRICS_INLINE static void first_lane(Cells<T, kBytes>& cells, int value) {
    if (value < cells.part[0][0]) cells.part[0][0] = static_cast<T>(value);
  }

  // Adds what entered; row 0 holds memory `target` so far.
  template <int kBytes>
  FSTMETRICS_INLINE static void spread(const ForgetfulWork<T>& t, GraphPlace place, bool enters) {
    const Row<kBytes> least = row<kBytes>(t, place);
    t.lively[place] = 0;
    if (t.memories == 1) {
      for (std::size_t b = 0; enters && b < t.blocks; ++b) least[b].lower(entered<kBytes>(t, 0)[b]);
      return;
    }
    const auto before = t.graph->by_epsilon(place);
    if (!enters && std::none_of(before.begin(), before.end(), [&](GraphPlace p) { return t.lively[p] != 0; })) return;
    t.lively[place] = 1;
    const auto none = Cells<T, kBytes>::all(unreached<T>());
    for (std::size_t b = 0; b < t.blocks; ++b) {
      const auto by_errors = least[b];
      for (int m = 0; m < t.memories; ++m) {
        auto cells = enters ? entered<kBytes>(t, m)[b] : none;
        if (m == t.target) cells.lower(by_errors);
        row<kBytes>(t, place, 1 + m)[b] = cells;
        least[b].lower(cells);
      }
    }
  }

  template <int kBytes>
  FSTMETRICS_INLINE static void by_epsilon(const ForgetfulWork<T>& t, GraphPlace place, GraphPlace neighbour) {
    for (std::size_t b = 0; b < t.blocks; ++b) {
      row<kBytes>(t, place)[b].lower(row<kBytes>(t, neighbour)[b]);
      for (int m = 0; t.lively[place] && m < t.memories; ++m) {
        row<kBytes>(t, place, 1 + m)[b].lower(memory_row<kBytes>(t, neighbour, m)[b]);
      }
    }
  }
};

}  // namespace

bool errors_forget(const RowProblem& problem) {
  const int target = problem.transition(0, Op::kSubstitution).next;
  for (const Op op : {Op::kSubstitution, Op::kInsertion, Op::kDeletion}) {
    for (int m = 0; m < problem.memories(); ++m) {
      const Transition& t = problem.transition(m, op);
      if (t.next != target || t.cost != problem.transition(0, op).cost) return false;
    }
  }
  return true;
}

template <class T>
ForgetfulRows<T>::ForgetfulRows(const RowProblem& problem)
    : graph_(problem.graph.automaton().sweep_graph(Direction::kForwards)),
      blocks_((static_cast<int>(problem.words.size()) + kCells) / kCells),
      target_(problem.transition(0, Op::kSubstitution).next),
      stride_(static_cast<std::size_t>(blocks_) * (problem.memories() > 1 ? problem.memories() + 1 : 1)),
      lively_(graph_.size() + 1, 0) {
  find_words(problem);
  arcs_.list(graph_, labels_);
  const std::size_t rows = (graph_.size() + 1) * stride_,
                    scratch = static_cast<std::size_t>(problem.memories()) * blocks_;
  memory_.reserve((rows + scratch) * 64);
  std::vector<Transition> match;
  for (const auto& ops : problem.metric.transitions) match.push_back(ops[static_cast<int>(Op::kMatch)]);
  const auto cost = [&](Op op) { return static_cast<T>(problem.transition(0, op).cost); };
  run_kernel<FillForgetful<T>>(ForgetfulWork<T>{
      &graph_, &arcs_, first_standing_.data(), standings_.data(), static_cast<int>(problem.words.size()),
      problem.memories(), target_, static_cast<std::size_t>(blocks_), stride_, cost(Op::kSubstitution),
      cost(problem.string_only), cost(problem.graph_only), match, memory_.data(),
      static_cast<T*>(memory_.data()) + rows * kCells, lively_.data()});
}

template <class T>
void ForgetfulRows<T>::find_words(const RowProblem& problem) {
  std::unordered_map<Label, std::int32_t> number;
  for (int i = 0; i < static_cast<int>(problem.words.size()); ++i) {
    const Label label = problem.words[i];
    if (label <= kEpsilon) continue;
    const auto [word, is_new] = number.try_emplace(label, static_cast<std::int32_t>(labels_.size()));
    if (is_new) labels_.push_back(label), first_standing_.push_back(-1);
    std::int32_t& first = first_standing_[word->second];
    if (first < 0 || standings_[first].block != i / kCells) {
      standings_.push_back({{}, i / kCells, first});
      first = static_cast<std::int32_t>(standings_.size()) - 1;
      std::fill_n(standings_.back().mask, kCells, unreached<T>());
    }
    standings_[first].mask[i % kCells] = std::numeric_limits<T>::min();
  }
}

template class ForgetfulRows<std::int16_t>;
template class ForgetfulRows<std::int32_t>;

}  // namespace fstmetrics

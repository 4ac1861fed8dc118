#include "search/rows/unit_ties.h"

#include "search/tie_rules.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// The cells that lead to a cell, looked up in rows as they lie: nearly all arcs into a state lie on no best path, which
// the costs of two neighbouring positions tell.
template <class V, class RowCell>
class UnitWays {
 public:
  using Cells = TieBreaker<V>;
  using Number = typename Cells::Number;

  UnitWays(const UnitRows& rows, const SearchGraph& graph, std::span<const Label> words, bool string_is_hypothesis,
           const StringWeights<V>& weights, Cells& cells)
      : graph_(graph),
        words_(words),
        rows_(rows.rows<RowCell>()),
        width_(rows.width()),
        string_alone_(string_is_hypothesis ? Op::kInsertion : Op::kDeletion),
        graph_alone_(string_is_hypothesis ? Op::kDeletion : Op::kInsertion),
        weights_(weights),
        cells_(cells) {}

  void enter(StateId) {}
  void leave(StateId) {}

  void before(StateId state, Number number) {
    const V rank = cells_[number].rank;
    const std::int32_t position = cells_[number].position, cost = cells_[number].cost;
    const auto incoming = graph_.incoming(state);
    poll_(20 + 4 * std::ssize(incoming));
    const RowCell* const rows = rows_ + position;
    const std::int64_t width = width_;
    const auto offer = [&](StateId source, V weight, std::int32_t arc, int from, int at, Op op) {
      typename Cells::Cell cell{rank + weight, number, arc, from, at};
      cell.op = op;
      cells_.offer(source, cell);
    };
    if (position == 0) {
      for (const SearchGraph::Incoming& in : incoming) {
        const std::int32_t here = rows[in.source * width];
        if (in.label == kEpsilon) {
          if (here == cost) offer(in.source, 0, in.arc, 0, cost, Op::kEpsilon);
        } else if (here == cost - 1) {
          offer(in.source, weights_.graph_only, in.arc, 0, cost - 1, graph_alone_);
        }
      }
      return;
    }
    const Label word = words_[position - 1];
    if (rows[state * width - 1] == cost - 1) {
      offer(state, weights_.string_only, -1, position - 1, cost - 1, string_alone_);
    }
    for (const SearchGraph::Incoming& in : incoming) {
      const RowCell* const row = rows + in.source * width;
      const std::int32_t here = row[0], before = row[-1];
      if (in.label == kEpsilon) {
        if (here == cost) offer(in.source, 0, in.arc, position, cost, Op::kEpsilon);
        continue;
      }
      if (here == cost - 1) { offer(in.source, weights_.graph_only, in.arc, position, cost - 1, graph_alone_); }
      if (in.label == word) {
        if (before == cost) offer(in.source, weights_.match, in.arc, position - 1, cost, Op::kMatch);
      } else if (before == cost - 1) {
        offer(in.source, weights_.substitution, in.arc, position - 1, cost - 1, Op::kSubstitution);
      }
    }
  }

 private:
  Polls poll_;
  const SearchGraph& graph_;
  const std::span<const Label> words_;
  const RowCell* const rows_;
  const std::int64_t width_;
  const Op string_alone_, graph_alone_;
  const StringWeights<V> weights_;
  Cells& cells_;
};

}  // namespace

bool UnitTies::settle(const UnitRows& rows, const SearchGraph& graph, std::span<const Label> words,
                      bool string_is_hypothesis, int cost, std::int64_t max_cells) {
  graph_ = &graph, string_is_hypothesis_ = string_is_hypothesis;
  const std::int64_t own = std::ssize(words), other = own + cost;
  const TotalBounds bounds{string_is_hypothesis ? own : other, string_is_hypothesis ? other : own, false, 1};
  const auto end = static_cast<std::int32_t>(words.size());
  const auto run = [&]<class V, class RowCell>(TieBreaker<V>& cells, RowCell) {
    const auto ranking = make_ranking<V>(bounds, true);
    cells.open(graph.num_states(), end + 1, 1, EqualSteps::kDearest);
    for (const StateId state : graph.finals()) {
      if (rows.at(state, end) == cost) cells.offer(state, {0, -1, -1, end, cost});
    }
    UnitWays<V, RowCell> ways(rows, graph, words, string_is_hypothesis, {ranking, string_is_hypothesis}, cells);
    if (!cells.settle(ways, max_cells)) return false;
    totals_ = ranking.totals(cells.start().rank + cost * ranking.cost);
    return true;
  };
  has_wide_ranks_ = width_needed(bounds) != Width::kMachine;
  if (has_wide_ranks_) return rows.are_wide() ? run(wide_, std::uint16_t()) : run(wide_, std::uint8_t());
  return rows.are_wide() ? run(narrow_, std::uint16_t()) : run(narrow_, std::uint8_t());
}

std::vector<Step> UnitTies::trace() const {
  const auto arcs = graph_->automaton().all_arcs();
  return has_wide_ranks_ ? steps_of(wide_, arcs, string_is_hypothesis_)
                         : steps_of(narrow_, arcs, string_is_hypothesis_);
}

}  // namespace fstmetrics

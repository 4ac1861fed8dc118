#include "search/strings/document_cuts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "search/strings/edit_table.h"
#include "search/strings/limit_search.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// The lowest of best paths, from the last column to the first; rows are positions of the hypothesis.
class LowestPath {
 public:
  LowestPath(std::span<const Label> hypothesis, std::span<const Label> references, std::span<const std::int64_t> ends)
      : down_(hypothesis), across_(references), ends_(ends), cuts_(ends.size() + 1, 0), open_(ends.size()) {
    row_ = std::ssize(hypothesis);
    column_ = std::ssize(references);
    // The last cut is the end, whatever lies below it.
    for (; open_ > 0 && ends_[open_ - 1] == column_ && open_ == ends_.size(); --open_) cuts_[open_] = row_;
  }

  void follow(EditTable& table, const LimitSearch& sweep) {
    for (std::size_t i = sweep.stretches().size(); i-- > 0;) {
      EditTable::Column column = sweep.stretches()[i];
      ways_.clear(), columns_.clear();
      while (column.index < column_) columns_.push_back(table.advance(column, sweep.limit(), ways_));
      for (; !columns_.empty(); columns_.pop_back()) step_back(columns_.back());
    }
  }

  std::vector<std::int64_t> cuts() && { return std::move(cuts_); }

 private:
  void step_back(const EditTable::WaysOfColumn& kept) {
    const auto into = [&]() -> const EditTable::Ways& {
      return ways_[kept.begin + static_cast<std::size_t>((row_ - 1) / EditTable::kRows - kept.first)];
    };
    const auto bit = [&] { return std::uint64_t{1} << ((row_ - 1) % EditTable::kRows); };
    while (row_ > 0 && (into().above & bit())) --row_;
    cut_here();
    if (row_ > 0) {
      const Label word = down_[row_ - 1];
      const bool same = word == across_[column_ - 1] && word > kEpsilon;
      if (same || !(into().unchanged & bit())) --row_;
    }
    --column_;
  }

  void cut_here() {
    for (; open_ > 0 && ends_[open_ - 1] == column_; --open_) cuts_[open_] = row_;
  }

  std::span<const Label> down_, across_;
  std::span<const std::int64_t> ends_;
  std::vector<std::int64_t> cuts_;
  std::size_t open_;  // cuts that are not made yet; those in column 0 are 0
  std::int64_t row_, column_;
  std::vector<EditTable::Ways> ways_;  // of a stretch
  std::vector<EditTable::WaysOfColumn> columns_;
};

// Costs by position of the hypothesis.
using Row = std::vector<std::int32_t>;
constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max() / 2;

// Arcs of one segment by state, states in topological order.
struct SegmentStates {
  struct Out {
    std::int32_t next;  // place in the order
    Label label;
  };
  std::vector<std::vector<Out>> arcs;       // to other states
  std::vector<std::vector<Label>> loops;    // at a state
  std::vector<std::int32_t> times_entered;  // arcs from other states
  std::int32_t start, last;
};

SegmentStates states_of(const SegmentGraphs& graphs, std::span<const SegmentGraphs::Arc> arcs, std::size_t segment) {
  const StateId first = graphs.first_states[segment];
  const auto count = static_cast<std::size_t>(graphs.first_states[segment + 1] - first);
  std::vector<std::vector<SegmentGraphs::Arc>> out(count);
  std::vector<std::int32_t> entered(count, 0), place(count, -1);
  for (const SegmentGraphs::Arc& arc : arcs) {
    out[arc.source - first].push_back(arc);
    entered[arc.next - first] += arc.source != arc.next;
  }
  std::vector<StateId> order;
  for (std::size_t state = 0; state < count; ++state) {
    if (entered[state] == 0) order.push_back(static_cast<StateId>(state));
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    place[order[at]] = static_cast<std::int32_t>(at);
    for (const SegmentGraphs::Arc& arc : out[order[at]]) {
      if (arc.source != arc.next && --entered[arc.next - first] == 0) order.push_back(arc.next - first);
    }
  }
  if (order.size() < count) throw std::invalid_argument("a reference has a cycle");
  SegmentStates found;
  found.arcs.resize(count), found.loops.resize(count), found.times_entered.assign(count, 0);
  for (std::size_t state = 0; state < count; ++state) {
    const std::int32_t from = place[state];
    for (const SegmentGraphs::Arc& arc : out[state]) {
      if (arc.source == arc.next) {
        if (arc.label != kEpsilon) found.loops[from].push_back(arc.label);
      } else {
        const std::int32_t to = place[arc.next - first];
        found.arcs[from].push_back({to, arc.label});
        ++found.times_entered[to];
      }
    }
  }
  found.start = place[graphs.starts[segment] - first];
  found.last = place[count - 1];
  return found;
}

// 0 where a label takes a word without an edit.
std::int32_t edits_of(Label label, Label word) { return label != word && label != SegmentGraphs::kAnyWord; }

class GraphCuts {
 public:
  GraphCuts(std::span<const Label> words, const SegmentGraphs& graphs)
      : words_(words), graphs_(graphs), segments_(graphs.starts.size()), arcs_(graphs.arcs) {
    std::ranges::stable_sort(arcs_, {}, &SegmentGraphs::Arc::source);
    for (const StateId first : graphs.first_states) {
      const auto at = std::ranges::lower_bound(arcs_, first, {}, &SegmentGraphs::Arc::source);
      first_arcs_.push_back(static_cast<std::size_t>(at - arcs_.begin()));
    }
  }

  DocumentCuts run() {
    const auto stretch = 1 + static_cast<std::size_t>(std::sqrt(static_cast<double>(segments_)));
    std::vector<Row> kept(segments_ / stretch + 1);  // after stretch * i segments
    Row rest(words_.size() + 1);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = static_cast<std::int32_t>(words_.size() - i);
    for (std::size_t k = segments_;; --k) {
      if (k % stretch == 0) kept[k / stretch] = rest;
      if (k == 0) break;
      if (k == segments_) end_ = rest;
      rest = before(k - 1, std::move(rest));
    }
    DocumentCuts found{{0}, rest[0]};
    if (found.edits >= kNever) throw std::invalid_argument("a reference has no path");
    for (std::size_t begin = 0; begin < segments_; begin += stretch) {
      const std::size_t end = std::min(begin + stretch, segments_);
      std::vector<Row> rests(end - begin);  // after segments begin + 1 to end
      rests.back() = end % stretch == 0 ? kept[end / stretch] : end_;
      for (std::size_t k = end - 1; k > begin; --k) rests[k - begin - 1] = before(k, Row(rests[k - begin]));
      for (std::size_t k = begin; k < end; ++k) {
        const std::int64_t from = found.cuts.back();
        const std::int32_t best = k == begin ? kept[begin / stretch][from] : rests[k - begin - 1][from];
        const bool is_last = k + 1 == segments_;
        found.cuts.push_back(is_last ? std::ssize(words_) : first_cut(k, from, best, rests[k - begin]));
      }
    }
    return found;
  }

 private:
  SegmentStates states(std::size_t segment) const {
    return states_of(graphs_,
                     std::span(arcs_).subspan(first_arcs_[segment], first_arcs_[segment + 1] - first_arcs_[segment]),
                     segment);
  }

  // Costs of the rest before a segment, of those after it.
  Row before(std::size_t segment, Row after) {
    const SegmentStates own = states(segment);
    const std::size_t size = words_.size() + 1;
    std::vector<Row> rows(own.arcs.size());
    std::vector<std::int32_t> wanted = own.times_entered;
    ++wanted[own.start];
    for (std::size_t state = own.arcs.size(); state-- > 0;) {
      Row row = static_cast<std::int32_t>(state) == own.last ? std::move(after) : fresh(size);
      for (const SegmentStates::Out& arc : own.arcs[state]) {
        take(arc.label, rows[arc.next], row);
        if (--wanted[arc.next] == 0) spare_.push_back(std::move(rows[arc.next]));
      }
      const std::vector<Label>& loops = own.loops[state];
      for (std::size_t i = words_.size(); i-- > 0;) {
        std::int32_t most = 1;
        for (const Label loop : loops) most = std::min(most, edits_of(loop, words_[i]));
        row[i] = std::min(row[i], row[i + 1] + most);
      }
      poll(2 * std::ssize(words_));
      if (wanted[state] == 0) {
        spare_.push_back(std::move(row));
      } else {
        rows[state] = std::move(row);
      }
    }
    return std::move(rows[own.start]);
  }

  Row fresh(std::size_t size) {
    if (spare_.empty()) return Row(size, kNever);
    Row row = std::move(spare_.back());
    spare_.pop_back();
    row.assign(size, kNever);
    return row;
  }

  void take(Label label, const Row& from, Row& row) const {
    const std::size_t words = words_.size();
    poll(std::ssize(words_));
    if (label == kEpsilon) {
      for (std::size_t i = 0; i <= words; ++i) row[i] = std::min(row[i], from[i]);
      return;
    }
    for (std::size_t i = 0; i < words; ++i) {
      row[i] = std::min({row[i], from[i] + 1, from[i + 1] + edits_of(label, words_[i])});
    }
    row[words] = std::min(row[words], from[words] + 1);
  }

  // The first end of a segment that begins at a position, so that it and the rest after it have `best` edits.
  std::int64_t first_cut(std::size_t segment, std::int64_t from, std::int32_t best, const Row& rest) const {
    const SegmentStates own = states(segment);
    const std::size_t count = own.arcs.size();
    std::vector<std::int32_t> now(count, kNever), next(count);
    now[own.start] = 0;
    const auto without_word = [&](std::vector<std::int32_t>& costs) {
      for (std::size_t state = 0; state < count; ++state) {
        for (const auto& [to, label] : own.arcs[state]) {
          costs[to] = std::min(costs[to], costs[state] + (label != kEpsilon));
        }
      }
      poll(4 * static_cast<std::int64_t>(count));
    };
    without_word(now);
    std::int64_t at = from;
    for (; now[own.last] + rest[at] != best; ++at) {
      const Label word = words_[at];
      for (std::size_t state = 0; state < count; ++state) next[state] = now[state] + 1;
      for (std::size_t state = 0; state < count; ++state) {
        for (const Label loop : own.loops[state]) {
          next[state] = std::min(next[state], now[state] + edits_of(loop, word));
        }
        for (const auto& [to, label] : own.arcs[state]) {
          if (label != kEpsilon) next[to] = std::min(next[to], now[state] + edits_of(label, word));
        }
      }
      without_word(next);
      now.swap(next);
    }
    return at;
  }

  std::span<const Label> words_;
  const SegmentGraphs& graphs_;
  const std::size_t segments_;
  std::vector<SegmentGraphs::Arc> arcs_;
  std::vector<std::size_t> first_arcs_;
  Row end_;
  std::vector<Row> spare_;
};

}  // namespace

DocumentCuts string_cuts(std::span<const Label> hypothesis, std::span<const Label> references,
                         std::span<const std::int64_t> ends) {
  LowestPath path(hypothesis, references, ends);
  DocumentCuts found;
  if (hypothesis.empty() || references.empty()) {
    found.edits = static_cast<std::int64_t>(std::max(hypothesis.size(), references.size()));
  } else {
    EditTable table(hypothesis, references);
    const std::function<void(std::size_t)> any = [](std::size_t) {};
    const LimitSearch sweep(table, any);
    found.edits = sweep.limit();
    path.follow(table, sweep);
  }
  found.cuts = std::move(path).cuts();
  return found;
}

DocumentCuts graph_cuts(std::span<const Label> hypothesis, const SegmentGraphs& segments) {
  return GraphCuts(hypothesis, segments).run();
}

}  // namespace fstmetrics

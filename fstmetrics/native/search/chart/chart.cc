#include "search/chart/chart.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "search/chart/row_sums.h"
#include "support/poll.h"

namespace fstmetrics {
template <class V>
Chart<V>::Chart(const Rtn& rtn, FlatSteps<V>& flat, std::int64_t max_cells)
    : rtn_(rtn), flat_(flat), max_cells_(max_cells), kept_(rtn.cards().size()) {}

template <class V>
void Chart<V>::charge(std::int64_t cells) {
  num_cells_ += cells;
  if (num_cells_ > max_cells_) {
    throw SearchError("the chart needs more cells than the limit of " + std::to_string(max_cells_) + "; raise " +
                      kMaxCells + ", or use route best-first");
  }
}

template <class V>
typename Chart<V>::Kept& Chart<V>::kept(std::int32_t card, std::int32_t start) {
  auto& starts = kept_[card];
  if (starts.empty()) {
    charge(flat_.size());
    starts.resize(flat_.size());
  }
  return starts[start];
}

template <class V>
std::span<V> Chart<V>::cells(const Open& open, StateId state) {
  const std::size_t width = flat_.size() - open.first;
  return {open_cells_.data() + open.base + state * width, width};
}

template <class V>
void Chart<V>::open(std::int32_t number, std::int32_t start) {
  const std::int32_t first = flat_.first_after(start);
  const std::size_t size = static_cast<std::size_t>(flat_.size() - first) * card(number).num_states();
  charge(static_cast<std::int64_t>(size));
  open_.push_back({number, start, first, 0, -1, open_cells_.size()});
  open_cells_.resize(open_cells_.size() + size, Ranking<V>::infinity());
  cells(open_.back(), 0)[start - first] = V{0};
}

template <class V>
void Chart<V>::close() {
  num_cells_ -= static_cast<std::int64_t>(open_cells_.size() - open_.back().base);
  open_cells_.resize(open_.back().base);
  open_.pop_back();
}

template <class V>
typename Chart<V>::Row Chart<V>::row(std::int32_t number, std::int32_t start) {
  if (kept(number, start).count < 0) {
    const std::size_t depth = open_.size();
    open(number, start);
    while (open_.size() > depth) {
      if (!advance()) continue;
      // Finished: the best over its final states, without what is not reached on either side.
      const Open done = open_.back();
      std::span<V> ends = cells(done, card(done.card).num_states() - 1);  // the last state is final
      for (StateId state = 0; state + 1 < card(done.card).num_states(); ++state) {
        if (card(done.card).is_final(state)) relax(cells(done, state).data(), ends.size(), V{0}, ends.data());
      }
      const auto reached = [](V cost) { return FlatSteps<V>::is_reached(cost); };
      const auto begin = std::find_if(ends.begin(), ends.end(), reached);
      const auto end = std::find_if(ends.rbegin(), std::make_reverse_iterator(begin), reached).base();
      charge(end - begin);
      Kept& row = kept(done.card, done.start);
      row.at = rows_.size();
      row.first = done.first + static_cast<std::int32_t>(begin - ends.begin());
      row.count = static_cast<std::int32_t>(end - begin);
      for (auto at = begin; at != end; ++at) rows_.push_back(reached(*at) ? *at : Ranking<V>::infinity());
      close();
    }
  }
  const Kept& row = kept(number, start);
  return {row.first, {rows_.data() + row.at, static_cast<std::size_t>(row.count)}};
}

template <class V>
bool Chart<V>::advance() {
  Open& top = open_.back();
  const Automaton& automaton = card(top.card);
  for (; top.state < automaton.num_states(); ++top.state, top.arc = -1) {
    const auto arcs = automaton.arcs(top.state);
    if (top.arc < 0) pass(top), top.arc = 0;
    for (; top.arc < std::ssize(arcs); ++top.arc) {
      if (arcs[top.arc].label < 0 && !pass_call(top, arcs[top.arc])) return false;
    }
  }
  return true;
}

// The arcs of a state that call nothing.
template <class V>
void Chart<V>::pass(Open& top) {
  Polls poll;
  const std::span<V> here = cells(top, top.state);
  bool has_spread = false;
  for (const Arc& arc : card(top.card).arcs(top.state)) {
    if (arc.label < 0) continue;
    const std::span<V> there = cells(top, arc.next);
    const V taken = flat_.taken(arc);
    poll(std::ssize(here));
    if (arc.label == kEpsilon) {
      relax(here.data(), here.size(), taken, there.data());
      continue;
    }
    if (!has_spread) {
      spread_.assign(here.begin(), here.end());
      flat_.spread(spread_, top.first);
      has_spread = true;
    }
    const auto& table = flat_.with_word(arc.label);
    for (std::int32_t x = top.first; x < flat_.size(); ++x) {
      const V cost = spread_[x - top.first];
      if (!FlatSteps<V>::is_reached(cost)) continue;
      poll(2 + 2 * std::ssize(table.from(x)));
      for (const auto& step : table.from(x)) {
        V& cell = there[step.to - top.first];
        cell = std::min(cell, cost + step.cost + taken);
      }
    }
  }
}

// False where the row of a start is not filled yet: then it is being filled now.
template <class V>
bool Chart<V>::pass_call(Open& top, const Arc& arc) {
  Polls poll;
  const std::int32_t called = called_card(arc.label), first = top.first;
  const std::span<V> here = cells(top, top.state);
  for (std::int32_t x = first; x < flat_.size(); ++x) {
    poll(1);
    if (FlatSteps<V>::is_reached(here[x - first]) && kept(called, x).count < 0) {
      open(called, x);
      return false;
    }
  }
  const std::span<V> there = cells(top, arc.next);
  const V taken = flat_.taken(arc);
  for (std::int32_t x = first; x < flat_.size(); ++x) {
    if (!FlatSteps<V>::is_reached(here[x - first])) continue;
    const Kept& row = kept(called, x);
    poll(2 + row.count / 4);
    relax(rows_.data() + row.at, row.count, here[x - first] + taken, there.data() + row.first - first);
  }
  return true;
}

template <class V>
std::vector<V> Chart<V>::at_the_end() {
  const Row whole = row(rtn_.root(), 0);
  std::vector<V> ends(flat_.size(), Ranking<V>::infinity());
  std::copy(whole.ends.begin(), whole.ends.end(), ends.begin() + whole.first);
  return ends;
}

template <class V>
V Chart<V>::best() {
  std::vector<V> ends = at_the_end();
  flat_.spread(ends, 0);
  V best = Ranking<V>::infinity();
  for (std::int32_t x = 0; x < flat_.size(); ++x) {
    if (flat_.is_final(x)) best = std::min(best, ends[x]);
  }
  return best;
}

template <class V>
std::vector<Step> Chart<V>::trace() {
  const V best = this->best();
  const std::vector<V> before = at_the_end();
  std::vector<V> ends = before;
  flat_.spread(ends, 0);
  std::int32_t end = 0;
  while (!flat_.is_final(end) || ends[end] != best) ++end;
  std::vector<Step> steps;
  trace_cards(trace_alone(ends, before, 0, end, steps), steps);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

template <class V>
std::int32_t Chart<V>::trace_alone(std::span<const V> spread, std::span<const V> before, std::int32_t first,
                                   std::int32_t context, std::vector<Step>& backwards) {
  while (before[context - first] != spread[context - first]) {
    std::int32_t from = -1;
    Step step{Op::kEpsilon};
    for (std::int32_t x = first; x < context && from < 0; ++x) {
      poll(5);
      if (!FlatSteps<V>::is_reached(spread[x - first])) continue;
      flat_.for_each({}, x, [&](Op op, const Arc* arc, std::int32_t to, V cost) {
        if (from >= 0 || to != context || spread[x - first] + cost != spread[context - first]) return;
        from = x, step = flat_.step(op, nullptr, arc);
      });
    }
    if (from < 0) throw std::logic_error("the path of a chart broke off between words");
    if (step.op != Op::kEpsilon) backwards.push_back(step);
    context = from;
  }
  return context;
}

// The cards of a best path of the root from context 0 to `end`, from the last to the first. Every card is filled
// once more, its calls' rows being there; a card without words is passed by.
template <class V>
void Chart<V>::trace_cards(std::int32_t end, std::vector<Step>& backwards) {
  std::vector<Place> places;  // in each open card
  enter(rtn_.root(), 0, end, places);
  while (!places.empty()) {
    if (places.back().state > 0) {
      step_back(places, backwards);
    } else {  // a card's first state: no arc leads there
      places.pop_back();
      close();
    }
  }
}

// Opens a card for tracing, at the final state where its best path from `start` to `context` ends.
template <class V>
void Chart<V>::enter(std::int32_t number, std::int32_t start, std::int32_t context, std::vector<Place>& places) {
  const Row whole = row(number, start);
  const V cost = whole.ends[context - whole.first];
  open(number, start);
  if (!advance()) throw std::logic_error("a row that a best path needs is missing");
  const Open& top = open_.back();
  StateId state = 0;
  while (!card(number).is_final(state) || cells(top, state)[context - top.first] != cost) ++state;
  places.push_back({state, context});
}

// From a place in the innermost open card to one before it, over one arc; a call that has words is entered.
template <class V>
void Chart<V>::step_back(std::vector<Place>& places, std::vector<Step>& backwards) {
  Place& place = places.back();
  const Open top = open_.back();
  const std::int32_t to = place.context;
  const V here = cells(top, place.state)[to - top.first];
  for (const ReverseArcs::Incoming& incoming : card(top.card).reversed().incoming(place.state)) {
    poll(10 * flat_.size());
    const Arc& arc = card(top.card).all_arcs()[incoming.arc];
    const std::span<const V> before = cells(top, incoming.source);
    if (arc.label < 0) {
      const auto from = trace_call(arc, before, top.first, here, to);
      if (!from) continue;
      const bool has_words =
          *from != to || flat_.pricing().has_operations(here - flat_.taken(arc) - before[to - top.first]);
      place = {incoming.source, *from};
      if (has_words) enter(called_card(arc.label), *from, to, places);
      return;
    }
    const bool found = arc.label == kEpsilon ? before[to - top.first] + flat_.taken(arc) == here
                                             : trace_word(arc, before, top.first, here, place.context, backwards);
    if (!found) continue;
    place.state = incoming.source;
    return;
  }
  throw std::logic_error("the path of a chart broke off in a card");
}

template <class V>
bool Chart<V>::trace_word(const Arc& arc, std::span<const V> before, std::int32_t first, V here, std::int32_t& context,
                          std::vector<Step>& backwards) {
  std::vector<V> spread(before.begin(), before.end());
  flat_.spread(spread, first);
  const V taken = flat_.taken(arc);
  std::int32_t from = -1;
  for (std::int32_t x = first; x < flat_.size() && from < 0; ++x) {
    if (!FlatSteps<V>::is_reached(spread[x - first])) continue;
    flat_.for_each({&arc, 1}, x, [&](Op op, const Arc* other, std::int32_t to, V cost) {
      if (from >= 0 || to != context || spread[x - first] + cost + taken != here) return;
      from = x;
      backwards.push_back(flat_.step(op, &arc, other));
    });
  }
  if (from < 0) return false;
  context = trace_alone(spread, before, first, from, backwards);
  return true;
}

template <class V>
std::optional<std::int32_t> Chart<V>::trace_call(const Arc& arc, std::span<const V> before, std::int32_t first, V here,
                                                 std::int32_t context) {
  for (std::int32_t x = first; x < flat_.size(); ++x) {
    if (!FlatSteps<V>::is_reached(before[x - first])) continue;
    const Kept& row = kept(called_card(arc.label), x);
    const std::int32_t at = context - row.first;
    if (at < 0 || at >= row.count || !FlatSteps<V>::is_reached(rows_[row.at + at])) continue;
    if (before[x - first] + flat_.taken(arc) + rows_[row.at + at] == here) return x;
  }
  return std::nullopt;
}

template class Chart<std::int64_t>;
template class Chart<Wide>;

}  // namespace fstmetrics

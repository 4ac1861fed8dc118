#include "speakers/bounded_assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "search/problem.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// A tuple of states as one number.
using Tuple = unsigned __int128;

// What a tuple takes, in cells of a table; and a pair of states of an utterance and a stream, where the utterance's
// best place is looked for, and where it is aligned.
constexpr std::int64_t kCellsOfTuple = 6, kCellsOfPlace = 2, kCellsOfStep = 4;
constexpr NarrowSum kNever = 2 * kMostNarrowSum;
// Edits beyond what utterances cost at least, at first; few more at a time, as the tuples within the bound grow fast.
constexpr int kFirstSlack = 1;
// Prices are whole numbers; this is an edit.
constexpr std::int32_t kPriceScale = 64;
// How far prices move at first and at last, and how often at most; how much of the last move goes into the next one;
// and after how many rounds without a higher bound the moves get smaller.
constexpr double kFirstPriceStep = 8, kLastPriceStep = 0.5, kInertia = 0.6;
constexpr int kPriceRounds = 60, kIdleRounds = 3;

struct Reached {
  Tuple tuple;
  NarrowSum sum;
  std::int32_t before;  // in the layer before
  std::int32_t stream;  // of the utterance
};

// A sum, and which tuple it began with.
struct From {
  NarrowSum sum = kNever;
  std::int32_t before = -1;
};

void lower(From& cell, const From& from, NarrowSum step) {
  if (from.sum + step < cell.sum) cell = {from.sum + step, from.before};
}

// The least and the most words of a path from each state to an end.
std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> words_after(const SweepLine& line) {
  constexpr std::int64_t far = std::int64_t{1} << 40;
  std::vector<std::int64_t> least(line.states(), far), most(line.states(), -far);
  for (const StateId final : line.finals()) least[final] = most[final] = 0;
  for (StateId state = line.states() - 1; state > 0; --state) {
    for (const auto& arc : line.into(state)) {
      const int word = arc.label != kEpsilon;
      least[arc.source] = std::min(least[arc.source], least[state] + word);
      most[arc.source] = std::max(most[arc.source], most[state] + word);
    }
  }
  return {std::move(least), std::move(most)};
}

// What an utterance costs in the part of a stream that suits it best, and which part that is.
struct AssignmentPlace {
  std::int32_t cost = std::numeric_limits<std::int32_t>::max();
  std::int32_t begin = 0, end = 0;  // states of the stream
};

bool operator<(const AssignmentPlace& a, const AssignmentPlace& b) { return a.cost < b.cost; }

// `prices` are paid back for each word of the stream that the part holds; none for a stream that is no string. A price
// is an edit at most, so no part has to be longer than to where words meet.
AssignmentPlace best_place(const SweepLine& utterance, const SweepLine& stream, std::span<const std::int32_t> prices) {
  const SweepLine::Stretch stretch = stream.meeting(utterance.extent());
  const std::int32_t first = stretch.first, states = stretch.states();
  constexpr std::int32_t never = 1 << 29;
  std::vector<AssignmentPlace> rows(static_cast<std::size_t>(states) * utterance.states(),
                                    AssignmentPlace{never, 0, 0});
  const auto lower = [](AssignmentPlace& place, const AssignmentPlace& from, std::int32_t step) {
    if (from.cost + step < place.cost) place = {from.cost + step, from.begin, 0};
  };
  const auto price = [&](std::int32_t q) { return prices.empty() ? 0 : prices[first + q - 1]; };
  for (std::int32_t q = 0; q < states; ++q) rows[q] = {0, first + q, 0};
  for (StateId u = 0; u < utterance.states(); ++u) {
    poll(3 * states);
    AssignmentPlace* row = rows.data() + static_cast<std::size_t>(u) * states;
    for (const auto& arc : utterance.into(u)) {
      const AssignmentPlace* before = rows.data() + static_cast<std::size_t>(arc.source) * states;
      const bool is_word = arc.label != kEpsilon;
      for (std::int32_t q = 0; q < states; ++q) lower(row[q], before[q], is_word ? kPriceScale : 0);
      if (!is_word) continue;
      for (std::int32_t q = 1; q < states; ++q) {
        for (const auto& in : stream.into(first + q)) {
          if (in.label == kEpsilon || in.source < first || !utterance.meets(arc, stream, in)) continue;
          lower(row[q], before[in.source - first], (in.label != arc.label ? kPriceScale : 0) - price(q));
        }
      }
    }
    for (std::int32_t q = 1; q < states; ++q) {
      for (const auto& in : stream.into(first + q)) {
        if (in.source < first) continue;
        lower(row[q], row[in.source - first], in.label == kEpsilon ? 0 : kPriceScale - price(q));
      }
    }
  }
  AssignmentPlace best;
  for (const StateId final : utterance.finals()) {
    for (std::int32_t q = 0; q < states; ++q) {
      AssignmentPlace place = rows[static_cast<std::size_t>(final) * states + q];
      place.end = first + q;
      best = std::min(best, place);
    }
  }
  return best;
}

// The same of two strings, with cost and begin in one integer: the least is the cheapest, and the first of those.
AssignmentPlace best_place_in_string(const SweepLine& utterance, const SweepLine& stream,
                                     std::span<const std::int32_t> prices) {
  constexpr std::int64_t unit = std::int64_t{1} << 32, edit = kPriceScale * unit;
  const SweepLine::Stretch stretch = stream.meeting(utterance.extent());
  const std::int32_t first = stretch.first, words = stretch.states() - 1;
  std::vector<std::int64_t> row(words + 1), paid(words);
  for (std::int32_t q = 0; q <= words; ++q) row[q] = first + q;
  for (std::int32_t i = 0; i < words; ++i) paid[i] = prices[first + i] * unit;
  for (StateId u = 0; u + 1 < utterance.states(); ++u) {
    poll(2 * words);
    const Label word = utterance.word(u);
    std::int64_t diagonal = row[0], left = row[0] + edit;
    row[0] = left;
    for (std::int32_t i = 0; i < words; ++i) {
      const std::int64_t up = row[i + 1];
      std::int64_t others = up + edit;
      if (utterance.meets(u, stream, first + i)) {
        others = std::min(diagonal - paid[i] + (stream.word(first + i) == word ? 0 : edit), others);
      }
      left = std::min(left + (edit - paid[i]), others);
      row[i + 1] = left;
      diagonal = up;
    }
  }
  const auto best = std::min_element(row.begin(), row.end());
  const auto cost = static_cast<std::int32_t>(*best >> 32);
  return {cost, static_cast<std::int32_t>(*best - cost * unit), first + static_cast<std::int32_t>(best - row.begin())};
}

class BoundedSearch {
 public:
  BoundedSearch(std::span<const SweepLine> utterances, std::span<const SweepLine> streams, const NarrowFields& fields,
                const SweepSteps& steps, std::int64_t max_cells, double most_work)
      : utterances_(utterances),
        streams_(streams),
        fields_(fields),
        steps_(steps),
        max_cells_(max_cells),
        most_work_(most_work) {
    Tuple stride = 1;
    for (const SweepLine& stream : streams_) {
      strides_.push_back(stride);
      stride *= static_cast<Tuple>(stream.states());
      stream_words_.push_back(words_after(stream));
      skipped_.push_back(sums_after(stream));
    }
    std::int64_t largest = 0;
    for (const SweepLine& utterance : utterances_) {
      for (const SweepLine& stream : streams_) {
        if (utterance.is_line() && stream.is_line()) continue;
        largest = std::max(largest, std::int64_t{utterance.states()} * stream.meeting(utterance.extent()).states());
      }
    }
    if (has_room(kCellsOfPlace * largest)) find_least();
  }

  std::optional<Assignment> solve() {
    if (work_ > most_work_) return std::nullopt;
    const std::int64_t first = (least_left(0, 0) + kPriceScale - 1) / kPriceScale;
    bound_ = first + kFirstSlack;
    while (true) {
      const std::optional<Reached> best = pass();
      if (work_ > most_work_) return std::nullopt;
      if (best && edits_in(best->sum) <= bound_) return traced(*best);
      bound_ += std::max<std::int64_t>(1, (bound_ - first) / 4);
      // What was found is a way, so that the best one has no more edits.
      if (best) bound_ = std::min(bound_, edits_in(best->sum));
    }
  }

 private:
  std::vector<NarrowSum> sums_after(const SweepLine& stream) const {
    std::vector<NarrowSum> sums(stream.states(), kNever);
    sums.back() = 0;
    for (StateId state = stream.states() - 1; state > 0; --state) {
      for (const auto& arc : stream.into(state)) {
        sums[arc.source] = std::min(sums[arc.source], sums[state] + (arc.label == kEpsilon ? 0 : steps_.skip_stream));
      }
    }
    return sums;
  }

  // What utterances cost at least. Prices are Lagrange multipliers of "each word of a stream is in one utterance at
  // most, or is skipped for an edit": any prices up to an edit give a bound, and it rises as words that no utterance
  // wants get dearer to leave, and words that several want dearer to take.
  void find_least() {
    const std::size_t count = utterances_.size();
    least_words_.assign(count + 1, 0);
    most_words_.assign(count + 1, 0);
    double work = 0;
    for (std::size_t u = count; u-- > 0;) {
      const auto [fewest, longest] = words_after(utterances_[u]);
      least_words_[u] = least_words_[u + 1] + fewest[0];
      most_words_[u] = most_words_[u + 1] + longest[0];
      for (const SweepLine& stream : streams_)
        work += 3.0 * stream.meeting(utterances_[u].extent()).states() * utterances_[u].states();
    }
    Prices prices(streams_.size());
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (streams_[s].is_line()) prices[s].assign(streams_[s].states() - 1, 0);
    }
    least_ = price(prices);
    work_ += work;
    std::vector<std::vector<double>> exact(streams_.size()), way(streams_.size());
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      exact[s].assign(prices[s].size(), 0);
      way[s].assign(prices[s].size(), 0);
    }
    auto best = exact;
    double step = kFirstPriceStep;
    for (int round = 0, idle = 0; step >= kLastPriceStep && round < kPriceRounds; ++round) {
      if (work_ + work > most_work_ / 2) break;
      work_ += work;
      for (std::size_t s = 0; s < streams_.size(); ++s) {
        for (std::size_t i = 0; i < prices[s].size(); ++i) {
          way[s][i] = kInertia * way[s][i] + (1 - wanted_[s][i]);
          exact[s][i] = std::min<double>(kPriceScale, exact[s][i] + step * way[s][i]);
          prices[s][i] = static_cast<std::int32_t>(std::lround(exact[s][i]));
        }
      }
      const std::int64_t before = highest_;
      price(prices);

      if (highest_ > before) {
        best = exact;
        idle = 0;
      } else if (++idle == kIdleRounds) {
        exact = best;
        step /= 2;
        idle = 0;
      }
    }
  }

  using Prices = std::vector<std::vector<std::int32_t>>;

  // What utterances from each on cost at these prices, kept if the bound on the whole is higher; and which words are
  // wanted.
  std::vector<std::int64_t> price(const Prices& prices) {
    const std::size_t count = utterances_.size();
    std::vector<std::int64_t> left(count + 1, 0);
    wanted_.assign(streams_.size(), {});
    for (std::size_t s = 0; s < streams_.size(); ++s) wanted_[s].assign(prices[s].size(), 0);
    for (std::size_t u = count; u-- > 0;) {
      AssignmentPlace best;
      std::size_t stream = 0;
      for (std::size_t s = 0; s < streams_.size(); ++s) {
        const bool strings = utterances_[u].is_line() && streams_[s].is_line();
        const AssignmentPlace place =
            (strings ? best_place_in_string : best_place)(utterances_[u], streams_[s], prices[s]);
        if (place < best) best = place, stream = s;
      }
      left[u] = left[u + 1] + best.cost;
      if (prices[stream].empty()) continue;
      for (std::int32_t i = best.begin; i < best.end; ++i) ++wanted_[stream][i];
    }
    std::vector<std::vector<std::int64_t>> after(streams_.size());
    std::int64_t all = left[0];
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      after[s].assign(streams_[s].states(), 0);
      for (std::size_t i = prices[s].size(); i-- > 0;) after[s][i] = after[s][i + 1] + prices[s][i];
      all += after[s][0];
    }
    if (left_.empty() || all > highest_) {
      highest_ = all;
      left_ = left;
      prices_after_ = std::move(after);
    }
    return left;
  }

  StateId state_of(Tuple tuple, std::size_t s) const {
    return static_cast<StateId>(tuple / strides_[s] % static_cast<Tuple>(streams_[s].states()));
  }

  // Edits that follow a tuple after so many utterances, at least; kPriceScale is one.
  std::int64_t least_left(std::size_t u, Tuple tuple) const {
    std::int64_t least = 0, most = 0, priced = left_[u];
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const StateId state = state_of(tuple, s);
      least += stream_words_[s].first[state];
      most += stream_words_[s].second[state];
      priced += prices_after_[s][state];
    }
    return std::max({priced, kPriceScale * (least - most_words_[u]), kPriceScale * (least_words_[u] - most)});
  }

  // The best of all ways within the bound, or a way; the layers are kept.
  std::optional<Reached> pass() {
    layers_.assign(1, {Reached{0, 0, -1, -1}});
    kept_ = 1;
    for (std::size_t u = 0; u < utterances_.size(); ++u) {
      std::vector<Reached> next;
      for (std::size_t s = 0; s < streams_.size() && work_ <= most_work_; ++s) extend(u, s, next);
      if (work_ > most_work_) return std::nullopt;
      std::sort(next.begin(), next.end(), [](const Reached& a, const Reached& b) {
        return a.tuple != b.tuple ? a.tuple < b.tuple : a.sum < b.sum;
      });
      next.erase(
          std::unique(next.begin(), next.end(), [](const Reached& a, const Reached& b) { return a.tuple == b.tuple; }),
          next.end());
      kept_ += std::ssize(next);
      if (!has_room(0) || next.empty()) return std::nullopt;
      layers_.push_back(std::move(next));
    }
    std::optional<Reached> best;
    const std::vector<Reached>& last = layers_.back();
    for (std::size_t i = 0; i < last.size(); ++i) {
      NarrowSum sum = last[i].sum;
      for (std::size_t s = 0; s < streams_.size(); ++s) sum += skipped_[s][state_of(last[i].tuple, s)];
      if (!best || sum < best->sum) best = Reached{last[i].tuple, sum, static_cast<std::int32_t>(i), -1};
    }
    return best;
  }

  // Whether there is room for so many cells beside the tuples that are kept. If not, the search stops where tables are
  // an alternative, and else is refused.
  bool has_room(std::int64_t cells) {
    if (kept_ * kCellsOfTuple + cells <= max_cells_) return true;
    if (most_work_ < std::numeric_limits<double>::infinity()) {
      work_ = std::numeric_limits<double>::infinity();
      return false;
    }
    throw SearchError("assigning " + std::to_string(utterances_.size()) + " utterances to " +
                      std::to_string(streams_.size()) + " streams needs more than " + std::to_string(max_cells_) +
                      (max_cells_ == 1 ? " cell" : " cells") + ", the limit; --max cells=N changes it");
  }

  std::int64_t edits_in(NarrowSum sum) const { return fields_.edits_in(sum); }

  // All that utterance u gives in stream s: line by line, a line being the tuples that differ in that stream only.
  void extend(std::size_t u, std::size_t s, std::vector<Reached>& next) {
    const std::vector<Reached>& layer = layers_.back();
    std::vector<std::int32_t> order(layer.size());
    std::vector<Tuple> line(layer.size());
    for (std::size_t i = 0; i < layer.size(); ++i) {
      order[i] = static_cast<std::int32_t>(i);
      line[i] = layer[i].tuple - strides_[s] * static_cast<Tuple>(state_of(layer[i].tuple, s));
    }
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return line[a] != line[b] ? line[a] < line[b] : layer[a].tuple < layer[b].tuple;
    });
    for (std::size_t i = 0; i < order.size();) {
      std::size_t end = i;
      while (end < order.size() && line[order[end]] == line[order[i]]) ++end;
      extend_line(u, s, line[order[i]], std::span(order).subspan(i, end - i), next);
      i = end;
    }
  }

  void extend_line(std::size_t u, std::size_t s, Tuple line, std::span<const std::int32_t> entries,
                   std::vector<Reached>& next) {
    const std::vector<Reached>& layer = layers_.back();
    const SweepLine &utterance = utterances_[u], &stream = streams_[s];
    const StateId first = state_of(layer[entries.front()].tuple, s);
    const std::int64_t width = last_state(u, s, entries) - first + 1;
    const double work = 6.0 * static_cast<double>(width) * utterance.states();
    poll(static_cast<std::int64_t>(work));
    work_ += work;
    if (!has_room(kCellsOfStep * width * utterance.states())) return;
    // Sums that end in a word of the stream that is skipped, or not; after such a word none of the utterance is
    // skipped.
    own_.assign(width * utterance.states(), From{});
    any_.assign(width * utterance.states(), From{});
    for (const std::int32_t entry : entries) own_[state_of(layer[entry].tuple, s) - first] = {layer[entry].sum, entry};
    for (StateId at = 0; at < utterance.states(); ++at) fill_row(utterance, stream, at, first, width);
    for (std::int64_t q = 0; q < width; ++q) {
      From best;
      for (const StateId final : utterance.finals()) lower(best, own_[final * width + q], 0);
      if (best.sum >= kMostNarrowSum) continue;
      const Tuple tuple = line + strides_[s] * static_cast<Tuple>(first + q);
      if (kPriceScale * edits_in(best.sum) + least_left(u + 1, tuple) > kPriceScale * bound_) continue;
      next.push_back({tuple, best.sum, best.before, static_cast<std::int32_t>(s)});
    }
  }

  void fill_row(const SweepLine& utterance, const SweepLine& stream, StateId at, StateId first, std::int64_t width) {
    From *own = own_.data() + at * width, *any = any_.data() + at * width;
    for (std::int64_t q = 0; q < width; ++q) {
      const auto into = stream.into(static_cast<StateId>(first + q));
      for (const auto& arc : utterance.into(at)) {
        const From *own_before = own_.data() + arc.source * width, *any_before = any_.data() + arc.source * width;
        if (arc.label == kEpsilon) {
          lower(own[q], own_before[q], 0);
          lower(any[q], any_before[q], 0);
          continue;
        }
        lower(own[q], own_before[q], steps_.skip_utterance);
        for (const auto& in : into) {
          if (in.label == kEpsilon || in.source < first || !utterance.meets(arc, stream, in)) continue;
          lower(own[q], any_before[in.source - first], in.label == arc.label ? steps_.match : steps_.substitution);
        }
      }
      for (const auto& in : into) {
        if (in.source < first) continue;
        if (in.label == kEpsilon) lower(own[q], own[in.source - first], 0);
        lower(any[q], any[in.source - first], in.label == kEpsilon ? 0 : steps_.skip_stream);
      }
      lower(any[q], own[q], 0);
    }
  }

  // The last state that the utterance may end in: that of the last word it can be aligned with, if it takes any. In a
  // string that is also as many words on as the utterance has, and as may be skipped within the bound.
  StateId last_state(std::size_t u, std::size_t s, std::span<const std::int32_t> entries) const {
    const SweepLine& stream = streams_[s];
    const std::vector<Reached>& layer = layers_.back();
    std::int64_t last = 0, within = stream.is_line() ? 0 : stream.states() - 1;
    for (const std::int32_t entry : entries) {
      const StateId state = state_of(layer[entry].tuple, s);
      last = std::max<std::int64_t>(last, state);
      if (!stream.is_line()) continue;
      const std::int64_t spare = bound_ - edits_in(layer[entry].sum) - least_[u + 1] / kPriceScale;
      within = std::max(within, state + most_words_[u] - most_words_[u + 1] + std::max<std::int64_t>(spare, 0));
    }
    last = std::max<std::int64_t>(last, stream.meeting(utterances_[u].extent()).last);
    return std::min<StateId>(stream.without_words(static_cast<StateId>(last)),
                             static_cast<StateId>(std::min<std::int64_t>(within, stream.states() - 1)));
  }

  Assignment traced(const Reached& best) const {
    Assignment found{fields_.counts_of(best.sum), std::vector<std::int32_t>(utterances_.size())};
    std::int32_t at = best.before;
    for (std::size_t u = utterances_.size(); u > 0; --u) {
      found.streams[u - 1] = layers_[u][at].stream;
      at = layers_[u][at].before;
    }
    return found;
  }

  const std::span<const SweepLine> utterances_, streams_;
  const NarrowFields fields_;
  const SweepSteps steps_;
  const std::int64_t max_cells_;
  const double most_work_;
  double work_ = 0;
  std::int64_t kept_ = 1;  // tuples
  std::vector<Tuple> strides_;
  std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> stream_words_;
  std::vector<std::vector<NarrowSum>> skipped_;  // sums from each state of a stream to its end, all skipped
  // Of utterance u and those behind it: the bound on their cost, at the best prices and at none; their words.
  std::vector<std::int64_t> left_, least_, least_words_, most_words_;
  std::vector<std::vector<std::int64_t>>
      prices_after_;                               // of the words behind each state of a stream, at the best prices
  std::vector<std::vector<std::int32_t>> wanted_;  // how many utterances want each word of a stream
  std::int64_t highest_ = 0;
  std::int64_t bound_ = 0;  // edits
  std::vector<std::vector<Reached>> layers_;
  std::vector<From> own_, any_;
};

}  // namespace

std::optional<Assignment> combine_bounded(std::span<const SweepLine> utterances, std::span<const SweepLine> streams,
                                          const NarrowFields& fields, const SweepSteps& steps, std::int64_t max_cells,
                                          double most_work) {
  return BoundedSearch(utterances, streams, fields, steps, max_cells, most_work).solve();
}

}  // namespace fstmetrics

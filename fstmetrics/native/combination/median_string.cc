#include "combination/median_string.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {
namespace {

using Edits = std::int64_t;
using WordState = std::int32_t;

constexpr Edits kUnreached = std::numeric_limits<Edits>::max() / 4;
constexpr std::int32_t kSkip = -1;
// Rounds of the local search, and steps of one of its rounds.
constexpr int kMostRounds = 50;
constexpr std::size_t kMostSteps = 20'000'000;
// Of longer strings the words that are left are not counted.
constexpr std::size_t kMostCounts = 8'000'000;
// From so many tuples on it is worth it to make the best string that is known better, as what is worse is left out.
constexpr std::int64_t kManyStates = 5'000;

std::span<const WordGraph::WordArc> arcs_of(const WordGraph& graph, WordState state) {
  return {graph.arcs.data() + graph.first[state], graph.first[state + 1] - graph.first[state]};
}

bool is_chain(const WordGraph& graph) {
  const WordState states = graph.states();
  if (graph.arcs.size() + 1 != static_cast<std::size_t>(states)) return false;
  for (WordState state = 0; state < states; ++state) {
    if ((graph.is_end[state] != 0) != (state + 1 == states)) return false;
    if (state + 1 < states && (arcs_of(graph, state).size() != 1 || arcs_of(graph, state)[0].next != state + 1))
      return false;
  }
  return true;
}

// The edits of a string to a graph, and those of strings that differ in one word.
class StringEdits {
 public:
  StringEdits(const WordGraph& graph, const std::vector<std::int32_t>& words) : graph_(graph) {
    const std::size_t length = words.size();
    before_.assign(length + 1, {});
    behind_.assign(length + 1, {});
    before_[0].assign(graph.states(), kUnreached);
    before_[0][0] = 0;
    close(before_[0]);
    for (std::size_t at = 0; at < length; ++at) before_[at + 1] = after(at, words[at]);
    behind_[length].assign(graph.states(), kUnreached);
    for (WordState state = graph.states(); state-- > 0;) {
      Edits& cost = behind_[length][state];
      if (graph.is_end[state]) cost = 0;
      for (const auto& arc : arcs_of(graph, state)) cost = std::min(cost, behind_[length][arc.next] + 1);
    }
    for (std::size_t at = length; at-- > 0;) {
      behind_[at].assign(graph.states(), kUnreached);
      for (WordState state = graph.states(); state-- > 0;) {
        Edits cost = behind_[at + 1][state] + 1;
        for (const auto& arc : arcs_of(graph, state)) {
          cost = std::min(cost, behind_[at + 1][arc.next] + (arc.word != words[at]));
          cost = std::min(cost, behind_[at][arc.next] + 1);
        }
        behind_[at][state] = cost;
      }
    }
  }

  Edits all() const { return behind_[0][0]; }
  // The first words, then those from `rest` on.
  Edits without(std::size_t at, std::size_t rest) const { return joined(before_[at], rest); }
  // The same with costs of the first words and one more.
  Edits joined(const std::vector<Edits>& row, std::size_t rest) const {
    Edits least = kUnreached;
    for (WordState state = 0; state < graph_.states(); ++state)
      least = std::min(least, row[state] + behind_[rest][state]);
    return least;
  }
  // Costs of the first words and another one.
  std::vector<Edits> after(std::size_t at, std::int32_t word) const {
    std::vector<Edits> row(graph_.states());
    for (WordState state = 0; state < graph_.states(); ++state) row[state] = before_[at][state] + 1;
    for (WordState state = 0; state < graph_.states(); ++state) {
      for (const auto& arc : arcs_of(graph_, state)) {
        row[arc.next] = std::min(row[arc.next], before_[at][state] + (arc.word != word));
      }
    }
    close(row);
    return row;
  }

 private:
  void close(std::vector<Edits>& row) const {
    for (WordState state = 0; state < graph_.states(); ++state) {
      for (const auto& arc : arcs_of(graph_, state)) row[arc.next] = std::min(row[arc.next], row[state] + 1);
    }
  }

  const WordGraph& graph_;
  std::vector<std::vector<Edits>> before_, behind_;
};

// The best string that is known, made better word by word.
class Incumbent {
 public:
  Incumbent(const std::vector<WordGraph>& graphs, const std::vector<Edits>& weights)
      : graphs_(graphs), weights_(weights) {
    for (const WordGraph& graph : graphs) {
      for (const auto& arc : graph.arcs) vocabulary_.push_back(arc.word);
      states_ += graph.arcs.size() + 1;
    }
    std::sort(vocabulary_.begin(), vocabulary_.end());
    vocabulary_.erase(std::unique(vocabulary_.begin(), vocabulary_.end()), vocabulary_.end());
  }

  void offer(const std::vector<std::int32_t>& string) {
    Edits edits = 0;
    for (std::size_t graph = 0; graph < graphs_.size(); ++graph) {
      poll(static_cast<std::int64_t>((string.size() + 1) * (graphs_[graph].arcs.size() + 1)));
      edits += weights_[graph] * StringEdits(graphs_[graph], string).all();
    }
    if (edits < edits_ || (edits == edits_ && string < words_)) words_ = string, edits_ = edits;
  }

  void improve() {
    for (int round = 0; round < kMostRounds; ++round) {
      if ((words_.size() + 1) * vocabulary_.size() * states_ > kMostSteps) return;
      const Edits edits = edits_;
      look_around();
      if (edits_ == edits) return;
    }
  }

  const std::vector<std::int32_t>& words() const { return words_; }
  Edits edits() const { return edits_; }

 private:
  void look_around() {
    const std::vector<std::int32_t> words = words_;
    std::vector<StringEdits> known;
    for (const WordGraph& graph : graphs_) known.emplace_back(graph, words);
    for (std::size_t at = 0; at <= words.size(); ++at) {
      if (at < words.size()) {
        Edits edits = 0;
        for (std::size_t graph = 0; graph < known.size(); ++graph)
          edits += weights_[graph] * known[graph].without(at, at + 1);
        take(words, at, 1, nullptr, edits);
      }
      for (const std::int32_t& word : vocabulary_) {
        Edits added = 0, replaced = 0;
        for (std::size_t graph = 0; graph < known.size(); ++graph) {
          poll(static_cast<std::int64_t>(3 * graphs_[graph].arcs.size() + 1));
          const std::vector<Edits> row = known[graph].after(at, word);
          added += weights_[graph] * known[graph].joined(row, at);
          if (at < words.size()) replaced += weights_[graph] * known[graph].joined(row, at + 1);
        }
        take(words, at, 0, &word, added);
        if (at < words.size()) take(words, at, 1, &word, replaced);
      }
    }
  }

  void take(const std::vector<std::int32_t>& words, std::size_t at, std::size_t left_out, const std::int32_t* word,
            Edits edits) {
    if (edits >= edits_) return;
    words_.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
    if (word) words_.push_back(*word);
    words_.insert(words_.end(), words.begin() + static_cast<std::ptrdiff_t>(at + left_out), words.end());
    edits_ = edits;
  }

  const std::vector<WordGraph>& graphs_;
  const std::vector<Edits>& weights_;
  std::vector<std::int32_t> vocabulary_, words_;
  std::size_t states_ = 0;
  Edits edits_ = kUnreached;
};

// What the edits from a tuple of states on are not below.
class Bounds {
 public:
  Bounds(const std::vector<WordGraph>& graphs, const std::vector<Edits>& weights) : graphs_(graphs), weights_(weights) {
    total_ = std::accumulate(weights.begin(), weights.end(), Edits{0});
    for (std::size_t one = 0; one < graphs.size(); ++one) {
      for (std::size_t other = one + 1; other < graphs.size(); ++other) pairs_.push_back(pair_table(one, other));
    }
    has_counts_ = std::all_of(graphs.begin(), graphs.end(), is_chain);
    if (has_counts_) count_words();
  }

  // Any string is as far from two graphs together as these are from each other; the mean over all pairs.
  Edits by_pairs(const WordState* tuple) const {
    Edits sum = 0;
    std::size_t pair = 0;
    for (std::size_t one = 0; one < graphs_.size(); ++one) {
      for (std::size_t other = one + 1; other < graphs_.size(); ++other, ++pair) {
        const auto row = static_cast<std::size_t>(tuple[one]) * static_cast<std::size_t>(graphs_[other].states());
        sum += weights_[one] * weights_[other] * pairs_[pair][row + static_cast<std::size_t>(tuple[other])];
      }
    }
    return (sum + total_ - 2) / (total_ - 1);
  }

  // Of strings: the words that are left, in any order.
  Edits by_counts(const WordState* tuple) {
    if (!has_counts_) return 0;
    votes_.assign(static_cast<std::size_t>(total_) + 1, 0);
    const std::size_t graphs = graphs_.size();
    for (std::size_t word = 0; word < words_; ++word) {
      std::int32_t most = 0;
      for (std::size_t graph = 0; graph < graphs; ++graph) most = std::max(most, left(graph, tuple[graph], word));
      for (std::int32_t copy = 1; copy <= most; ++copy) {
        Edits votes = 0;
        for (std::size_t graph = 0; graph < graphs; ++graph)
          votes += left(graph, tuple[graph], word) >= copy ? weights_[graph] : 0;
        ++votes_[static_cast<std::size_t>(votes)];
      }
    }
    Edits cost = 0;
    for (std::size_t graph = 0; graph < graphs; ++graph)
      cost += weights_[graph] * (graphs_[graph].states() - 1 - tuple[graph]);
    Edits length = 0;
    for (Edits votes = total_; votes > 0; --votes) {
      for (std::int64_t copy = 0; copy < votes_[static_cast<std::size_t>(votes)]; ++copy, ++length) {
        Edits longer = 0;  // the weight of those that have no word for another one
        for (std::size_t graph = 0; graph < graphs; ++graph)
          longer += graphs_[graph].states() - 1 - tuple[graph] <= length ? weights_[graph] : 0;
        if (longer >= votes) return cost;
        cost += longer - votes;
      }
    }
    return cost;
  }

  std::int64_t work() const { return static_cast<std::int64_t>(pairs_.size() + words_ * graphs_.size()); }

 private:
  // The edits between the closest paths from any two states on.
  std::vector<std::int32_t> pair_table(std::size_t one, std::size_t other) const {
    const WordGraph &a = graphs_[one], &b = graphs_[other];
    const auto width = static_cast<std::size_t>(b.states());
    std::vector<std::int32_t> table(static_cast<std::size_t>(a.states()) * width);
    for (WordState i = a.states(); i-- > 0;) {
      poll(static_cast<std::int64_t>(b.arcs.size() * (arcs_of(a, i).size() + 1)));
      std::int32_t* row = table.data() + static_cast<std::size_t>(i) * width;
      for (WordState j = b.states(); j-- > 0;) {
        std::int32_t least = a.is_end[i] && b.is_end[j] ? 0 : std::numeric_limits<std::int32_t>::max() / 2;
        for (const auto& theirs : arcs_of(b, j)) least = std::min(least, row[theirs.next] + 1);
        for (const auto& ours : arcs_of(a, i)) {
          const std::int32_t* next = table.data() + static_cast<std::size_t>(ours.next) * width;
          least = std::min(least, next[j] + 1);
          for (const auto& theirs : arcs_of(b, j)) {
            least = std::min(least, next[theirs.next] + (ours.word != theirs.word));
          }
        }
        row[j] = least;
      }
    }
    return table;
  }

  void count_words() {
    std::vector<std::int32_t> known;
    for (const WordGraph& graph : graphs_) {
      for (const auto& arc : graph.arcs) known.push_back(arc.word);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    words_ = known.size();
    std::size_t counts_in_all = 0;
    for (const WordGraph& graph : graphs_) counts_in_all += static_cast<std::size_t>(graph.states()) * words_;
    if (counts_in_all > kMostCounts) {
      has_counts_ = false;
      words_ = 0;
      return;
    }
    for (const WordGraph& graph : graphs_) {
      const auto states = static_cast<std::size_t>(graph.states());
      std::vector<std::int32_t> counts(states * words_, 0);
      for (std::size_t state = states - 1; state-- > 0;) {
        std::copy_n(counts.begin() + static_cast<std::ptrdiff_t>((state + 1) * words_), words_,
                    counts.begin() + static_cast<std::ptrdiff_t>(state * words_));
        const std::int32_t word = graph.arcs[state].word;
        ++counts[state * words_ +
                 static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), word) - known.begin())];
      }
      counts_.push_back(std::move(counts));
    }
  }

  std::int32_t left(std::size_t graph, WordState state, std::size_t word) const {
    return counts_[graph][static_cast<std::size_t>(state) * words_ + word];
  }

  const std::vector<WordGraph>& graphs_;
  const std::vector<Edits>& weights_;
  Edits total_ = 0;
  std::vector<std::vector<std::int32_t>> pairs_, counts_;
  std::vector<std::int64_t> votes_;
  std::size_t words_ = 0;
  bool has_counts_ = false;
};

// Tuples of states, each with a number.
class Tuples {
 public:
  explicit Tuples(std::size_t width) : width_(width), slots_(1024, kNone) {}

  // Its number; a new one if `add`, else kNone.
  std::int64_t find(const WordState* tuple, bool add) {
    std::size_t slot = hash(tuple) & (slots_.size() - 1);
    for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
      if (std::equal(tuple, tuple + width_, (*this)[slots_[slot]])) return slots_[slot];
    }
    if (!add) return kNone;
    const std::int64_t number = size();
    slots_[slot] = number;
    places_.insert(places_.end(), tuple, tuple + width_);
    if (static_cast<std::size_t>(size()) * 2 > slots_.size()) grow();
    return number;
  }

  const WordState* operator[](std::int64_t number) const {
    return places_.data() + static_cast<std::size_t>(number) * width_;
  }
  std::int64_t size() const { return static_cast<std::int64_t>(places_.size() / width_); }

  static constexpr std::int64_t kNone = -1;

 private:
  std::size_t hash(const WordState* tuple) const {
    std::uint64_t value = 0x9e3779b97f4a7c15;
    for (std::size_t i = 0; i < width_; ++i) {
      value = (value ^ static_cast<std::uint64_t>(tuple[i])) * 0xff51afd7ed558ccd;
      value ^= value >> 32;
    }
    return static_cast<std::size_t>(value);
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kNone);
    for (std::int64_t number = 0; number < size(); ++number) {
      std::size_t slot = hash((*this)[number]) & (slots_.size() - 1);
      while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  const std::size_t width_;
  std::vector<WordState> places_;
  std::vector<std::int64_t> slots_;
};

class MedianSearch {
 public:
  MedianSearch(const std::vector<WordGraph>& graphs, const std::vector<Edits>& weights, std::int64_t most_steps)
      : graphs_(graphs),
        weights_(weights),
        most_steps_(most_steps),
        bounds_(graphs, weights),
        tuples_(graphs.size()),
        chains_(graphs.size()) {
    for (std::size_t graph = 0; graph < graphs.size(); ++graph) chains_[graph] = is_chain(graphs[graph]);
  }

  // `best` is what is taken where it stops.
  MedianString run(Incumbent& best) {
    limit_ = best.edits();
    const std::vector<WordState> start(graphs_.size(), 0);
    meet(start.data(), 0);
    Edits goal = kUnreached;
    bool is_whole = true, is_improved = false;
    while (lowest_ < static_cast<Edits>(queue_.size())) {
      if (queue_[lowest_].empty()) {
        ++lowest_;
        continue;
      }
      if (lowest_ > goal) break;
      const std::int64_t number = queue_[lowest_].back();
      queue_[lowest_].pop_back();
      if (is_closed_[number]) continue;
      is_closed_[number] = 1;
      if (goal == kUnreached && is_end(tuples_[number])) goal = limit_ = cost_[number];
      const std::vector<WordState> tuple(tuples_[number], tuples_[number] + graphs_.size());
      const Edits cost = cost_[number];
      budget_ = limit_ - cost;
      follow(tuple.data(), [&](std::int32_t, Edits step, const WordState* next) { meet(next, cost + step); });
      if (goal == kUnreached && tuples_.size() > kManyStates && !is_improved) {
        is_improved = true;
        best.improve();
        limit_ = best.edits();
      }
      if (steps_ > most_steps_) {
        is_whole = false;
        break;
      }
    }
    MedianString found;
    found.steps = steps_;
    if (goal == kUnreached) {
      if (!is_improved) best.improve();
      found.words = best.words();
      found.edits = best.edits();
      found.least = std::min(lowest_, best.edits());
      return found;
    }
    found.words = first_string(goal);
    found.edits = found.least = goal;
    found.is_first = is_whole;
    return found;
  }

 private:
  bool is_end(const WordState* tuple) const {
    for (std::size_t graph = 0; graph < graphs_.size(); ++graph) {
      if (!graphs_[graph].is_end[tuple[graph]]) return false;
    }
    return true;
  }

  void meet(const WordState* tuple, Edits cost) {
    Edits whole = cost + bounds_.by_pairs(tuple);
    if (whole > limit_) return;
    std::int64_t number = tuples_.find(tuple, false);
    if (number == Tuples::kNone) {
      const Edits rest = std::max(whole - cost, bounds_.by_counts(tuple));
      poll(bounds_.work());
      whole = cost + rest;
      if (whole > limit_) return;
      number = tuples_.find(tuple, true);
      cost_.push_back(kUnreached);
      rest_.push_back(rest);
      is_closed_.push_back(0);
    }
    if (cost >= cost_[number]) return;
    cost_[number] = cost;
    whole = cost + rest_[number];
    if (whole > limit_) return;
    if (static_cast<std::size_t>(whole) >= queue_.size()) queue_.resize(static_cast<std::size_t>(whole) + 1);
    queue_[whole].push_back(number);
  }

  // Calls then(word or kSkip, edits, tuple) of what may follow: a graph alone goes on, or the median says a word.
  template <class Then>
  void follow(const WordState* tuple, Then then) {
    const std::size_t graphs = graphs_.size();
    next_.assign(tuple, tuple + graphs);
    said_.clear();
    for (std::size_t graph = 0; graph < graphs; ++graph) {
      for (const auto& arc : arcs_of(graphs_[graph], tuple[graph])) {
        next_[graph] = arc.next;
        then(kSkip, weights_[graph], next_.data());
        said_.push_back(arc.word);
      }
      next_[graph] = tuple[graph];
    }
    std::sort(said_.begin(), said_.end());
    said_.erase(std::unique(said_.begin(), said_.end()), said_.end());
    for (const std::int32_t word : said_) say(tuple, word, 0, 0, false, then);
  }

  // Every way in which the graphs from one on take a word; a word that nobody has is never worth it.
  template <class Then>
  void say(const WordState* tuple, std::int32_t word, std::size_t graph, Edits edits, bool is_taken, Then& then) {
    poll(5);
    if (++steps_ > most_steps_ || edits > budget_) return;
    if (graph == graphs_.size()) {
      if (is_taken) then(word, edits, next_.data());
      return;
    }
    const auto arcs = arcs_of(graphs_[graph], tuple[graph]);
    bool is_matched = false;
    for (const auto& arc : arcs) {
      if (arc.word != word) continue;
      next_[graph] = arc.next;
      say(tuple, word, graph + 1, edits, true, then);
      is_matched = true;
    }
    // In a string taking the word is never worse than anything else.
    if (!(is_matched && chains_[graph])) {
      next_[graph] = tuple[graph];
      say(tuple, word, graph + 1, edits + weights_[graph], is_taken, then);
      for (const auto& arc : arcs) {
        if (arc.word == word) continue;
        next_[graph] = arc.next;
        say(tuple, word, graph + 1, edits + weights_[graph], is_taken, then);
      }
    }
    next_[graph] = tuple[graph];
  }

  // The first string with so many edits, over the tuples that were gone on from.
  std::vector<std::int32_t> first_string(Edits goal) {
    steps_ = std::numeric_limits<std::int64_t>::min();
    budget_ = kUnreached;
    std::vector<std::int64_t> order;
    for (std::int64_t number = 0; number < tuples_.size(); ++number) {
      if (is_closed_[number] && cost_[number] + rest_[number] <= goal) order.push_back(number);
    }
    const auto sum = [&](std::int64_t number) {
      const WordState* tuple = tuples_[number];
      return std::accumulate(tuple, tuple + graphs_.size(), std::int64_t{0});
    };
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return sum(a) > sum(b); });
    leads_.assign(static_cast<std::size_t>(tuples_.size()), 0);
    for (const std::int64_t number : order) {
      leads_[number] = is_end(tuples_[number]) && cost_[number] == goal;
      if (!leads_[number]) best_steps(number, [&](std::int32_t, std::int64_t) { leads_[number] = 1; });
    }
    std::vector<std::int32_t> words;
    std::vector<std::int64_t> here{0}, next;
    while (true) {
      std::int32_t first = std::numeric_limits<std::int32_t>::max();
      next.clear();
      for (std::size_t at = 0; at < here.size(); ++at) {
        if (is_end(tuples_[here[at]]) && cost_[here[at]] == goal) return words;
        best_steps(here[at], [&](std::int32_t word, std::int64_t to) {
          if (word == kSkip) {
            if (std::find(here.begin(), here.end(), to) == here.end()) here.push_back(to);
          } else if (word <= first) {
            if (word < first) next.clear();
            first = word;
            if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
          }
        });
      }
      words.push_back(first);
      here.swap(next);
    }
  }

  // Calls then(word, tuple) of the steps from a tuple that lead to the end with the fewest edits.
  template <class Then>
  void best_steps(std::int64_t number, Then then) {
    const std::vector<WordState> tuple(tuples_[number], tuples_[number] + graphs_.size());
    follow(tuple.data(), [&](std::int32_t word, Edits step, const WordState* next) {
      const std::int64_t to = tuples_.find(next, false);
      if (to != Tuples::kNone && leads_[to] && cost_[number] + step == cost_[to]) then(word, to);
    });
  }

  const std::vector<WordGraph>& graphs_;
  const std::vector<Edits>& weights_;
  const std::int64_t most_steps_;
  Bounds bounds_;
  Tuples tuples_;
  std::vector<std::uint8_t> chains_, is_closed_, leads_;
  std::vector<Edits> cost_, rest_;
  std::vector<std::vector<std::int64_t>> queue_;  // by cost and bound
  Edits lowest_ = 0, limit_ = kUnreached, budget_ = kUnreached;
  std::int64_t steps_ = 0;
  std::vector<WordState> next_;
  std::vector<std::int32_t> said_;
};

// Any string of a graph.
std::vector<std::int32_t> some_string(const WordGraph& graph) {
  std::vector<std::int32_t> words;
  for (WordState state = 0; !graph.is_end[state];) {
    const auto& arc = arcs_of(graph, state)[0];
    words.push_back(arc.word);
    state = arc.next;
  }
  return words;
}

}  // namespace

MedianString median_string(const std::vector<WordGraph>& graphs, const std::vector<std::int64_t>& weights,
                           const std::vector<std::vector<std::int32_t>>& candidates, std::int64_t most_steps) {
  Incumbent best(graphs, weights);
  for (const auto& candidate : candidates) best.offer(candidate);
  for (const WordGraph& graph : graphs) best.offer(some_string(graph));
  return MedianSearch(graphs, weights, most_steps).run(best);
}

}  // namespace fstmetrics

#include "automata/rewriting.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// Numbers of lists of numbers, as they are first seen.
class Numbering {
 public:
  explicit Numbering(Matches& into) : into_(into) {}

  std::int32_t of(std::int32_t pattern, std::span<const std::int32_t> words) {
    auto& bucket = buckets_[hash(pattern, words)];
    for (const std::int32_t known : bucket) {
      const auto other = into_.words[known];
      if (into_.patterns[known] == pattern && std::equal(words.begin(), words.end(), other.begin(), other.end())) {
        return known;
      }
    }
    bucket.push_back(into_.words.size());
    into_.patterns.push_back(pattern);
    into_.words.values.insert(into_.words.values.end(), words.begin(), words.end());
    into_.words.offsets.push_back(static_cast<std::int32_t>(into_.words.values.size()));
    return bucket.back();
  }

 private:
  static std::uint64_t hash(std::int32_t pattern, std::span<const std::int32_t> words) {
    std::uint64_t value = static_cast<std::uint64_t>(pattern) + 1;
    for (const std::int32_t word : words) value = (value ^ static_cast<std::uint64_t>(word)) * 0x9E3779B97F4A7C15ULL;
    return value ^ (value >> 31);
  }

  Matches& into_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> buckets_;
};

class Finder {
 public:
  Finder(const Automaton& automaton, const Patterns& patterns, const Lists& symbols, std::int64_t max_matches)
      : automaton_(automaton),
        patterns_(patterns),
        symbols_(symbols),
        max_(max_matches),
        numbering_(matches_),
        seen_in_(automaton.num_states(), 0) {
    if (symbols.size() <= automaton.max_label() || automaton.min_label() < 0)
      throw std::invalid_argument("a label has no list of symbols");
  }

  Matches run() {
    for (from_ = 0; from_ < automaton_.num_states(); ++from_) {
      poll(20 + 20 * std::ssize(automaton_.arcs(from_)));
      const std::size_t before = matches_.all.size();
      for (const Arc& arc : automaton_.arcs(from_)) {
        if (arc.label > kEpsilon) take(arc, 0, 1);
      }
      std::reverse(pending_.begin(), pending_.end());
      while (!pending_.empty()) {
        const Step step = pending_.back();
        poll(50);
        pending_.pop_back();
        words_.resize(step.words - 1);
        words_.push_back(step.last);
        reach(step.state, step.node);
      }
      forget_repeated(before);
    }
    return std::move(matches_);
  }

 private:
  // The beginning of a match: its last word, how many it has, and where they lead.
  struct Step {
    Label last;
    std::int32_t words;
    StateId state;
    std::int32_t node;
  };

  // The ways of going over one arc, at the end of what is pending.
  void take(const Arc& arc, std::int32_t node, std::int32_t words) {
    const auto offered = patterns_.symbols[node];
    for (const std::int32_t symbol : symbols_[arc.label]) {
      const auto [first, last] = std::equal_range(offered.begin(), offered.end(), symbol);
      for (auto at = first; at != last; ++at) {
        pending_.push_back({arc.label, words, arc.next, patterns_.targets[node][at - offered.begin()]});
      }
    }
  }

  void reach(StateId state, std::int32_t node) {
    for (const std::int32_t pattern : patterns_.ends[node]) {
      if (static_cast<std::int64_t>(matches_.all.size()) >= max_) {
        throw std::length_error("rules apply at more than " + std::to_string(max_) + " places");
      }
      matches_.all.push_back({from_, state, numbering_.of(pattern, words_)});
    }
    if (!patterns_.symbols[node].empty()) go_on(state, node);
  }

  // The states that epsilons lead to come first, each once, however many paths of epsilons there are.
  void go_on(StateId state, std::int32_t node) {
    std::vector<StateId> reached{state};
    ++walk_;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      poll(4 + 4 * std::ssize(automaton_.arcs(reached[i])));
      for (const Arc& arc : automaton_.arcs(reached[i])) {
        if (arc.label != kEpsilon || seen_in_[arc.next] == walk_) continue;
        seen_in_[arc.next] = walk_;
        reached.push_back(arc.next);
      }
    }
    const std::size_t before = pending_.size();
    for (const StateId from : reached) {
      for (const Arc& arc : automaton_.arcs(from)) {
        if (arc.label != kEpsilon) take(arc, node, static_cast<std::int32_t>(words_.size()) + 1);
      }
    }
    // The first way is taken first, to its end: what is pending is taken from the back.
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(before), pending_.end());
  }

  // The same words may lie on several paths between two states.
  void forget_repeated(std::size_t first) {
    const auto begin = matches_.all.begin() + static_cast<std::ptrdiff_t>(first);
    const auto key = [](const Match& m) { return std::pair(m.to, m.found); };
    std::sort(begin, matches_.all.end(), [&](const Match& a, const Match& b) { return key(a) < key(b); });
    matches_.all.erase(
        std::unique(begin, matches_.all.end(), [&](const Match& a, const Match& b) { return key(a) == key(b); }),
        matches_.all.end());
  }

  const Automaton& automaton_;
  const Patterns& patterns_;
  const Lists& symbols_;
  const std::int64_t max_;
  Matches matches_;
  Numbering numbering_;
  StateId from_ = 0;
  std::vector<std::int32_t> words_;
  std::vector<Step> pending_;
  std::int64_t walk_ = 0;
  std::vector<std::int64_t> seen_in_;  // by state: the last walk over epsilons that met it
};

void check_lists(const Lists& lists, std::int32_t expected, const char* name) {
  const bool fits = lists.size() == expected && lists.offsets.front() == 0 &&
                    std::is_sorted(lists.offsets.begin(), lists.offsets.end()) &&
                    lists.offsets.back() == static_cast<std::int32_t>(lists.values.size());
  if (!fits) throw std::invalid_argument(std::string(name) + " do not fit the number of lists expected");
}

void check_range(std::span<const std::int32_t> values, std::int32_t end, const char* name) {
  for (const std::int32_t value : values) {
    if (value < 0 || value >= end) {
      throw std::invalid_argument(std::string(name) + " " + std::to_string(value) + " is not below " +
                                  std::to_string(end));
    }
  }
}

}  // namespace

void Patterns::check() const {
  check_lists(targets, symbols.size(), "targets");
  check_lists(symbols, symbols.size(), "symbols");
  check_lists(ends, symbols.size(), "ends");
  if (symbols.size() == 0 || symbols.offsets != targets.offsets)
    throw std::invalid_argument("every symbol needs a target");
  for (std::int32_t node = 0; node < symbols.size(); ++node) {
    const auto offered = symbols[node];
    if (!std::is_sorted(offered.begin(), offered.end())) throw std::invalid_argument("symbols are not sorted");
    for (const std::int32_t target : targets[node]) {
      // Numbers going up is how the patterns are known to be without circles.
      if (target <= node || target >= symbols.size()) throw std::invalid_argument("an arc must lead to a later node");
    }
  }
  if (!ends[0].empty()) throw std::invalid_argument("a pattern without words");
}

Matches find_matches(const Automaton& automaton, const Patterns& patterns, const Lists& symbols,
                     std::int64_t max_matches) {
  return Finder(automaton, patterns, symbols, max_matches).run();
}

Widened widened(const Automaton& automaton, std::span<const Match> matches, const Lists& ways, const Lists& words) {
  check_lists(ways, ways.size(), "ways");
  check_lists(words, words.size(), "words");
  check_range(ways.values, words.size(), "way");
  // New arcs in the order of their sources: first those of old states, then chains, whose states count on from there.
  struct NewArc {
    StateId source;
    Arc arc;
    std::int32_t way;
  };
  std::vector<NewArc> added, chains;
  StateId states = automaton.num_states();
  for (const Match& match : matches) {
    const std::int32_t ends[] = {match.from, match.to}, found[] = {match.found};
    poll(20);
    check_range(ends, automaton.num_states(), "state");
    check_range(found, ways.size(), "match");
    for (const std::int32_t way : ways[match.found]) {
      poll(50);
      const auto labels = words[way];
      const auto length = static_cast<StateId>(labels.size());
      const StateId first = length > 1 ? states : match.to;
      added.push_back({match.from, {length ? labels[0] : kEpsilon, first}, way});
      for (StateId i = 1; i < length; ++i, ++states) {
        chains.push_back({states, {labels[i], i + 1 < length ? states + 1 : match.to}, way});
      }
    }
  }
  std::stable_sort(added.begin(), added.end(), [](const NewArc& a, const NewArc& b) { return a.source < b.source; });
  std::vector<std::int32_t> offsets{0}, way_of;
  std::vector<std::uint8_t> begins;
  std::vector<Arc> arcs;
  const auto take = [&](const Arc& arc, std::int32_t way, bool begins_it) {
    arcs.push_back(arc), way_of.push_back(way), begins.push_back(begins_it);
  };
  std::vector<std::uint8_t> is_final(states, 0);
  auto next = added.begin();
  for (StateId state = 0; state < automaton.num_states(); ++state) {
    poll(work_at(automaton, state));
    for (const Arc& arc : automaton.arcs(state)) take(arc, -1, false);
    for (; next != added.end() && next->source == state; ++next) take(next->arc, next->way, true);
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
    is_final[state] = automaton.is_final(state);
  }
  for (const NewArc& chain : chains) {
    take(chain.arc, chain.way, false);
    offsets.push_back(static_cast<std::int32_t>(arcs.size()));
  }
  return {Automaton(automaton.start(), std::move(offsets), std::move(arcs), std::move(is_final)), std::move(way_of),
          std::move(begins)};
}

std::vector<std::int32_t> cheapest_path(const Automaton& automaton, std::span<const Label> words,
                                        std::span<const std::int64_t> costs) {
  struct Best {
    std::int64_t cost;
    StateId from;  // at the same word count for an epsilon, at one less for a word
    const Arc* arc;
  };
  if (!automaton.has_path()) return {};
  for (const Arc& arc : automaton.all_arcs()) {
    if (arc.origin < 0 || arc.origin >= static_cast<std::int64_t>(costs.size())) {
      throw std::invalid_argument("costs go by the origins of arcs; there are too few");
    }
  }
  // By number of words read. Epsilons lead upwards (there are none in cyclic automata), so one pass over the states
  // in order takes them all.
  std::vector<std::map<StateId, Best>> reached(words.size() + 1);
  reached[0][automaton.start()] = {0, -1, nullptr};
  const auto offer = [](std::map<StateId, Best>& states, StateId state, const Best& best) {
    const auto [known, is_new] = states.try_emplace(state, best);
    if (!is_new && best.cost < known->second.cost) known->second = best;
  };
  for (std::size_t read = 0; read <= words.size(); ++read) {
    for (auto at = reached[read].begin(); at != reached[read].end(); ++at) {
      const auto [state, best] = *at;
      poll(50 + 10 * std::ssize(automaton.arcs(state)));
      for (const Arc& arc : automaton.arcs(state)) {
        const Best on{best.cost + costs[arc.origin], state, &arc};
        if (arc.label == kEpsilon) offer(reached[read], arc.next, on);
        if (read < words.size() && arc.label == words[read]) offer(reached[read + 1], arc.next, on);
      }
    }
  }
  const Best* goal = nullptr;
  for (const auto& [state, best] : reached.back()) {
    if (automaton.is_final(state) && (!goal || best.cost < goal->cost)) goal = &best;
  }
  std::vector<std::int32_t> origins;
  for (std::size_t read = words.size(); goal && goal->arc; goal = &reached[read].at(goal->from)) {
    origins.push_back(goal->arc->origin);
    if (goal->arc->label != kEpsilon) --read;
  }
  std::reverse(origins.begin(), origins.end());
  return origins;
}

}  // namespace fstmetrics

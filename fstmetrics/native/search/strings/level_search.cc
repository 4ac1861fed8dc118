#include "search/strings/level_search.h"

#include <limits>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// Levels beyond the estimate at the start that are opened at first; twice as many whenever they do not suffice. Nearer
// answers do not come here.
constexpr int kFirstLevels = 48;

}  // namespace

int LevelSearch::run(const SearchGraph& graph, const StringSide& string, const WordPositions& words,
                     std::int64_t max_cells, int most_levels) {
  if (most_levels < 1) return -1;
  graph_ = &graph, string_ = &string, words_ = &words;
  shapes_ = string.shapes.size();
  bitmap_ = (static_cast<std::size_t>(graph.num_states()) + 63) / 64;
  worked_ = 0;
  estimate();
  const std::int64_t sets = std::int64_t{graph.num_states()} * shapes_;  // a level
  std::int64_t levels = std::min(kFirstLevels, most_levels);
  for (; levels <= max_cells / sets; levels *= 2) {
    if (search(static_cast<int>(levels))) return goal_level_ + unmatched_[graph.automaton().start()];
    if (levels >= most_levels) break;
  }
  return -1;
}

// Fewest words from each state to the end that the string lacks.
void LevelSearch::estimate() {
  Polls poll;
  const Automaton& graph = graph_->automaton();
  unmatched_.resize(graph.num_states());
  for (StateId state = graph.num_states() - 1; state >= 0; --state) {
    poll(work_at(graph, state));
    std::int32_t least = graph.is_final(state) ? 0 : std::numeric_limits<std::int32_t>::max();
    for (const Arc& arc : graph.arcs(state)) {
      const bool own = arc.label != kEpsilon && words_->of(arc.label) == 0;
      least = std::min(least, unmatched_[arc.next] + own);
    }
    unmatched_[state] = least;
  }
}

void LevelSearch::open_levels(int levels) {
  levels_ = levels;
  const auto states = static_cast<std::size_t>(graph_->num_states());
  active_.assign(bitmap_ * levels, 0);
  const std::size_t size = states * levels * shapes_;
  if (sets_.size() < size) {
    sets_ = LargeArray<std::uint64_t>();
    sets_ = LargeArray<std::uint64_t>(size);
  }
  seen_.assign(states * shapes_, 0);
  here_.resize(shapes_), plain_.resize(shapes_), moved_.resize(shapes_);
}

// Works through the levels in order; whether the end of the string is reached at a final state in one of them.
bool LevelSearch::search(int levels) {
  open_levels(levels);
  set(graph_->automaton().start(), 0)[0] = 1;
  goal_level_ = -1;
  Polls poll;
  const std::int64_t work_of_block =
      64 * shapes_ * (20 + 10 * std::int64_t{graph_->automaton().num_arcs()} / graph_->num_states());
  for (int level = 0; level < levels && goal_level_ < 0; ++level) {
    for (std::size_t block = 0; block < bitmap_; ++block) {
      poll(active_[level * bitmap_ + block] != 0 ? work_of_block : 1);
      // Arcs of reduced cost zero may activate later states of the same level meanwhile.
      std::uint64_t done = 0;
      while (const std::uint64_t rest = active_[level * bitmap_ + block] & ~done) {
        const int lowest = std::countr_zero(rest);
        done |= (bit(lowest) << 1) - 1;
        work(static_cast<StateId>(block * 64 + lowest), level);
      }
    }
  }
  return goal_level_ >= 0;
}

// Takes what is new at a level to the states and levels that one operation leads to.
void LevelSearch::work(StateId state, int level) {
  ++worked_;
  if (take_new(state, level) == 0) return;
  const Automaton& graph = graph_->automaton();
  if (graph.is_final(state) && unmatched_[state] == 0) {
    for (int shape = 0; shape < shapes_; ++shape) {
      if (string_->shapes.whole[shape] && (here_[shape] & bit(string_->length()))) goal_level_ = level;
    }
  }
  take_words();
  add(state, level + 1, plain_.data());
  if (shapes_ > 1) add(state, level + 2, moved_.data());
  for (const Arc& arc : graph.arcs(state)) follow(arc, state, level);
}

// Moves what is new in a set to here_; all of its positions.
std::uint64_t LevelSearch::take_new(StateId state, int level) {
  std::uint64_t* seen = seen_.data() + static_cast<std::size_t>(state) * shapes_;
  std::uint64_t* own = set(state, level);
  std::uint64_t any = 0;
  for (int shape = 0; shape < shapes_; ++shape) {
    own[shape] &= ~seen[shape];
    seen[shape] |= own[shape];
    here_[shape] = own[shape];
    any |= own[shape];
  }
  return any;
}

// Taking a word of the string without asking which: substitutions and words read alone.
void LevelSearch::take_words() {
  std::fill(plain_.begin(), plain_.end(), 0);
  std::fill(moved_.begin(), moved_.end(), 0);
  for (const Taking& t : string_->shapes.takings) {
    (t.moves ? moved_ : plain_)[t.to] |= (here_[t.from] & words_->before_word(t.offset)) << t.advance;
  }
}

void LevelSearch::follow(const Arc& arc, StateId state, int level) {
  const int ahead = level + unmatched_[arc.next] - unmatched_[state];
  if (arc.label == kEpsilon) return add(arc.next, ahead, here_.data());
  if (const std::uint64_t same = words_->of(arc.label)) {
    for (const Taking& t : string_->shapes.takings) {
      const std::uint64_t matched = (here_[t.from] & (same >> t.offset)) << t.advance;
      if (matched != 0 && ahead + t.moves < levels_) set(arc.next, ahead + t.moves)[t.to] |= matched;
    }
  }
  // A word that the string lacks has been paid for by the estimate.
  add(arc.next, ahead + 1, here_.data());
  add(arc.next, ahead + 1, plain_.data());
  if (shapes_ > 1) add(arc.next, ahead + 2, moved_.data());
}

void LevelSearch::add(StateId state, int level, const std::uint64_t* positions) {
  if (level >= levels_) return;
  std::uint64_t* target = set(state, level);
  for (int shape = 0; shape < shapes_; ++shape) target[shape] |= positions[shape];
}

std::uint64_t* LevelSearch::set(StateId state, int level) {
  std::uint64_t* found = sets_.data() + (static_cast<std::size_t>(state) * levels_ + level) * shapes_;
  std::uint64_t& active = active_[level * bitmap_ + (state >> 6)];
  const std::uint64_t mark = bit(state & 63);
  if (!(active & mark)) {
    active |= mark;
    std::fill(found, found + shapes_, 0);
  }
  return found;
}

}  // namespace fstmetrics

#include "search/bit_parallel.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fstmetrics {
namespace {

// Levels beyond the estimate at the start that are opened at first; three times as many whenever they do not suffice.
// Few levels save memory and keep arcs that lead far away from being followed; too few mean starting again. Ten was
// best of 4 to 32 on networks whose hypotheses lie 2 to 12 edits away.
constexpr int kFirstLevels = 10;

// With this many shapes, levels that are not opened save more than the bound takes; measured with windows 3 and 5.
constexpr int kShapesWorthBounding = 8;

constexpr std::uint64_t bit(int position) { return std::uint64_t{1} << position; }

template <class T>
void reserve_at_least(std::vector<T>& vector, std::size_t size) {
  if (vector.size() < size) vector.resize(size);
}

}  // namespace

BitPath BitParallel::run(const LevelGraph& graph, const StringSide& string, bool alignment) {
  graph_ = &graph, string_ = &string;
  length_ = static_cast<int>(string.words.size());
  shapes_ = string.shapes.size();
  bitmap_ = (static_cast<std::size_t>(graph.num_states()) + 63) / 64;
  worked_ = 0;
  reserve_at_least(match_, graph.automaton().max_label() + 1);
  prepare_words();
  in_lanes_ = shapes_ == 1 && search_lanes();
  if (!in_lanes_) {
    estimate();
    int levels = kFirstLevels;
    if (shapes_ >= kShapesWorthBounding) {
      // Without reordering it costs no less, and to know that much is quick.
      const int most = lanes_.fill(*graph_, match_.data(), length_);
      if (most >= 0) levels = most - unmatched_[graph.automaton().start()] + 1;
    }
    while (!search(levels)) levels *= 3;
  }
  clear_words();
  BitPath path{totals(), worked_, {}};
  if (alignment) path.steps = trace();
  return path;
}

// The cost is known by now, and with it how many words a best path can have: few bits hold the totals.
Totals BitParallel::totals() {
  const StateId start = graph_->automaton().start();
  const std::int64_t cost = unmatched_[start] + goal_level_;
  const std::int64_t other = length_ + cost;
  const TotalBounds bounds{string_->is_hypothesis ? length_ : other, string_->is_hypothesis ? other : length_,
                           shapes_ > 1, 1};
  const auto ranking = make_ranking<std::int64_t>(bounds, true);
  const std::int64_t insertion = ranking.edit;
  const std::int64_t deletion = ranking.reference_word + ranking.edit + ranking.deletion;
  weights_ = {ranking.reference_word + ranking.match, ranking.reference_word + ranking.edit,
              string_->is_hypothesis ? insertion : deletion, string_->is_hypothesis ? deletion : insertion,
              ranking.move};
  settle();
  const Cell& first = cells_[static_cast<std::size_t>(live_slots_[start]) * shapes_ * 64];
  return ranking.totals(first.rank + cost * ranking.cost);
}

void BitParallel::prepare_words() {
  for (int i = 0; i < length_; ++i) {
    if (string_->words[i] > kEpsilon) match_[string_->words[i]] |= bit(i);
  }
  valid_.assign(WindowShapes::kMaxShapeWindow, 0);
  for (int offset = 0; offset < WindowShapes::kMaxShapeWindow && offset < length_; ++offset) {
    valid_[offset] = bit(length_ - offset) - 1;
  }
}

void BitParallel::clear_words() {
  for (const Label word : string_->words) {
    if (word > kEpsilon) match_[word] = 0;
  }
}

// Fewest words from each state to the end that the string lacks.
void BitParallel::estimate() {
  const Automaton& graph = graph_->automaton();
  unmatched_.resize(graph.num_states());
  for (StateId state = graph.num_states() - 1; state >= 0; --state) {
    int least = graph.is_final(state) ? 0 : std::numeric_limits<std::int16_t>::max();
    for (const Arc& arc : graph.arcs(state)) {
      const int own = arc.label != kEpsilon && match_[arc.label] == 0;
      least = std::min(least, unmatched_[arc.next] + own);
    }
    unmatched_[state] = static_cast<std::int16_t>(least);
  }
}

bool BitParallel::search_lanes() {
  goal_level_ = lanes_.fill(*graph_, match_.data(), length_);
  worked_ = graph_->num_states();
  unmatched_.assign(graph_->num_states(), 0);
  return goal_level_ >= 0;
}

void BitParallel::open_levels(int levels) {
  levels_ = levels;
  const auto states = static_cast<std::size_t>(graph_->num_states());
  active_.assign(bitmap_ * levels, 0);
  const std::size_t size = states * levels * shapes_;
  if (sets_size_ < size) sets_ = std::make_unique_for_overwrite<std::uint64_t[]>(size), sets_size_ = size;
  seen_.assign(states * shapes_, 0);
  step_.assign(2 * static_cast<std::size_t>(shapes_), 0);
}

// Works through the levels in order; whether the end of the string is reached at a final state in one of them.
bool BitParallel::search(int levels) {
  open_levels(levels);
  set<0>(graph_->automaton().start(), 0)[0] = 1;
  goal_level_ = -1;
  for (int level = 0; level < levels && goal_level_ < 0; ++level) {
    for (std::size_t block = 0; block < bitmap_; ++block) {
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

void BitParallel::work(StateId state, int level) {
  ++worked_;
  switch (shapes_) {  // no reordering, window 3 and 5 by jumps, window 3 by moves
    case 1: return work_on<1>(state, level);
    case 4: return work_on<4>(state, level);
    case 5: return work_on<5>(state, level);
    case 16: return work_on<16>(state, level);
    default: return work_on<0>(state, level);
  }
}

// Takes what is new at a level to the states and levels that one operation leads to. kShapes: number of shapes, or 0 if
// it is only known at run time.
template <int kShapes>
void BitParallel::work_on(StateId state, int level) {
  const int shapes = kShapes ? kShapes : shapes_;
  const Automaton& graph = graph_->automaton();
  std::uint64_t* seen = seen_.data() + static_cast<std::size_t>(state) * shapes;
  std::uint64_t* own = set<kShapes>(state, level);
  std::uint64_t any = 0;
  for (int i = 0; i < shapes; ++i) {
    own[i] &= ~seen[i];
    seen[i] |= own[i];
    any |= own[i];
  }
  if (any == 0) return;
  // 1. The goal: all of the string taken, at a final state, whose estimate is zero.
  if (graph.is_final(state) && unmatched_[state] == 0) {
    for (int i = 0; i < shapes; ++i) {
      if (string_->shapes.whole[i] && (own[i] & bit(length_))) goal_level_ = level;
    }
  }
  // 2. Taking a word of the string without asking which: substitutions and words read alone.
  std::uint64_t here[kShapes ? kShapes : 256];
  std::copy(own, own + shapes, here);
  std::uint64_t* plain = step_.data();
  std::uint64_t* moved = step_.data() + shapes;
  std::fill(plain, plain + 2 * shapes, 0);
  if constexpr (kShapes == 1) {
    plain[0] = (here[0] & valid_[0]) << 1;
  } else {
    for_each_taking(here, shapes, [&](const Taking& t, std::uint64_t positions) {
      (t.moves ? moved : plain)[t.to] |= (positions & valid_[t.offset]) << t.advance;
    });
  }
  const auto add = [&](StateId to, int at, const std::uint64_t* positions) {
    if (at >= levels_) return;
    std::uint64_t* target = set<kShapes>(to, at);
    for (int i = 0; i < shapes; ++i) target[i] |= positions[i];
  };
  const bool reorders = kShapes != 1;
  add(state, level + 1, plain);
  if (reorders) add(state, level + 2, moved);
  // 3. The arcs.
  for (const Arc& arc : graph.arcs(state)) {
    const int ahead = level + unmatched_[arc.next] - unmatched_[state];
    if (arc.label == kEpsilon) {
      add(arc.next, ahead, here);
      continue;
    }
    const std::uint64_t same = match_[arc.label];
    // A word that the string lacks has been paid for by the estimate.
    const int edited = ahead + 1;
    if (same != 0 && ahead < levels_) {
      if constexpr (kShapes == 1) {
        if (const std::uint64_t matched = (here[0] & same) << 1) set<kShapes>(arc.next, ahead)[0] |= matched;
      } else {
        for_each_taking(here, shapes, [&](const Taking& t, std::uint64_t positions) {
          const std::uint64_t matched = (positions & (same >> t.offset)) << t.advance;
          if (matched != 0 && ahead + t.moves < levels_) set<kShapes>(arc.next, ahead + t.moves)[t.to] |= matched;
        });
      }
    }
    if (edited >= levels_) continue;
    std::uint64_t* target = set<kShapes>(arc.next, edited);
    for (int i = 0; i < shapes; ++i) target[i] |= here[i] | plain[i];
    if (reorders) add(arc.next, edited + 1, moved);
  }
}

// Adds up the tie weights from the goal back to the start, over the cells that lie on best paths.
void BitParallel::settle() {
  const Automaton& graph = graph_->automaton();
  live_states_.assign(bitmap_, 0);
  reserve_at_least(live_slots_, graph.num_states());
  live_.clear();
  for (const StateId state : graph_->finals()) {
    if (unmatched_[state] != 0) continue;
    for (int shape = 0; shape < shapes_; ++shape) {
      if (!string_->shapes.whole[shape] || !(found(state, goal_level_, shape) & bit(length_))) continue;
      offer(state, shape, length_, {0, -1, static_cast<std::uint8_t>(Op::kEpsilon), 0, 0, 0});
    }
  }
  for (std::size_t block = bitmap_; block-- > 0;) {
    while (live_states_[block] != 0) {
      const int highest = 63 - std::countl_zero(live_states_[block]);
      settle_state(static_cast<StateId>(block * 64 + highest));
      live_states_[block] &= ~bit(highest);
    }
  }
}

void BitParallel::offer(StateId state, int shape, int position, const Cell& cell) {
  std::uint64_t& mark = live_states_[state >> 6];
  if (!((mark >> (state & 63)) & 1)) {
    mark |= bit(state & 63);
    live_slots_[state] = static_cast<std::uint32_t>(live_.size() / shapes_);
    live_.resize(live_.size() + shapes_, 0);
    reserve_at_least(cells_, live_.size() * 64);
  }
  const std::size_t index = static_cast<std::size_t>(live_slots_[state]) * shapes_ + shape;
  Cell& kept = cells_[index * 64 + position];
  if ((live_[index] & bit(position)) && kept.rank <= cell.rank) return;
  live_[index] |= bit(position);
  kept = cell;
}

// Offers to every cell before one of this state's what is best from here on. Words read alone lead to lower levels
// of the same state, so levels go down.
void BitParallel::settle_state(StateId state) {
  const Automaton& graph = graph_->automaton();
  const std::size_t base = static_cast<std::size_t>(live_slots_[state]) * shapes_;
  const auto holds = [&](StateId at, int level, int shape, int position) {
    return level >= 0 && (found(at, level, shape) & bit(position)) != 0;
  };
  for (int level = goal_level_; level >= 0; --level) {
    for (int shape = 0; shape < shapes_; ++shape) {
      for (std::uint64_t rest = live_[base + shape] & found(state, level, shape); rest != 0; rest &= rest - 1) {
        const int position = std::countr_zero(rest);
        const std::int64_t rank = cells_[(base + shape) * 64 + position].rank;
        const auto cell = [&](std::int64_t weight, std::int32_t arc, Op op, int moves) {
          return Cell{rank + weight + moves * weights_.move, arc, static_cast<std::uint8_t>(op),
                      static_cast<std::uint8_t>(shape), static_cast<std::uint8_t>(position),
                      static_cast<std::uint8_t>(moves)};
        };
        const Op string_op = string_->is_hypothesis ? Op::kInsertion : Op::kDeletion;
        const Op graph_op = string_->is_hypothesis ? Op::kDeletion : Op::kInsertion;
        const auto& into = string_->shapes.into[shape];
        // 1. A word of the string alone.
        for (const Taking& t : into) {
          const int before = position - t.advance;
          if (before < 0 || before + t.offset >= length_) continue;
          if (!holds(state, level - 1 - t.moves, t.from, before)) continue;
          offer(state, t.from, before, cell(weights_.string_only, -1, string_op, t.moves));
        }
        // 2. Arcs that lead here.
        for (const LevelGraph::Incoming& in : graph_->incoming(state)) {
          const Label label = graph.all_arcs()[in.arc].label;
          const int ahead = level - unmatched_[state] + unmatched_[in.source];
          if (label == kEpsilon) {
            if (holds(in.source, ahead, shape, position)) {
              offer(in.source, shape, position, cell(0, in.arc, Op::kEpsilon, 0));
            }
            continue;
          }
          if (holds(in.source, ahead - 1, shape, position)) {
            offer(in.source, shape, position, cell(weights_.graph_only, in.arc, graph_op, 0));
          }
          for (const Taking& t : into) {
            const int before = position - t.advance;
            if (before < 0 || before + t.offset >= length_) continue;
            const bool same = string_->words[before + t.offset] == label;
            if (!holds(in.source, ahead - (same ? 0 : 1) - t.moves, t.from, before)) continue;
            offer(in.source, t.from, before,
                  cell(same ? weights_.match : weights_.substitution, in.arc,
                       same ? Op::kMatch : Op::kSubstitution, t.moves));
          }
        }
      }
    }
  }
}

std::vector<Step> BitParallel::trace() const {
  const Automaton& graph = graph_->automaton();
  std::vector<Step> steps;
  StateId state = graph.start();
  int shape = 0, position = 0;
  while (true) {
    const std::size_t index = static_cast<std::size_t>(live_slots_[state]) * shapes_ + shape;
    const Cell& cell = cells_[index * 64 + position];
    const auto op = static_cast<Op>(cell.op);
    if (op == Op::kEpsilon && cell.arc < 0) return steps;
    const bool takes = cell.shape != shape || cell.position != position;
    int word = -1;
    if (takes) {
      for (const Taking& t : string_->shapes.into[cell.shape]) {
        if (t.from == shape && position + t.advance == cell.position) word = position + t.offset;
      }
    }
    if (op != Op::kEpsilon) {
      Step step{op};
      Label& graph_label = string_->is_hypothesis ? step.reference : step.hypothesis;
      std::int32_t& graph_origin = string_->is_hypothesis ? step.reference_origin : step.origin;
      std::int32_t& string_origin = string_->is_hypothesis ? step.origin : step.reference_origin;
      if (cell.arc >= 0) graph_label = graph.all_arcs()[cell.arc].label, graph_origin = graph.all_arcs()[cell.arc].origin;
      string_origin = word;
      step.moves = cell.moves;
      steps.push_back(step);
    }
    if (cell.arc >= 0) state = graph.all_arcs()[cell.arc].next;
    shape = cell.shape, position = cell.position;
  }
}

}  // namespace fstmetrics

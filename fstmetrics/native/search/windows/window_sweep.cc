#include "search/windows/window_sweep.h"

namespace fstmetrics {

int WindowSweep::run(const SearchGraph& graph, const StringSide& string, const WordPositions& words,
                     std::int64_t max_cells) {
  max_cells_ = max_cells;
  string_ = &string, words_ = &words;
  sweep_ = &graph.automaton().sweep_graph(Direction::kBackwards);
  shapes_ = string.shapes.size();
  worked_ = 0;
  arcs_.list(*sweep_, words.labels());
  const int least = bounds_.fill(*sweep_, arcs_, string, words);
  if (least < 0) return -1;
  for (int most = least; most < kMaxLevels; ++most) {
    const Met met = search(most);
    if (met != Met::kNothing) return met == Met::kEnd ? most : -1;
  }
  return -1;
}

// One sweep within a limit.
WindowSweep::Met WindowSweep::search(int most) {
  most_ = most;
  const auto places = static_cast<std::size_t>(sweep_->size());
  costs_.assign(places, 0);
  if (slots_size_ < places * (most_ + 1)) {
    slots_size_ = places * (most_ + 1);
    slots_ = std::make_unique_for_overwrite<std::uint32_t[]>(slots_size_);
  }
  sets_.clear();
  const Place start = sweep_->ends().front();
  add(start, 0, 0, 1);
  for (Place place = start; place >= 0; --place) {
    if (place % kPlacesBetweenPolls == 0) poll_(kPlacesBetweenPolls);
    if (costs_[place] == 0) continue;
    if (std::ssize(sets_) > max_cells_) return Met::kTooMuch;
    seen_.clear();
    // Words read alone bring in higher costs of the same place meanwhile.
    for (int cost = 0; cost <= most_; ++cost) {
      if ((costs_[place] >> cost) & 1) work(place, cost);
    }
  }
  return reaches_end() ? Met::kEnd : Met::kNothing;
}

bool WindowSweep::reaches_end() const {
  for (const Place place : sweep_->starts()) {
    for (int shape = 0; shape < shapes_; ++shape) {
      if (string_->shapes.whole[shape] && (at(place, most_, shape) & bit(string_->length()))) return true;
    }
  }
  return false;
}

// Takes the new positions of a place at a cost to where one operation leads.
void WindowSweep::work(Place place, int cost) {
  ++worked_;
  poll_(20 * shapes_);
  take_new(place, cost);
  if (here_.used == 0) return;
  take_words();
  if (near(place, cost + 1, plain_)) add_all(place, cost + 1, plain_);
  if (near(place, cost + 2, moved_)) add_all(place, cost + 2, moved_);
  for (const Place next : sweep_->by_epsilon(place)) {
    if (near(next, cost, here_)) add_all(next, cost, here_);
  }
  for (const Place next : sweep_->by_word(place)) {
    if (near(next, cost + 1, here_)) add_all(next, cost + 1, here_);
    if (near(next, cost + 1, plain_)) add_all(next, cost + 1, plain_);
    if (near(next, cost + 2, moved_)) add_all(next, cost + 2, moved_);
  }
  for (std::int32_t arc = arcs_.first(place); arc >= 0; arc = arcs_[arc].next) push_matches(arcs_[arc], cost);
}

// Moves to here_ what has not been met at less cost and is not too far from the end.
void WindowSweep::take_new(Place place, int cost) {
  std::uint64_t* const sets = this->sets(place, cost);
  here_.clear();
  for_each_bit(*sets, [&](int shape) {
    std::uint64_t& own = sets[1 + shape];
    own &= near(place, cost, shape);
    if (seen_.used & bit(shape)) own &= ~seen_.of[shape];
    seen_.add(shape, own, string_->shapes);
    here_.add(shape, own, string_->shapes);
  });
  *sets = here_.used;
}

// Taking a word of the string without asking which: substitutions and words read alone.
void WindowSweep::take_words() {
  plain_.clear(), moved_.clear();
  for_each_taking([&](const Taking& t) {
    (t.moves ? moved_ : plain_)
        .add(t.to, (here_.of[t.from] & words_->before_word(t.offset)) << t.advance, string_->shapes);
  });
}

void WindowSweep::push_matches(const MatchingArcs::Matching& arc, int cost) {
  const std::uint64_t taken = (here_.taken[0] | here_.taken[1] | here_.taken[2]) << 1;
  if (!(bounds_.within(arc.neighbour, string_->shapes.most_disorder(), most_ - cost) & taken)) return;
  const std::uint64_t same = words_->positions()[arc.word];
  for_each_taking([&](const Taking& t) {
    const std::uint64_t matched = (here_.of[t.from] & (same >> t.offset)) << t.advance;
    if (matched != 0) add(arc.neighbour, cost + t.moves, t.to, matched & near(arc.neighbour, cost + t.moves, t.to));
  });
}

void WindowSweep::add(Place place, int cost, int shape, std::uint64_t positions) {
  if (positions == 0) return;
  if (!has(place, cost)) {
    costs_[place] |= 1U << cost;
    slots_[static_cast<std::size_t>(place) * (most_ + 1) + cost] =
        static_cast<std::uint32_t>(sets_.size() / (shapes_ + 1));
    const std::size_t first = sets_.size();
    sets_.resize(first + shapes_ + 1);
    std::fill_n(sets_.begin() + first, shapes_ + 1, 0);
  }
  std::uint64_t* const sets = this->sets(place, cost);
  *sets |= bit(shape);
  sets[1 + shape] |= positions;
}

void WindowSweep::add_all(Place place, int cost, const Sets& sets) {
  for_each_bit(sets.used, [&](int shape) { add(place, cost, shape, sets.of[shape] & near(place, cost, shape)); });
}

}  // namespace fstmetrics

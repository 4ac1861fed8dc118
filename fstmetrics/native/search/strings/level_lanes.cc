#include "search/strings/level_lanes.h"

#include <algorithm>
#include <cstring>

#include "support/poll.h"

namespace fstmetrics {
namespace {

// Of what is not reached; no level is raised beyond.
constexpr int kUnreached = 255;

struct LevelWork {
  const SweepArcs* graph;
  const MatchingArcs* others;
  const std::uint8_t* misses;     // rows: kUnreached in the lanes of all positions before which the word does not stand
  const std::int32_t* misses_of;  // by label: where its row begins; 0, of the row of all other words
  void* levels;
};

// All lanes of a place, in vectors of kBytes.
template <int kLanes, int kBytes>
struct PlaceLevels : Block<std::uint8_t, kLanes, kBytes> {
  using Base = Block<std::uint8_t, kLanes, kBytes>;
  using Base::kParts;
  using Base::part;

  template <int kLevel>
  FSTMETRICS_INLINE static PlaceLevels all() {
    PlaceLevels result;
    for (int i = 0; i < kParts; ++i) result.part[i] = kLevel - typename Base::V{};
    return result;
  }
  FSTMETRICS_INLINE void add(const PlaceLevels& other) {
    for (int i = 0; i < kParts; ++i) part[i] = part[i] < other.part[i] ? part[i] : other.part[i];
  }
  FSTMETRICS_INLINE PlaceLevels but(const PlaceLevels& misses) const {
    PlaceLevels result;
    for (int i = 0; i < kParts; ++i) result.part[i] = part[i] | misses.part[i];
    return result;
  }
  FSTMETRICS_INLINE PlaceLevels raised() const {
    PlaceLevels result = all<kUnreached - 1>();
    result.add(*this);
    for (int i = 0; i < kParts; ++i) result.part[i] += 1;
    return result;
  }
  FSTMETRICS_INLINE PlaceLevels lowered() const {
    PlaceLevels result;
    for (int i = 0; i < kParts; ++i) result.part[i] = part[i] - 1;
    return result;
  }
  template <int kPositions>
  FSTMETRICS_INLINE PlaceLevels moved_on() const {
    return {this->template moved_up<kPositions>(all<kUnreached>())};
  }
  // Words of the string read alone, any number of them.
  template <int kPositions = 1>
  FSTMETRICS_INLINE void add_words() {
    if constexpr (kPositions < kLanes) {
      add(moved_on<kPositions>());
      add_words<2 * kPositions>();
    }
  }
};

template <int kLanes>
struct LevelSweep {
  template <int kBytes>
  using All = PlaceLevels<kLanes, kBytes>;

  // Vectors may alias anything, so whatever the loop reads of other objects is taken out of them before it.
  template <int kBytes>
  FSTMETRICS_INLINE static void run(const LevelWork& task) {
    const SweepArcs& graph = *task.graph;
    auto* const all = static_cast<All<kBytes>*>(task.levels);
    const std::int32_t* const misses_of = task.misses_of;
    const auto misses = [misses = task.misses](std::int32_t at) -> const All<kBytes>& {
      return *reinterpret_cast<const All<kBytes>*>(misses + at);
    };
    const SweepArcs::Place size = graph.size();
    const bool has_epsilons = graph.has_epsilons();
    const std::uint32_t* const firsts = graph.firsts();
    const SweepArcs::Incoming *const arcs = graph.arcs(), *arc = arcs;
    const std::int32_t* const first_other = task.others->firsts();
    const MatchingArcs::Matching* const others = task.others->arcs();
    // Of prepared automata the start is the only place without arcs that lead to it, and the first.
    all[0] = All<kBytes>::template all<kLanes - 1>();
    for (SweepArcs::Place place = 1; place < size; ++place) {
      if (place % kPlacesBetweenPolls == 0) poll(20 * kPlacesBetweenPolls);
      auto any = All<kBytes>::template all<kUnreached>(), matched = any;
      std::int32_t other = first_other[place], matching = other + 1;  // 0 where no word matches
      for (const SweepArcs::Incoming* const end = arcs + firsts[place + 1]; arc != end; ++arc) {
        const All<kBytes>& neighbour = all[arc->neighbour];
        const std::int32_t row = misses_of[arc->label];
        matching |= row;
        any.add(neighbour);
        matched.add(neighbour.but(misses(row)));
      }
      // A word of the graph alone, or paired with another word.
      All<kBytes> here = any.template moved_on<1>();
      here.add(any.raised());
      if (matching != 0) {
        for (; other >= 0; other = others[other].next) {
          matched.add(all[others[other].neighbour].but(misses((others[other].word + 1) * kLanes)));
        }
        matched = matched.template moved_on<1>().lowered();
        matched.add_words();
        here.add(matched);
      }
      if (has_epsilons) {
        for (const SweepArcs::Epsilon& epsilon : graph.by_epsilon(place)) here.add(all[epsilon.neighbour]);
      }
      all[place] = here;
    }
  }
};

}  // namespace

int LevelLanes::run(const SearchGraph& graph, std::span<const Label> words) {
  graph_ = &graph.automaton().sweep_arcs();
  lanes_ = words.size() <= 31 ? 32 : 64;
  place_words(words, graph.automaton().max_label());
  others_.list(*graph_, placed_);
  levels_.reserve(static_cast<std::size_t>(graph_->size()) * lanes_);
  const LevelWork work{graph_, &others_, row(0), misses_of_.data(), levels_.data()};
  lanes_ == 32 ? run_kernel<LevelSweep<32>, 32>(work) : run_kernel<LevelSweep<64>, 32>(work);
  return cost_at_end(static_cast<int>(words.size()));
}

// The first row is of the words that the string lacks.
void LevelLanes::place_words(std::span<const Label> words, Label max_label) {
  for (const Label label : placed_) misses_of_[label] = 0;
  placed_.clear();
  if (misses_of_.size() <= static_cast<std::size_t>(max_label)) misses_of_.resize(max_label + 1, 0);
  const std::size_t size = (words.size() + 1) * lanes_;
  misses_.reserve(size);
  auto* const misses = static_cast<std::uint8_t*>(misses_.data());
  std::memset(misses, kUnreached, size);
  for (std::size_t position = 0; position < words.size(); ++position) {
    const Label label = words[position];
    if (label <= kEpsilon) continue;
    std::int32_t& row = misses_of_[label];
    if (row == 0) {
      placed_.push_back(label);
      row = static_cast<std::int32_t>(placed_.size()) * lanes_;
    }
    misses[row + position] = 0;
  }
}

int LevelLanes::cost_at_end(int length) const {
  int least = kUnreached;
  for (const SweepArcs::Place place : graph_->ends()) {
    least = std::min<int>(least, levels()[std::ptrdiff_t{place} * lanes_ + length]);
  }
  // Each match on the way lowers what is not reached by one.
  return least < kUnreached - lanes_ ? least - level(length, 0) : -1;
}

}  // namespace fstmetrics

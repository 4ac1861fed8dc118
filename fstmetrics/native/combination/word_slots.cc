#include "combination/word_slots.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::int32_t kNothing = -1;

// rover's costs. They are 32-bit floats, added up in this order, because ties are where their sums are equal.
constexpr float kSkipNoWord = 0.001F, kSkipWord = 3.0F, kOtherWord = 4.0F, kWordForNone = 1.0F;
constexpr double kOtherWordByTime = 0.001;
// A pause of the first system that may part the words, and the end of a recording, in seconds.
constexpr double kPause = 1.0, kNever = 9999999.9;

// What a system has in a slot.
struct Entry {
  std::int32_t word = kNothing;   // what it is
  std::int32_t place = kNothing;  // where it stands in the output
  double begin = 0.0, end = 0.0;  // of no word 0, as rover has it
};

// Entries in the order in which rover adds them: the word that made the slot first, then no word of each earlier
// system.
struct Slot {
  std::int32_t maker;
  std::vector<Entry> entries;
};

float skip_cost(const Entry& entry, bool by_time) {
  if (entry.word == kNothing) return kSkipNoWord;
  return by_time ? static_cast<float>(entry.end - entry.begin) : kSkipWord;
}

// Of an entry of a slot and a word of the next system.
float pair_cost(const Entry& entry, const Entry& word, bool by_time) {
  const bool same = entry.word == word.word;
  if (by_time) {
    return static_cast<float>(std::fabs(entry.begin - word.begin) + std::fabs(entry.end - word.end) +
                              (same ? 0.0 : kOtherWordByTime));
  }
  if (same) return 0.0F;
  return entry.word == kNothing ? kWordForNone : kOtherWord;
}

enum class SlotStep : std::uint8_t { kPair, kSkipSlot, kNewSlot };

// Puts the words of further systems into the slots, one system after another.
class Aligner {
 public:
  explicit Aligner(bool by_time) : by_time_(by_time) {}

  void add(std::vector<Slot>& slots, std::int32_t system, const std::vector<Entry>& words) {
    words_ = &words;
    width_ = words.size() + 1;
    fill(slots);
    merge(slots, system);
  }

 private:
  // Different entries of a slot; equal ones have equal costs, and rover takes the first.
  void take_different(const Slot& slot, std::vector<Entry>& found) const {
    found.clear();
    for (const Entry& entry : slot.entries) {
      const bool is_new = std::none_of(found.begin(), found.end(), [&](const Entry& other) {
        return other.word == entry.word && (!by_time_ || (other.begin == entry.begin && other.end == entry.end));
      });
      if (is_new) found.push_back(entry);
    }
  }

  // The first least cost of the rows of a slot, for each number of words.
  void take_least(const std::vector<float>& rows, std::size_t number) {
    const std::size_t base = from_.size();
    from_.resize(base + width_, 0);
    least_.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(width_));
    for (std::size_t row = 1; row < number; ++row) {
      for (std::size_t at = 0; at < width_; ++at) {
        const float cost = rows[row * width_ + at];
        if (cost < least_[at]) {
          least_[at] = cost;
          from_[base + at] = static_cast<std::uint16_t>(row);
        }
      }
    }
  }

  void fill(const std::vector<Slot>& slots) {
    const std::vector<Entry>& words = *words_;
    steps_.clear();
    from_.clear();
    first_row_.clear();
    std::vector<float> rows(width_, 0.0F), next;
    for (std::size_t at = 1; at < width_; ++at) rows[at] = rows[at - 1] + skip_cost(words[at - 1], by_time_);
    std::size_t number = 1;
    std::vector<Entry> entries;
    for (const Slot& slot : slots) {
      take_least(rows, number);
      take_different(slot, entries);
      first_row_.push_back(steps_.size() / width_);
      next.resize(entries.size() * width_);
      steps_.resize(steps_.size() + entries.size() * width_);
      for (std::size_t row = 0; row < entries.size(); ++row) {
        poll(static_cast<std::int64_t>(width_ * 2));
        float* costs = next.data() + row * width_;
        SlotStep* steps = steps_.data() + (first_row_.back() + row) * width_;
        const float skip = skip_cost(entries[row], by_time_);
        costs[0] = least_[0] + skip;
        steps[0] = SlotStep::kSkipSlot;
        for (std::size_t at = 1; at < width_; ++at) {
          const Entry& word = words[at - 1];
          const float paired = least_[at - 1] + pair_cost(entries[row], word, by_time_);
          const float skipped = least_[at] + skip;
          const float added = costs[at - 1] + skip_cost(word, by_time_);
          if (paired <= skipped && paired <= added) {
            costs[at] = paired, steps[at] = SlotStep::kPair;
          } else if (skipped < added) {
            costs[at] = skipped, steps[at] = SlotStep::kSkipSlot;
          } else {
            costs[at] = added, steps[at] = SlotStep::kNewSlot;
          }
        }
      }
      rows.swap(next);
      number = entries.size();
    }
    take_least(rows, number);
  }

  void merge(std::vector<Slot>& slots, std::int32_t system) {
    const std::vector<Entry>& words = *words_;
    std::vector<Slot> backwards;
    std::size_t slot = slots.size(), at = width_ - 1;
    std::int32_t row = from_[slot * width_ + at];
    while (slot > 0 || at > 0) {
      const SlotStep step =
          slot == 0 ? SlotStep::kNewSlot : steps_[(first_row_[slot - 1] + static_cast<std::size_t>(row)) * width_ + at];
      if (step == SlotStep::kNewSlot) {
        Slot made{system, {words[at - 1]}};
        made.entries.resize(static_cast<std::size_t>(system) + 1);
        backwards.push_back(std::move(made));
        --at;
        continue;
      }
      Slot& taken = slots[slot - 1];
      taken.entries.push_back(step == SlotStep::kPair ? words[at - 1] : Entry{});
      backwards.push_back(std::move(taken));
      if (step == SlotStep::kPair) --at;
      --slot;
      row = from_[slot * width_ + at];
    }
    slots.assign(std::make_move_iterator(backwards.rbegin()), std::make_move_iterator(backwards.rend()));
  }

  const bool by_time_;
  const std::vector<Entry>* words_ = nullptr;
  std::size_t width_ = 0;
  std::vector<float> least_;
  std::vector<SlotStep> steps_;         // by row of all slots and number of words
  std::vector<std::uint16_t> from_;     // by slot and number of words, the best row of the slot before
  std::vector<std::size_t> first_row_;  // of each slot
};

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

// Where the words of all systems are cut: pauses of the first system in which the others pause, too, as rover finds
// them.
class Pauses {
 public:
  explicit Pauses(const std::vector<SpokenWords>& systems) : systems_(systems), from_(systems.size(), 0) {}

  // The next words of each system; false at the end.
  bool next(Ranges& ranges) {
    ranges.resize(systems_.size());
    const std::size_t words = systems_[0].words.size();
    for (std::size_t last = from_[0]; last < words; ++last) {
      poll(10);
      double begin = systems_[0].ends[last], end = after(0, last);
      if (end > begin + kPause && all_pause(begin, end, ranges)) {
        ranges[0] = {from_[0], last + 1};
        return advance(ranges);
      }
    }
    bool is_left = false;
    for (std::size_t system = 0; system < systems_.size(); ++system) {
      ranges[system] = {from_[system], systems_[system].words.size()};
      is_left = is_left || ranges[system].first < ranges[system].second;
    }
    return is_left && advance(ranges);
  }

 private:
  double after(std::size_t system, std::size_t word) const {
    const SpokenWords& spoken = systems_[system];
    return word + 1 < spoken.words.size() ? spoken.begins[word + 1] : kNever;
  }

  bool all_pause(double begin, double end, Ranges& ranges) const {
    for (std::size_t system = 1; system < systems_.size(); ++system) {
      const SpokenWords& spoken = systems_[system];
      const std::size_t words = spoken.words.size();
      std::size_t last = from_[system];
      ranges[system] = {last, last};
      if (last == words) continue;
      for (; last < words; ++last) {
        if (std::min(end, after(system, last)) - std::max(begin, spoken.ends[last]) > 0.0) break;
      }
      if (last == words) return false;
      begin = std::max(begin, spoken.ends[last]);
      end = std::min(end, after(system, last));
      ranges[system].second = last + 1;
    }
    return true;
  }

  bool advance(const Ranges& ranges) {
    for (std::size_t system = 0; system < ranges.size(); ++system) from_[system] = ranges[system].second;
    return true;
  }

  const std::vector<SpokenWords>& systems_;
  std::vector<std::size_t> from_;
};

std::vector<Entry> entries_of(const SpokenWords& spoken, std::pair<std::size_t, std::size_t> range) {
  std::vector<Entry> found;
  for (std::size_t place = range.first; place < range.second; ++place) {
    Entry entry{spoken.words[place], static_cast<std::int32_t>(place), 0.0, 0.0};
    if (!spoken.begins.empty()) entry.begin = spoken.begins[place], entry.end = spoken.ends[place];
    found.push_back(entry);
  }
  return found;
}

// False where a table would have too many cells.
bool add_slots(const std::vector<SpokenWords>& systems, const Ranges& ranges, bool by_time, std::int64_t most_cells,
               std::int64_t& cells, std::vector<std::int32_t>& found) {
  std::vector<Slot> slots;
  for (const Entry& word : entries_of(systems[0], ranges[0])) slots.push_back({0, {word}});
  Aligner aligner(by_time);
  for (std::size_t system = 1; system < systems.size(); ++system) {
    const std::vector<Entry> words = entries_of(systems[system], ranges[system]);
    cells = static_cast<std::int64_t>(slots.size() * system * (words.size() + 1));
    if (cells > most_cells) return false;
    aligner.add(slots, static_cast<std::int32_t>(system), words);
  }
  for (const Slot& slot : slots) {
    // The word that made the slot stands before those of earlier systems, which have none.
    const std::size_t maker = static_cast<std::size_t>(slot.maker);
    for (std::size_t system = 0; system < slot.entries.size(); ++system) {
      found.push_back(system == maker ? slot.entries[0].place : system < maker ? kNothing : slot.entries[system].place);
    }
  }
  return true;
}

}  // namespace

std::vector<std::int32_t> word_slots(const std::vector<SpokenWords>& systems, bool by_time, std::int64_t most_cells,
                                     std::int64_t& cells) {
  std::vector<std::int32_t> found;
  const bool have_times = std::all_of(systems.begin(), systems.end(), [](const SpokenWords& spoken) {
    return spoken.begins.size() == spoken.words.size();
  });
  Ranges ranges;
  if (!have_times) {
    for (const SpokenWords& spoken : systems) ranges.emplace_back(0, spoken.words.size());
    add_slots(systems, ranges, false, most_cells, cells, found);
    return found;
  }
  Pauses pauses(systems);
  while (pauses.next(ranges)) {
    if (!add_slots(systems, ranges, by_time, most_cells, cells, found)) break;
  }
  return found;
}

}  // namespace fstmetrics

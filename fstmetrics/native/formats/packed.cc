#include "formats/packed.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "support/poll.h"
#include "text/words.h"

namespace fstmetrics {
namespace {

bool are_finite(std::span<const double> values) {
  constexpr std::uint64_t kExponent = 0x7FF0000000000000;
  std::uint64_t others = 0;
  for (const double value : values) others |= (std::bit_cast<std::uint64_t>(value) & kExponent) == kExponent;
  return others == 0;
}

bool are_within(std::span<const std::int32_t> values, std::int64_t end) {
  std::int32_t least = 0, most = -1;
  for (const std::int32_t value : values) least = std::min(least, value), most = std::max(most, value);
  return least >= 0 && most < end;
}

// Pairs of costs as an automaton has them; none where the file has none.
bool take_pairs(std::span<const double> values, std::size_t count, std::vector<CostPair>& pairs) {
  if (values.empty()) return true;
  if (values.size() != 2 * count || !are_finite(values)) return false;
  pairs.resize(count);
  std::memcpy(pairs.data(), values.data(), values.size_bytes());
  return true;
}

bool take_times(const PackedBatch& batch, std::size_t row, std::size_t states, std::size_t arcs, WordLattice& lattice) {
  const std::span<const char> unit = batch.units.of(row, batch.unit_bytes);
  const std::string_view name(unit.data(), unit.size());
  const auto times = batch.state_times.of(row, batch.times);
  const auto durations = batch.arc_durations.of(row, batch.durations);
  if (name.empty()) return true;
  if (name == "seconds" || (name == "frames" && !times.empty() && durations.empty())) {
    lattice.times.assign(times.begin(), times.end());
    lattice.time_unit = name == "frames" ? TimeUnit::kFrames : TimeUnit::kSeconds;
    return times.size() == states && states > 0;
  }
  if (name != "frames" || durations.size() != arcs || !times.empty()) return false;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  lattice.has_frames = true;
  lattice.frames.assign(durations.begin(), durations.end());
  return std::ranges::all_of(durations, [](std::int64_t frames) { return frames >= 0 && frames <= kMost; });
}

// Arcs in the order of the file, which is by source; null where they are not, or lead nowhere. `renamed`: by label, the
// label instead of it; empty where all stay.
std::shared_ptr<Automaton> automaton_of(const PackedBatch& batch, std::size_t row, std::size_t labels,
                                        std::span<const std::int32_t> renamed) {
  const std::int64_t states = batch.states[row], start = batch.starts[row];
  const auto sources = batch.arcs.of(row, batch.sources), destinations = batch.arcs.of(row, batch.destinations);
  const auto given = batch.arcs.of(row, batch.labels), finals = batch.finals.of(row, batch.final_states);
  if (states < 1 || start < 0 || start >= states || !std::ranges::is_sorted(sources) || !are_within(sources, states) ||
      !are_within(destinations, states) || !are_within(finals, states) ||
      !are_within(given, static_cast<std::int64_t>(labels))) {
    return nullptr;
  }
  std::vector<CostPair> costs, ends;
  if (!take_pairs(batch.arc_costs.of(row, batch.arc_cost_pairs, 2), sources.size(), costs) ||
      !take_pairs(batch.final_costs.of(row, batch.final_cost_pairs, 2), finals.size(), ends)) {
    return nullptr;
  }
  std::vector<std::int32_t> offsets(states + 1);
  std::vector<Arc> arcs(sources.size());
  std::size_t at = 0;
  for (std::int64_t state = 0; state < states; ++state) {
    offsets[state] = static_cast<std::int32_t>(at);
    for (; at < sources.size() && sources[at] == state; ++at) {
      arcs[at] = {renamed.empty() ? given[at] : renamed[given[at]], destinations[at], 0, static_cast<std::int32_t>(at)};
    }
  }
  offsets[states] = static_cast<std::int32_t>(at);
  std::vector<std::uint8_t> is_final(states, 0);
  std::vector<CostPair> final_costs(ends.empty() ? 0 : states);
  for (std::size_t i = 0; i < finals.size(); ++i) {
    is_final[finals[i]] = 1;
    if (!ends.empty()) final_costs[finals[i]] = ends[i];
  }
  return std::make_shared<Automaton>(static_cast<StateId>(start), std::move(offsets), std::move(arcs),
                                     std::move(is_final), std::move(costs), std::move(final_costs));
}

}  // namespace

void PackedReader::add_words(PackedLists words, std::span<const char> bytes) {
  for (std::size_t i = 0; i + 1 < words.offsets.size(); ++i) {
    const std::span<const char> word = words.of(i, bytes);
    numbers_.push_back(vocabulary_->intern({word.data(), word.size()}));
    if (labels_) named_.push_back(word.empty() ? Vocabulary::kNoWord : labels_->number_of({word.data(), word.size()}));
  }
}

// Label 0 is no word, and no other label is: words of other formats' epsilons, and phrases, are left to the slow
// reader.
bool PackedReader::take_words(const PackedBatch& batch, std::size_t row, WordLattice& lattice) const {
  const auto words = batch.words.of(row, batch.word_numbers);
  if (words.empty() || words[0] != 0 || !are_within(words, std::ssize(numbers_))) return false;
  lattice.words.resize(words.size());
  bool are_words = true;
  for (std::size_t label = 0; label < words.size(); ++label) {
    lattice.words[label] = numbers_[words[label]];
    are_words &= (label == 0) == Vocabulary::is_silent(lattice.words[label]) &&
                 !has_space(vocabulary_->word(lattice.words[label]).view());
  }
  return are_words;
}

// Words of a symbol table for the numbers; one may stand for several, and some for none.
bool PackedReader::name_words(const PackedBatch& batch, std::size_t row, WordLattice& lattice,
                              std::vector<std::int32_t>& renamed) const {
  const auto words = batch.words.of(row, batch.word_numbers);
  lattice.numbered = false;
  lattice.words.assign(1, Vocabulary::kNoWord);
  renamed.assign(words.size(), kEpsilon);
  std::unordered_map<std::int32_t, std::int32_t> labels;
  for (std::size_t label = 1; label < words.size(); ++label) {
    const std::int32_t number = named_[words[label]];
    if (number < 0 || has_space(vocabulary_->word(number).view())) return false;
    if (Vocabulary::is_silent(number)) continue;
    const auto [at, is_new] = labels.try_emplace(number, static_cast<std::int32_t>(lattice.words.size()));
    if (is_new) lattice.words.push_back(number);
    renamed[label] = at->second;
  }
  return true;
}

WordLattice PackedReader::lattice(const PackedBatch& batch, std::size_t row) const {
  WordLattice lattice;
  const std::span<const char> id = batch.ids.of(row, batch.id_bytes);
  lattice.id.assign(id.data(), id.size());
  lattice.numbered = batch.numbered[row] != 0;
  const double* const scales = batch.scales.data() + 3 * row;
  lattice.scales = LatticeScales{scales[0], scales[1], scales[2]};
  if (batch.states[row] > most_states_ || !are_finite({scales, 3}) || !take_words(batch, row, lattice)) return lattice;
  if (!take_times(batch, row, static_cast<std::size_t>(std::max(batch.states[row], 0)), batch.arcs.size(row), lattice))
    return lattice;
  const std::size_t labels = lattice.words.size();
  std::vector<std::int32_t> renamed;
  if (lattice.numbered && labels_ && !name_words(batch, row, lattice, renamed)) return lattice;
  lattice.automaton = automaton_of(batch, row, labels, renamed);
  return lattice;
}

void PackedReader::read(const PackedBatch& batch, LatticeColumn& column) const {
  Polls poll;
  for (std::size_t row = 0; row < batch.states.size(); ++row) {
    poll(static_cast<std::int64_t>(100 + 4 * batch.arcs.size(row)));
    column.add(lattice(batch, row));
  }
}

}  // namespace fstmetrics

#include "formats/fst_archive.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include "formats/fault.h"
#include "formats/fst_states.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::string_view kMagic = "\xd6\xfd\xb2\x7e";
constexpr std::size_t kMaxKey = 4096;
constexpr double kNotFinal = std::numeric_limits<double>::infinity();  // the final cost of a state that is not final

// Thrown where the data end within a machine.
struct CutOff {};

// A position in the data that never runs past their end.
class ArchiveCursor {
 public:
  ArchiveCursor(std::string_view data, std::size_t at) : at_(data.data() + at), end_(data.data() + data.size()) {}

  const char* take(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(end_ - at_)) throw CutOff{};
    const char* const taken = at_;
    at_ += size;
    return taken;
  }
  template <class Number>
  Number number() {
    return read<Number>(take(sizeof(Number)));
  }
  // An int32 length and so many bytes.
  std::string_view counted(std::size_t most) {
    const auto size = number<std::int32_t>();
    if (size < 0 || static_cast<std::size_t>(size) > most) throw ForAnotherReader{};
    return {take(size), static_cast<std::size_t>(size)};
  }
  template <class Number>
  static Number read(const char* at) {
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  const char* at() const { return at_; }
  std::int64_t left() const { return end_ - at_; }

 private:
  const char* at_;
  const char* end_;
};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

std::string_view word_before_space(ArchiveCursor& place) {
  const std::size_t most = std::min<std::size_t>(kMaxKey, place.left());
  const void* const space = std::memchr(place.at(), ' ', most);
  if (!space && most < kMaxKey) throw CutOff{};
  if (!space || space == place.at()) throw ForAnotherReader{};
  const std::size_t size = static_cast<const char*>(space) - place.at();
  return {place.take(size + 1), size};
}

// Arc types by their weights; nothing for those that are not read.
std::optional<FstWeight> weight_of(std::string_view arc_type) {
  try {
    return fst_weight(arc_type);
  } catch (const std::invalid_argument&) { return std::nullopt; }
}

// What an archive says beside the words of its lattices.
struct Inputs {
  bool any = false;    // some arc has an input label, or a string of transition ids
  bool other = false;  // some arc's input label is not its output label
};

template <int kNumbers, class Number>
CostPair cost_at(const char* at) {
  return {ArchiveCursor::read<Number>(at), kNumbers == 2 ? ArchiveCursor::read<Number>(at + sizeof(Number)) : 0.0};
}

// The states of a machine whose arcs take equally many bytes: final weight, int64 number of arcs, arcs.
template <int kNumbers, class Number>
void read_states(ArchiveCursor& place, std::int64_t states, LatticeDraft& draft, LabelKeys& keys, Inputs& inputs) {
  constexpr std::size_t kWidth = kNumbers * sizeof(Number), kArc = 12 + kWidth;
  Polls poll;
  for (std::int64_t state = 0; state < states; ++state) {
    const char* const head = place.take(kWidth + 8);
    const CostPair cost = cost_at<kNumbers, Number>(head);
    if (cost[0] != kNotFinal || cost[kNumbers - 1] != kNotFinal) draft.finals.push_back({state, 0, cost});
    const auto count = ArchiveCursor::read<std::int64_t>(head + kWidth);
    if (count < 0) throw ForAnotherReader{};
    if (count > place.left() / static_cast<std::int64_t>(kArc)) throw CutOff{};
    poll(20 + 10 * count);
    const char* at = place.take(count * kArc);
    DraftArc* const arcs = draft.more_arcs(count);
    for (std::int64_t i = 0; i < count; ++i, at += kArc) {
      const auto input = ArchiveCursor::read<std::int32_t>(at), output = ArchiveCursor::read<std::int32_t>(at + 4);
      inputs.any |= input != 0;
      inputs.other |= input != output;
      keys.add(output);
      const std::int32_t frames = kNumbers == 2 ? input != 0 : 0;  // a transition id is a frame
      arcs[i] = {state,  ArchiveCursor::read<std::int32_t>(at + 8 + kWidth),
                 0,      output,
                 frames, cost_at<kNumbers, Number>(at + 8)};
    }
  }
}

// The same where a string of transition ids, int32 length first, follows every weight.
void read_compact_states(ArchiveCursor& place, std::int64_t states, LatticeDraft& draft, LabelKeys& keys,
                         Inputs& inputs) {
  Polls poll;
  const auto skip_ids = [&](std::int32_t size) {
    if (size < 0) throw ForAnotherReader{};
    if (size > 0) place.take(4 * static_cast<std::uint64_t>(size)), inputs.any = true;
  };
  for (std::int64_t state = 0; state < states; ++state) {
    const char* const head = place.take(12);
    const CostPair cost = cost_at<2, float>(head);
    if (cost[0] != kNotFinal || cost[1] != kNotFinal) draft.finals.push_back({state, 0, cost});
    skip_ids(ArchiveCursor::read<std::int32_t>(head + 8));
    const auto count = place.number<std::int64_t>();
    if (count < 0) throw ForAnotherReader{};
    if (count > place.left() / 24) throw CutOff{};
    poll(20 + 12 * count);
    DraftArc* const arcs = draft.more_arcs(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const char* const arc = place.take(24);
      const auto input = ArchiveCursor::read<std::int32_t>(arc), output = ArchiveCursor::read<std::int32_t>(arc + 4);
      const auto size = ArchiveCursor::read<std::int32_t>(arc + 16);
      inputs.other |= input != output;
      if (size != 0) [[unlikely]]
        skip_ids(size);
      keys.add(output);
      arcs[i] = {state, ArchiveCursor::read<std::int32_t>(place.at() - 4), 0, output, size, cost_at<2, float>(arc + 8)};
    }
  }
}

// The machine behind a key, but for what its labels stand for.
void read_machine(ArchiveCursor& place, LatticeDraft& draft, LabelKeys& keys, Inputs& inputs) {
  const std::string_view magic(place.take(kMagic.size()), kMagic.size());
  if (magic != kMagic || place.counted(kMaxKey) != "vector") throw ForAnotherReader{};
  const std::optional<FstWeight> weight = weight_of(place.counted(kMaxKey));
  place.number<std::int32_t>();  // the version
  const auto flags = place.number<std::int32_t>();
  place.number<std::uint64_t>();  // the properties
  const auto start = place.number<std::int64_t>(), states = place.number<std::int64_t>();
  place.number<std::int64_t>();  // arcs, which is often 0
  constexpr std::int32_t kSymbolTables = 1 | 2;
  constexpr std::int64_t kNoStart = -1;
  if (!weight || (flags & kSymbolTables) || start < kNoStart || start >= states) throw ForAnotherReader{};
  if (states > place.left()) throw CutOff{};
  draft.start = std::max<std::int64_t>(start, 0);
  draft.num_states = states;
  draft.has_frames = weight->numbers == 2;
  if (weight->has_string) {
    read_compact_states(place, states, draft, keys, inputs);
  } else if (weight->numbers == 2) {
    read_states<2, float>(place, states, draft, keys, inputs);
  } else if (weight->doubles) {
    read_states<1, double>(place, states, draft, keys, inputs);
  } else {
    read_states<1, float>(place, states, draft, keys, inputs);
  }
  if (start == kNoStart) draft.finals.clear();
}

}  // namespace

// Labels of the draft's arcs, which are integers so far, by the order of these. False for one that stands for no word.
bool FstArchiveReader::number_labels() {
  if (!keys_.all_fit()) return false;
  std::ranges::sort(keys_.keys());
  words_.clear();
  for (const std::int32_t key : keys_.keys()) {
    LabelKeys::Seen& seen = keys_[key];
    if (seen.number == LabelKeys::kUnknown) seen.number = labels_->number_of(static_cast<std::int64_t>(key));
    if (seen.number < 0) return false;
    seen.label = static_cast<std::int32_t>(words_.size());
    words_.push_back({seen.number, {}});
  }
  for (DraftArc& arc : draft_.arcs) arc.label = keys_[arc.label].label;
  return true;
}

std::pair<std::size_t, bool> FstArchiveReader::read(std::string_view window, std::size_t at, LatticeColumn& column) {
  try {
    while (at < window.size()) {
      ArchiveCursor place(window, at);
      const std::string_view key = form_ == KeyForm::kWord ? word_before_space(place) : place.counted(kMaxKey);
      if (!is_ascii(key)) return {at, false};
      Inputs inputs;
      draft_.clear();
      keys_.restart();
      read_machine(place, draft_, keys_, inputs);
      WordLattice lattice;
      lattice.id.assign(key);
      if (!number_labels()) return {at, false};
      maker_.complete(draft_, words_, *labels_, lattice);
      if (!lattice.automaton) return {at, false};
      if (form_ == KeyForm::kWord && inputs.any) lattice.left_out.emplace_back("transition ids");
      if (form_ == KeyForm::kCounted && inputs.other) lattice.left_out.emplace_back("input labels");
      lattice.begin = static_cast<std::int64_t>(at);
      at = place.at() - window.data();
      lattice.end = static_cast<std::int64_t>(at);
      column.add(std::move(lattice));
    }
  } catch (const CutOff&) { return {at, true}; } catch (const ForAnotherReader&) {
    return {at, false};
  }
  return {at, true};
}

}  // namespace fstmetrics

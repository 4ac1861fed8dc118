#include "formats/fst_archive.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include "formats/fault.h"
#include "formats/fst_states.h"
#include "formats/text_rows.h"
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

// The states of a const machine: all states (final weight, uint32 first arc, arcs, two counts of epsilons), then all arcs,
// which doubles pad to their own size. Aligned ones begin both at multiples of 16 bytes; `offset` is the place in the file.
template <class Number>
void read_const_states(ArchiveCursor& place, std::int64_t states, std::int64_t arcs, bool aligned, std::int64_t offset,
                       LatticeDraft& draft, LabelKeys& keys, Inputs& inputs) {
  constexpr std::size_t kWidth = sizeof(Number), kState = kWidth + 16, kArc = 12 + kWidth + (kWidth == 8 ? 4 : 0);
  const char* const begin = place.at();
  const auto align = [&] {
    constexpr std::int64_t kAlignment = 16;
    const std::int64_t over = (offset + (place.at() - begin)) % kAlignment;
    if (aligned && over) place.take(static_cast<std::uint64_t>(kAlignment - over));
  };
  align();
  if (states > place.left() / static_cast<std::int64_t>(kState)) throw CutOff{};
  const char* const heads = place.take(states * kState);
  align();
  if (arcs < 0) throw ForAnotherReader{};
  if (arcs > place.left() / static_cast<std::int64_t>(kArc)) throw CutOff{};
  const char* at = place.take(arcs * kArc);
  std::int64_t seen = 0;
  Polls poll;
  for (std::int64_t state = 0; state < states; ++state) {
    const char* const head = heads + state * kState;
    const CostPair cost = cost_at<1, Number>(head);
    if (cost[0] != kNotFinal) draft.finals.push_back({state, 0, cost});
    const std::int64_t first = ArchiveCursor::read<std::uint32_t>(head + kWidth);
    const std::int64_t count = ArchiveCursor::read<std::uint32_t>(head + kWidth + 4);
    if (first != seen || first + count > arcs) throw ForAnotherReader{};
    seen += count;
    poll(20 + 10 * count);
    DraftArc* const made = draft.more_arcs(count);
    for (std::int64_t i = 0; i < count; ++i, at += kArc) {
      const auto input = ArchiveCursor::read<std::int32_t>(at), output = ArchiveCursor::read<std::int32_t>(at + 4);
      inputs.any |= input != 0;
      inputs.other |= input != output;
      keys.add(output);
      made[i] = {state, ArchiveCursor::read<std::int32_t>(at + 8 + kWidth), 0, output, 0, cost_at<1, Number>(at + 8)};
    }
  }
}

// A symbol table: its magic number, name, next key and size, then a string and its key for each.
void read_symbols(ArchiveCursor& place, FstSymbolViews& symbols) {
  constexpr std::int32_t kSymbolsMagic = 2125658996;
  if (place.number<std::int32_t>() != kSymbolsMagic || !is_ascii(place.counted(kMaxKey))) throw ForAnotherReader{};
  place.take(8);
  const auto size = place.number<std::int64_t>();
  if (size < 0) throw ForAnotherReader{};
  if (size > place.left() / 12) throw CutOff{};
  Polls poll;
  for (std::int64_t i = 0; i < size; ++i) {
    poll(20);
    const std::string_view word = place.counted(std::numeric_limits<std::int32_t>::max());
    if (!is_text(word)) throw ForAnotherReader{};
    symbols.words.emplace_back(place.number<std::int64_t>(), word);
  }
}

// What the head of a machine says, up to its symbol tables.
struct MachineHead {
  bool is_const = false;
  FstWeight weight;
  std::int32_t version = 0, flags = 0;
  std::int64_t start = 0, states = 0, arcs = 0;
};

constexpr std::int32_t kInputTable = 1, kOutputTable = 2, kAligned = 4;

MachineHead read_head(ArchiveCursor& place) {
  MachineHead head;
  if (std::string_view(place.take(kMagic.size()), kMagic.size()) != kMagic) throw ForAnotherReader{};
  const std::string_view kind = place.counted(kMaxKey);
  head.is_const = kind == "const";
  if (!head.is_const && kind != "vector") throw ForAnotherReader{};
  const std::optional<FstWeight> weight = weight_of(place.counted(kMaxKey));
  if (!weight || (head.is_const && weight->numbers != 1)) throw ForAnotherReader{};
  head.weight = *weight;
  head.version = place.number<std::int32_t>();
  head.flags = place.number<std::int32_t>();
  place.number<std::uint64_t>();  // the properties
  head.start = place.number<std::int64_t>();
  head.states = place.number<std::int64_t>();
  head.arcs = place.number<std::int64_t>();  // of vector machines often 0
  constexpr std::int64_t kNoStart = -1;
  if (head.start < kNoStart || head.start >= head.states) throw ForAnotherReader{};
  return head;
}

// The states of a machine, but for what its labels stand for; `offset` is their place in the file.
void read_body(ArchiveCursor& place, const MachineHead& head, std::int64_t offset, LatticeDraft& draft, LabelKeys& keys,
               Inputs& inputs) {
  const std::int64_t states = head.states;
  if (states > place.left()) throw CutOff{};
  draft.start = std::max<std::int64_t>(head.start, 0);
  draft.num_states = states;
  draft.has_frames = head.weight.numbers == 2;
  const bool aligned = head.version == 1 || (head.flags & kAligned);
  if (head.is_const && head.weight.doubles) {
    read_const_states<double>(place, states, head.arcs, aligned, offset, draft, keys, inputs);
  } else if (head.is_const) {
    read_const_states<float>(place, states, head.arcs, aligned, offset, draft, keys, inputs);
  } else if (head.weight.has_string) {
    read_compact_states(place, states, draft, keys, inputs);
  } else if (head.weight.numbers == 2) {
    read_states<2, float>(place, states, draft, keys, inputs);
  } else if (head.weight.doubles) {
    read_states<1, double>(place, states, draft, keys, inputs);
  } else {
    read_states<1, float>(place, states, draft, keys, inputs);
  }
  if (head.start < 0) draft.finals.clear();
}

}  // namespace

// Labels of the draft's arcs, which are integers so far, by the order of these. False for one that stands for no word.
bool FstArchiveReader::number_labels() {
  words_.clear();
  for (const std::int32_t key : keys_.keys()) {
    LabelKeys::Seen& seen = keys_[key];
    if (seen.number == LabelKeys::kUnknown) seen.number = labels_->number_of(static_cast<std::int64_t>(key));
    if (seen.number < 0) return false;
    seen.label = static_cast<std::int32_t>(words_.size());
    words_.push_back({seen.number, {}});
  }
  return true;
}

// The same by the machine's own table, in which the last of several words of a key counts.
bool FstArchiveReader::number_own_labels(const FstSymbolViews& symbols) {
  constexpr std::int32_t kNoEntry = -1;
  for (const std::int32_t key : keys_.keys()) keys_[key].label = kNoEntry;
  for (std::size_t entry = 0; entry < symbols.words.size(); ++entry) {
    if (LabelKeys::Seen* const seen = keys_.find(symbols.words[entry].first)) {
      seen->label = static_cast<std::int32_t>(entry);
    }
  }
  words_.clear();
  for (const std::int32_t key : keys_.keys()) {
    LabelKeys::Seen& seen = keys_[key];
    if (key != 0 && seen.label == kNoEntry) return false;
    const std::int32_t number =
        key == 0 ? Vocabulary::kNoWord : labels_->vocabulary()->intern(symbols.words[seen.label].second);
    seen.label = static_cast<std::int32_t>(words_.size());
    words_.push_back({number, {}});
  }
  return true;
}

// The machine at a byte, which moves behind it; none where it stands for no lattice.
std::optional<WordLattice> FstArchiveReader::next(std::string_view window, std::size_t& at, std::int64_t origin,
                                                  std::string id) {
  ArchiveCursor place(window, at);
  if (form_ != KeyForm::kNone) {
    const std::string_view key = form_ == KeyForm::kWord ? word_before_space(place) : place.counted(kMaxKey);
    if (!is_ascii(key)) return std::nullopt;
    id.assign(key);
  }
  const MachineHead head = read_head(place);
  if (form_ == KeyForm::kWord && (head.flags & (kInputTable | kOutputTable))) return std::nullopt;
  inputs_.words.clear();
  outputs_.words.clear();
  if (head.flags & kInputTable) read_symbols(place, inputs_);
  if (head.flags & kOutputTable) read_symbols(place, outputs_);
  Inputs inputs;
  draft_.clear();
  keys_.restart();
  read_body(place, head, origin + (place.at() - window.data()), draft_, keys_, inputs);
  if (!keys_.all_fit()) return std::nullopt;
  std::ranges::sort(keys_.keys());
  const FstSymbolViews& own = outputs_.words.empty() ? inputs_ : outputs_;
  if (!own_tables_ && !own.words.empty()) return std::nullopt;  // it may say other words than the given table
  // The table of a transducer's inputs says nothing of its outputs.
  const bool by_own = own_tables_ && !own.words.empty() && !(outputs_.words.empty() && inputs.other);
  if (own_tables_ && own.words.empty() && (head.flags & kInputTable)) return std::nullopt;  // it is empty
  if (by_own ? !number_own_labels(own) : !number_labels()) return std::nullopt;
  for (DraftArc& arc : draft_.arcs) arc.label = keys_[arc.label].label;
  WordLattice lattice;
  lattice.id = std::move(id);
  maker_.complete(draft_, words_, by_own ? own_labels_ : *labels_, lattice);
  if (!lattice.automaton) return std::nullopt;
  if (form_ == KeyForm::kWord && inputs.any) lattice.left_out.emplace_back("transition ids");
  if (form_ != KeyForm::kWord && inputs.other) lattice.left_out.emplace_back("input labels");
  lattice.begin = static_cast<std::int64_t>(at);
  at = static_cast<std::size_t>(place.at() - window.data());
  lattice.end = static_cast<std::int64_t>(at);
  return lattice;
}

std::pair<std::size_t, bool> FstArchiveReader::read(std::string_view window, std::size_t at, LatticeColumn& column,
                                                    std::int64_t origin) {
  try {
    while (at < window.size()) {
      std::optional<WordLattice> lattice = next(window, at, origin);
      if (!lattice) return {at, false};
      column.add(std::move(*lattice));
    }
  } catch (const CutOff&) { return {at, true}; } catch (const ForAnotherReader&) {
    return {at, false};
  }
  return {at, true};
}

bool FstArchiveReader::read_file(std::string_view data, std::string id, LatticeColumn& column) {
  std::size_t at = 0;
  try {
    std::optional<WordLattice> lattice = next(data, at, 0, std::move(id));
    if (!lattice || at != data.size()) return false;
    column.add(std::move(*lattice));
    return true;
  } catch (const CutOff&) { return false; } catch (const ForAnotherReader&) {
    return false;
  }
}

}  // namespace fstmetrics

#include "formats/fst_archive.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "formats/fault.h"
#include "formats/text_rows.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::string_view kMagic = "\xd6\xfd\xb2\x7e";
constexpr std::size_t kMaxKey = 4096;                                  // of a word before a space
constexpr double kNotFinal = std::numeric_limits<double>::infinity();  // the final cost of a state that is not final
constexpr const char* kInFile = "in the file";

// Thrown where more bytes might help.
struct CutOff {
  Fault fault;
};

// A position in the data that never runs past their end.
class ArchiveCursor {
 public:
  ArchiveCursor(std::string_view data, std::size_t at)
      : begin_(data.data()), at_(begin_ + at), end_(begin_ + data.size()) {}

  const char* take(std::uint64_t size, std::string_view what) {
    if (size > static_cast<std::uint64_t>(left())) refuse(static_cast<std::int64_t>(size), 0, std::string(what));
    return taken(size);
  }
  // So many things of a size; `name()` names them.
  template <class Name>
  const char* take(std::int64_t count, std::int64_t size, Name name) {
    if (count < 0 || count > left() / size) [[unlikely]]
      refuse(count, size, name());
    return taken(static_cast<std::uint64_t>(count * size));
  }
  template <class Number>
  Number number(std::string_view what) {
    return read<Number>(take(sizeof(Number), what));
  }
  // An int32 length and so many bytes.
  std::string_view counted(const std::string& what) {
    const auto size = number<std::int32_t>("the length of " + what);
    if (size < 0 || size > left()) refuse(size, 0, what);
    const std::string_view text(taken(static_cast<std::uint64_t>(size)), static_cast<std::size_t>(size));
    if (!is_utf8(text)) throw Fault::at_byte(place_of(text.data()), what + " is not UTF-8");
    return text;
  }
  template <class Number>
  static Number read(const char* at) {
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  const char* at() const { return at_; }
  std::int64_t left() const { return end_ - at_; }
  std::int64_t place() const { return place_of(at_); }
  std::int64_t place_of(const char* at) const { return at - begin_; }
  Fault fault(std::string message, std::int64_t back = 0) const {
    return Fault::at_byte(place() - back, std::move(message));
  }
  CutOff cut(const std::string& message, std::int64_t back = 0) const {
    return {fault(message + std::to_string(left()) + " bytes are left", back)};
  }

 private:
  const char* taken(std::uint64_t size) {
    const char* const taken = at_;
    at_ += size;
    return taken;
  }
  // `size`: of one of several; 0: bytes are counted.
  [[noreturn]] void refuse(std::int64_t count, std::int64_t size, const std::string& what) const {
    const std::string times = size == 0 || count == 1 ? "" : std::to_string(count) + " x ";
    throw CutOff{fault(what + " would take " + times + std::to_string(size ? size : count) + " bytes, but " +
                       std::to_string(left()) + " are left")};
  }

  const char *begin_, *at_, *end_;
};

std::string_view word_before_space(ArchiveCursor& place) {
  const std::size_t most = std::min<std::size_t>(kMaxKey, place.left());
  const void* const space = std::memchr(place.at(), ' ', most);
  if (!space || space == place.at()) {
    Fault fault = place.fault("expected a key and a space before the next lattice");
    if (!space && most < kMaxKey) throw CutOff{std::move(fault)};
    throw fault;
  }
  const std::size_t size = static_cast<const char*>(space) - place.at();
  const std::string_view key(place.at(), size);
  if (!is_utf8(key)) throw place.fault("the key is not UTF-8");
  place.take(size + 1, "a key");
  return key;
}

// How weights are written: so many floats, or a double, and perhaps a string of transition ids behind them.
struct FstWeight {
  int numbers;
  bool doubles, has_string;
};

std::optional<FstWeight> weight_of(std::string_view arc_type) {
  if (arc_type == "standard" || arc_type == "log") return FstWeight{1, false, false};
  if (arc_type == "log64") return FstWeight{1, true, false};
  if (arc_type == "lattice4") return FstWeight{2, false, false};
  if (arc_type == "compactlattice44") return FstWeight{2, false, true};
  return std::nullopt;
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

std::string named(const std::string& what, std::int64_t state) { return what + "state " + std::to_string(state); }

// The states of a machine whose arcs take equally many bytes: final weight, int64 number of arcs, arcs.
template <int kNumbers, class Number>
void read_states(ArchiveCursor& place, std::int64_t states, LatticeDraft& draft, LabelKeys& keys, Inputs& inputs) {
  constexpr std::int64_t kWidth = kNumbers * sizeof(Number), kArc = 12 + kWidth;
  Polls poll;
  for (std::int64_t state = 0; state < states; ++state) {
    const std::int64_t begin = place.place();
    const char* const head = place.take(1, kWidth + 8, [&] { return named("", state); });
    const CostPair cost = cost_at<kNumbers, Number>(head);
    if (cost[0] != kNotFinal || cost[kNumbers - 1] != kNotFinal) draft.finals.push_back({state, begin, cost});
    const auto count = ArchiveCursor::read<std::int64_t>(head + kWidth);
    poll(20);
    const char* at =
        place.take(count, kArc, [&] { return named("the " + std::to_string(count) + " arcs of ", state); });
    poll(10 * count);
    std::int64_t arc_place = place.place_of(at);
    DraftArc* const arcs = draft.more_arcs(count);
    for (std::int64_t i = 0; i < count; ++i, at += kArc, arc_place += kArc) {
      const auto input = ArchiveCursor::read<std::int32_t>(at), output = ArchiveCursor::read<std::int32_t>(at + 4);
      inputs.any |= input != 0;
      inputs.other |= input != output;
      keys.add(output);
      const std::int32_t frames = kNumbers == 2 ? input != 0 : 0;  // a transition id is a frame
      arcs[i] = {state,     ArchiveCursor::read<std::int32_t>(at + 8 + kWidth),
                 arc_place, output,
                 frames,    cost_at<kNumbers, Number>(at + 8)};
    }
  }
}

// The same where a string of transition ids, int32 length first, follows every weight.
void read_compact_states(ArchiveCursor& place, std::int64_t states, LatticeDraft& draft, LabelKeys& keys,
                         Inputs& inputs) {
  Polls poll;
  for (std::int64_t state = 0; state < states; ++state) {
    const auto skip_ids = [&](std::int32_t size, const char* what) {
      if (size == 0) return;
      place.take(size, 4, [&] { return named(what, state); });
      inputs.any = true;
    };
    const std::int64_t begin = place.place();
    const char* const head = place.take(1, 12, [&] { return named("", state); });
    const CostPair cost = cost_at<2, float>(head);
    skip_ids(ArchiveCursor::read<std::int32_t>(head + 8), "the transition ids of ");
    if (cost[0] != kNotFinal || cost[1] != kNotFinal) draft.finals.push_back({state, begin, cost});
    const auto count =
        ArchiveCursor::read<std::int64_t>(place.take(1, 8, [&] { return named("the number of arcs of ", state); }));
    if (count < 0) throw place.fault(named("", state) + " has " + std::to_string(count) + " arcs");
    poll(20);
    const bool fits = count <= place.left() / 24;  // if not, one of them will say so
    DraftArc* const arcs = fits ? draft.more_arcs(count) : nullptr;
    for (std::int64_t i = 0; i < count; ++i) {
      poll(12);
      const std::int64_t arc_place = place.place();
      const char* const arc = place.take(1, 20, [&] { return named("an arc of ", state); });
      const auto input = ArchiveCursor::read<std::int32_t>(arc), output = ArchiveCursor::read<std::int32_t>(arc + 4);
      const auto size = ArchiveCursor::read<std::int32_t>(arc + 16);
      inputs.other |= input != output;
      if (size != 0) [[unlikely]]
        skip_ids(size, "the transition ids of an arc of ");
      const char* const next = place.take(1, 4, [&] { return named("an arc of ", state); });
      if (!fits) continue;
      keys.add(output);
      arcs[i] = {state, ArchiveCursor::read<std::int32_t>(next), arc_place, output, size, cost_at<2, float>(arc + 8)};
    }
  }
}

// The states of a const machine: all states (final weight, uint32 first arc, arcs, two counts of epsilons), then all
// arcs, which doubles pad to their own size. Aligned ones begin both at multiples of 16 bytes of the file, of which the
// data begin at `origin`.
template <class Number>
void read_const_states(ArchiveCursor& place, std::int64_t states, std::int64_t arcs, bool aligned, std::int64_t origin,
                       LatticeDraft& draft, LabelKeys& keys, Inputs& inputs) {
  constexpr std::int64_t kWidth = sizeof(Number), kState = kWidth + 16, kArc = 12 + kWidth + (kWidth == 8 ? 4 : 0);
  const auto align = [&] {
    constexpr std::int64_t kAlignment = 16;
    const std::int64_t over = (origin + place.place()) % kAlignment;
    if (aligned && over) place.take(kAlignment - over, 1, [] { return std::string("the padding"); });
  };
  align();
  const char* const heads = place.take(states, kState, [] { return std::string("the states"); });
  align();
  const char* at = place.take(arcs, kArc, [] { return std::string("the arcs"); });
  std::int64_t seen = 0;
  Polls poll;
  for (std::int64_t state = 0; state < states; ++state) {
    const char* const head = heads + state * kState;
    const CostPair cost = cost_at<1, Number>(head);
    if (cost[0] != kNotFinal) draft.finals.push_back({state, place.place_of(head), cost});
    const std::int64_t first = ArchiveCursor::read<std::uint32_t>(head + kWidth);
    const std::int64_t count = ArchiveCursor::read<std::uint32_t>(head + kWidth + 4);
    if (first != seen || first + count > arcs) {
      throw Fault::at_byte(place.place_of(head), "the arcs of " + named("", state) + " are out of place");
    }
    seen += count;
    poll(20 + 10 * count);
    DraftArc* const made = draft.more_arcs(count);
    for (std::int64_t i = 0; i < count; ++i, at += kArc) {
      const auto input = ArchiveCursor::read<std::int32_t>(at), output = ArchiveCursor::read<std::int32_t>(at + 4);
      inputs.any |= input != 0;
      inputs.other |= input != output;
      keys.add(output);
      made[i] = {state,
                 ArchiveCursor::read<std::int32_t>(at + 8 + kWidth),
                 place.place_of(at),
                 output,
                 0,
                 cost_at<1, Number>(at + 8)};
    }
  }
}

// A symbol table: its magic number, name, next key and size, then a string and its key for each.
void read_symbols(ArchiveCursor& place, FstSymbolViews& symbols) {
  constexpr std::int32_t kSymbolsMagic = 2125658996;
  if (place.number<std::int32_t>("a symbol table") != kSymbolsMagic) throw place.fault("expected a symbol table", 4);
  place.counted("the symbol table's name");
  place.take(8, "the symbol table's next key");
  const auto size = place.number<std::int64_t>("the symbol table's size");
  if (size < 0 || size > place.left() / 12) {  // at least its length and its key
    throw place.cut("the header says " + std::to_string(size) + " symbols, but ", 8);
  }
  Polls poll;
  for (std::int64_t i = 0; i < size; ++i) {
    poll(20);
    const auto length = place.number<std::int32_t>("the length of a symbol");
    const char* const word = place.take(length, 1, [] { return std::string("a symbol"); });
    const std::string_view text(word, static_cast<std::size_t>(length));
    symbols.words.emplace_back(place.number<std::int64_t>("a symbol's key"), text);
  }
  for (const auto& [key, word] : symbols.words) {
    if (!is_utf8(word)) throw Fault::at_byte(place.place_of(word.data()), "a symbol is not UTF-8");
  }
}

constexpr std::int32_t kInputTable = 1, kOutputTable = 2, kAligned = 4;

// What the head of a machine says.
struct MachineHead {
  MachineHead(ArchiveCursor& place, FstSymbolViews& inputs, FstSymbolViews& outputs) {
    const std::int64_t begin = place.place();
    const std::string_view magic(place.at(), std::min<std::size_t>(kMagic.size(), place.left()));
    if (magic != kMagic) {
      Fault fault = place.fault("expected an OpenFst machine, which begins with the bytes d6 fd b2 7e");
      if (magic.size() < kMagic.size()) throw CutOff{std::move(fault)};
      throw fault;
    }
    place.take(kMagic.size(), "a machine");
    const std::string_view kind = place.counted("the machine type");
    arc_type = place.counted("the arc type");
    is_const = kind == "const";
    const auto refuse = [&](const char* message, std::string_view piece) {
      Fault fault(message, piece);
      fault.byte = begin;
      throw fault;
    };
    if (!is_const && kind != "vector") {
      refuse("machines of type {} are not read; convert it: fstconvert --fst_type=vector", kind);
    }
    const std::optional<FstWeight> found = weight_of(arc_type);
    if (!found) {
      refuse(
          "arcs of type {} are not read, only standard, log, log64, lattice4, compactlattice44; convert it: fstmap "
          "--map_type=to_std",
          arc_type);
    }
    weight = *found;
    const auto version = place.number<std::int32_t>("the version");
    flags = place.number<std::int32_t>("the flags");
    is_aligned = version == 1 || (flags & kAligned);
    place.take(8, "the properties");
    start = place.number<std::int64_t>("the start");
    states = place.number<std::int64_t>("the states");
    arcs = place.number<std::int64_t>("the arcs");  // of vector machines often 0
    if (flags & kInputTable) read_symbols(place, inputs);
    if (flags & kOutputTable) read_symbols(place, outputs);
    // Every state takes more than a byte.
    if (states < 0 || states > place.left()) {
      throw place.cut("the header says " + std::to_string(states) + " states, but ");
    }
    constexpr std::int64_t kNoStart = -1;
    if (start < kNoStart || start >= states) {
      throw place.fault("the start is state " + std::to_string(start) + ", but there are " + std::to_string(states) +
                        " states");
    }
    if (is_const && weight.numbers != 1) {
      Fault fault(
          "const machines with arcs of type {} are not read, only standard, log, log64; convert it: fstconvert "
          "--fst_type=vector",
          arc_type);
      fault.byte = place.place();
      throw fault;
    }
  }

  bool is_const = false, is_aligned = false;
  std::string_view arc_type;
  FstWeight weight{};
  std::int32_t flags = 0;
  std::int64_t start = 0, states = 0, arcs = 0;
};

// The states of a machine, but for what its labels stand for.
void read_body(ArchiveCursor& place, const MachineHead& head, std::int64_t origin, LatticeDraft& draft, LabelKeys& keys,
               Inputs& inputs) {
  const std::int64_t states = head.states;
  draft.start = std::max<std::int64_t>(head.start, 0);
  draft.num_states = states;
  draft.has_frames = head.weight.numbers == 2;
  if (head.is_const && head.weight.doubles) {
    read_const_states<double>(place, states, head.arcs, head.is_aligned, origin, draft, keys, inputs);
  } else if (head.is_const) {
    read_const_states<float>(place, states, head.arcs, head.is_aligned, origin, draft, keys, inputs);
  } else if (head.weight.has_string) {
    read_compact_states(place, states, draft, keys, inputs);
  } else if (head.weight.numbers == 2) {
    read_states<2, float>(place, states, draft, keys, inputs);
  } else if (head.weight.doubles) {
    read_states<1, double>(place, states, draft, keys, inputs);
  } else {
    read_states<1, float>(place, states, draft, keys, inputs);
  }
  if (head.start < 0) draft.finals.clear();  // OpenFst's way of having no path, whatever states there are
}

}  // namespace

FstArchiveReader::FstArchiveReader(std::shared_ptr<const Labels> labels, ItemLimits limits, KeyForm form)
    : labels_(labels),
      own_labels_(labels->vocabulary(), LabelKind::kTable, true, kInFile),
      maker_(labels->vocabulary(), limits),
      form_(form) {
  draft_.unit = Place::kByte;
}

// Labels of the draft's arcs, which are integers so far, by the order of these: `number` of each in the vocabulary.
template <class Number>
void FstArchiveReader::number_labels(Number number) {
  words_.clear();
  bad_.clear();
  std::ranges::sort(keys_.keys());
  for (const std::int32_t key : keys_.keys()) {
    LabelKeys::Seen& seen = keys_.at(key);
    const std::int32_t word = number(key, seen);
    seen.label = static_cast<std::int32_t>(words_.size());
    words_.push_back({word, word < 0 ? std::string_view(bad_.emplace_back(std::to_string(key))) : std::string_view()});
  }
  if (keys_.all_fit()) {
    for (DraftArc& arc : draft_.arcs) arc.label = keys_[arc.label].label;
  } else {
    for (DraftArc& arc : draft_.arcs) arc.label = keys_.at(arc.label).label;
  }
}

void FstArchiveReader::number_by(const Labels& labels) {
  const bool is_common = &labels == labels_.get();
  number_labels([&](std::int32_t key, LabelKeys::Seen& seen) {
    if (!is_common) return labels.number_of(static_cast<std::int64_t>(key));
    if (seen.number == LabelKeys::kUnknown) seen.number = labels.number_of(static_cast<std::int64_t>(key));
    return seen.number;
  });
}

// The same by the machine's own table, in which the last of several words of a key counts.
void FstArchiveReader::number_by_own(const FstSymbolViews& symbols) {
  constexpr std::int32_t kNoEntry = -1;
  for (const std::int32_t key : keys_.keys()) keys_.at(key).label = kNoEntry;
  for (std::size_t entry = 0; entry < symbols.words.size(); ++entry) {
    if (LabelKeys::Seen* const seen = keys_.find(symbols.words[entry].first)) {
      seen->label = static_cast<std::int32_t>(entry);
    }
  }
  number_labels([&](std::int32_t key, const LabelKeys::Seen& seen) {
    if (key == 0) return Vocabulary::kNoWord;
    if (key < 0) return kNegative;
    if (seen.label == kNoEntry) return kMissing;
    return own_labels_.vocabulary()->intern(symbols.words[static_cast<std::size_t>(seen.label)].second);
  });
}

// Refuses a table of a machine that has other words than the given one; the lowest label of those is told.
void FstArchiveReader::compare(const FstSymbolViews& own) const {
  std::map<std::int64_t, std::string_view> words;  // of several words of a key the last counts
  for (const auto& [key, word] : own.words) words.insert_or_assign(key, word);
  for (const auto& [key, word] : words) {
    const std::int32_t number = key == 0 ? kMissing : labels_->name_of(key);
    if (number < 0) continue;
    const std::string_view given = labels_->vocabulary()->word(number).view();
    if (given == word) continue;
    throw Fault("label " + std::to_string(key) + " is {} in the file's own symbol table and {} in " + labels_->table() +
                    "; leave --symbols out, or name the table that the file was made with",
                std::string(word) + '\0' + std::string(given));
  }
}

// What labels stand for in OpenFst's files: by the given table, which the machine's own must not contradict; else by
// its own, that of its outputs, of an acceptor that of its inputs, too; else, in archives, by that of the first
// machine, which is where OpenFst's tools put one for all.
const Labels& FstArchiveReader::name_labels(std::int32_t flags, bool is_transducer) {
  const bool by_outputs = !outputs_.words.empty();
  const bool by_inputs = !by_outputs && (flags & kInputTable) && !is_transducer;
  const FstSymbolViews& own = by_outputs ? outputs_ : inputs_;
  const bool is_empty = !(by_outputs || by_inputs) || own.words.empty();
  if (labels_->has_table()) {
    if (form_ == KeyForm::kCounted && !is_settled_) {
      is_settled_ = true;
      try {
        if (!is_empty) compare(own);
      } catch (const Fault& fault) { first_fault_ = fault; }
    }
    if (!is_empty) compare(own);
    if (is_empty && first_fault_) throw Fault(*first_fault_);
    number_by(*labels_);
    return *labels_;
  }
  if (form_ == KeyForm::kCounted && !is_settled_) {
    is_settled_ = true;
    if (by_outputs || by_inputs) {
      first_ = std::make_shared<Labels>(labels_->vocabulary(), LabelKind::kTable, true, kInFile);
      for (const auto& [key, word] : own.words) first_->name(key, word);
    }
  }
  if (is_empty && first_) {
    number_by(*first_);
    return *first_;
  }
  if (by_outputs || (by_inputs && !(is_empty && form_ == KeyForm::kCounted))) {
    number_by_own(own);
    return own_labels_;
  }
  number_by(*labels_);
  return *labels_;
}

void FstArchiveReader::read_machine(std::string_view data, std::size_t& at, std::int64_t origin, WordLattice& lattice) {
  ArchiveCursor place(data, at);
  if (form_ == KeyForm::kWord) lattice.id = word_before_space(place);
  if (form_ == KeyForm::kCounted) lattice.id = place.counted("a key");
  inputs_.words.clear();
  outputs_.words.clear();
  const MachineHead head(place, inputs_, outputs_);
  Inputs inputs;
  draft_.clear();
  keys_.restart();
  read_body(place, head, origin, draft_, keys_, inputs);
  if (form_ == KeyForm::kNone && place.left() > 0) {
    throw place.fault(std::to_string(place.left()) + " bytes are left over after the machine");
  }
  const bool is_kaldi = form_ == KeyForm::kWord || form_ == KeyForm::kScript;
  const Labels* labels = labels_.get();
  if (!is_kaldi) {
    labels = &name_labels(head.flags, inputs.other);
  } else if ((head.flags & kOutputTable) && !labels_->has_table()) {
    number_by_own(outputs_);
    labels = &own_labels_;
  } else {
    number_by(*labels_);
  }
  maker_.complete(draft_, words_, *labels, lattice);
  if (is_kaldi ? inputs.any : inputs.other) lattice.left_out.emplace_back(is_kaldi ? "transition ids" : "input labels");
  at = static_cast<std::size_t>(place.place());
}

bool FstArchiveReader::next(std::string_view data, std::size_t& at, std::int64_t origin, WordLattice& lattice) {
  lattice.begin = static_cast<std::int64_t>(at);
  bool is_whole = true;
  try {
    read_machine(data, at, origin, lattice);
  } catch (CutOff& cut) {
    lattice.fault = std::move(cut.fault);
    is_whole = false;
  } catch (Fault& fault) { lattice.fault = std::move(fault); }
  lattice.end = static_cast<std::int64_t>(lattice.automaton ? at : data.size());
  return is_whole;
}

std::size_t FstArchiveReader::read(std::string_view window, std::size_t at, LatticeColumn& column, std::int64_t origin,
                                   bool ended, std::size_t tail) {
  const std::lock_guard lock(mutex_);
  while (at < window.size() && window.size() - at > tail) {
    WordLattice lattice;
    if (!next(window, at, origin, lattice) && !ended) break;
    const bool is_damaged = !lattice.automaton;
    column.add(std::move(lattice));
    if (is_damaged) break;
  }
  return at;
}

std::size_t FstArchiveReader::read_one(std::string_view data, std::size_t at, std::string id, LatticeColumn& column,
                                       std::int64_t origin) {
  const std::lock_guard lock(mutex_);
  WordLattice lattice;
  lattice.id = std::move(id);
  next(data, at, origin, lattice);
  column.add(std::move(lattice));
  return at;
}

void FstArchiveReader::read_first(std::string_view data, std::int64_t origin) {
  const std::lock_guard lock(mutex_);
  if (is_settled_) return;
  WordLattice lattice;
  std::size_t at = 0;
  next(data, at, origin, lattice);
  is_settled_ = true;
}

}  // namespace fstmetrics

#include "formats/lattice_draft.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "formats/numbers.h"
#include "text/words.h"

namespace fstmetrics {
namespace {

// The automaton counts states in an int32, and keeps one offset more than there are states.
constexpr std::int64_t kMaxStates = (std::int64_t{1} << 31) - 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The start is the first state that the file names.
std::int64_t start_of(const LatticeDraft& draft) { return std::max<std::int64_t>(draft.start, 0); }

Fault at(const LatticeDraft& draft, std::int64_t place, std::string message, std::string_view piece = {}) {
  Fault fault(std::move(message), piece);
  switch (draft.unit) {
    case Place::kLine:
      fault.line = place;
      break;
    case Place::kByte:
      fault.byte = place;
      break;
    case Place::kArc:
      fault.message = "arc " + std::to_string(place) + ": " + fault.message;
      break;
  }
  return fault;
}

// As Python writes it.
std::string written(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> text{};
  const double size = std::abs(value);
  const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto format = fixed ? std::chars_format::fixed : std::chars_format::scientific;
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), value, format).ptr;
  std::string made(text.data(), static_cast<std::size_t>(end - text.data()));
  if (fixed && made.find('.') == made.npos) made += ".0";
  return made;
}

bool is_cost(const CostPair& cost) { return cost[0] > -kInfinity && cost[1] > -kInfinity; }
bool is_present(const CostPair& cost) { return cost[0] < kInfinity && cost[1] < kInfinity; }

template <class All>
void check_costs(const LatticeDraft& draft, const All& all) {
  for (const auto& one : all) {
    if (is_cost(one.cost)) continue;
    throw at(draft, one.place,
             "a cost is a number or Infinity, not [" + written(one.cost[0]) + ", " + written(one.cost[1]) + "]");
  }
}

template <class All, class Each>
void check_states(const LatticeDraft& draft, const All& all, std::int64_t Each::* state) {
  const std::int64_t limit = draft.num_states.value_or(kMaxStates);
  for (const Each& one : all) {
    if (one.*state >= 0 && one.*state < limit) continue;
    throw at(draft, one.place, out_of_range(one.*state, limit).message);
  }
}

// The place of the first arc with one of these labels.
template <class Is>
std::int64_t place_of(const LatticeDraft& draft, Is is) {
  const auto found = std::ranges::find_if(draft.arcs, [&](const DraftArc& arc) { return is(arc.label); });
  return found == draft.arcs.end() ? 0 : found->place;
}

std::int64_t integer(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Fault out_of_range(std::int64_t state, std::int64_t states) {
  return Fault("state " + std::to_string(state) + " is out of range: there are " + std::to_string(states) +
               " states at most");
}

void LatticeMaker::complete(LatticeDraft& draft, std::span<const LabelWord> words, const Labels& labels,
                            WordLattice& lattice) {
  try {
    check_labels(draft, words, labels);
    check(draft);
    if (!draft.num_states) close_gaps(draft);
    states_ = std::max<std::int64_t>(draft.num_states.value_or(states_), 1);
    lattice.numbered = labels.kind() == LabelKind::kNumbers && std::ranges::any_of(words, [](const LabelWord& word) {
                         return word.number != Vocabulary::kNoWord;
                       });
    lattice.has_frames = draft.has_frames && !draft.arcs.empty();
    number_words(split_phrases(draft, words, lattice), draft, lattice);
    if (has_absent_) {
      const auto is_absent = [](const DraftArc& arc) { return !is_present(arc.cost); };
      draft.arcs.resize(std::remove_if(draft.arcs.begin(), draft.arcs.end(), is_absent) - draft.arcs.begin());
      std::erase_if(draft.finals, [](const DraftFinal& final) { return !is_present(final.cost); });
    }
    check_size(draft, lattice);
    if (!lattice.excess) build(draft, lattice);
  } catch (Fault& fault) { lattice.fault = std::move(fault); }
}

void LatticeMaker::check_labels(const LatticeDraft& draft, std::span<const LabelWord> words,
                                const Labels& labels) const {
  if (std::ranges::none_of(words, [](const LabelWord& word) { return word.number < 0; })) return;
  const auto place = [&](std::size_t label) {
    return place_of(draft, [&](std::int32_t other) { return other == static_cast<std::int32_t>(label); });
  };
  for (std::size_t label = 0; label < words.size(); ++label) {
    if (words[label].number == kUnknown) {
      throw at(draft, place(label), "label {} is not in the symbol table " + labels.table(), words[label].text);
    }
    if (words[label].number == kDoubtful) {
      throw at(draft, place(label),
               "label {} may be a word, or no word: give the symbol table (--symbols), in which what has number 0 is "
               "no word",
               words[label].text);
    }
    if (words[label].number != kMisfit) continue;
    const bool integers = labels.kind() != LabelKind::kWords;
    const char *kind = integers ? "a word" : "an integer", *first = integers ? "an integer" : "a word";
    throw at(draft, place(label),
             std::string("label {} is ") + kind + ", but the first of the file is " + first +
                 ": with a symbol table (--symbols), all are integers, or all are words",
             words[label].text);
  }
  std::optional<std::int64_t> lowest;
  for (const LabelWord& word : words) {
    if (word.number == kNegative || word.number == kMissing) {
      lowest = std::min(lowest.value_or(std::numeric_limits<std::int64_t>::max()), integer(word.text));
    }
  }
  if (!lowest) return;
  const std::string problem = *lowest < 0 ? "is negative" : "is not in the symbol table " + labels.table();
  const auto is_lowest = [&](std::int32_t label) {
    return words[label].number < 0 && integer(words[label].text) == *lowest;
  };
  throw at(draft, place_of(draft, is_lowest), "label " + std::to_string(*lowest) + " " + problem);
}

void LatticeMaker::check(const LatticeDraft& draft) {
  // All at once, and looked at again only where something is wrong.
  bool good = true, present = true;
  in_order_ = true;
  std::int64_t highest = start_of(draft), lowest = 0, last = 0;
  for (const DraftArc& arc : draft.arcs) {
    good &= is_cost(arc.cost);
    present &= is_present(arc.cost);
    highest = std::max({highest, arc.source, arc.destination});
    lowest = std::min({lowest, arc.source, arc.destination});
    in_order_ &= arc.source >= last;
    last = arc.source;
  }
  for (const DraftFinal& final : draft.finals) {
    good &= is_cost(final.cost);
    present &= is_present(final.cost);
    highest = std::max(highest, final.state);
    lowest = std::min(lowest, final.state);
  }
  has_absent_ = !present;
  states_ = highest + 1;
  const std::int64_t most = draft.num_states.value_or(kMaxStates);
  if (good && lowest >= 0 && highest < most) return;
  check_costs(draft, draft.arcs);
  check_costs(draft, draft.finals);
  check_states(draft, draft.arcs, &DraftArc::source);
  check_states(draft, draft.arcs, &DraftArc::destination);
  check_states(draft, draft.finals, &DraftFinal::state);
  if (draft.num_states && draft.start >= std::max<std::int64_t>(most, 1)) {
    throw Fault("the start is state " + std::to_string(draft.start) + ", but the states are 0 to " +
                std::to_string(std::max<std::int64_t>(most, 1) - 1));
  }
}

// A typo in a state's number must not cost gigabytes.
void LatticeMaker::close_gaps(LatticeDraft& draft) {
  const std::size_t named = 1 + 2 * draft.arcs.size() + draft.finals.size();
  if (states_ - 1 < static_cast<std::int64_t>(2 * named)) return;
  std::vector<std::int64_t> used{start_of(draft)};
  for (const DraftArc& arc : draft.arcs) used.insert(used.end(), {arc.source, arc.destination});
  for (const DraftFinal& final : draft.finals) used.push_back(final.state);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const auto close = [&](std::int64_t& state) { state = std::ranges::lower_bound(used, state) - used.begin(); };
  draft.start = start_of(draft);
  close(draft.start);
  for (DraftArc& arc : draft.arcs) close(arc.source), close(arc.destination);
  for (DraftFinal& final : draft.finals) close(final.state);
  states_ = std::ssize(used);
}

bool LatticeMaker::is_phrase(const LabelWord& word) {
  if (Vocabulary::is_silent(word.number)) return false;
  Spaces& spaces = seen_[word.number].spaces;
  if (spaces == Spaces::kUnknown) {
    spaces = has_space(vocabulary_->word(word.number).view()) ? Spaces::kSome : Spaces::kNone;
  }
  return spaces == Spaces::kSome;
}

// What labels stand for afterwards.
std::span<const LabelWord> LatticeMaker::split_phrases(LatticeDraft& draft, std::span<const LabelWord> words,
                                                       WordLattice& lattice) {
  seen_.resize(std::max<std::size_t>(seen_.size(), vocabulary_->size()));
  if (std::ranges::none_of(words, [&](const LabelWord& word) { return is_phrase(word); })) return words;
  parts_.assign(words.begin(), words.end());
  std::vector<std::pair<std::int32_t, std::int32_t>> further(words.size());  // of each label
  std::vector<Word> said;
  for (std::size_t label = 0; label < words.size(); ++label) {
    if (!is_phrase(words[label])) continue;
    said.clear();
    split_words(vocabulary_->word(words[label].number).view(), said);
    further[label].first = static_cast<std::int32_t>(parts_.size());
    parts_[label].number = said.empty() ? Vocabulary::kNoWord : vocabulary_->intern(said[0].view());
    for (std::size_t i = 1; i < said.size(); ++i) parts_.push_back({vocabulary_->intern(said[i].view()), {}});
    further[label].second = static_cast<std::int32_t>(parts_.size());
  }
  const std::size_t count = draft.arcs.size();
  const bool has_times = std::ssize(lattice.times) == states_;
  for (std::size_t i = 0; i < count; ++i) {
    const DraftArc arc = draft.arcs[i];
    const auto [begin, end] = further[arc.label];
    if (begin == end || !is_present(arc.cost)) continue;
    draft.arcs[i].destination = states_;
    for (std::int32_t part = begin; part < end; ++part) {
      if (has_times) lattice.times.push_back(lattice.times[arc.destination]);
      const std::int64_t source = states_++;
      draft.arcs.push_back({source, part + 1 < end ? states_ : arc.destination, arc.place, part, 0, {}});
    }
  }
  if (states_ > kMaxStates) throw Fault("phrases make more than " + std::to_string(kMaxStates) + " states of this");
  if (draft.num_states) draft.num_states = states_;
  return parts_;
}

void LatticeMaker::number_words(std::span<const LabelWord> words, const LatticeDraft& draft, WordLattice& lattice) {
  new_label_.assign(words.size(), kEpsilon);
  if (has_absent_) {  // words of absent arcs alone are none
    std::ranges::fill(new_label_, -1);
    for (const DraftArc& arc : draft.arcs) {
      if (is_present(arc.cost)) new_label_[arc.label] = kEpsilon;
    }
  }
  ++generation_;
  seen_.resize(std::max<std::size_t>(seen_.size(), vocabulary_->size()));
  lattice.words.reserve(words.size() + 1);
  lattice.words.assign(1, Vocabulary::kNoWord);
  for (std::size_t label = 0; label < words.size(); ++label) {
    const std::int32_t number = words[label].number;
    if (new_label_[label] < 0 || Vocabulary::is_silent(number)) {
      new_label_[label] = kEpsilon;
      continue;
    }
    Seen& seen = seen_[number];
    if (seen.generation != generation_) {
      seen = {generation_, static_cast<std::int32_t>(lattice.words.size())};
      lattice.words.push_back(number);
    }
    new_label_[label] = seen.label;
  }
}

void LatticeMaker::check_size(const LatticeDraft& draft, WordLattice& lattice) const {
  const auto beyond = [&](const char* limit, std::int64_t found, std::int64_t most, std::string_view word = {},
                          bool is_id = false) {
    if (found > most && !lattice.excess) lattice.excess = Excess{limit, found, std::string(word), is_id};
  };
  if (states_ > limits_.states) beyond("states", states_, limits_.states);
  beyond("label", std::ssize(lattice.id), limits_.label, lattice.id, true);
  beyond("arcs", std::ssize(draft.arcs), limits_.arcs);
  for (const std::int32_t number : lattice.words) {
    const Word& word = vocabulary_->word(number);
    if (word.size > limits_.label) beyond("label", word.size, limits_.label, word.view());
  }
}

void LatticeMaker::build(const LatticeDraft& draft, WordLattice& lattice) {
  const auto states = static_cast<StateId>(states_);
  const std::size_t count = draft.arcs.size();
  if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Fault("lattice " + (lattice.id.empty() ? "(no id)" : lattice.id) +
                ": an automaton holds at most 2^31 - 1 arcs, not " + std::to_string(count));
  }
  std::vector<std::int32_t> offsets(states_ + 1, 0);
  bool has_costs = false;
  for (const DraftArc& arc : draft.arcs) {
    ++offsets[arc.source + 1];
    has_costs |= arc.cost[0] != 0.0;
    has_costs |= arc.cost[1] != 0.0;
  }
  for (StateId state = 0; state < states; ++state) offsets[state + 1] += offsets[state];
  std::vector<Arc> arcs(count);
  std::vector<CostPair> costs(has_costs ? count : 0);
  if (lattice.has_frames) lattice.frames.resize(count);
  const auto put = [&](std::size_t slot, std::size_t i) {
    const DraftArc& arc = draft.arcs[i];
    arcs[slot] = {new_label_[arc.label], static_cast<StateId>(arc.destination), 0, static_cast<std::int32_t>(i)};
    if (has_costs) costs[slot] = arc.cost;
    if (lattice.has_frames) lattice.frames[slot] = arc.frames;
  };
  if (in_order_) {
    for (std::size_t i = 0; i < count; ++i) put(i, i);
  } else {
    std::vector<std::int32_t> fill(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < count; ++i) put(fill[draft.arcs[i].source]++, i);
  }
  std::vector<std::uint8_t> is_final(states_, 0);
  std::vector<CostPair> final_costs;
  for (const DraftFinal& final : draft.finals) {
    is_final[final.state] = 1;
    if (final.cost != CostPair{} && final_costs.empty()) final_costs.resize(states_);
  }
  if (!final_costs.empty()) {
    for (const DraftFinal& final : draft.finals) final_costs[final.state] = final.cost;
  }
  lattice.automaton =
      std::make_shared<Automaton>(static_cast<StateId>(start_of(draft)), std::move(offsets), std::move(arcs),
                                  std::move(is_final), std::move(costs), std::move(final_costs));
}

}  // namespace fstmetrics

#include "lazy/ngram_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr double kNoPath = -std::numeric_limits<double>::infinity();

struct Sums {
  static constexpr double kZero = 0.0, kOne = 1.0;
  static double plus(double one, double other) { return one + other; }
  static double times(double one, double other) { return one * other; }
};

struct Most {
  static constexpr double kZero = kNoPath, kOne = 0.0;
  static double plus(double one, double other) { return std::max(one, other); }
  static double times(double one, double other) { return one + other; }
};

// By card and arc, what derivations through the arc come to; of an arc that is not a call, `worth` says what it has
// itself.
template <class Semiring, class Worth>
std::vector<std::vector<double>> through(std::span<const SplitCard> cards, Worth worth) {
  constexpr double kZero = Semiring::kZero;
  const auto plus = Semiring::plus, times = Semiring::times;
  Polls poll;
  std::vector<std::vector<double>> before(cards.size()), outside(cards.size()), all(cards.size());
  const auto own = [&](std::int32_t card, std::int32_t number) {
    const SplitArc& arc = cards[card].arcs[number];
    const double value = worth(card, number);
    if (arc.label >= 0) return value;
    const SplitCard& called = cards[arc.called];
    return times(value, before[arc.called][called.first_exit() + arc.exit]);
  };
  const auto total = static_cast<std::int32_t>(cards.size());
  for (std::int32_t number = 0; number < total; ++number) {
    const SplitCard& card = cards[number];
    std::vector<double>& here = before[number];
    here.assign(card.num_states(), kZero), here[0] = Semiring::kOne;
    for (StateId state = 0; state < card.first_exit(); ++state) {
      for (std::int32_t arc = card.offsets[state]; arc < card.offsets[state + 1]; ++arc) {
        poll(8);
        double& there = here[card.arcs[arc].next];
        there = plus(there, times(here[state], own(number, arc)));
      }
    }
    outside[number].assign(card.exits, kZero);
  }
  outside.back().assign(cards.back().exits, Semiring::kOne);
  for (std::int32_t number = total - 1; number >= 0; --number) {
    const SplitCard& card = cards[number];
    std::vector<double> after(card.num_states(), kZero);
    std::copy(outside[number].begin(), outside[number].end(), after.begin() + card.first_exit());
    all[number].resize(card.arcs.size());
    for (StateId state = card.first_exit() - 1; state >= 0; --state) {
      for (std::int32_t index = card.offsets[state]; index < card.offsets[state + 1]; ++index) {
        poll(8);
        const SplitArc& arc = card.arcs[index];
        const double rest = times(own(number, index), after[arc.next]);
        after[state] = plus(after[state], rest);
        all[number][index] = times(before[number][state], rest);
        if (arc.label >= 0) continue;
        double& there = outside[arc.called][arc.exit];
        there = plus(there, times(before[number][state], times(worth(number, index), after[arc.next])));
      }
    }
  }
  return all;
}

// By card, whether a word may come after it; `states`, likewise, after each state of one card.
std::vector<std::uint8_t> words_after(const SplitCard& card) {
  std::vector<std::uint8_t> after(card.num_states(), 0);
  for (StateId state = card.first_exit() - 1; state >= 0; --state) {
    for (const SplitArc& arc : card.arcs_of(state)) after[state] |= arc.label != kEpsilon || after[arc.next];
  }
  return after;
}

std::vector<std::uint8_t> followed(std::span<const SplitCard> cards) {
  std::vector<std::uint8_t> found(cards.size(), 0);
  for (auto number = static_cast<std::int32_t>(cards.size()) - 1; number >= 0; --number) {
    const std::vector<std::uint8_t> after = words_after(cards[number]);
    for (const SplitArc& arc : cards[number].arcs) {
      if (arc.label < 0) found[arc.called] |= found[number] || after[arc.next];
    }
  }
  return found;
}

// Splits the states of cards by the last `most` words before them, and cards by those before where they begin.
class Splitting {
 public:
  Splitting(std::span<const SplitCard> cards, Ngrams& ngrams, std::int32_t most, std::int64_t max_arcs)
      : cards_(cards), ngrams_(ngrams), most_(most), max_arcs_(max_arcs), followed_(followed(cards)) {}

  // Empty where there are too many arcs.
  std::vector<SplitCard> operator()() {
    std::vector<std::int32_t> stack{instance(static_cast<std::int32_t>(cards_.size()) - 1, 0)};
    while (!stack.empty()) {
      const std::int32_t number = stack.back();
      if (instances_[number].made < 0 && !make(number, stack)) {
        if (num_arcs_ > max_arcs_) return {};
        continue;
      }
      stack.pop_back();
    }
    return std::move(made_);
  }

 private:
  struct Instance {
    std::int32_t card, words;
    std::int32_t made = -1;                                         // its number among those that are made
    std::vector<std::pair<std::int32_t, std::int32_t>> exits = {};  // of the card, and the words before
  };
  struct Step {
    SplitArc arc;
    std::int32_t words;  // before where it leads
  };

  std::int32_t instance(std::int32_t card, std::int32_t words) {
    const auto [place, is_new] =
        numbers_.emplace((std::int64_t{card} << 32) | words, static_cast<std::int32_t>(instances_.size()));
    if (is_new) instances_.push_back({card, words});
    return place->second;
  }

  // False where the card calls others, which are then on the stack, that are not made yet.
  bool make(std::int32_t number, std::vector<std::int32_t>& stack) {
    const std::int32_t which = instances_[number].card;
    const SplitCard& card = cards_[which];
    const std::vector<std::uint8_t> after = words_after(card);
    const auto is_followed = [&](StateId state) { return followed_[which] || after[state]; };
    std::vector<std::vector<std::int32_t>> before(card.num_states());
    before[0] = {instances_[number].words};
    std::vector<std::vector<std::vector<Step>>> steps(card.num_states());
    bool is_whole = true;
    std::int64_t arcs = 0;
    for (StateId state = 0; state < card.num_states(); ++state) {
      std::vector<std::int32_t>& here = before[state];
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      for (const std::int32_t words : here) {
        std::vector<Step>& some = steps[state].emplace_back();
        for (const SplitArc& arc : card.arcs_of(state)) {
          poll_(50);
          is_whole &= take(arc, words, is_followed(arc.next), some, stack);
        }
        for (const Step& step : some) before[step.arc.next].push_back(step.words);
        arcs += std::ssize(some);
        if (num_arcs_ + arcs > max_arcs_) {
          num_arcs_ += arcs;
          return false;
        }
      }
    }
    if (is_whole) number_states(number, card, before, steps);
    return is_whole;
  }

  bool take(const SplitArc& arc, std::int32_t words, bool is_followed, std::vector<Step>& steps,
            std::vector<std::int32_t>& stack) {
    const auto kept = [&](std::int32_t ngram) { return !is_followed ? 0 : cut(ngram); };
    if (arc.label >= 0) {
      const std::int32_t longest = arc.label == kEpsilon ? 0 : ngrams_.with(words, arc.label);
      Step step{arc, kept(arc.label == kEpsilon ? words : longest)};
      step.arc.longest = longest;
      steps.push_back(step);
      return true;
    }
    const std::int32_t number = instance(arc.called, words);
    const Instance& called = instances_[number];
    if (called.made < 0) {
      stack.push_back(number);
      return false;
    }
    for (std::size_t exit = 0; exit < called.exits.size(); ++exit) {
      if (called.exits[exit].first != arc.exit) continue;
      Step step{arc, kept(called.exits[exit].second)};
      step.arc.called = called.made, step.arc.exit = static_cast<std::int32_t>(exit);
      steps.push_back(step);
    }
    return true;
  }

  std::int32_t cut(std::int32_t ngram) const {
    return ngrams_.lengths[ngram] > most_ ? ngrams_.suffixes[ngram] : ngram;
  }

  void number_states(std::int32_t number, const SplitCard& card, const std::vector<std::vector<std::int32_t>>& before,
                     const std::vector<std::vector<std::vector<Step>>>& steps) {
    std::vector<StateId> first(card.num_states() + 1, 0);
    for (StateId state = 0; state < card.num_states(); ++state)
      first[state + 1] = first[state] + static_cast<StateId>(before[state].size());
    SplitCard made;
    for (StateId state = 0; state < card.num_states(); ++state) {
      for (const std::vector<Step>& some : steps[state]) {
        for (Step step : some) {
          const auto& there = before[step.arc.next];
          const auto place = std::lower_bound(there.begin(), there.end(), step.words) - there.begin();
          step.arc.next = first[step.arc.next] + static_cast<StateId>(place);
          made.arcs.push_back(step.arc);
        }
        made.offsets.push_back(static_cast<std::int32_t>(made.arcs.size()));
      }
    }
    made.exits = first[card.num_states()] - first[card.first_exit()];
    Instance& instance = instances_[number];
    for (std::int32_t exit = 0; exit < card.exits; ++exit) {
      for (const std::int32_t words : before[card.first_exit() + exit]) instance.exits.emplace_back(exit, words);
    }
    num_arcs_ += std::ssize(made.arcs);
    instance.made = static_cast<std::int32_t>(made_.size());
    made_.push_back(std::move(made));
  }

  const std::span<const SplitCard> cards_;
  Ngrams& ngrams_;
  const std::int32_t most_;
  const std::int64_t max_arcs_;
  const std::vector<std::uint8_t> followed_;
  std::vector<Instance> instances_;
  std::unordered_map<std::int64_t, std::int32_t> numbers_;
  std::vector<SplitCard> made_;
  std::int64_t num_arcs_ = 0;
  Polls poll_;
};

}  // namespace

std::int32_t Ngrams::with(std::int32_t ngram, Label word) {
  const std::int64_t key = (std::int64_t{ngram} << 32) | static_cast<std::uint32_t>(word);
  if (const auto found = numbers_.find(key); found != numbers_.end()) return found->second;
  const std::int32_t suffix = ngram == 0 ? 0 : with(suffixes[ngram], word);
  const std::int32_t number = add(ngram, suffix, word, lengths[ngram] + 1);
  numbers_.emplace(key, number);
  return number;
}

std::int32_t Ngrams::add(std::int32_t prefix, std::int32_t suffix, Label word, std::int32_t length) {
  prefixes.push_back(prefix), suffixes.push_back(suffix), words.push_back(word), lengths.push_back(length);
  return static_cast<std::int32_t>(size()) - 1;
}

NgramSearch::NgramSearch(const Rtn& rtn, std::span<const double> costs) {
  normalise(rtn, costs);
  whole_ = cards_;
  index();
  const auto counts =
      through<Sums>(cards_, [&](auto card, auto arc) { return shares_[cards_[card].arcs[arc].origin]; });
  word_counts_.assign(rtn.max_label() + 1, 0.0);
  for (std::size_t card = 0; card < cards_.size(); ++card) {
    for (std::size_t arc = 0; arc < cards_[card].arcs.size(); ++arc) {
      const Label label = cards_[card].arcs[arc].label;
      if (label > 0) word_counts_[label] += counts[card][arc];
    }
  }
}

// The cards that the root needs, and of each arc its probability among those of its state.
void NgramSearch::normalise(const Rtn& rtn, std::span<const double> costs) {
  Polls poll;
  std::vector<std::uint8_t> needed(rtn.cards().size(), 0);
  needed[rtn.root()] = 1;
  const auto order = rtn.bottom_up();
  for (auto card = order.rbegin(); card != order.rend(); ++card) {
    if (!needed[*card]) continue;
    for (const Arc& arc : rtn.cards()[*card].all_arcs()) {
      if (arc.label < 0) needed[called_card(arc.label)] = 1;
    }
  }
  std::vector<std::int32_t> numbers(rtn.cards().size(), -1);
  std::vector<double> inside;
  const auto add = [&](std::int32_t which) {
    const Automaton& card = rtn.cards()[which];
    const auto first = static_cast<std::int32_t>(shares_.size());
    shares_.resize(first + card.num_arcs());
    std::vector<double> after(card.num_states(), kNoPath);
    after.back() = 0.0;
    const auto worth = [&](const Arc& arc) {
      return after[arc.next] - costs[arc.origin] + (arc.label < 0 ? inside[numbers[called_card(arc.label)]] : 0.0);
    };
    for (StateId state = card.num_states() - 2; state >= 0; --state) {
      poll(20 * work_at(card, state));
      double highest = kNoPath, sum = 0.0;
      for (const Arc& arc : card.arcs(state)) highest = std::max(highest, worth(arc));
      for (const Arc& arc : card.arcs(state)) sum += std::exp(worth(arc) - highest);
      after[state] = highest + std::log(sum);
      std::int32_t number = first + card.first_arc(state);
      for (const Arc& arc : card.arcs(state)) shares_[number++] = std::exp(worth(arc) - highest) / sum;
    }
    SplitCard& made = cards_.emplace_back();
    for (StateId state = 0; state < card.num_states(); ++state) {
      for (const Arc& arc : card.arcs(state)) {
        const std::int32_t called = arc.label < 0 ? numbers[called_card(arc.label)] : -1;
        const std::int32_t longest = arc.label > 0 ? ngrams_.with(0, arc.label) : 0;
        made.arcs.push_back(
            {arc.label, arc.next, called, 0, longest, first + static_cast<std::int32_t>(made.arcs.size())});
      }
      made.offsets.push_back(static_cast<std::int32_t>(made.arcs.size()));
    }
    numbers[which] = static_cast<std::int32_t>(inside.size());
    inside.push_back(after[0]);
  };
  for (const std::int32_t card : order) {
    if (needed[card] && card != rtn.root()) add(card);
  }
  add(rtn.root());
}

void NgramSearch::index() {
  Polls poll;
  const auto total = static_cast<std::int32_t>(whole_.size());
  reached_.resize(total), empty_.assign(total, 0.0), wordy_.assign(total, 0.0), preceded_.assign(total, 0);
  calls_.resize(total), callers_.resize(total), into_.resize(total), into_offsets_.resize(total),
      sources_.resize(total);
  for (std::int32_t number = 0; number < total; ++number) {
    const SplitCard& card = whole_[number];
    std::vector<double>&reached = reached_[number], empty(card.num_states(), 0.0), wordy(card.num_states(), 0.0);
    reached.assign(card.num_states(), 0.0);
    reached[0] = empty[0] = 1.0;
    into_offsets_[number].assign(card.num_states() + 1, 0);
    for (StateId state = 0; state < card.num_states(); ++state) {
      for (std::int32_t index = card.offsets[state]; index < card.offsets[state + 1]; ++index) {
        poll(20);
        const SplitArc& arc = card.arcs[index];
        const double share = shares_[arc.origin];
        const double without = arc.label > 0 ? 0.0 : arc.label < 0 ? empty_[arc.called] : 1.0;
        const double with = arc.label > 0 ? 1.0 : arc.label < 0 ? wordy_[arc.called] : 0.0;
        reached[arc.next] += reached[state] * share;
        empty[arc.next] += empty[state] * share * without;
        wordy[arc.next] += (wordy[state] * (without + with) + empty[state] * with) * share;
        ++into_offsets_[number][arc.next + 1];
        sources_[number].push_back(state);
        if (arc.label > 0) {
          if (places_.size() <= static_cast<std::size_t>(arc.label)) places_.resize(arc.label + 1);
          places_[arc.label].push_back({number, state, index});
        } else if (arc.label < 0) {
          calls_[number].push_back({number, state, index});
          callers_[arc.called].push_back(number);
        }
      }
    }
    empty_[number] = empty.back(), wordy_[number] = wordy.back();
    std::vector<std::int32_t>& offsets = into_offsets_[number];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
    into_[number].resize(card.arcs.size());
    for (std::size_t arc = 0; arc < card.arcs.size(); ++arc)
      into_[number][next[card.arcs[arc].next]++] = static_cast<std::int32_t>(arc);
  }
  for (std::vector<std::int32_t>& callers : callers_)
    callers.erase(std::unique(callers.begin(), callers.end()), callers.end());
  for (std::int32_t number = total - 1; number >= 0; --number) {
    const SplitCard& card = whole_[number];
    std::vector<std::uint8_t> words_before(card.num_states(), 0);
    words_before[0] = preceded_[number];
    for (std::size_t index = 0; index < card.arcs.size(); ++index) {
      const SplitArc& arc = card.arcs[index];
      const std::uint8_t here = words_before[sources_[number][index]];
      if (arc.label < 0) preceded_[arc.called] |= here;
      words_before[arc.next] |= here || arc.label != kEpsilon;
    }
  }
}

std::int64_t NgramSearch::num_arcs() const {
  std::int64_t sum = 0;
  for (const SplitCard& card : cards_) sum += std::ssize(card.arcs);
  return sum;
}

bool NgramSearch::split(std::int64_t max_arcs) {
  std::vector<SplitCard> cards = Splitting(cards_, ngrams_, before_ + 1, max_arcs)();
  if (cards.empty()) return false;
  cards_ = std::move(cards);
  ++before_;
  std::vector<std::vector<std::uint8_t>> kept(cards_.size());
  for (std::size_t card = 0; card < cards_.size(); ++card) kept[card].assign(cards_[card].arcs.size(), 1);
  keep(kept);
  return true;
}

std::vector<double> NgramSearch::expected_counts() const {
  const auto all = through<Sums>(cards_, [&](auto card, auto arc) { return shares_[cards_[card].arcs[arc].origin]; });
  std::vector<double> found(ngrams_.size(), 0.0);
  for (std::size_t card = 0; card < cards_.size(); ++card) {
    for (std::size_t arc = 0; arc < cards_[card].arcs.size(); ++arc) {
      poll(20);
      for (std::int32_t ngram = cards_[card].arcs[arc].longest; ngram > 0; ngram = ngrams_.suffixes[ngram])
        found[ngram] += all[card][arc];
    }
  }
  return found;
}

// How likely a derivation has an n-gram: the automaton that waits for it, run over the cards.
class NgramSearch::Waiting {
 public:
  Waiting(const NgramSearch& search, std::int32_t ngram) : search_(search), n_(search.ngrams_.lengths[ngram]) {
    words_.resize(n_);
    for (std::int32_t i = n_ - 1; i >= 0; --i, ngram = search.ngrams_.prefixes[ngram])
      words_[i] = search.ngrams_.words[ngram];
    // By words read so far and the next, how many are then read: the longest beginning that ends there.
    after_.resize(n_ * n_);
    for (std::int32_t read = 0; read < n_; ++read) {
      for (std::int32_t word = 0; word < n_; ++word) {
        std::vector<Label> text(words_.begin(), words_.begin() + read);
        text.push_back(words_[word]);
        std::int32_t length = read + 1;
        while (!std::equal(text.end() - length, text.end(), words_.begin())) --length;
        after_[read * n_ + word] = length;
      }
    }
  }

  double operator()() {
    const auto root = static_cast<std::int32_t>(search_.whole_.size()) - 1;
    for (const Label word : words_) {
      if (static_cast<std::size_t>(word) >= search_.places_.size() || search_.places_[word].empty()) return 0.0;
    }
    std::vector<std::int32_t> concerned = with_words();
    for (const std::int32_t card : concerned) {
      if (card == root) break;
      std::vector<double>& rows = rows_[card];
      rows.assign(n_ * (n_ + 1), 0.0);
      for (std::int32_t read = 0; read < (search_.preceded_[card] ? n_ : 1); ++read) {
        rows[read * (n_ + 1) + n_] = run(card, read, false);
        const StateId end = search_.whole_[card].num_states() - 1;
        for (std::int32_t then = 0; then < n_; ++then) rows[read * (n_ + 1) + then] = at(card, end, then);
      }
    }
    return std::min(run(root, 0, true), 1.0);
  }

 private:
  // Cards with one of the words, themselves or in what they call, the called first.
  std::vector<std::int32_t> with_words() {
    std::vector<std::int32_t> found;
    rows_.clear();
    const auto add = [&](std::int32_t card) {
      if (rows_.try_emplace(card).second) found.push_back(card);
    };
    for (const Label word : words_) {
      std::int32_t last = -1;
      for (const Place& place : search_.places_[word]) {
        if (place.card != last) add(last = place.card);
      }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::int32_t caller : search_.callers_[found[i]]) add(caller);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  double at(std::int32_t card, StateId state, std::int32_t read) const {
    if (special_[state]) return waiting_[state * n_ + read];
    return read == 0 ? search_.reached_[card][state] : 0.0;
  }

  std::int32_t place_of(Label word) const {
    return static_cast<std::int32_t>(std::find(words_.begin(), words_.end(), word) - words_.begin());
  }

  // Runs over a card that begins after so many words of the n-gram: the probability that the n-gram ends there. What is
  // at each state, the n-gram not having been there yet, is in waiting_; where nothing of it is read and it cannot have
  // been there, that is what reaches the state at all.
  double run(std::int32_t number, std::int32_t read, bool ends_only) {
    const SplitCard& card = search_.whole_[number];
    special_.assign(card.num_states(), 0);
    missed_.assign(card.num_states(), 0);
    changed_.assign(card.num_states(), 0);
    waiting_.resize(static_cast<std::size_t>(card.num_states()) * n_);
    const auto firsts = places_of(number, words_.front()), lasts = places_of(number, words_.back());
    StateId begin = card.num_states(), end = ends_only ? 0 : card.num_states() - 1;
    last_start_ = end;
    const auto start = [&](const Place& place) {
      begin = std::min(begin, place.source), last_start_ = std::max(last_start_, place.source);
      changed_[card.arcs[place.arc].next] = 1;
    };
    for (const Place& first : firsts) start(first);
    if (!lasts.empty()) end = std::max(end, lasts.back().source);
    for (const Place& call : search_.calls_[number]) {
      if (rows_.contains(card.arcs[call.arc].called)) start(call), end = std::max(end, call.source);
    }
    if (read > 0) {
      begin = 0;
      std::fill_n(waiting_.begin(), n_, 0.0), waiting_[read] = 1.0;
      set_special(card, 0);
    }
    for (StateId state = begin + 1; state <= end; ++state) {
      if (changed_[state]) visit(number, card, state);
    }
    double found = 0.0;
    for (const Place& last : lasts)
      found += at(number, last.source, n_ - 1) * search_.shares_[card.arcs[last.arc].origin];
    for (const Place& call : search_.calls_[number]) {
      const SplitArc& arc = card.arcs[call.arc];
      const auto rows = rows_.find(arc.called);
      if (rows == rows_.end()) continue;
      for (std::int32_t here = 0; here < n_; ++here)
        found += at(number, call.source, here) * search_.shares_[arc.origin] * rows->second[here * (n_ + 1) + n_];
    }
    return found;
  }

  std::span<const Place> places_of(std::int32_t number, Label word) const {
    const std::vector<Place>& all = search_.places_[word];
    const auto less = [](const Place& place, std::int32_t which) { return place.card < which; };
    const auto more = [](std::int32_t which, const Place& place) { return which < place.card; };
    return {std::lower_bound(all.begin(), all.end(), number, less),
            std::upper_bound(all.begin(), all.end(), number, more)};
  }

  // Arcs that lead to a state.
  std::span<const std::int32_t> into(std::int32_t number, StateId state) const {
    const std::int32_t* const all = search_.into_[number].data();
    const std::vector<std::int32_t>& offsets = search_.into_offsets_[number];
    return {all + offsets[state], all + offsets[state + 1]};
  }

  void visit(std::int32_t number, const SplitCard& card, StateId state) {
    const std::vector<StateId>& sources = search_.sources_[number];
    const std::span<const std::int32_t> arcs = into(number, state);
    poll_(4 + 10 * std::ssize(arcs));
    double* const there = &waiting_[static_cast<std::size_t>(state) * n_];
    std::fill_n(there, n_, 0.0);
    bool missed = false;
    for (const std::int32_t index : arcs) {
      const SplitArc& arc = card.arcs[index];
      const StateId source = sources[index];
      const double share = search_.shares_[arc.origin];
      missed |= missed_[source] != 0;
      const std::int32_t place = arc.label > 0 ? place_of(arc.label) : n_;
      if (arc.label > 0 && place == n_ && !missed_[source]) {  // whatever of the n-gram was read
        there[0] += search_.reached_[number][source] * share;
        continue;
      }
      const auto rows = arc.label < 0 ? rows_.find(arc.called) : rows_.end();
      for (std::int32_t read = 0; read < n_; ++read) {
        const double here = at(number, source, read) * share;
        if (here == 0.0) continue;
        if (arc.label == kEpsilon) {
          there[read] += here;
        } else if (arc.label > 0) {
          const std::int32_t then = place == n_ ? 0 : after_[read * n_ + place];
          if (then < n_) there[then] += here;
          missed |= then == n_;
        } else if (rows == rows_.end()) {
          there[read] += here * search_.empty_[arc.called];
          there[0] += here * search_.wordy_[arc.called];
        } else {
          const double* const row = &rows->second[read * (n_ + 1)];
          for (std::int32_t then = 0; then < n_; ++then) there[then] += here * row[then];
          missed |= row[n_] > 0.0;
        }
      }
    }
    missed_[state] = missed;
    if ((missed && state <= last_start_) || std::any_of(there + 1, there + n_, [](double some) { return some > 0.0; }))
      set_special(card, state);
  }

  void set_special(const SplitCard& card, StateId state) {
    special_[state] = 1;
    for (const SplitArc& arc : card.arcs_of(state)) {
      // Any other word is followed by what would be there without the n-gram's words before it.
      if (missed_[state] || arc.label <= 0 || place_of(arc.label) < n_) changed_[arc.next] = 1;
    }
  }

  const NgramSearch& search_;
  const std::int32_t n_;
  std::vector<Label> words_;
  std::vector<std::int32_t> after_;
  // By card that has one of the words: for each number of words read before it, the probabilities of those read behind
  // it, and that the n-gram ends in it.
  std::unordered_map<std::int32_t, std::vector<double>> rows_;
  std::vector<std::uint8_t> special_, missed_, changed_;
  StateId last_start_ = 0;  // behind it nothing depends on how likely it is that no word of the n-gram is read
  std::vector<double> waiting_;
  Polls poll_;
};

double NgramSearch::probability(std::int32_t ngram) {
  if (known_.size() < ngrams_.size()) known_.resize(ngrams_.size(), -1.0);
  if (known_[ngram] < 0) known_[ngram] = ngram == 0 ? 1.0 : Waiting(*this, ngram)();
  return known_[ngram];
}

void NgramSearch::find_probabilities() {
  for (const SplitCard& card : cards_) {
    for (const SplitArc& arc : card.arcs) {
      for (std::int32_t ngram = arc.longest; ngram > 0; ngram = ngrams_.suffixes[ngram]) probability(ngram);
    }
  }
}

double NgramSearch::bound(std::int32_t ngram) const {
  if (static_cast<std::size_t>(ngram) < known_.size() && known_[ngram] >= 0) return known_[ngram];
  if (ngrams_.lengths[ngram] <= 1) return ngram == 0 ? 1.0 : std::min(word_counts_[ngrams_.words[ngram]], 1.0);
  return std::min(bound(ngrams_.prefixes[ngram]), bound(ngrams_.suffixes[ngram]));
}

// By n-gram, the most that a word gains that ends it.
std::vector<double> NgramSearch::most_gains(std::span<const double> thetas) const {
  Polls poll;
  std::vector<double> own(ngrams_.size(), thetas[0]), most(ngrams_.size());
  const auto order = static_cast<std::int32_t>(thetas.size()) - 1;
  for (std::size_t ngram = 1; ngram < own.size(); ++ngram) {
    poll(20);
    const std::int32_t length = ngrams_.lengths[ngram];
    if (length > order) continue;
    const double likely = bound(static_cast<std::int32_t>(ngram));
    own[ngram] = own[ngrams_.suffixes[ngram]] + thetas[length] * likely;
    most[ngram] = own[ngram];
    // With fewer words than states know it begins where the hypothesis does, and there are no longer ones.
    if (length != before_ + 1) continue;
    for (std::int32_t n = length + 1; n <= order; ++n) most[ngram] += thetas[n] * likely;
  }
  most[0] = 0.0;
  return most;
}

void NgramSearch::prune(std::span<const double> thetas, double least) {
  const std::vector<double> most = most_gains(thetas);
  const auto all = through<Most>(cards_, [&](auto card, auto arc) { return most[cards_[card].arcs[arc].longest]; });
  std::vector<std::vector<std::uint8_t>> kept(cards_.size());
  for (std::size_t card = 0; card < cards_.size(); ++card) {
    for (const double gain : all[card]) kept[card].push_back(gain >= least);
  }
  keep(kept);
}

// Leaves only arcs that are kept and on derivations of such arcs.
void NgramSearch::keep(const std::vector<std::vector<std::uint8_t>>& kept) {
  const auto all = through<Most>(cards_, [&](auto card, auto arc) { return kept[card][arc] ? 0.0 : kNoPath; });
  const auto is_kept = [&](std::size_t card, std::size_t arc) { return all[card][arc] == 0.0; };
  std::vector<SplitCard> found;
  std::vector<std::int32_t> numbers(cards_.size(), -1);
  std::vector<std::vector<std::int32_t>> exits(cards_.size());  // by card that is kept: the new numbers of its exits
  for (std::size_t which = 0; which < cards_.size(); ++which) {
    poll(10 + 10 * std::ssize(cards_[which].arcs));
    const SplitCard& card = cards_[which];
    std::vector<StateId> states(card.num_states(), -1);
    std::vector<std::uint8_t> passed(card.num_states(), 0);
    for (StateId state = 0; state < card.num_states(); ++state) {
      for (std::int32_t arc = card.offsets[state]; arc < card.offsets[state + 1]; ++arc) {
        if (is_kept(which, arc)) passed[state] = passed[card.arcs[arc].next] = 1;
      }
    }
    if (!passed[0]) continue;
    SplitCard made;
    StateId next = 0;
    for (StateId state = 0; state < card.num_states(); ++state) {
      if (passed[state]) states[state] = next++;
    }
    for (StateId state = 0; state < card.num_states(); ++state) {
      if (!passed[state]) continue;
      for (std::int32_t index = card.offsets[state]; index < card.offsets[state + 1]; ++index) {
        if (!is_kept(which, index)) continue;
        SplitArc arc = card.arcs[index];
        arc.next = states[arc.next];
        if (arc.label < 0) arc.exit = exits[arc.called][arc.exit], arc.called = numbers[arc.called];
        made.arcs.push_back(arc);
      }
      made.offsets.push_back(static_cast<std::int32_t>(made.arcs.size()));
    }
    made.exits = 0;
    for (std::int32_t exit = 0; exit < card.exits; ++exit)
      exits[which].push_back(passed[card.first_exit() + exit] ? made.exits++ : -1);
    numbers[which] = static_cast<std::int32_t>(found.size());
    found.push_back(std::move(made));
  }
  cards_ = std::move(found);
}

std::vector<Label> NgramSearch::best(std::span<const double> thetas) const {
  Polls poll;
  const std::vector<double> most = most_gains(thetas);
  std::vector<std::vector<double>> exits(cards_.size());       // by card and exit
  std::vector<std::vector<std::int32_t>> last(cards_.size());  // by card and state: the arc before it
  std::vector<std::vector<StateId>> sources(cards_.size());    // and where that comes from
  for (std::size_t number = 0; number < cards_.size(); ++number) {
    const SplitCard& card = cards_[number];
    std::vector<double> before(card.num_states(), kNoPath);
    before[0] = 0.0;
    last[number].assign(card.num_states(), -1), sources[number].assign(card.num_states(), -1);
    for (StateId state = 0; state < card.first_exit(); ++state) {
      for (std::int32_t index = card.offsets[state]; index < card.offsets[state + 1]; ++index) {
        poll(8);
        const SplitArc& arc = card.arcs[index];
        const double gain = before[state] + (arc.label < 0 ? exits[arc.called][arc.exit] : most[arc.longest]);
        if (gain <= before[arc.next]) continue;
        before[arc.next] = gain, last[number][arc.next] = index, sources[number][arc.next] = state;
      }
    }
    exits[number].assign(before.begin() + card.first_exit(), before.end());
  }
  struct Place {
    std::int32_t card;
    StateId state;
  };
  const auto root = static_cast<std::int32_t>(cards_.size()) - 1;
  std::vector<Place> open{{root, cards_.back().first_exit()}};
  std::vector<Label> words;  // from the end
  while (!open.empty()) {
    poll(8);
    Place& place = open.back();
    if (place.state == 0) {
      open.pop_back();
      continue;
    }
    const SplitCard& card = cards_[place.card];
    const SplitArc& arc = card.arcs[last[place.card][place.state]];
    place.state = sources[place.card][place.state];
    if (arc.label > 0) words.push_back(arc.label);
    if (arc.label < 0) open.push_back({arc.called, cards_[arc.called].first_exit() + arc.exit});
  }
  std::reverse(words.begin(), words.end());
  return words;
}

std::pair<std::shared_ptr<Rtn>, std::vector<double>> NgramSearch::upper_bounds(std::span<const double> thetas) const {
  const std::vector<double> most = most_gains(thetas);
  std::vector<Automaton> cards;
  std::vector<double> gains;
  std::vector<std::int32_t> firsts;  // by card: the first of those with one end
  for (const SplitCard& card : cards_) {
    firsts.push_back(static_cast<std::int32_t>(cards.size()));
    for (std::int32_t exit = 0; exit < card.exits; ++exit) {
      poll(10 + 10 * std::ssize(card.arcs));
      std::vector<Arc> arcs;
      for (const SplitArc& arc : card.arcs) {
        const Label label = arc.label < 0 ? call_label(firsts[arc.called] + arc.exit) : arc.label;
        arcs.push_back({label, arc.next, 0, static_cast<std::int32_t>(arcs.size())});
        gains.push_back(most[arc.longest]);
      }
      gains.resize(gains.size() + card.num_states(), 0.0);
      std::vector<std::uint8_t> is_final(card.num_states(), 0);
      is_final[card.first_exit() + exit] = 1;
      cards.emplace_back(0, card.offsets, std::move(arcs), std::move(is_final));
    }
  }
  const auto root = static_cast<std::int32_t>(cards.size()) - 1;
  return {Rtn(std::move(cards), root).with_one_end(), std::move(gains)};
}

}  // namespace fstmetrics

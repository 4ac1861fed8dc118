// N-grams of lattices and forests: how likely a derivation has them, and which derivations can gain most by them.
//
// A lattice is a network of one card. How likely an n-gram is there at least once is found on the cards as they are:
// the automaton that waits for it (Knuth, Morris, Pratt) has as many states as the n-gram words, so a card is a small
// matrix, from the state in which it begins to that in which it ends.
//
// What an arc gains depends on the words before it. So cards are split by the words before where they begin, and states
// by the words before them; an end of a card is then one for each of the words there may be before it. That grows with
// every further word, so it is done word by word, and what cannot come up to a known gain is left out before each: the
// gain of an n-gram not looked at yet is at most that of what it begins and ends with.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lazy/rtn.h"

namespace fstmetrics {

// N-grams by number from 1, the shorter ones before those that they begin; 0 is the empty one.
struct Ngrams {
  std::vector<std::int32_t> prefixes, suffixes;  // without its last word; without its first
  std::vector<Label> words;                      // its last word
  std::vector<std::int32_t> lengths;

  Ngrams() { add(0, 0, kEpsilon, 0); }
  std::size_t size() const { return lengths.size(); }
  // The n-gram of `ngram` and one word more.
  std::int32_t with(std::int32_t ngram, Label word);

 private:
  std::int32_t add(std::int32_t prefix, std::int32_t suffix, Label word, std::int32_t length);

  std::unordered_map<std::int64_t, std::int32_t> numbers_;  // by prefix and last word
};

// An arc of a split card.
struct SplitArc {
  Label label;  // negative: it calls a card
  StateId next;
  std::int32_t called, exit;  // which, and at which of its ends that is left
  std::int32_t longest;       // n-gram that ends with its word, of those of the words that states know; 0 without one
  std::int32_t origin;        // number of the arc among those of all cards before they were split
};

// A card that begins in state 0 and ends in any of its last `exits` states, which have no arcs.
struct SplitCard {
  std::vector<std::int32_t> offsets{0};
  std::vector<SplitArc> arcs;
  std::int32_t exits = 1;

  StateId num_states() const { return static_cast<StateId>(offsets.size()) - 1; }
  StateId first_exit() const { return num_states() - exits; }
  std::span<const SplitArc> arcs_of(StateId state) const {
    return {arcs.data() + offsets[state], arcs.data() + offsets[state + 1]};
  }
};

class NgramSearch {
 public:
  // `rtn`: cards with one end each, without cycles; `costs`: natural logs, by the origins of arcs.
  NgramSearch(const Rtn& rtn, std::span<const double> costs);

  const Ngrams& ngrams() const { return ngrams_; }
  // The n-gram of another and one word more, whether it is anywhere or not.
  std::int32_t ngram(std::int32_t words, Label word) { return ngrams_.with(words, word); }
  std::int64_t num_arcs() const;
  // Splits by one word more. False, and nothing is done, where that takes more than `max_arcs` arcs.
  bool split(std::int64_t max_arcs);
  // By n-gram, how often a derivation is expected to have it; 0 of those longer than arcs know, and of the empty one.
  std::vector<double> expected_counts() const;
  // Probability that a derivation has an n-gram, found when first asked for.
  double probability(std::int32_t ngram);
  // Finds it for all n-grams that arcs end.
  void find_probabilities();
  // Leaves out arcs on no derivation that could gain as much as `least`.
  //
  // `thetas`: gain of any word; then, by n, that of an n-gram for certain, from 0 up. Beyond the n-grams that arcs
  // know, and of those whose probability nobody asked for, what they could gain at most.
  void prune(std::span<const double> thetas, double least);
  // The words that could gain most, by the same measure.
  std::vector<Label> best(std::span<const double> thetas) const;
  // What is left, an end for each card, and the most that arcs can gain, by origin.
  std::pair<std::shared_ptr<Rtn>, std::vector<double>> upper_bounds(std::span<const double> thetas) const;

 private:
  struct Place {  // of an arc
    std::int32_t card;
    StateId source;
    std::int32_t arc;
  };
  class Waiting;

  void normalise(const Rtn& rtn, std::span<const double> costs);
  void index();
  double bound(std::int32_t ngram) const;
  std::vector<double> most_gains(std::span<const double> thetas) const;
  void keep(const std::vector<std::vector<std::uint8_t>>& kept);

  Ngrams ngrams_;
  std::vector<double> known_;     // probability by n-gram, as far as it is; negative otherwise
  std::int32_t before_ = 0;       // words that states know
  std::vector<SplitCard> cards_;  // the called before those who call; the root is the last
  // Of the cards before they were split:
  std::vector<SplitCard> whole_;
  std::vector<double> shares_;                // by origin: probability of the arc among those of its state
  std::vector<std::vector<double>> reached_;  // by card and state: probability to pass it
  std::vector<double> empty_, wordy_;         // by card: probability that it has no word; that it has one
  std::vector<std::uint8_t> preceded_;        // by card: whether a word may stand before it
  std::vector<std::vector<Place>> places_;    // by label: arcs with it, card by card
  std::vector<std::vector<Place>> calls_;     // by card: arcs that call
  std::vector<std::vector<std::int32_t>> callers_;
  std::vector<std::vector<std::int32_t>> into_, into_offsets_;  // by card: arcs by where they lead
  std::vector<std::vector<StateId>> sources_;                   // by card and arc
  std::vector<double> word_counts_;                             // by label: how often it is expected
};

}  // namespace fstmetrics

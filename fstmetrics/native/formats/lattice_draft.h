// One lattice as a parser finds it, and the one way from there to a lattice: every check, and what labels stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "support/growing_array.h"

namespace fstmetrics {

// How large an item may be (fstmetrics/support/limits.py).
struct ItemLimits {
  std::int64_t states = INT64_MAX, arcs = INT64_MAX, label = INT64_MAX;
};

struct DraftArc {
  std::int64_t source, destination;
  std::int64_t place;
  std::int32_t label;   // an index of what labels stand for
  std::int32_t frames;  // 0 where the format does not say
  CostPair cost;
};

struct DraftFinal {
  std::int64_t state;
  std::int64_t place;
  CostPair cost;
};

// A fault without a place.
Fault out_of_range(std::int64_t state, std::int64_t states);

enum class Place : std::uint8_t { kLine, kByte, kArc };

// Memory is kept from one lattice to the next.
struct LatticeDraft {
  GrowingArray<DraftArc> arcs;
  std::vector<DraftFinal> finals;
  std::int64_t start = -1;                 // the first state named; -1 where there is none
  std::optional<std::int64_t> num_states;  // as declared; none where arcs alone tell
  bool has_frames = false;
  Place unit = Place::kLine;

  void clear() {
    arcs.clear();
    finals.clear();
    start = -1;
    num_states.reset();
    has_frames = false;
  }
  void add_arc(const DraftArc& arc) {
    if (start < 0) start = arc.source;
    arcs.push_back(arc);
  }
  // Room for so many further arcs, to be filled.
  DraftArc* more_arcs(std::size_t count) {
    arcs.resize(arcs.size() + count);
    return arcs.end() - count;
  }
  void add_final(const DraftFinal& final) {
    if (start < 0) start = final.state;
    finals.push_back(final);
  }
};

// Makes lattices of drafts; one a thread.
class LatticeMaker {
 public:
  LatticeMaker(std::shared_ptr<Vocabulary> vocabulary, ItemLimits limits)
      : vocabulary_(std::move(vocabulary)), limits_(limits) {}

  // Sets automaton, words, frames and what is numbered. `words` are what the labels of the draft stand for, `labels`
  // how. What is wrong becomes the lattice's fault or excess. An arc or final state of cost +inf is none: zero
  // probability is how OpenFst and Kaldi write "absent". A word with white space in it is a phrase: an arc becomes one
  // for each of its words, of which the first has the cost and all of the time. The draft's arcs are changed, and the
  // lattice's times of states, if it has some, are continued.
  void complete(LatticeDraft& draft, std::span<const LabelWord> words, const Labels& labels, WordLattice& lattice);

  // Throws where a cost is none, or a state is not among those that there are.
  void check(const LatticeDraft& draft);

 private:
  void check_labels(const LatticeDraft& draft, std::span<const LabelWord> words, const Labels& labels) const;
  void close_gaps(LatticeDraft& draft);
  bool is_phrase(const LabelWord& word);
  std::span<const LabelWord> split_phrases(LatticeDraft& draft, std::span<const LabelWord> words, WordLattice& lattice);
  void number_words(std::span<const LabelWord> words, const LatticeDraft& draft, WordLattice& lattice);
  void build(const LatticeDraft& draft, WordLattice& lattice);
  void check_size(const LatticeDraft& draft, WordLattice& lattice) const;

  std::shared_ptr<Vocabulary> vocabulary_;
  ItemLimits limits_;
  // Of the draft at hand.
  bool in_order_ = true, has_absent_ = false;
  std::int64_t states_ = 0;
  std::vector<std::int32_t> new_label_;  // by label of the draft
  std::vector<LabelWord> parts_;         // the labels of the draft, and those of the further words of phrases
  enum class Spaces : std::uint8_t { kUnknown, kNone, kSome };
  struct Seen {
    std::uint32_t generation = 0;
    std::int32_t label = 0;
    Spaces spaces = Spaces::kUnknown;
  };
  std::vector<Seen> seen_;  // by number of the vocabulary
  std::uint32_t generation_ = 0;
};

}  // namespace fstmetrics

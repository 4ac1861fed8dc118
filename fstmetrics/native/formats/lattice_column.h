// Many lattices in one object, over the words of one vocabulary: what a batch of a file becomes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "automata/automaton.h"
#include "automata/best_path.h"
#include "formats/fault.h"
#include "search/graph.h"
#include "support/once.h"
#include "text/vocabulary.h"

namespace fstmetrics {

// Something of an item that is larger than a limit; `fault` is its place, `word` what is too long, if that is it.
struct Excess {
  const char* limit;  // "states", "arcs" or "label"
  std::int64_t found;
  std::string word;
  bool is_id = false;
};

// Weights of graph and acoustic costs and the penalty of a word that a caller gives; those that he does not give are
// each lattice's own.
using GivenScales = std::array<std::optional<double>, 3>;

enum class TimeUnit : std::uint8_t { kSeconds, kFrames, kWords };

// One lattice. Its labels number its own words as its arcs name them, since the tables of searches are by label;
// `words` has the number of each label's word in the vocabulary, 0 of label 0.
struct WordLattice {
  std::string id;
  std::shared_ptr<Automaton> automaton;  // null where the item is damaged
  std::vector<std::int32_t> words;
  bool has_frames = false;
  std::vector<std::int32_t> frames;  // that each arc takes, in the order of the automaton, where the format says so
  std::vector<double> times;         // of states, in `time_unit`; likewise
  TimeUnit time_unit = TimeUnit::kSeconds;
  std::optional<LatticeScales> scales;
  bool numbered = false;              // whether words are digits that no symbol table named
  std::vector<std::string> left_out;  // what the file says and nothing here has room for
  std::int64_t line = 0;              // lines before it in the file
  std::int64_t begin = 0, end = 0;    // its bytes in the window
  std::optional<Fault> fault;         // why there is no automaton; its places count from the item's beginning
  std::optional<Excess> excess;
  bool is_text_damaged = false;  // the item's bytes are no UTF-8, or there is a zero byte
};

// Immutable but for what is made of a lattice when it is first searched, by whichever thread that is.
class LatticeColumn {
 public:
  explicit LatticeColumn(std::shared_ptr<Vocabulary> vocabulary) : vocabulary_(std::move(vocabulary)) {}

  void add(WordLattice lattice) { rows_.push_back(std::make_shared<Row>(std::move(lattice))); }
  // The same lattice as another column's, of the same vocabulary.
  void add_shared(const LatticeColumn& other, std::size_t i) { rows_.push_back(other.rows_[i]); }

  std::size_t size() const { return rows_.size(); }
  // States and arcs of all lattices.
  std::int64_t weight() const;
  const WordLattice& operator[](std::size_t i) const { return rows_[i]->lattice; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::shared_ptr<Vocabulary>& shared_vocabulary() const { return vocabulary_; }
  // The word of a label of a lattice.
  const Word& word(std::size_t i, Label label) const { return vocabulary_->word(rows_[i]->lattice.words[label]); }

  // What a lattice's costs are weighed by.
  LatticeScales scales(std::size_t i, const GivenScales& given) const {
    const LatticeScales own = rows_[i]->lattice.scales.value_or(LatticeScales());
    return {given[0].value_or(own.graph), given[1].value_or(own.acoustic), given[2].value_or(own.word_penalty)};
  }
  // By label, whether it counts as a word: epsilon and sentence boundaries do not.
  std::vector<std::uint8_t> words_that_count(std::size_t i) const;

  // The lattice as searches want it, prepared once; it may have no path. Sentence boundaries are no words there. Not of
  // a damaged item.
  const Graph& graph(std::size_t i) const;
  // The automaton of that: without useless states, in topological order.
  const std::shared_ptr<const Automaton>& prepared(std::size_t i) const;

 private:
  struct Row {
    explicit Row(WordLattice lattice) : lattice(std::move(lattice)) {}
    WordLattice lattice;
    Once graph_once, prepared_once;
    std::recursive_timed_mutex mutex;
    std::shared_ptr<const Automaton> prepared;
    std::optional<Graph> graph;
  };

  std::shared_ptr<Vocabulary> vocabulary_;
  std::vector<std::shared_ptr<Row>> rows_;  // slices share them
};

}  // namespace fstmetrics

// Binary OpenFst machines, of archives many under keys in one call; io/formats/openfst_binary.py describes machines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// What stands before a machine.
enum class KeyForm : std::uint8_t {
  kWord,     // a word and a space, in Kaldi's archives
  kScript,   // nothing: a machine of Kaldi's to which a script points
  kCounted,  // an int32 length and so many bytes, in OpenFst's archives
  kNone,     // nothing: a file of one machine of OpenFst's, and nothing after it
};

// A symbol table that a machine brings along: keys, and their words in the window.
struct FstSymbolViews {
  std::vector<std::pair<std::int64_t, std::string_view>> words;
};

// The integers that are labels of a machine, each once.
class LabelKeys {
 public:
  struct Seen {
    std::uint32_t generation = 0;
    std::int32_t label = 0;
    std::int32_t number = kUnknown;  // by the labels of all machines
  };
  static constexpr std::int32_t kUnknown = INT32_MIN;
  static constexpr std::uint32_t kMaxLabel = 1 << 24;  // of larger integers no table is made

  // A new machine begins.
  void restart() {
    ++generation_;
    keys_.clear();
    others_.clear();
  }
  void add(std::int32_t key) {
    if (static_cast<std::uint32_t>(key) >= seen_.size()) [[unlikely]] {
      if (static_cast<std::uint32_t>(key) >= kMaxLabel) {
        if (others_.try_emplace(key).second) keys_.push_back(key);
        return;
      }
      seen_.resize(std::min<std::size_t>(std::max<std::size_t>(2 * seen_.size(), key + 1), kMaxLabel));
    }
    Seen& seen = seen_[key];
    if (seen.generation == generation_) return;
    seen.generation = generation_;
    keys_.push_back(key);
  }
  // What is known of an integer, if it is a label of this machine.
  Seen* find(std::int64_t key) {
    if (key >= 0 && static_cast<std::size_t>(key) < seen_.size()) {
      return seen_[key].generation == generation_ ? &seen_[key] : nullptr;
    }
    if (key != static_cast<std::int32_t>(key)) return nullptr;
    const auto found = others_.find(static_cast<std::int32_t>(key));
    return found == others_.end() ? nullptr : &found->second;
  }
  // Whether none is negative or large.
  bool all_fit() const { return others_.empty(); }
  std::vector<std::int32_t>& keys() { return keys_; }
  Seen& operator[](std::int32_t key) { return seen_[key]; }  // where all fit
  Seen& at(std::int32_t key) { return *find(key); }          // of a label of this machine

 private:
  std::vector<Seen> seen_;  // by integer
  std::uint32_t generation_ = 0;
  std::vector<std::int32_t> keys_;
  std::unordered_map<std::int32_t, Seen> others_;  // negative or large; of this machine
};

// Reads vector and const machines. `labels` name what a machine has no table for itself; a given table names all. Calls
// from several threads wait for each other.
class FstArchiveReader {
 public:
  FstArchiveReader(std::shared_ptr<const Labels> labels, ItemLimits limits, KeyForm form);

  // Appends the machines of a window from byte `at` on, up to and with one that is damaged: nothing tells where the
  // next one begins. The window begins at byte `origin` of its file; if that has not `ended` there, a machine that is
  // not whole is left. None begins in the last `tail` bytes. Returns where it stopped. Places of faults are those in
  // the window.
  std::size_t read(std::string_view window, std::size_t at, LatticeColumn& column, std::int64_t origin, bool ended,
                   std::size_t tail);
  // Appends the machine at a byte, damaged or not, under its key or else this id. Returns where it ends.
  std::size_t read_one(std::string_view data, std::size_t at, std::string id, LatticeColumn& column,
                       std::int64_t origin);
  // Takes the symbol table of the first entry of an archive, if it has one; otherwise the first that is read has it.
  void read_first(std::string_view data, std::int64_t origin);

 private:
  // The machine at a byte, which moves behind it; perhaps damaged. False where that may be as the data end too early.
  bool next(std::string_view data, std::size_t& at, std::int64_t origin, WordLattice& lattice);
  void read_machine(std::string_view data, std::size_t& at, std::int64_t origin, WordLattice& lattice);
  const Labels& name_labels(std::int32_t flags, bool is_transducer);
  void compare(const FstSymbolViews& own) const;
  template <class Number>
  void number_labels(Number number);
  void number_by(const Labels& labels);
  void number_by_own(const FstSymbolViews& symbols);

  std::shared_ptr<const Labels> labels_;
  Labels own_labels_;  // what those of a machine's own table are
  LatticeMaker maker_;
  KeyForm form_;
  bool is_settled_ = false;           // whether the first entry of an archive has been seen; what is known of it:
  std::shared_ptr<Labels> first_;     // its table, unless one is given
  std::optional<Fault> first_fault_;  // what its table says otherwise than the given one
  FstSymbolViews outputs_, inputs_;   // of the machine at hand
  LatticeDraft draft_;
  LabelKeys keys_;  // of the machine at hand
  std::vector<LabelWord> words_;
  std::deque<std::string> bad_;  // the digits of labels without words
  std::mutex mutex_;
};

}  // namespace fstmetrics

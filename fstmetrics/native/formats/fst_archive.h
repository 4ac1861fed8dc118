// Binary OpenFst machines, of archives many under keys in one call; readers/fst_binary.py describes machines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// What stands before a machine.
enum class KeyForm : std::uint8_t {
  kWord,     // a word and a space, in Kaldi's archives
  kCounted,  // an int32 length and so many bytes, in OpenFst's
  kNone,     // nothing: a file of one machine
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
    all_fit_ = true;
  }
  void add(std::int32_t key) {
    if (static_cast<std::uint32_t>(key) >= seen_.size()) [[unlikely]] {
      if (static_cast<std::uint32_t>(key) >= kMaxLabel) return void(all_fit_ = false);
      seen_.resize(std::max<std::size_t>(2 * seen_.size(), key + 1));
    }
    Seen& seen = seen_[key];
    if (seen.generation == generation_) return;
    seen.generation = generation_;
    keys_.push_back(key);
  }
  // What is known of an integer, if it is a label of this machine.
  Seen* find(std::int64_t key) {
    if (key < 0 || static_cast<std::size_t>(key) >= seen_.size() || seen_[key].generation != generation_)
      return nullptr;
    return &seen_[key];
  }
  // Whether none was negative or too large.
  bool all_fit() const { return all_fit_; }
  std::vector<std::int32_t>& keys() { return keys_; }
  Seen& operator[](std::int32_t key) { return seen_[key]; }

 private:
  std::vector<Seen> seen_;  // by integer
  std::uint32_t generation_ = 0;
  std::vector<std::int32_t> keys_;
  bool all_fit_ = true;
};

// Reads vector and const machines. It stops at whatever is anything else, damaged or beyond a limit, so that the reader of
// one machine says what it is; in Kaldi's archives also at a machine with a symbol table.
class FstArchiveReader {
 public:
  // `own_tables`: whether a machine's own symbol table, that of its outputs, names its labels; of an acceptor that of its
  // inputs does, too.
  FstArchiveReader(std::shared_ptr<const Labels> labels, ItemLimits limits, KeyForm form, bool own_tables = false)
      : labels_(labels),
        own_labels_(labels->vocabulary(), LabelKind::kTable),
        maker_(labels->vocabulary(), limits),
        form_(form),
        own_tables_(own_tables) {}

  // Appends the machines of a window from byte `at` on; the window begins at byte `origin` of its file. Returns where it
  // stopped, and whether the data end there within a machine, as far as can be seen.
  std::pair<std::size_t, bool> read(std::string_view window, std::size_t at, LatticeColumn& column,
                                    std::int64_t origin = 0);
  // Appends the machine that is all of a file, under an id; false, and nothing, where it is for another reader.
  bool read_file(std::string_view data, std::string id, LatticeColumn& column);

 private:
  std::optional<WordLattice> next(std::string_view window, std::size_t& at, std::int64_t origin, std::string id = {});
  bool number_labels();
  bool number_own_labels(const FstSymbolViews& symbols);

  std::shared_ptr<const Labels> labels_;
  Labels own_labels_;
  LatticeMaker maker_;
  KeyForm form_;
  bool own_tables_;
  FstSymbolViews outputs_, inputs_;  // of the machine at hand
  LatticeDraft draft_;
  LabelKeys keys_;  // of the machine at hand
  std::vector<LabelWord> words_;
};

}  // namespace fstmetrics

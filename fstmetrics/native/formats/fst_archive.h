// Archives of binary OpenFst machines under keys, many machines in one call; readers/fst_binary.py describes machines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// What stands before a machine.
enum class KeyForm : std::uint8_t {
  kWord,     // a word and a space, in Kaldi's archives
  kCounted,  // an int32 length and so many bytes, in OpenFst's
};

// The integers that are labels of a machine, each once.
class LabelKeys {
 public:
  struct Seen {
    std::uint32_t generation = 0;
    std::int32_t label = 0;
    std::int32_t number = kUnknown;
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

// Reads vector machines without symbol tables of their own. It stops at whatever is anything else, damaged or beyond a
// limit, so that the reader of one machine says what it is.
class FstArchiveReader {
 public:
  FstArchiveReader(std::shared_ptr<const Labels> labels, ItemLimits limits, KeyForm form)
      : labels_(labels), maker_(labels->vocabulary(), limits), form_(form) {}

  // Appends the machines of a window from byte `at` on. Returns where it stopped, and whether the data end there within a
  // machine, as far as can be seen.
  std::pair<std::size_t, bool> read(std::string_view window, std::size_t at, LatticeColumn& column);

 private:
  bool number_labels();

  std::shared_ptr<const Labels> labels_;
  LatticeMaker maker_;
  KeyForm form_;
  LatticeDraft draft_;
  LabelKeys keys_;  // of the machine at hand
  std::vector<LabelWord> words_;
};

}  // namespace fstmetrics

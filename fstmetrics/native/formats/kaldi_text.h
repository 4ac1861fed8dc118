// Kaldi lattice archives as text, as io/formats/kaldi_lattice.py describes them; binary ones: fst_archive.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "formats/labels.h"
#include "formats/lattice_column.h"
#include "formats/lattice_draft.h"

namespace fstmetrics {

// Reads windows of an archive, one after the other.
class KaldiTextReader {
 public:
  KaldiTextReader(std::shared_ptr<const Labels> labels, ItemLimits limits)
      : lexicon_(labels), maker_(labels->vocabulary(), limits) {}

  // Appends the lattices of a window, up to the last blank line, or to the end where the file ends there. A damaged
  // one, up to the next blank line, is an entry with its fault.
  //
  // `at`: where in the window they begin, which places of lattices count from its beginning; `line`: lines before that.
  // Returns the byte up to which they go.
  std::size_t read(std::string_view window, std::size_t at, bool ended, std::int64_t line, LatticeColumn& column);
  // Lines before that byte.
  std::int64_t line() const { return line_; }

 private:
  std::int64_t line_ = 0;
  Lexicon lexicon_;
  LatticeMaker maker_;
  LatticeDraft draft_;
};

// Whether the labels of the lattices in a window are integers: all of those that are not damaged, or the first label
// alone. Nothing where there is no label.
std::optional<bool> kaldi_labels_are_integers(std::string_view window, bool ended, bool by_first);

}  // namespace fstmetrics

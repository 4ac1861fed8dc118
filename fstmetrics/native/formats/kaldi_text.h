// Kaldi lattice archives as text, as readers/formats/kaldi_lattice.py describes them; binary ones: fst_states.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/columns.h"

namespace fstmetrics {

struct KaldiLattice {
  std::string key;
  ArcColumns columns;
};

// The lattices of an archive; throws Fault.
std::vector<KaldiLattice> read_kaldi_lattices(std::string_view text);

}  // namespace fstmetrics

// Kaldi lattice archives as text.
#include "formats/kaldi_text.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  return fuzz::run(data, size, [](std::string_view text) {
    for (const KaldiLattice& lattice : read_kaldi_lattices(text)) {
      fuzz::require(!lattice.key.empty());
      fuzz::check(lattice.columns, text);
    }
  });
}

// Kaldi lattice archives as text, in batches: a window that ends anywhere, and all of it.
#include "formats/kaldi_text.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view text = fuzz::view(data, size);
  for (const LabelKind kind : {LabelKind::kWords, LabelKind::kNumbers}) {
    const auto vocabulary = std::make_shared<Vocabulary>();
    const auto labels = std::make_shared<const Labels>(vocabulary, kind);
    LatticeColumn whole(vocabulary), pieces(vocabulary);
    KaldiTextReader reader(labels, {});
    fuzz::require(reader.read(text, 0, true, 0, whole) == size);
    const std::size_t half = reader.read(text.substr(0, size / 2), 0, false, 0, pieces);
    fuzz::require(half <= size / 2);
    reader.read(text, half, true, std::count(text.begin(), text.begin() + half, '\n'), pieces);
    fuzz::check(whole, text);
    fuzz::check_same(whole, pieces);
  }
  kaldi_labels_are_integers(text, true, false);
  return 0;
}

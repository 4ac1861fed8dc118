// k2's text: one lattice, which may be damaged.
#include "formats/k2.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view text = fuzz::view(data, size);
  const auto vocabulary = std::make_shared<Vocabulary>();
  LatticeColumn column(vocabulary);
  const auto labels = std::make_shared<const Labels>(vocabulary, LabelKind::kNumbers);
  read_k2(text, labels, {}, "id", column);
  fuzz::require(column.size() == 1);
  if (size > 0) fuzz::check(column, text);
  return 0;
}

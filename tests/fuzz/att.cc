// AT&T text: recognised, and read, as an acceptor or a transducer.
#include "formats/att.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view text = fuzz::view(data, size);
  looks_like_att(text);
  for (const bool transducer : {false, true}) {
    const auto vocabulary = std::make_shared<Vocabulary>();
    const LabelChoice labels{std::make_shared<const Labels>(vocabulary, LabelKind::kNumbers),
                             std::make_shared<const Labels>(vocabulary, LabelKind::kWords)};
    LatticeColumn column(vocabulary);
    read_att(text, transducer, labels, {}, "id", column);
    fuzz::require(column.size() == 1);
    if (size > 0) fuzz::check(column, text);
  }
  return 0;
}

// HTK's standard lattice format.
#include "formats/slf.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  return fuzz::run(data, size, [](std::string_view text) {
    const SlfText slf = read_slf(text);
    fuzz::check(slf.links, text, kNoWord);
    fuzz::require(slf.pronunciation.size() == slf.links.labels.size());
    fuzz::require(slf.nodes.size() == slf.node_labels.size());
    for (const std::int32_t label : slf.node_labels) {
      fuzz::require(label >= 0 && label < static_cast<std::int32_t>(slf.links.words.size()));
    }
  });
}

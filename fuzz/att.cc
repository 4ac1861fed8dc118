// AT&T text.
#include "formats/att.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  return fuzz::run(data, size, [](std::string_view text) {
    looks_like_att(text);
    fuzz::check(read_att(text), text);
    fuzz::check(read_att(text, true), text);
  });
}

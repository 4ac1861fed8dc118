// Records of JSON lines.
#include "formats/record_columns.h"

#include <numeric>

#include "fuzz.h"

namespace {

using namespace fstmetrics;

void parse(std::string_view text) {
  RecordSchema schema("wer");
  for (const char* name : {"wer", "grr", "hyter", "mer", "wil"}) {
    schema.add('"' + std::string(name) + '"', {name, true, std::vector<std::string>{"edits", "words"}});
  }
  constexpr std::int64_t kMost = 3;  // so that several calls go through one text
  const auto size = static_cast<std::int64_t>(text.size());
  std::int64_t at = 0, line = 0;
  while (at < size) {
    const RecordColumns columns = schema.read(text, at, line, kMost);
    const RecordColumns* found = &columns;
    if (found->fault || found->unknown) return;
    const auto records = static_cast<std::int64_t>(found->lines.size());
    fuzz::require(records <= kMost && at < found->end && found->end <= size && line < found->last_line);
    const std::int64_t operations =
        std::accumulate(found->operations.begin(), found->operations.end(), std::int64_t{0});
    fuzz::require(operations == static_cast<std::int64_t>(found->letters.size()));
    fuzz::require(found->hypothesis.size() == found->letters.size() &&
                  found->reference.size() == found->letters.size());
    for (std::int64_t i = 0; i < records; ++i) {
      fuzz::require(at <= found->begins[i] && found->begins[i] < found->ends[i] && found->ends[i] <= found->end);
    }
    at = found->end;
    line = found->last_line;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

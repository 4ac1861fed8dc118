// Symbol table files.
#include "formats/symbol_table.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  return fuzz::run(data, size, [](std::string_view text) {
    for (const SymbolLine& line : read_symbol_table(text)) fuzz::require(!line.word.empty() && line.line > 0);
  });
}

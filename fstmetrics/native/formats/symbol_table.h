// Symbol table files: `word integer` lines, as OpenFst and Kaldi (words.txt) write them; blanks or a tab between.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fstmetrics {

struct SymbolLine {
  std::string_view word;
  std::int64_t key;
  std::int64_t line;  // from 1
};

// The lines that are not blank, as views into the text; throws Fault.
std::vector<SymbolLine> read_symbol_table(std::string_view text);

}  // namespace fstmetrics

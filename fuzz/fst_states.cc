// OpenFst's binary form after its header: a byte says what is read (an arc type, const states, whose layout goes by the
// rest of the byte, or a symbol table), then
// come the numbers that a header would have given, and the states themselves. seeds.py writes such inputs.
#include "formats/fst_states.h"

#include <array>
#include <cstring>

#include "fuzz.h"

namespace {

using namespace fstmetrics;

constexpr std::array<const char*, 5> kArcTypes = {"standard", "log", "log64", "lattice4", "compactlattice44"};
constexpr std::int64_t kHeader = 17;

std::int64_t integer_at(std::string_view data, std::size_t at) {
  std::int64_t value;
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

void check(const FstStates& read, std::string_view data) {
  fuzz::require(read.end >= kHeader && read.end <= static_cast<std::int64_t>(data.size()));
  fuzz::check(read.columns, data);
}

void parse(std::string_view data) {
  if (data.size() < kHeader) return;
  const auto kind = static_cast<unsigned char>(data[0]) % (kArcTypes.size() + 2);
  const std::int64_t count = integer_at(data, 1), arcs = integer_at(data, 9);
  // As readers/fst_binary.py has it: no more states or symbols than bytes.
  if (count < 0 || count > static_cast<std::int64_t>(data.size()) - kHeader) return;
  if (kind < kArcTypes.size()) {
    check(read_vector_states(data, kHeader, count, fst_weight(kArcTypes[kind])), data);
  } else if (kind == kArcTypes.size()) {
    const auto variant = static_cast<unsigned char>(data[0]) / (kArcTypes.size() + 2);
    const ConstLayout layout{fst_weight(variant % 2 ? "log64" : "standard"), variant % 4 > 1,
                             static_cast<int>(variant)};
    check(read_const_states(data, kHeader, count, arcs, layout), data);
  } else {
    const FstSymbols symbols = read_fst_symbols(data, kHeader, count);
    fuzz::require(symbols.words.size() == symbols.keys.size());
    fuzz::require(symbols.end <= static_cast<std::int64_t>(data.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

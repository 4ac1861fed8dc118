// Batches of packed lattices, whose columns have any numbers: a byte says how many rows, lists are made to fit.
#include "formats/packed.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz.h"

namespace {

using namespace fstmetrics;

// Numbers from the input, zeros behind its end.
class Numbers {
 public:
  explicit Numbers(std::string_view data) : data_(data) {}

  template <class Number>
  Number next() {
    Number value{};
    const std::size_t bytes = std::min(sizeof value, data_.size());
    if (bytes) std::memcpy(&value, data_.data(), bytes);
    data_.remove_prefix(bytes);
    return value;
  }
  template <class Number>
  std::vector<Number> some(std::size_t count) {
    std::vector<Number> values(count);
    for (Number& value : values) value = next<Number>();
    return values;
  }
  // Where lists begin; none has more than 7 entries.
  std::vector<std::int32_t> offsets(std::size_t rows) {
    std::vector<std::int32_t> found(rows + 1, 0);
    for (std::size_t row = 0; row < rows; ++row) found[row + 1] = found[row] + (next<std::uint8_t>() & 7);
    return found;
  }

 private:
  std::string_view data_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(fuzz::view(data, size));
  const std::size_t rows = numbers.next<std::uint8_t>() & 3;
  const auto ids = numbers.offsets(rows), words = numbers.offsets(rows), arcs = numbers.offsets(rows),
             costs = numbers.offsets(rows);
  const auto finals = numbers.offsets(rows), ends = numbers.offsets(rows), times = numbers.offsets(rows),
             lasts = numbers.offsets(rows);
  const auto units = numbers.offsets(rows);
  // Small numbers most often, so that some are right.
  const auto small = [&](std::size_t count) {
    std::vector<std::int32_t> values(count);
    for (std::int32_t& value : values) {
      const auto byte = numbers.next<std::int8_t>();
      value = byte == 127 ? numbers.next<std::int32_t>() : byte;
    }
    return values;
  };
  const auto states = small(rows), starts = small(rows), word_numbers = small(words.back()),
             sources = small(arcs.back());
  const auto destinations = small(arcs.back()), labels = small(arcs.back()), final_states = small(finals.back());
  const auto numbered = numbers.some<std::uint8_t>(rows);
  const auto scales = numbers.some<double>(3 * rows), pairs = numbers.some<double>(2 * costs.back());
  const auto end_pairs = numbers.some<double>(2 * ends.back()), state_times = numbers.some<double>(times.back());
  const auto durations = numbers.some<std::int64_t>(lasts.back());
  const auto id_bytes = numbers.some<char>(ids.back());
  std::vector<char> unit_bytes(units.back());
  for (std::size_t row = 0; row < rows; ++row) {  // "seconds" is the one unit of seven letters
    const int length = units[row + 1] - units[row];
    std::copy_n(length == 7 ? "seconds" : "frames?", length, unit_bytes.begin() + units[row]);
  }
  const auto vocabulary = std::make_shared<Vocabulary>();
  PackedReader reader(vocabulary, 10'000);
  const std::vector<std::int32_t> entries{0, 0, 1, 6};
  reader.add_words({entries}, std::string_view("a<eps>").substr(0, 6));
  const PackedBatch batch{
      .states = states,
      .starts = starts,
      .numbered = numbered,
      .scales = scales,
      .ids = {ids},
      .words = {words},
      .arcs = {arcs},
      .arc_costs = {costs},
      .finals = {finals},
      .final_costs = {ends},
      .state_times = {times},
      .arc_durations = {lasts},
      .units = {units},
      .id_bytes = id_bytes,
      .unit_bytes = unit_bytes,
      .word_numbers = word_numbers,
      .sources = sources,
      .destinations = destinations,
      .labels = labels,
      .final_states = final_states,
      .arc_cost_pairs = pairs,
      .final_cost_pairs = end_pairs,
      .times = state_times,
      .durations = durations,
  };
  LatticeColumn column(vocabulary);
  reader.read(batch, column);
  fuzz::require(column.size() == rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!column[row].automaton) continue;
    const Automaton& automaton = *column[row].automaton;
    fuzz::require(automaton.num_states() == states[row] && automaton.num_arcs() == arcs[row + 1] - arcs[row]);
    fuzz::require(automaton.max_label() < static_cast<Label>(column[row].words.size()) && automaton.min_label() >= 0);
    column.prepared(row);
  }
  return 0;
}

#include "bindings/soft_rows.h"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "search/strings/soft_rows.h"

namespace fstmetrics {

using namespace nb::literals;

namespace {

using SoftSums = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SoftSteps = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check_pieces(bool is_right) {
  if (!is_right) throw std::invalid_argument("numbers outside their arrays, or arrays of other sizes");
}

bool are_pieces_below(std::span<const std::int32_t> numbers, std::size_t most) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [most](std::int32_t n) { return n >= 0 && static_cast<std::size_t>(n) < most; });
}

PieceSets piece_sets(const Ints& offsets, const Ints& characters, const Flags& are_marks, std::size_t alphabet) {
  const std::span begins(offsets.data(), offsets.size());
  const std::span all(characters.data(), characters.size());
  check_pieces(begins.size() == are_marks.size() + 1 && are_pieces_below(begins, all.size() + 1) &&
               std::is_sorted(begins.begin(), begins.end()) && are_pieces_below(all, alphabet));
  return {begins, all, {are_marks.data(), are_marks.size()}};
}

void soft_rows(Ints reference_offsets, Ints reference_characters, Flags reference_marks, Ints rows,
               Ints hypothesis_offsets, Ints hypothesis_characters, Flags hypothesis_marks, Ints columns,
               std::size_t alphabet, SoftSums sums, std::optional<SoftSteps> steps) {
  const PieceSets references = piece_sets(reference_offsets, reference_characters, reference_marks, alphabet);
  const PieceSets hypothesis = piece_sets(hypothesis_offsets, hypothesis_characters, hypothesis_marks, alphabet);
  const std::span down(rows.data(), rows.size());
  const std::span across(columns.data(), columns.size());
  check_pieces(are_pieces_below(down, references.size()) && are_pieces_below(across, hypothesis.size()));
  check_pieces(sums.size() == across.size() + 1);
  check_pieces(!steps || (steps->shape(0) == down.size() && steps->shape(1) == across.size()));
  const std::span<std::uint8_t> found(steps ? steps->data() : nullptr, steps ? steps->size() : 0);
  const Unlocked unlocked;
  SoftRows(references, down, hypothesis, across, alphabet, {sums.data(), sums.size()}, found);
}

}  // namespace

void bind_soft_rows(nb::module_& m) {
  m.def("soft_rows", &soft_rows, "reference_offsets"_a, "reference_characters"_a, "reference_marks"_a, "rows"_a,
        "hypothesis_offsets"_a, "hypothesis_characters"_a, "hypothesis_marks"_a, "columns"_a, "alphabet"_a, "sums"_a,
        "steps"_a.none(),
        "Rows of the table of soft re-segmentation; sums becomes the last one, steps is filled unless it is None.");
}

}  // namespace fstmetrics

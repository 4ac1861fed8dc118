#include "bindings/shift_search.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/sentences.h"
#include "bindings/signals.h"
#include "search/strings/shift_search.h"
#include "support/poll.h"
#include "support/sharing.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

// Pairs that a thread takes at once.
constexpr std::size_t kShiftPairsTogether = 16;

// Sentences of both sides, and which are compared.
struct Pairs {
  Utf8 texts;
  WordTable table;
  Sentences hypotheses, references;
  std::vector<std::int32_t> of_hypothesis, of_reference;

  Pairs(nb::handle hypotheses_given, nb::handle references_given, const Ints& hypothesis_numbers,
        const Ints& reference_numbers) {
    table.reset(1024);
    hypotheses = numbered(hypotheses_given, texts, table);
    references = numbered(references_given, texts, table);
    of_hypothesis = checked(hypothesis_numbers, hypotheses.size());
    of_reference = checked(reference_numbers, references.size());
    if (of_hypothesis.size() != of_reference.size())
      throw std::invalid_argument("both sides of the pairs must be equally many");
  }

  std::size_t size() const { return of_hypothesis.size(); }

  // Calls found(search, edits, pair) of every pair.
  template <class Found>
  void search(int threads, Found found) const {
    const std::size_t blocks = (size() + kShiftPairsTogether - 1) / kShiftPairsTogether;
    SharedWork(blocks).run(threads, [&] {
      return [&, search = ShiftSearch(table.size())](std::size_t block) mutable {
        const std::size_t end = std::min(size(), (block + 1) * kShiftPairsTogether);
        for (std::size_t pair = block * kShiftPairsTogether; pair < end; ++pair) {
          poll(200);
          const std::int64_t edits = search.run(hypotheses[of_hypothesis[pair]], references[of_reference[pair]]);
          found(search, edits, pair);
        }
      };
    });
  }

 private:
  static std::vector<std::int32_t> checked(const Ints& numbers, std::size_t sentences) {
    std::vector<std::int32_t> kept = to_vector<std::int32_t>(numbers);
    for (const std::int32_t number : kept) {
      if (number < 0 || static_cast<std::size_t>(number) >= sentences)
        throw std::invalid_argument("a pair has no such sentence");
    }
    return kept;
  }
};

using Numbers = nb::ndarray<nb::numpy, std::int64_t>;

Numbers shift_edits(nb::handle hypotheses, nb::handle references, const Ints& of_hypothesis, const Ints& of_reference,
                    int threads) {
  const Pairs pairs(hypotheses, references, of_hypothesis, of_reference);
  std::vector<std::int64_t> edits(pairs.size());
  {
    const Unlocked unlocked;
    pairs.search(threads, [&](const ShiftSearch&, std::int64_t found, std::size_t pair) { edits[pair] = found; });
  }
  return to_numpy(std::move(edits));
}

using Alignment = std::tuple<Numbers, Numbers, Numbers>;

std::vector<Alignment> shift_alignments(nb::handle hypotheses, nb::handle references, const Ints& of_hypothesis,
                                        const Ints& of_reference, int threads) {
  struct Found {
    std::vector<std::int64_t> shifts, order, steps;
  };
  const Pairs pairs(hypotheses, references, of_hypothesis, of_reference);
  std::vector<Found> found(pairs.size());
  {
    const Unlocked unlocked;
    pairs.search(threads, [&](const ShiftSearch& search, std::int64_t, std::size_t pair) {
      for (const auto& [start, length, to] : search.shifts()) {
        found[pair].shifts.insert(found[pair].shifts.end(), {start, length, to});
      }
      found[pair].order = search.order();
      for (const PairStep step : search.steps()) found[pair].steps.push_back(static_cast<std::int64_t>(step));
    });
  }
  std::vector<Alignment> alignments;
  for (Found& one : found) {
    alignments.emplace_back(to_numpy(std::move(one.shifts), 3), to_numpy(std::move(one.order)),
                            to_numpy(std::move(one.steps)));
  }
  return alignments;
}

}  // namespace

void bind_shift_search(nb::module_& m) {
  m.def("shift_edits", shift_edits, "hypotheses"_a, "references"_a, "of_hypothesis"_a, "of_reference"_a, "threads"_a,
        "Edits and moves of TER for pairs of sentences, which are lists or tuples of words: pair i is of the "
        "hypothesis and the "
        "reference with the numbers at place i.");
  m.def("shift_alignments", shift_alignments, "hypotheses"_a, "references"_a, "of_hypothesis"_a, "of_reference"_a,
        "threads"_a,
        "Of the same pairs: moves as rows of start, length and new place; where each word of the moved hypothesis "
        "stood at first; "
        "and the steps of the alignment with it (0 match, 1 substitution, 2 insertion, 3 deletion).");
}

}  // namespace fstmetrics

#include "bindings/program_alignments.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/sentences.h"
#include "bindings/signals.h"
#include "search/strings/program_alignments.h"
#include "search/strings/similar_pairs.h"
#include "support/poll.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using Numbers = nb::ndarray<nb::numpy, std::int64_t>;

std::tuple<Numbers, Numbers, Numbers, std::size_t> errors(nb::handle hypotheses, nb::handle references,
                                                          bool rapidfuzz) {
  Utf8 texts;
  WordTable table;
  table.reset(1024);
  const Sentences h = numbered(hypotheses, texts, table), r = numbered(references, texts, table);
  if (h.ends.size() != r.ends.size()) throw std::invalid_argument("hypotheses and references must be equally many");
  ProgramAlignments alignments(table.size());
  {
    const Unlocked unlocked;
    for (std::size_t item = 0; item < r.ends.size(); ++item) {
      const auto number = static_cast<std::int64_t>(item);
      if (rapidfuzz) {
        alignments.add_rapidfuzz(number, r[item], h[item]);
      } else {
        alignments.add_sclite(number, r[item], h[item]);
      }
      poll(static_cast<std::int64_t>(r[item].size() * h[item].size() + 1));
    }
  }
  ErrorList& found = alignments.errors();
  return {to_numpy(std::move(found.items)), to_numpy(std::move(found.places)), to_numpy(std::move(found.operations)),
          r.words.size()};
}

std::string similar(nb::typed<nb::sequence, nb::str> reference, nb::typed<nb::sequence, nb::str> hypothesis,
                    std::int64_t substitution_cost, std::int64_t gap_cost, std::int64_t max_cells) {
  Utf8 texts;
  std::vector<std::string_view> r, h;
  for (const nb::handle word : reference) r.push_back(texts.view(word));
  for (const nb::handle word : hypothesis) h.push_back(texts.view(word));
  const Unlocked unlocked;
  return similar_operations(r, h, substitution_cost, gap_cost, max_cells);
}

}  // namespace

void bind_program_alignments(nb::module_& m) {
  m.def("program_errors", errors, "hypotheses"_a, "references"_a, "rapidfuzz"_a,
        "Where alignments have errors as sclite, or else rapidfuzz, shows them: the pair of each error, its place (2 i "
        "at "
        "word i of the reference, 2 i - 1 before it) and what it is (0 substitution, 1 insertion, 2 deletion); and the "
        "number "
        "of reference words. Sentences are strings, or lists or tuples of words.");
  m.def("similar_operations", similar, "reference"_a, "hypothesis"_a, "substitution_cost"_a, "gap_cost"_a,
        "max_cells"_a,
        "The operations (= S I D) of the cheapest alignment with the most matches whose substituted words are spelled "
        "most alike.");
}

}  // namespace fstmetrics

#include "bindings/document_cuts.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/sentences.h"
#include "bindings/signals.h"
#include "search/strings/document_cuts.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using Cuts = std::pair<nb::ndarray<nb::numpy, std::int64_t>, std::int64_t>;

Cuts found_cuts(DocumentCuts&& found) { return {to_numpy(std::move(found.cuts)), found.edits}; }

Cuts cuts_of_strings(nb::handle references, nb::handle hypothesis) {
  Utf8 texts;
  WordTable table;
  table.reset(1024);
  Sentences r = numbered(references, texts, table), h = numbered(hypothesis, texts, table);
  // Labels are positive.
  for (std::int32_t& word : r.words) ++word;
  for (std::int32_t& word : h.words) ++word;
  const std::vector<std::int64_t> ends(r.ends.begin(), r.ends.end());
  DocumentCuts found;
  {
    const Unlocked unlocked;
    found = string_cuts(h.words, r.words, ends);
  }
  return found_cuts(std::move(found));
}

Cuts cuts_of_graphs(Ints first_states, Ints starts, Ints sources, Ints labels, Ints destinations, Ints hypothesis) {
  if (first_states.size() != starts.size() + 1 || sources.size() != labels.size() ||
      sources.size() != destinations.size()) {
    throw std::invalid_argument("columns of different lengths");
  }
  SegmentGraphs graphs{to_vector<StateId>(first_states), to_vector<StateId>(starts), {}};
  const StateId states = graphs.first_states.back();
  for (std::size_t arc = 0; arc < sources.size(); ++arc) {
    const StateId source = sources.data()[arc], next = destinations.data()[arc];
    if (source < 0 || next < 0 || source >= states || next >= states) throw std::invalid_argument("no such state");
    graphs.arcs.push_back({source, next, labels.data()[arc]});
  }
  const std::vector<Label> words = to_vector<Label>(hypothesis);
  DocumentCuts found;
  {
    const Unlocked unlocked;
    found = graph_cuts(words, graphs);
  }
  return found_cuts(std::move(found));
}

}  // namespace

void bind_document_cuts(nb::module_& m) {
  m.def("cuts_of_strings", cuts_of_strings, "references"_a, "hypothesis"_a,
        "Where the words of a document are cut so that the edits of its segments to their references are the fewest: "
        "K + 1 cuts from 0 to the number of words, and the edits. Of equally good cuts the earliest. References and "
        "the hypothesis, a list of one or several parts, are strings, or lists or tuples of words.");
  m.def("cuts_of_graphs", cuts_of_graphs, "first_states"_a, "starts"_a, "sources"_a, "labels"_a, "destinations"_a,
        "hypothesis"_a,
        "The same against graphs: states first_states[k] to first_states[k + 1] are of segment k, which begins in "
        "starts[k] and ends in the last of them. Label 0 is no word, -1 takes any word. Throws ValueError where a "
        "segment has a cycle of several states, or no path.");
}

}  // namespace fstmetrics

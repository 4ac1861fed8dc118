#include "bindings/choices.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/signals.h"
#include "bindings/strings.h"
#include "formats/choices.h"
#include "formats/fault.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

ChoiceNotation choice_notation(std::string_view name, bool tags) {
  if (name == "sclite") return {'{', '/', '}', true, tags};
  if (name == "braces") return {'{', '|', '}', false, tags};
  if (name == "brackets") return {'[', '|', ']', false, tags};
  if (name == "wildcards") return {0, 0, 0, false, tags};
  throw std::invalid_argument("a notation is 'sclite', 'braces', 'brackets' or 'wildcards', not '" + std::string(name) +
                              "'");
}

const char* reason_of(const ChoiceFault& fault) {
  switch (fault.reason) {
    case ChoiceFault::Reason::kClosesNothing:
      return "closes nothing";
    case ChoiceFault::Reason::kNotClosed:
      return "is not closed";
    default:
      return "touches a word";
  }
}

// Which characters of a string bytes of its UTF-8 are, asked in any order.
class CharacterPlaces {
 public:
  CharacterPlaces(nb::handle string, std::string_view utf8)
      : utf8_(utf8), is_ascii_(PyUnicode_GetLength(string.ptr()) == static_cast<Py_ssize_t>(utf8.size())) {}
  std::size_t of(std::size_t byte) {
    if (is_ascii_) return byte;
    if (byte < byte_) byte_ = character_ = 0;
    character_ += std::count_if(utf8_.begin() + byte_, utf8_.begin() + byte, [](char c) { return (c & 0xC0) != 0x80; });
    byte_ = byte;
    return character_;
  }

 private:
  const std::string_view utf8_;
  const bool is_ascii_;
  std::size_t byte_ = 0, character_ = 0;
};

// Throws a Fault whose byte is a character.
ChoiceParser read_choices(nb::handle text, std::string_view utf8, const ChoiceNotation& notation) {
  ChoiceParser parser(notation);
  if (const std::optional<ChoiceFault> fault = parser.read(utf8)) {
    const auto place = static_cast<std::int64_t>(CharacterPlaces(text, utf8).of(fault->byte));
    throw Fault::at_byte(place, reason_of(*fault));
  }
  return parser;
}

nb::tuple parse_choices(nb::str text, std::string_view notation, bool tags) {
  const SignalWatch watch;
  Utf8 bytes;
  const std::string_view utf8 = bytes.view(text);
  const ChoiceParser parser = read_choices(text, utf8, choice_notation(notation, tags));
  AutomatonSpec spec;
  spec.num_states = parser.num_states();
  spec.finals = {parser.last()};
  WordTable table;
  table.reset(parser.words().size());
  for (const ChoiceArc& arc : parser.arcs()) {
    spec.sources.push_back(arc.source);
    spec.destinations.push_back(arc.destination);
    const bool has_word = arc.word != ChoiceArc::kNoWord;
    spec.labels.push_back(has_word ? table.intern(make_word(parser.words()[arc.word])) : kEpsilon);
  }
  nb::list words, choices, optional;
  for (Label label = 1; label <= table.size(); ++label) words.append(to_str(table.word(label).view()));
  CharacterPlaces places(text, utf8);
  for (const ChoiceParser::Choice& choice : parser.choices()) {
    choices.append(nb::make_tuple(places.of(choice.begin), places.of(choice.end), choice.from, choice.to));
  }
  for (const ChoiceParser::Optional& word : parser.optional()) {
    optional.append(nb::make_tuple(word.before, word.behind, word.end));
  }
  return nb::make_tuple(std::make_shared<Automaton>(spec), words, choices, nb::tuple(optional), parser.depth());
}

}  // namespace

void bind_choices(nb::module_& m) {
  m.def("parse_choices", &parse_choices, "text"_a, "notation"_a, "tags"_a,
        nb::sig("def parse_choices(text: str, notation: str, tags: bool) -> tuple[Automaton, list[str], "
                "list[tuple[int, int, int, int]], tuple[tuple[int, int, int], ...], int]"),
        "What Transcript.parse makes of a text: the automaton and its words, the choices (their characters, and the "
        "states where they begin and end), the words in parentheses, and how deep choices stand within choices. "
        "Raises a Fault whose byte is a character, and whose message is 'closes nothing', 'is not closed' or 'touches "
        "a word'.");
  m.def(
      "depth_of_choices",
      [](nb::str text, std::string_view notation, bool tags) {
        const SignalWatch watch;
        Utf8 bytes;
        return read_choices(text, bytes.view(text), choice_notation(notation, tags)).depth();
      },
      "text"_a, "notation"_a, "tags"_a, "The last of these alone; errors likewise.");
}

}  // namespace fstmetrics

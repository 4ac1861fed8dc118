#include "bindings/choices.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/python_sides.h"
#include "bindings/record_rows.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "bindings/texts.h"
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

// So many texts are looked at at once.
constexpr std::size_t kTextsTogether = 1 << 14;

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

// What becomes of the words, none: themselves; sentence boundaries are no words but in paths of transcripts.
ChangedWords changed_words(const ChoiceLines& lines, nb::handle words, bool has_boundaries) {
  if (words.is_none()) return lines.unchanged_words(has_boundaries);
  ChangedWords changed;
  Utf8 utf8;
  std::vector<std::string_view> views;
  for_each_item(words, [&](nb::handle each) {
    views.clear();
    for_each_item(each, [&](nb::handle word) { views.push_back(utf8.view(word)); });
    changed.add(views);
  });
  if (changed.size() != lines.words().size()) throw std::invalid_argument("what becomes of each of the words");
  return changed;
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

ChoiceGraphs::ChoiceGraphs(const ChoiceLines& lines, ChangedWords&& words) : words_(std::move(words)) {
  graphs_.reserve(lines.num_graphs());
  for (std::size_t row = 0; row < lines.num_graphs(); ++row) graphs_.push_back(lines.graph(row, words_));
}

MixedSides::MixedSides(const std::vector<std::uint8_t>& of_first, std::shared_ptr<const SideColumn> first,
                       std::shared_ptr<const SideColumn> second)
    : first_(std::move(first)), second_(std::move(second)) {
  std::size_t firsts = 0;
  places_.reserve(of_first.size());
  for (const std::uint8_t is_first : of_first) {
    places_.emplace_back(is_first != 0, is_first != 0 ? firsts : places_.size() - firsts);
    firsts += is_first != 0;
  }
  if (first_->size() != firsts || second_->size() != of_first.size() - firsts)
    throw std::invalid_argument("as many items as the columns have");
}

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
  m.def(
      "survey_choices",
      [](const BoundTexts& texts, std::string_view notation, bool tags) -> std::optional<nb::tuple> {
        const ChoiceNotation how = choice_notation(notation, tags);
        ChoiceSurvey survey;
        {
          const Unlocked unlocked;
          for (std::size_t begin = 0; begin < texts.size();
               begin += kTextsTogether) {  // of texts in their file no more in memory
            const BoundTexts::Held part = texts.part(begin, std::min(begin + kTextsTogether, texts.size()));
            if (!survey_choices(*part, how, survey)) return std::nullopt;
          }
        }
        return nb::make_tuple(to_numpy(std::move(survey.kinds)), survey.depth);
      },
      "texts"_a, "notation"_a, "tags"_a,
      nb::sig("def survey_choices(texts: TextColumn, notation: str, tags: bool) -> "
              "tuple[numpy.typing.NDArray[numpy.uint8], int] | None"),
      "Of each text 1 for a choice or an open stretch, and 2 more for words in parentheses; and how deep choices stand "
      "within choices. None where a text cannot be read, or has a word with white space in it.");
  nb::class_<ChoiceLines>(m, "ChoiceLines", "Texts that such a survey is of, parsed.")
      .def(
          "__init__",
          [](ChoiceLines* self, const BoundTexts& texts, std::string_view notation, bool tags, bool are_words) {
            const ChoiceNotation how = choice_notation(notation, tags);
            const Unlocked unlocked;
            new (self) ChoiceLines(texts.all(), how, are_words);
          },
          "texts"_a, "notation"_a, "tags"_a, "are_words"_a,
          "`are_words`: whether words in parentheses are ordinary words with their parentheses; else they may be left "
          "out.")
      .def_prop_ro(
          "leave_choices",
          [](const ChoiceLines& lines) { return to_numpy(std::vector<std::uint8_t>(lines.leave_choices())); }, kOwned,
          "Of each text, whether it leaves a choice or a stretch open.")
      .def_prop_ro(
          "texts", [](const ChoiceLines& lines) { return shared_texts(TextColumn(*lines.texts())); },
          "The words of those that do not, with a space between one and the next.")
      .def_prop_ro(
          "words",
          [](const ChoiceLines& lines) {
            nb::list words;
            for (const std::string_view word : lines.words()) words.append(to_str(word));
            return words;
          },
          nb::sig("def words(self, /) -> list[str]"), "The words of those that do, each once.")
      .def(
          "graphs",
          [](const ChoiceLines& lines, nb::handle words) {
            ChangedWords changed = changed_words(lines, words, false);
            const Unlocked unlocked;
            return std::make_shared<ChoiceGraphs>(lines, std::move(changed));
          },
          "words"_a.none(), nb::sig("def graphs(self, words: Sequence[Sequence[str]] | None) -> ChoiceGraphs"),
          "Those that do, over what becomes of each of the words: none, one or several; None: itself, but that "
          "sentence boundaries become none.")
      .def(
          "alternatives",
          [](const ChoiceLines& lines, nb::handle words, const PathWords& paths) {
            const ChangedWords changed = changed_words(lines, words, true);
            std::vector<std::string> found;
            {
              const Unlocked unlocked;
              found = lines.alternatives(paths.words, changed);
            }
            nb::list made;
            for (const std::string& each : found) made.append(nb::bytes(each.data(), each.size()));
            return made;
          },
          "words"_a.none(), "paths"_a,
          nb::sig("def alternatives(self, words: Sequence[Sequence[str]] | None, paths: PathWords) -> list[bytes]"),
          "What a path of each text takes at every choice, as an array of JSON: `written` and `taken`. Empty for texts "
          "without a choice.");
  nb::class_<ChoiceGraphs>(m, "ChoiceGraphs", "A side of a search: the graphs of texts that leave a choice.")
      .def("__len__", &ChoiceGraphs::size);
  nb::class_<MixedSides>(m, "MixedSides",
                         "A side of a search in which every item is the next one of either of two columns.")
      .def(
          "__init__",
          [](MixedSides* self, const Flags& of_first, nb::handle first, nb::handle second) {
            new (self) MixedSides(to_vector<std::uint8_t>(of_first), side_column(first), side_column(second));
          },
          "of_first"_a, "first"_a, "second"_a,
          nb::sig("def __init__(self, of_first: numpy.typing.NDArray[numpy.uint8], first: typing.Any, second: "
                  "typing.Any) -> None"),
          "`of_first`: of each item, whether it is of the first column.")
      .def("__len__", &MixedSides::size);
}

}  // namespace fstmetrics

#include "bindings/python_sides.h"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/best_path_sides.h"
#include "bindings/choices.h"
#include "bindings/lattices.h"
#include "bindings/record_rows.h"
#include "bindings/texts.h"

namespace fstmetrics {
namespace {

Text words_of(nb::handle side, Utf8& utf8) {
  Text text{{}, {}, true};
  for_each_item(side, [&](nb::handle word) { text.list.push_back(utf8.view(word)); });
  return text;
}

}  // namespace

Given PythonSides::given(std::size_t item) const {
  const nb::object side = nb::borrow(sides_[item]);
  if (PyUnicode_Check(side.ptr())) return Text{utf8_.view(side), {}, false};
  if (nb::isinstance<BoundGraph>(side)) return &nb::cast<const BoundGraph&>(side).graph;
  if (!are_texts(side)) return words_of(side, utf8_);
  Texts texts;
  for_each_item(side, [&](nb::handle text) { texts.push_back(words_of(text, utf8_)); });
  return texts;
}

std::optional<nb::tuple> PythonSides::words(std::size_t item) const {
  const nb::object side = nb::borrow(sides_[item]);
  if (!nb::isinstance<BoundGraph>(side)) return std::nullopt;
  return nb::cast<const BoundGraph&>(side).words;
}

std::unique_ptr<SideColumn> side_column(nb::handle sides) {
  if (nb::isinstance<BoundTexts>(sides)) {
    return std::make_unique<TextSides>(all_texts(nb::cast<const BoundTexts&>(sides)));
  }
  if (nb::isinstance<CharacterSides>(sides)) {
    return std::make_unique<CharacterSides>(nb::cast<const CharacterSides&>(sides));
  }
  if (nb::isinstance<BoundColumn>(sides)) {
    const auto& bound = nb::cast<const BoundColumn&>(sides);
    for (std::size_t i = 0; i < bound.column->size(); ++i) {
      if (!(*bound.column)[i].automaton)
        throw std::invalid_argument("a lattice that could not be read cannot be searched");
    }
    return std::make_unique<LatticeSides>(bound.column);
  }
  if (nb::isinstance<OracleSides>(sides)) {
    return std::make_unique<OracleSideColumn>(nb::cast<std::shared_ptr<OracleSides>>(sides));
  }
  if (nb::isinstance<BestPathSides>(sides)) {
    return std::make_unique<BestPathSideColumn>(nb::cast<std::shared_ptr<BestPathSides>>(sides));
  }
  if (nb::isinstance<WeightedSides>(sides)) {
    auto weighted = nb::cast<std::shared_ptr<WeightedSides>>(sides);
    if (weighted->failure()) throw std::invalid_argument("a lattice without weighted paths cannot be searched");
    return std::make_unique<WeightedSideColumn>(std::move(weighted));
  }
  if (nb::isinstance<AlternativeTexts>(sides)) {
    return std::make_unique<AlternativeTexts>(nb::cast<const AlternativeTexts&>(sides));
  }
  if (nb::isinstance<ChoiceGraphs>(sides)) {
    return std::make_unique<SharedSides>(nb::cast<std::shared_ptr<ChoiceGraphs>>(sides));
  }
  if (nb::isinstance<MixedSides>(sides)) {
    return std::make_unique<SharedSides>(nb::cast<std::shared_ptr<MixedSides>>(sides));
  }
  if (nb::isinstance<PathWords>(sides)) {
    return std::make_unique<PathWordSides>(nb::cast<std::shared_ptr<PathWords>>(sides));
  }
  nb::object tuple = nb::steal(PySequence_Tuple(sides.ptr()));
  if (!tuple.is_valid()) throw nb::python_error();
  return std::make_unique<PythonSides>(nb::borrow<nb::tuple>(tuple));
}

}  // namespace fstmetrics

// Cards of a network, from the objects that json.loads makes to what the engine searches, in one call.

#include "formats/cards.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>

#include "bindings/formats.h"
#include "bindings/signals.h"
#include "lazy/rtn.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace fstmetrics {
namespace {

// Something in the JSON is not as it should be.
struct Unusable {};

void require(bool good) {
  if (!good) throw Unusable{};
}

std::string_view text_of(nb::handle object) {
  require(PyUnicode_Check(object.ptr()));
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (!utf8) PyErr_Clear();  // a lone surrogate
  require(utf8 != nullptr);
  return {utf8, static_cast<std::size_t>(size)};
}

nb::list list_of(nb::handle object) {
  require(PyList_CheckExact(object.ptr()));
  return nb::borrow<nb::list>(object);
}

std::int64_t integer_of(nb::handle object) {
  require(PyLong_CheckExact(object.ptr()));
  const long long value = PyLong_AsLongLong(object.ptr());
  if (value == -1 && PyErr_Occurred()) PyErr_Clear(), throw Unusable{};
  return value;
}

void check_span(nb::handle object) {
  if (object.is_none()) return;
  const nb::list span = list_of(object);
  require(span.size() == 2);
  const std::int64_t from = integer_of(span[0]), to = integer_of(span[1]);
  require(0 <= from && from <= to);
}

double cost_of(nb::handle object) {
  require(PyFloat_CheckExact(object.ptr()) || PyLong_CheckExact(object.ptr()));
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred()) PyErr_Clear(), throw Unusable{};
  require(std::isfinite(value));
  return value;
}

// Notes the costs of the last of `number` arcs or final states; until one has costs there is none at all.
void add_costs(std::vector<CostPair>& costs, std::size_t number, nb::handle object) {
  const nb::list pair = list_of(object);
  require(pair.size() == 2);
  const CostPair cost{cost_of(pair[0]), cost_of(pair[1])};
  if (costs.empty() && cost == CostPair{}) return;
  costs.resize(number);
  costs.back() = cost;
}

void add_arc(CardText& card, nb::handle object) {
  poll(100);
  const nb::list arc = list_of(object);
  require(arc.size() == 3 || arc.size() == 4);
  card.arcs.push_back({integer_of(arc[0]), integer_of(arc[1]), text_of(arc[2])});
  if (arc.size() == 4) add_costs(card.arc_costs, card.arcs.size(), arc[3]);
}

void add_final(CardText& card, nb::handle object) {
  if (PyLong_CheckExact(object.ptr())) return card.finals.push_back(integer_of(object));
  const nb::list state_and_costs = list_of(object);
  require(state_and_costs.size() == 2);
  card.finals.push_back(integer_of(state_and_costs[0]));
  add_costs(card.final_costs, card.finals.size(), state_and_costs[1]);
}

// As many costs as arcs and final states, or none.
void complete_costs(CardText& card) {
  if (!card.arc_costs.empty()) card.arc_costs.resize(card.arcs.size());
  if (card.final_costs.empty()) return;
  card.final_costs.resize(card.finals.size());
  std::vector<std::int64_t> states = card.finals;
  std::sort(states.begin(), states.end());
  require(std::adjacent_find(states.begin(), states.end()) == states.end());  // with other costs, maybe
}

CardText card_of(nb::handle name, nb::handle object) {
  require(PyDict_CheckExact(object.ptr()));
  CardText card;
  card.name = text_of(name);
  bool has_phrases = false, has_finals = false;
  for (const auto& [key, value] : nb::borrow<nb::dict>(object)) {
    const std::string_view field = text_of(key);
    if (field == "phrases") {
      has_phrases = true;
      for (const nb::handle phrase : list_of(value)) card.phrases.push_back(text_of(phrase));
    } else if (field == "arcs") {
      card.has_arcs = true;
      for (const nb::handle arc : list_of(value)) add_arc(card, arc);
    } else if (field == "final") {
      has_finals = true;
      for (const nb::handle state : list_of(value)) add_final(card, state);
    } else if (field == "start") {
      card.start = integer_of(value);
    } else {
      require(field == "span");
      check_span(value);
    }
  }
  require(has_phrases != card.has_arcs && (has_finals || has_phrases));
  complete_costs(card);
  return card;
}

nb::object compile_cards(const nb::dict& cards, const std::string& root) {
  try {
    std::vector<CardText> texts;
    texts.reserve(cards.size());
    std::int32_t root_card = -1;
    const SignalWatch watch;
    for (const auto& [name, card] : cards) {
      poll(100);
      texts.push_back(card_of(name, card));
      if (texts.back().name == root) root_card = static_cast<std::int32_t>(texts.size()) - 1;
    }
    std::optional<CompiledCards> all = compiled(texts);
    require(all.has_value() && root_card >= 0);
    auto rtn = std::make_shared<Rtn>(std::move(all->cards), root_card);
    nb::list words;
    for (std::size_t i = 1; i < all->words.size(); ++i) words.append(all->words[i]);
    return nb::make_tuple(words, std::move(rtn));
  } catch (const Unusable&) {
    return nb::none();
  } catch (const std::invalid_argument&) {  // cards call each other in a circle, or have no path
    return nb::none();
  }
}

}  // namespace

void bind_cards(nb::module_& m) {
  m.def("compile_cards", compile_cards, "cards"_a, "root"_a,
        nb::sig("def compile_cards(cards: dict[str, dict[str, object]], root: str) -> tuple[list[str], Rtn] | None"),
        "Words and automata of the cards of a network's JSON form; None where anything is wrong with them.");
}

}  // namespace fstmetrics

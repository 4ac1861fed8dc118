// Cards of a network, and the RTN and the automaton that become of them. A line each: `c` begins a card with its name,
// `p` is a phrase, `a` an arc (`source destination label`), `s` the start, `f` a final state.
#include "formats/cards.h"

#include <charconv>
#include <memory>
#include <stdexcept>

#include "formats/lines.h"
#include "fuzz.h"
#include "lazy/rtn.h"

namespace {

using namespace fstmetrics;

constexpr std::int64_t kMaxArcs = 10'000;

// The integer at the front, which is taken off; 0 where there is none.
std::int64_t integer(std::string_view& text) {
  std::int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return value;
}

void add(std::vector<CardText>& cards, std::string_view line) {
  if (line.empty()) return;
  const char kind = line[0];
  line.remove_prefix(1);
  if (kind == 'c') cards.emplace_back().name = line;
  if (cards.empty()) return;
  CardText& card = cards.back();
  if (kind == 'p') card.phrases.push_back(line);
  if (kind == 's') card.start = integer(line);
  if (kind == 'f') card.finals.push_back(integer(line));
  if (kind == 'a') {
    const std::int64_t source = integer(line), destination = integer(line);
    card.arcs.push_back({source, destination, line});
    card.has_arcs = true;
  }
}

void parse(std::string_view text) {
  std::vector<CardText> cards;
  for_each_line(text, [&](std::int64_t, std::string_view line) { add(cards, line); });
  const std::optional<CompiledCards> made = compiled(cards);
  if (!made) return;
  fuzz::require(made->cards.size() == cards.size());
  std::unique_ptr<Rtn> rtn;
  try {
    rtn = std::make_unique<Rtn>(made->cards, 0);
  } catch (const std::invalid_argument&) {  // cards call each other in a circle, or have no path
    return;
  }
  const auto automaton = rtn->unfolded(kMaxArcs);
  fuzz::require((automaton == nullptr) == (rtn->expanded_arcs() > kMaxArcs));
  if (automaton) fuzz::require(automaton->has_path() && automaton->max_label() <= rtn->max_label());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, parse);
}

#include "formats/fst_states.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "formats/fault.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// A position that never runs past the end. Numbers are little-endian, as on every machine this is built for.
class StateCursor {
 public:
  StateCursor(std::string_view data, std::int64_t at) : data_(data), at_(at) {}
  std::int64_t at() const { return at_; }

  // Moves past `count` things of `size` bytes; `what()` names them.
  template <class What>
  std::string_view take(std::int64_t count, std::int64_t size, What what) {
    const std::int64_t left = static_cast<std::int64_t>(data_.size()) - at_;
    if (count < 0 || count > left / size) {
      const std::string times = count == 1 ? "" : std::to_string(count) + " x ";
      throw Fault::at_byte(at_, what() + " would take " + times + std::to_string(size) + " bytes, but " +
                                    std::to_string(left) + " are left");
    }
    const std::string_view taken = data_.substr(at_, count * size);
    at_ += count * size;
    return taken;
  }

 private:
  std::string_view data_;
  std::int64_t at_;
};

template <class Number>
Number number_at(std::string_view data, std::size_t at) {
  Number value;
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

struct Reader {
  StateCursor cursor;
  FstWeight weight;
  ArcColumns columns;

  std::size_t width() const { return weight.numbers * (weight.doubles ? 8 : 4); }

  CostPair cost_at(std::string_view data, std::size_t at) const {
    if (weight.doubles) return {number_at<double>(data, at), 0.0};
    return {number_at<float>(data, at), weight.numbers == 2 ? number_at<float>(data, at + 4) : 0.0F};
  }

  void add_final(std::int64_t state, CostPair cost, std::int64_t place) {
    // +inf is what "not final" looks like, so these are left out before anything is checked.
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double last = weight.numbers == 2 ? cost[1] : cost[0];
    if (cost[0] != kInfinity || last != kInfinity) columns.add_final(state, cost, place);
  }

  // int32 input label, int32 output label, weight, int32 next state; where they lie as in memory, with padding.
  void add_arcs(std::int64_t state, std::string_view data, std::int64_t place, std::size_t padding = 0) {
    Polls poll;
    for (std::size_t at = 0; at < data.size(); at += 12 + width() + padding) {
      poll(10);
      columns.add_arc(state, number_at<std::int32_t>(data, at + 8 + width()), number_at<std::int32_t>(data, at + 4),
                      cost_at(data, at + 8), place + static_cast<std::int64_t>(at));
      if (weight.numbers == 2) columns.frames.push_back(number_at<std::int32_t>(data, at) != 0);  // a transition id
    }
  }

  void read_state(std::int64_t state) {
    poll(20);
    const std::int64_t place = cursor.at();
    const auto name = [&] { return "state " + std::to_string(state); };
    const std::string_view head = cursor.take(1, static_cast<std::int64_t>(width()) + 8, name);
    add_final(state, cost_at(head, 0), place);
    const auto count = number_at<std::int64_t>(head, width());
    const std::int64_t begin = cursor.at();
    add_arcs(state,
             cursor.take(count, 12 + static_cast<std::int64_t>(width()),
                         [&] { return "the " + std::to_string(count) + " arcs of state " + std::to_string(state); }),
             begin);
  }

  // With strings of transition ids after every weight, whose length is part of it.
  void read_compact_state(std::int64_t state) {
    Polls poll;
    poll(50);
    const std::string name = "state " + std::to_string(state);
    const auto named = [&](const char* what) { return [&name, what] { return what + name; }; };
    const std::int64_t place = cursor.at();
    const std::string_view head = cursor.take(1, 12, named(""));
    cursor.take(number_at<std::int32_t>(head, 8), 4, named("the transition ids of "));
    add_final(state, cost_at(head, 0), place);
    const auto count = number_at<std::int64_t>(cursor.take(1, 8, named("the number of arcs of ")), 0);
    if (count < 0) throw Fault::at_byte(cursor.at(), name + " has " + std::to_string(count) + " arcs");
    for (std::int64_t i = 0; i < count; ++i) {
      poll(20);
      const std::int64_t arc_place = cursor.at();
      const std::string_view arc = cursor.take(1, 20, named("an arc of "));
      cursor.take(number_at<std::int32_t>(arc, 16), 4, named("the transition ids of an arc of "));
      const auto next = number_at<std::int32_t>(cursor.take(1, 4, named("an arc of ")), 0);
      columns.add_arc(state, next, number_at<std::int32_t>(arc, 4), cost_at(arc, 8), arc_place);
      columns.frames.push_back(number_at<std::int32_t>(arc, 16));
    }
  }
};

}  // namespace

FstWeight fst_weight(std::string_view arc_type) {
  if (arc_type == "standard" || arc_type == "log") return {1, false, false};
  if (arc_type == "log64") return {1, true, false};
  if (arc_type == "lattice4") return {2, false, false};
  if (arc_type == "compactlattice44") return {2, false, true};
  throw std::invalid_argument("no arcs of type " + std::string(arc_type));
}

FstStates read_vector_states(std::string_view data, std::int64_t at, std::int64_t states, FstWeight weight) {
  Reader reader{StateCursor(data, at), weight, {}};
  for (std::int64_t state = 0; state < states; ++state) {
    weight.has_string ? reader.read_compact_state(state) : reader.read_state(state);
  }
  return {std::move(reader.columns), reader.cursor.at()};
}

FstStates read_const_states(std::string_view data, std::int64_t at, std::int64_t states, std::int64_t arcs,
                            const ConstLayout& layout) {
  Reader reader{StateCursor(data, at), layout.weight, {}};
  const auto named = [](const char* what) { return [what] { return std::string(what); }; };
  const auto align = [&] {
    constexpr std::int64_t kAlignment = 16;
    const std::int64_t over = (layout.origin + reader.cursor.at()) % kAlignment;
    if (layout.aligned && over) reader.cursor.take(kAlignment - over, 1, named("the padding"));
  };
  // A state is its final weight, uint32 first arc, arcs, and two counts of epsilons. Doubles pad arcs to their own size.
  const auto width = static_cast<std::int64_t>(reader.width());
  const std::int64_t state_size = width + 16, padding = layout.weight.doubles ? 4 : 0, arc_size = width + 12 + padding;
  align();
  const std::int64_t head_place = reader.cursor.at();
  const std::string_view heads = reader.cursor.take(states, state_size, named("the states"));
  align();
  const std::int64_t first = reader.cursor.at();
  const std::string_view all = reader.cursor.take(arcs, arc_size, named("the arcs"));
  std::int64_t seen = 0;
  for (std::int64_t state = 0; state < states; ++state) {
    poll(20);
    const std::string_view head = heads.substr(state * state_size, state_size);
    const std::int64_t begin = number_at<std::uint32_t>(head, width), count = number_at<std::uint32_t>(head, width + 4);
    const std::int64_t place = head_place + state * state_size;
    reader.add_final(state, reader.cost_at(head, 0), place);
    if (begin != seen || begin + count > arcs) {
      throw Fault::at_byte(place, "the arcs of state " + std::to_string(state) + " are out of place");
    }
    reader.add_arcs(state, all.substr(begin * arc_size, count * arc_size), first + begin * arc_size, padding);
    seen += count;
  }
  return {std::move(reader.columns), reader.cursor.at()};
}

FstSymbols read_fst_symbols(std::string_view data, std::int64_t at, std::int64_t size) {
  Polls poll;
  FstSymbols symbols;
  StateCursor cursor(data, at);
  for (std::int64_t i = 0; i < size; ++i) {
    poll(20);
    const auto length = [] { return std::string("the length of a symbol"); };
    const auto bytes = number_at<std::int32_t>(cursor.take(1, 4, length), 0);
    symbols.words.push_back(cursor.take(bytes, 1, [] { return std::string("a symbol"); }));
    symbols.keys.push_back(number_at<std::int64_t>(cursor.take(1, 8, [] { return std::string("a symbol's key"); }), 0));
  }
  symbols.end = cursor.at();
  return symbols;
}

}  // namespace fstmetrics

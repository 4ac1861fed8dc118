#include "lazy/weighted_cards.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

double added(double log, double other) {
  const double high = std::max(log, other), low = std::min(log, other);
  return low == kNone ? high : high + std::log1p(std::exp(low - high));
}

double greatest(double one, double other) { return std::max(one, other); }

using Plus = double (*)(double, double);

// Sums, by `plus`, of what the derivations of cards are worth: minus their costs. For each card and each position of
// the words at which it may begin, by the position at which it ends. Without words, which are then any, there is one
// position.
class Inside {
 public:
  Inside(const Rtn& rtn, std::span<const double> costs, std::optional<std::span<const Label>> words, Plus plus)
      : rtn_(rtn),
        costs_(costs),
        words_(words),
        plus_(plus),
        positions_(words ? words->size() + 1 : 1),
        rows_(rtn.cards().size()) {
    for (const std::int32_t card : rtn.bottom_up()) {
      for (std::size_t begin = 0; begin < positions_; ++begin) rows_[card].push_back(row(rtn.cards()[card], begin));
    }
  }

  double whole() const {
    const std::vector<double>& ends = rows_[rtn_.root()][0];
    return ends.size() == positions_ ? ends.back() : kNone;
  }

 private:
  // Of a card that begins at a position, by the number of positions from there to its end; what is left out is kNone.
  std::vector<double> row(const Automaton& card, std::size_t begin) {
    const std::size_t width = positions_ - begin;
    cells_.assign(card.num_states(), {});
    cells_[0] = {0.0};
    std::vector<double> ends;
    for (StateId state = 0; state < card.num_states(); ++state) {
      const std::vector<double> here = std::move(cells_[state]);
      if (here.empty()) continue;
      if (card.is_final(state)) add(here, 0, 0.0, width, ends);
      for (const Arc& arc : card.arcs(state)) pass(here, arc, begin, cells_[arc.next]);
    }
    return ends;
  }

  void pass(const std::vector<double>& here, const Arc& arc, std::size_t begin, std::vector<double>& there) {
    const std::size_t width = positions_ - begin;
    const double worth = -costs_[arc.origin];
    poll(4);
    if (arc.label == kEpsilon || (arc.label > 0 && !words_)) return add(here, 0, worth, width, there);
    for (std::size_t x = 0; x < here.size(); ++x) {
      if (here[x] == kNone) continue;
      if (arc.label < 0) {
        add(rows_[called_card(arc.label)][begin + x], x, here[x] + worth, width, there);
      } else if (begin + x + 1 < positions_ && (*words_)[begin + x] == arc.label) {
        add({0.0}, x + 1, here[x] + worth, width, there);
      }
    }
  }

  // there[shift + i] gets what from[i] and `worth` come to.
  void add(const std::vector<double>& from, std::size_t shift, double worth, std::size_t width,
           std::vector<double>& there) {
    const std::size_t size = std::min(from.size(), width - shift);
    poll(10 + 20 * static_cast<std::int64_t>(size));
    if (there.size() < shift + size) there.resize(shift + size, kNone);
    for (std::size_t i = 0; i < size; ++i) {
      if (from[i] != kNone) there[shift + i] = plus_(there[shift + i], from[i] + worth);
    }
  }

  const Rtn& rtn_;
  const std::span<const double> costs_;
  const std::optional<std::span<const Label>> words_;
  const Plus plus_;
  const std::size_t positions_;
  std::vector<std::vector<std::vector<double>>> rows_;
  std::vector<std::vector<double>> cells_;
};

}  // namespace

std::vector<double> scaled_costs(const Rtn& rtn, const LatticeScales& scales,
                                 const std::vector<std::uint8_t>& counts_as_word) {
  const auto scaled = [&](const CostPair& cost) { return scales.graph * cost[0] + scales.acoustic * cost[1]; };
  std::vector<double> costs;
  for (std::int32_t number = 0; number < static_cast<std::int32_t>(rtn.cards().size()); ++number) {
    const Automaton& card = rtn.as_given(number);
    for (std::int32_t arc = 0; arc < card.num_arcs(); ++arc) {
      poll(8);
      const Label label = card.all_arcs()[arc].label;
      const bool is_word = label > kEpsilon && counts_as_word.at(label);
      costs.push_back(scaled(card.arc_cost(arc)) + (is_word ? scales.word_penalty : 0.0));
    }
    for (StateId state = 0; state < card.num_states(); ++state) costs.push_back(scaled(card.final_cost(state)));
  }
  return costs;
}

double largest_sum(const Rtn& rtn, std::span<const std::int64_t> costs) {
  std::vector<double> largest(rtn.cards().size(), 0.0);
  for (const std::int32_t number : rtn.bottom_up()) {
    const Automaton& card = rtn.cards()[number];
    std::vector<double> from(card.num_states(), 0.0);
    for (StateId state = card.num_states() - 1; state >= 0; --state) {
      poll(work_at(card, state));
      for (const Arc& arc : card.arcs(state)) {
        const double called = arc.label < 0 ? largest[called_card(arc.label)] : 0.0;
        from[state] = std::max(from[state], std::abs(static_cast<double>(costs[arc.origin])) + called + from[arc.next]);
      }
    }
    largest[number] = from[0];
  }
  return largest[rtn.root()];
}

Regrets regrets(const Rtn& rtn, std::span<const std::int64_t> costs) {
  Polls poll;
  Regrets all{std::vector<std::int64_t>(costs.size(), 0), 0};
  std::vector<std::int64_t> best(rtn.cards().size());
  for (const std::int32_t number : rtn.bottom_up()) {
    const Automaton& card = rtn.cards()[number];
    const auto last = card.num_states() - 1;
    std::vector<std::int64_t> rest(card.num_states(), std::numeric_limits<std::int64_t>::max());
    rest[last] = 0;
    const auto through = [&](const Arc& arc) {
      return costs[arc.origin] + (arc.label < 0 ? best[called_card(arc.label)] : 0) + rest[arc.next];
    };
    for (StateId state = last - 1; state >= 0; --state) {
      poll(4 + 8 * std::ssize(card.arcs(state)));
      for (const Arc& arc : card.arcs(state)) rest[state] = std::min(rest[state], through(arc));
      for (const Arc& arc : card.arcs(state)) all.costs[arc.origin] = through(arc) - rest[state];
    }
    best[number] = rest[0];
  }
  all.least = best[rtn.root()];
  return all;
}

double log_mass(const Rtn& rtn, std::span<const double> costs) {
  return Inside(rtn, costs, std::nullopt, added).whole();
}

double log_mass_of(const Rtn& rtn, std::span<const double> costs, std::span<const Label> words) {
  return Inside(rtn, costs, words, added).whole();
}

double least_cost_of(const Rtn& rtn, std::span<const double> costs, std::span<const Label> words) {
  return -Inside(rtn, costs, words, greatest).whole();
}

}  // namespace fstmetrics

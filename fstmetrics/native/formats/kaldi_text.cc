#include "formats/kaldi_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "formats/lines.h"

namespace fstmetrics {
namespace {

using Fields = std::vector<std::string_view>;

// What no key looks like: states, a word, and costs joined by commas.
bool is_weighted_arc(const Fields& fields) {
  return (fields.size() == 4 || fields.size() == 5) && is_digits(fields[0]) && is_digits(fields[1]) &&
         fields.back().find(',') != std::string_view::npos;
}

// A lattice as far as it is read.
class Draft {
 public:
  Draft(std::string_view key, std::int64_t line) : key_(key), line_(line) {}

  void add(std::string_view line, std::int64_t number) {
    split(line, fields_);
    const std::size_t count = fields_.size();
    if (count <= 2) {
      const std::int64_t state = state_number(fields_[0]);
      columns_.add_final(state, costs(count == 2 ? fields_[1] : std::string_view{}), number);
      return;
    }
    if (count > 5) throw Fault("expected 1 to 5 fields, found " + std::to_string(count) + ": {}", line);
    // Four fields are a compact arc with its weight, or another arc without: only a weight has commas.
    const bool compact = count == 3 || (count == 4 && std::count(fields_[3].begin(), fields_[3].end(), ',') == 2);
    settle(compact, line);
    if (!compact && !is_digits(fields_[2])) {
      throw Fault("expected an integer (a transition id) as third of these fields: {}", line);
    }
    const std::int64_t source = state_number(fields_[0]), destination = state_number(fields_[1]);
    const CostPair cost = costs(count == (compact ? 4U : 5U) ? fields_.back() : std::string_view{});
    columns_.add_arc(source, destination, words_.intern(fields_[compact ? 2 : 3]), cost, number);
    // A transition id is a frame; in the other form each arc has one, or 0 for none.
    columns_.frames.push_back(compact ? ids_in(fields_.back(), count == 4) : fields_[2] != "0");
  }

  KaldiLattice complete() {
    // A lattice without arcs is a key and a blank line.
    if (columns_.finals.empty() && !columns_.labels.empty()) throw faulty("lattice {} has no final state: is it cut off?");
    columns_.set_words(words_);
    return {std::string(key_), std::move(columns_)};
  }

  Fault faulty(std::string message) const {
    Fault fault(std::move(message), key_);
    fault.line = line_;
    return fault;
  }

  // Whether an arc enters a state that is not final and has no arcs, or there is nothing but a key.
  bool has_dead_end() const {
    std::unordered_set<std::int64_t> alive(columns_.finals.begin(), columns_.finals.end());
    if (alive.empty()) return true;
    alive.insert(columns_.sources.begin(), columns_.sources.end());
    return std::ranges::any_of(columns_.destinations, [&](std::int64_t state) { return !alive.contains(state); });
  }

 private:
  CostPair costs(std::string_view weight) {
    if (weight.empty()) return {};
    const std::size_t first = weight.find(','), second = weight.find(',', first + 1);
    const bool has_ids = first != weight.npos && second != weight.npos;
    if (first == weight.npos || (has_ids && weight.find(',', second + 1) != weight.npos)) {
      throw Fault("expected a weight `graph,acoustic[,ids]`, not {}", weight);
    }
    settle(has_ids, weight);
    const double graph = cost_number(weight.substr(0, first));
    return {graph, cost_number(weight.substr(first + 1, has_ids ? second - first - 1 : weight.npos))};
  }

  // The ids of a weight `graph,acoustic,ids`, joined by underscores.
  static std::int32_t ids_in(std::string_view weight, bool has_weight) {
    const std::string_view ids = has_weight ? weight.substr(weight.rfind(',') + 1) : std::string_view{};
    return ids.empty() ? 0 : 1 + static_cast<std::int32_t>(std::count(ids.begin(), ids.end(), '_'));
  }

  void settle(bool compact, std::string_view where) {
    if (compact_.value_or(compact) != compact) {
      throw Fault(*compact_ ? "{} does not fit in a compact lattice (graph,acoustic,ids)"
                            : "{} does not fit in a lattice (graph,acoustic)",
                  where);
    }
    compact_ = compact;
  }

  std::string_view key_;
  std::int64_t line_;
  ArcColumns columns_;
  Symbols words_;
  std::optional<bool> compact_;  // none until a line tells
  Fields fields_;
};

// The lines that open lattices: no key may come twice.
class Keys {
 public:
  void add(std::string_view key, std::int64_t line) {
    const auto index = static_cast<std::size_t>(keys_.intern(key));
    if (index < lines_.size()) throw Fault("key {} is already in line " + std::to_string(lines_[index]), key);
    lines_.push_back(line);
  }

 private:
  Symbols keys_;
  std::vector<std::int64_t> lines_;
};

}  // namespace

std::vector<KaldiLattice> read_kaldi_lattices(std::string_view text) {
  std::vector<KaldiLattice> lattices;
  Keys keys;
  std::optional<Draft> draft;
  Fields words;
  for_each_line(text, [&](std::int64_t number, std::string_view line) {
    if (const std::string_view bare = stripped(line); bare.empty()) {
      if (draft) lattices.push_back(draft->complete());
      draft.reset();
    } else if (!draft) {
      split(line, words);
      if (is_weighted_arc(words)) throw Fault("expected a key, not an arc, {}: is there a blank line in a lattice?", bare);
      keys.add(bare, number);
      draft.emplace(bare, number);
    } else {
      draft->add(line, number);
    }
  });
  if (!draft) return lattices;
  // Some programs leave out the last blank line. States come in order, so a lattice that is cut off between two lines lacks
  // those of a state that an arc enters.
  const Draft& last = *draft;
  if (!text.ends_with('\n') || last.has_dead_end()) {
    draft->complete();
    throw last.faulty("no blank line ends lattice {}: is the file cut off? If it is whole, add one");
  }
  lattices.push_back(draft->complete());
  return lattices;
}

}  // namespace fstmetrics

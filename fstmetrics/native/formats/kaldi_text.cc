#include "formats/kaldi_text.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/text_rows.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr char kTransitionIds[] = "transition ids";

// What no key looks like: states, a word, and costs joined by commas.
bool is_weighted_arc(const TextRows& row) {
  return (row.size() == 4 || row.size() == 5) && is_digits(row[0]) && is_digits(row[1]) &&
         row.back().find(',') != std::string_view::npos;
}

// `graph,acoustic` or `graph,acoustic,ids`, where there are ids.
struct Weight {
  CostPair cost{};
  bool has_ids = false;  // be they none
  std::string_view ids;  // joined by underscores
};

// Nothing where it is written in an unusual way, or wrong.
bool read_quickly(std::string_view text, Weight& weight) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (!(at = plain_number(at, end, weight.cost[0])) || at == end || *at != ',') return false;
  if (!(at = plain_number(at + 1, end, weight.cost[1]))) return false;
  if (at == end) return true;
  if (*at != ',') return false;
  weight.has_ids = true;
  weight.ids = {at + 1, static_cast<std::size_t>(end - at - 1)};
  return weight.ids.find(',') == weight.ids.npos;
}

Weight read_weight(std::string_view text) {
  Weight weight;
  if (text.empty() || read_quickly(text, weight)) return weight;
  weight = {};
  const std::size_t first = text.find(','), second = text.find(',', first + 1);
  weight.has_ids = first != text.npos && second != text.npos;
  if (first == text.npos || (weight.has_ids && text.find(',', second + 1) != text.npos)) {
    throw Fault("expected a weight `graph,acoustic[,ids]`, not {}", text);
  }
  return weight;
}

// The costs of a weight that is not read quickly.
void read_costs(std::string_view text, Weight& weight) {
  const std::size_t first = text.find(','), second = text.find(',', first + 1);
  weight.cost[0] = cost_number(text.substr(0, first));
  weight.cost[1] = cost_number(text.substr(first + 1, weight.has_ids ? second - first - 1 : text.npos));
  if (weight.has_ids) weight.ids = text.substr(second + 1);
}

bool is_kaldi_weight(std::string_view text) try {
  Weight weight;
  if (!read_quickly(text, weight)) weight = read_weight(text), read_costs(text, weight);
  return true;
} catch (const Fault&) { return false; }

// A lattice as far as it is read.
class KaldiLattice {
 public:
  KaldiLattice(const TextRows& row, LatticeDraft& draft, Lexicon& lexicon)
      : key_(trimmed(row.line())), first_line_(row.number()), draft_(draft), lexicon_(lexicon) {
    draft_.clear();
    draft_.has_frames = true;
    lexicon_.restart();
  }

  std::string_view key() const { return key_; }
  bool has_transition_ids() const { return has_transition_ids_; }

  void add(const TextRows& row) {
    const std::size_t count = row.size();
    const std::int64_t line = row.number() - first_line_ + 1;
    const bool is_regular = row.is_regular();
    if (!is_regular) check_tabs(row.line(), false);
    if (count <= 2) return add_final(row, line);
    if (count > 5) throw Fault("expected 1 to 5 fields, found " + std::to_string(count) + ": {}", row.line());
    // Four fields are a compact arc with its weight, or another arc without: only a weight has commas.
    Weight weight;
    bool is_read = false, compact = count == 3;
    if (count == 4) {
      is_read = read_quickly(row[3], weight);
      compact = is_read ? weight.has_ids : std::count(row[3].begin(), row[3].end(), ',') == 2;
    }
    if (compact_.value_or(compact) != compact) settle(compact, row.line());
    compact_ = compact;
    if (!is_regular) check_label(row, compact ? 2 : 3);
    if (!compact && !is_digits(row[2])) {
      throw Fault("expected an integer (a transition id) as third of these fields: {}", row.line());
    }
    DraftArc arc{state_number(row[0]), state_number(row[1]), line, 0, 0, {}};
    if (count == (compact ? 4U : 5U)) {
      if (!is_read) take(row.back(), weight);
      if (weight.has_ids != compact) settle(weight.has_ids, row.back());
      arc.cost = weight.cost;
    }
    arc.label = lexicon_.label(row[compact ? 2 : 3], row.text_end());
    // A transition id is a frame; in the other form each arc has one, or 0 for none.
    arc.frames = compact ? ids_in(weight.ids) : row[2] != "0";
    has_transition_ids_ |= compact ? !weight.ids.empty() : row[2].find_first_not_of('0') != row[2].npos;
    draft_.add_arc(arc);
  }

  // Whether there is anything wrong with the whole of it.
  std::optional<Fault> fault() const {
    // A lattice without arcs is a key and a blank line.
    if (!draft_.finals.empty() || draft_.arcs.empty()) return std::nullopt;
    return of_key("lattice {} has no final state: is it cut off?");
  }

  Fault of_key(std::string message) const {
    Fault fault(std::move(message), key_);
    fault.line = 1;
    return fault;
  }

  // Whether an arc enters a state that is not final and has no arcs, or there is nothing but a key.
  bool has_dead_end() const {
    std::unordered_set<std::int64_t> alive;
    for (const DraftFinal& final : draft_.finals) alive.insert(final.state);
    if (alive.empty()) return true;
    for (const DraftArc& arc : draft_.arcs) alive.insert(arc.source);
    return std::ranges::any_of(draft_.arcs, [&](const DraftArc& arc) { return !alive.contains(arc.destination); });
  }

 private:
  void add_final(const TextRows& row, std::int64_t line) {
    const std::int64_t state = state_number(row[0]);
    Weight weight;
    if (row.size() == 2) {
      take(row[1], weight);
      settle(weight.has_ids, row[1]);
      has_transition_ids_ |= !weight.ids.empty();
    }
    draft_.add_final({state, line, weight.cost});
  }

  // Refuses a weight behind several blanks where a label is due: most likely the label is empty.
  static void check_label(const TextRows& row, std::size_t label) {
    if (row.size() != label + 1 || !is_kaldi_weight(row[label])) return;
    if (row[label].data() - (row[label - 1].data() + row[label - 1].size()) > 1) {
      throw Fault("{} where a label is due: a label that is no word is written <eps>", row[label]);
    }
  }

  // Which form it is settles before its costs are looked at.
  void take(std::string_view text, Weight& weight) {
    if (read_quickly(text, weight)) return;
    weight = read_weight(text);
    settle(weight.has_ids, text);
    read_costs(text, weight);
  }

  static std::int32_t ids_in(std::string_view ids) {
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
  std::int64_t first_line_;
  LatticeDraft& draft_;
  Lexicon& lexicon_;
  std::optional<bool> compact_;  // none until a line tells
  bool has_transition_ids_ = false;
};

// Calls found(lattice, draft, fault) for every lattice of a text, with its key and place, and what is wrong with its
// lines. Returns how many line ends it has passed.
template <class Found>
std::int64_t for_each_lattice(std::string_view text, std::int64_t line, LatticeDraft& columns, Lexicon& lexicon,
                              Found found) {
  const bool is_all_text = is_text(text);
  std::optional<KaldiLattice> draft;
  std::optional<Fault> fault;
  WordLattice lattice;
  const auto finish = [&](std::size_t end, bool has_blank_line) {
    lattice.id = draft->key();
    lattice.end = static_cast<std::int64_t>(end);
    lattice.is_text_damaged = !is_all_text && !is_text(text.substr(lattice.begin, end - lattice.begin));
    if (!fault) fault = draft->fault();
    // Some programs leave out the last blank line. States come in order, so a lattice that is cut off between two lines
    // lacks those of a state that an arc enters.
    if (!fault && !has_blank_line && (!text.ends_with('\n') || draft->has_dead_end())) {
      fault = draft->of_key("no blank line ends lattice {}: is the file cut off? If it is whole, add one");
    }
    const bool goes_on = found(std::move(lattice), *draft, std::move(fault));
    lattice = {};
    fault.reset();
    draft.reset();
    return goes_on;
  };

  Polls poll;
  TextRows row(text);
  while (row.next()) {
    poll(20 + static_cast<std::int64_t>(row.end() - row.begin()));
    if (row.size() == 0) {
      if (draft && !finish(row.end(), true)) return row.number();
      continue;
    }
    if (fault) continue;
    try {
      if (draft) {
        draft->add(row);
        continue;
      }
      lattice.begin = static_cast<std::int64_t>(row.begin());
      lattice.line = line + row.number() - 1;
      draft.emplace(row, columns, lexicon);
      if (is_weighted_arc(row)) {
        throw Fault("expected a key, not an arc, {}: is there a blank line in a lattice?", draft->key());
      }
    } catch (Fault& thrown) {
      if (thrown.line == 0) thrown.line = line + row.number() - lattice.line;
      fault = std::move(thrown);
    }
  }
  if (draft) finish(text.size(), false);
  return row.number() - (!text.empty() && !text.ends_with('\n'));
}

std::string_view whole_lattices(std::string_view window, bool ended) {
  return window.substr(0, ended ? window.size() : last_blank_line(window));
}

}  // namespace

std::size_t KaldiTextReader::read(std::string_view window, std::size_t at, bool ended, std::int64_t line,
                                  LatticeColumn& column) {
  const std::string_view text = whole_lattices(window.substr(at), ended);
  const bool no_words = lexicon_.labels().kind() == LabelKind::kNumbers;
  line_ =
      line + for_each_lattice(text, line, draft_, lexicon_,
                              [&](WordLattice lattice, const KaldiLattice& draft, std::optional<Fault> fault) {
                                if (draft.has_transition_ids()) lattice.left_out.emplace_back(kTransitionIds);
                                const auto is_word = [](const LabelWord& word) { return word.number == kNotNumber; };
                                if (!fault && no_words && std::ranges::any_of(lexicon_.words(), is_word)) {
                                  fault = draft.of_key("lattice {} has words, where those before it have integers");
                                }
                                if (fault || lattice.is_text_damaged) {
                                  lattice.fault = std::move(fault);
                                } else {
                                  maker_.complete(draft_, lexicon_.words(), lexicon_.labels(), lattice);
                                }
                                lattice.begin += static_cast<std::int64_t>(at);
                                lattice.end += static_cast<std::int64_t>(at);
                                column.add(std::move(lattice));
                                return true;
                              });
  return at + text.size();
}

std::optional<bool> kaldi_labels_are_integers(std::string_view window, bool ended, bool by_first) {
  Lexicon lexicon(std::make_shared<const Labels>(std::make_shared<Vocabulary>(), LabelKind::kWords));
  LatticeDraft columns;
  std::optional<bool> found;
  for_each_lattice(whole_lattices(window, ended), 0, columns, lexicon,
                   [&](const WordLattice& lattice, const KaldiLattice&, const std::optional<Fault>& fault) {
                     if (fault || lattice.is_text_damaged || lexicon.words().empty()) return true;
                     found = by_first ? is_label_number(lexicon.words().front().text) : !lexicon.has_words();
                     return !by_first && *found;
                   });
  return found;
}

}  // namespace fstmetrics

#include "formats/slf_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "formats/fault.h"
#include "formats/numbers.h"
#include "formats/slf.h"
#include "formats/text_rows.h"

namespace fstmetrics {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

class SlfMeaning {
 public:
  SlfMeaning(const SlfText& text, bool backwards, Vocabulary& vocabulary) : text_(text), backwards_(backwards) {
    if (field("SUBLAT") || field("S") || text_.nodes.empty()) throw ForAnotherReader{};
    if (std::ranges::any_of(text_.node_calls, [](std::int32_t call) { return call != kNoWord; }))
      throw ForAnotherReader{};
    backwards_ |= field("dir").value_or("f").starts_with('b');
    for (const std::string& word : text_.links.words) words_.push_back({vocabulary.intern(word), {}});
    words_.push_back({Vocabulary::kNoWord, {}});
  }

  // The lattice, but for its costs, as arcs of `draft`.
  void complete(LatticeDraft& draft, WordLattice& lattice) {
    states_ = std::ssize(text_.nodes);
    check_count("N", "NODES", states_);
    check_count("L", "LINKS", std::ssize(text_.links.places));
    for (const auto* ends : {&text_.links.sources, &text_.links.destinations}) {
      if (std::ranges::any_of(*ends, [&](std::int64_t state) { return state >= states_; })) throw ForAnotherReader{};
    }
    draft.start = outer_state("start", text_.links.destinations);
    std::int64_t end = outer_state("end", text_.links.sources);
    add_arcs(draft);
    end = keep_outer_word(draft, end);
    draft.add_final({end, 1, {}});
    draft.num_states = states_;
    lattice.scales = LatticeScales{number_of("lmscale", 1.0), 1.0, 0.0 - number_of("wdpenalty", 0.0)};
    take_times(lattice);
  }

  const std::vector<LabelWord>& words() const { return words_; }

 private:
  std::optional<std::string_view> field(std::string_view name) const {
    std::optional<std::string_view> value;
    for (const auto& [other, text] : text_.header) {
      if (other == name) value = text;
    }
    return value;
  }

  double number_of(std::string_view name, double otherwise) const {
    const auto text = field(name);
    if (!text) return otherwise;
    const double value = cost_number(*text);
    if (std::isinf(value) || (name == "base" && value < 0)) throw ForAnotherReader{};
    return value;
  }

  void check_count(std::string_view name, std::string_view long_name, std::int64_t found) const {
    auto declared = field(name);
    if (!declared) declared = field(long_name);
    if (!declared || declared->size() >= 10 || !is_digits(*declared) || state_number(*declared) != found) {
      throw ForAnotherReader{};
    }
  }

  // The start or end: named by the head, or the only state that none of `others` is.
  std::int64_t outer_state(std::string_view name, const std::vector<std::int64_t>& others) const {
    if (const auto text = field(name)) {
      const std::int64_t state = state_number(*text);
      if (state >= states_) throw ForAnotherReader{};
      return state;
    }
    std::vector<std::uint8_t> without(static_cast<std::size_t>(states_), 1);
    for (const std::int64_t state : others) without[static_cast<std::size_t>(state)] = 0;
    const auto first = std::ranges::find(without, 1);
    if (first == without.end() || std::find(first + 1, without.end(), 1) != without.end()) throw ForAnotherReader{};
    return first - without.begin();
  }

  void add_arcs(LatticeDraft& draft) {
    const ArcColumns& links = text_.links;
    std::vector<std::int32_t> of_node(static_cast<std::size_t>(states_), static_cast<std::int32_t>(words_.size()) - 1);
    for (std::size_t i = 0; i < text_.nodes.size(); ++i) {
      if (text_.nodes[i] < states_) of_node[static_cast<std::size_t>(text_.nodes[i])] = text_.node_labels[i];
    }
    const std::vector<std::int64_t>& ends = backwards_ ? links.sources : links.destinations;
    are_words_on_nodes_ = links.labels.empty();
    settle_scores();
    DraftArc* arc = draft.more_arcs(links.places.size());
    for (std::size_t i = 0; i < links.places.size(); ++i, ++arc) {
      std::int32_t label = links.labels[i];
      if (label == kNoWord) {
        label = of_node[static_cast<std::size_t>(ends[i])];
        are_words_on_nodes_ = true;
      }
      *arc = {links.sources[i], links.destinations[i], links.places[i], label, 0, cost(i)};
    }
  }

  void settle_scores() {
    const double base = number_of("base", std::numbers::e);
    if (base == 0) throw ForAnotherReader{};
    acoustic_ = number_of("acscale", 1.0);
    pronunciation_ = number_of("prscale", 1.0);
    is_natural_ = base == 1 || base == std::numbers::e;
    log_base_ = is_natural_ ? 1.0 : std::log(base);
    is_plain_ = is_natural_ && acoustic_ == 1 &&
                std::ranges::all_of(text_.pronunciation, [](double score) { return score == 0; });
  }

  CostPair cost(std::size_t i) const {
    const CostPair& scores = text_.links.costs[i];
    if (is_plain_) return {0.0 - scores[0], 0.0 - scores[1]};
    const double acoustic = natural(scores[1]) * acoustic_;
    const double pronunciation = natural(text_.pronunciation[i]) * pronunciation_;
    return {0.0 - natural(scores[0]), 0.0 - (acoustic + pronunciation)};
  }

  double natural(double score) const { return is_natural_ ? score : score * log_base_; }

  // The word of the node that no link speaks for gets an arc of its own, if it is one. The end state.
  std::int64_t keep_outer_word(LatticeDraft& draft, std::int64_t end) {
    const std::int64_t outer = backwards_ ? end : draft.start;
    const auto node = std::ranges::find(text_.nodes, outer);
    if (node == text_.nodes.end() || !are_words_on_nodes_) return end;
    const std::int32_t label = text_.node_labels[static_cast<std::size_t>(node - text_.nodes.begin())];
    const std::int32_t word = words_[static_cast<std::size_t>(label)].number;
    if (Vocabulary::is_silent(word) || Vocabulary::is_marker(word)) return end;
    added_ = states_++;
    const std::int64_t source = backwards_ ? end : added_;
    const std::int64_t destination = backwards_ ? added_ : draft.start;
    draft.add_arc({source, destination, 1, label, 0, {}});
    if (backwards_) return added_;
    draft.start = added_;
    return end;
  }

  void take_times(WordLattice& lattice) const {
    bool is_known = false;
    const auto has_state = [&](std::int64_t node) { return node < states_ && node != added_; };
    for (std::size_t i = 0; i < text_.nodes.size(); ++i) {
      is_known |= text_.nodes[i] < states_ && !std::isnan(text_.times[i]);
    }
    if (!is_known) return;
    const double scale = number_of("tscale", 1.0);
    lattice.times.assign(static_cast<std::size_t>(states_), kNoTime);
    for (std::size_t i = 0; i < text_.nodes.size(); ++i) {
      if (has_state(text_.nodes[i])) lattice.times[static_cast<std::size_t>(text_.nodes[i])] = text_.times[i] * scale;
    }
  }

  const SlfText& text_;
  bool backwards_;
  std::vector<LabelWord> words_;  // the last one stands for no word
  std::int64_t states_ = 0;
  std::int64_t added_ = -1;  // the state that no node is
  bool are_words_on_nodes_ = false, is_natural_ = true, is_plain_ = true;
  double acoustic_ = 1.0, pronunciation_ = 1.0, log_base_ = 1.0;
};

// Of words with escapes, nothing says that they are text.
bool are_text(const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [](const std::string& word) { return is_text(word); });
}

}  // namespace

bool read_slf_lattice(std::string_view text, bool backwards, const ItemLimits& limits, std::string id,
                      LatticeColumn& column) {
  if (!text.ends_with('\n')) return false;
  try {
    const std::vector<SlfText> lattices = read_slf(text);
    if (lattices.size() != 1) return false;
    const SlfText& only = lattices.front();
    if (text.find('\\') != text.npos && !are_text(only.links.words)) return false;
    const std::shared_ptr<Vocabulary>& vocabulary = column.shared_vocabulary();
    SlfMeaning meaning(only, backwards, *vocabulary);
    LatticeDraft draft;
    WordLattice lattice;
    lattice.id = std::move(id);
    lattice.end = static_cast<std::int64_t>(text.size());
    meaning.complete(draft, lattice);
    LatticeMaker(vocabulary, limits).complete(draft, meaning.words(), Labels(vocabulary, LabelKind::kWords), lattice);
    if (lattice.fault) return false;
    column.add(std::move(lattice));
    return true;
  } catch (const ForAnotherReader&) {
  } catch (const Fault&) {}
  return false;
}

}  // namespace fstmetrics

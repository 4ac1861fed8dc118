#include "formats/slf_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "formats/fault.h"
#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/slf.h"
#include "formats/text_rows.h"

namespace fstmetrics {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

bool calls_others(const SlfText& text) {
  return std::ranges::any_of(text.node_calls, [](std::int32_t call) { return call != kNoWord; });
}

class SlfMeaning {
 public:
  // `escapes`: whether there are any, which make words that need not be UTF-8.
  SlfMeaning(const SlfText& text, bool backwards, bool escapes, Vocabulary& vocabulary)
      : text_(text), backwards_(backwards), has_calls_(calls_others(text)) {
    for (const std::string& word : text_.links.words) {
      words_.push_back({vocabulary.intern(escapes ? with_replacements(word) : word), {}});
    }
    words_.push_back({Vocabulary::kNoWord, {}});
  }

  // What other lattices call this one by.
  std::optional<std::string_view> name() const {
    const auto name = field("SUBLAT");
    return name ? name : field("S");
  }
  std::int64_t line() const { return text_.line; }

  // The arcs.
  void complete(LatticeDraft& draft) {
    backwards_ |= field("dir").value_or("f").starts_with('b');
    states_ = text_.nodes.empty() ? nodes_of_links() : std::ssize(text_.nodes);
    check_count("N", "NODES", "nodes", states_);
    check_count("L", "LINKS", "links", std::ssize(text_.links.places));
    draft.start = outer_state("start", "incoming", text_.links.destinations);
    std::int64_t end = outer_state("end", "outgoing", text_.links.sources);
    if (draft.start == end && !text_.links.places.empty() && !field("start") && !field("end"))
      fail("no start= field, and node " + std::to_string(end) +
           " has no links, while all others have links into and out of them");
    add_arcs(draft);
    end = keep_outer_word(draft, end);
    draft.add_final({end, 1, {}});
    draft.num_states = states_;
  }

  LatticeScales scales() const {
    // HTK's penalty is a log probability, so usually negative, and is never converted by `base`.
    return {number_of("lmscale", 1.0), 1.0, 0.0 - number_of("wdpenalty", 0.0)};
  }

  // When the lattice is in each state; none at all where no node says.
  std::vector<double> times() const {
    const auto has_state = [&](std::int64_t node) { return node < states_ && node != added_; };
    bool is_known = false;
    for (std::size_t i = 0; i < text_.nodes.size(); ++i) {
      is_known |= text_.nodes[i] < states_ && !std::isnan(text_.times[i]);
    }
    if (!is_known) return {};
    const double scale = number_of("tscale", 1.0);
    std::vector<double> times(static_cast<std::size_t>(states_), kNoTime);
    for (std::size_t i = 0; i < text_.nodes.size(); ++i) {
      if (has_state(text_.nodes[i])) times[static_cast<std::size_t>(text_.nodes[i])] = text_.times[i] * scale;
    }
    return times;
  }

  const std::vector<LabelWord>& words() const { return words_; }

  // Throws where this, a sub-lattice, asks for other weights than the main lattice.
  void compare_scales(const SlfMeaning& main) const {
    for (const auto& [name, otherwise] : {std::pair("lmscale", 1.0), std::pair("wdpenalty", 0.0)}) {
      if (!field(name)) continue;
      const double asked = number_of(name, otherwise);
      if (asked == main.number_of(name, otherwise)) continue;
      fail(std::string(name) + "= of a sub-lattice differs from that of the main lattice", {}, true);
    }
  }

  // Throws a fault of this lattice; of the first in the file it names no line, unless it `always` does.
  [[noreturn]] void fail(std::string message, std::string_view piece = {}, bool always = false) const {
    Fault fault(std::move(message), piece);
    if (text_.line > 1 || always) fault.line = text_.line;
    throw fault;
  }

 private:
  std::optional<std::string_view> field(std::string_view name) const {
    std::optional<std::string_view> value;
    for (const auto& [other, text] : text_.header) {
      if (other == name) value = text;
    }
    return value;
  }

  double number_of(const std::string& name, double otherwise) const {
    const auto text = field(name);
    if (!text) return otherwise;
    const std::optional<double> value = number(*text);
    if (!value || !std::isfinite(*value) || (name == "base" && *value < 0)) {
      fail(name + "={} is not a usable number", *text);
    }
    return *value;
  }

  void check_count(const std::string& name, std::string_view long_name, const std::string& what,
                   std::int64_t found) const {
    auto declared = field(name);
    if (!declared) declared = field(long_name);
    if (!declared) fail("no " + name + "= field, the number of " + what + "; is this SLF?");
    if (declared->size() >= 10 || !is_digits(*declared)) fail(name + "={} is not a number of " + what, *declared);
    const std::int64_t said = state_number(*declared);
    if (said == found) return;
    fail("found " + std::to_string(found) + " " + what + ", but " + name + "=" + std::string(*declared) + " says " +
         std::to_string(said) + ": is the file cut off?");
  }

  // How many nodes there are by the links alone: HTK lets all node lines be left out.
  std::int64_t nodes_of_links() const {
    std::vector<std::int64_t> named = text_.links.sources;
    named.insert(named.end(), text_.links.destinations.begin(), text_.links.destinations.end());
    std::ranges::sort(named);
    named.erase(std::unique(named.begin(), named.end()), named.end());
    const std::int64_t highest = named.empty() ? 0 : named.back();
    if (highest > 2 * std::ssize(named)) {
      fail("a link names node " + std::to_string(highest) + ", but no node has a line (I=)");
    }
    return 1 + highest;
  }

  void check_states() const {
    for (const auto* ends : {&text_.links.sources, &text_.links.destinations}) {
      const auto beyond = std::ranges::find_if(*ends, [&](std::int64_t state) { return state >= states_; });
      if (beyond == ends->end()) continue;
      Fault fault = out_of_range(*beyond, states_);
      fault.line = text_.links.places[static_cast<std::size_t>(beyond - ends->begin())];
      throw fault;
    }
  }

  // The start or end: named by the head, or the only state that none of `others` is.
  std::int64_t outer_state(const std::string& name, const std::string& side, const std::vector<std::int64_t>& others) {
    if (const auto text = field(name)) {
      if (text->size() > 18 || !is_digits(*text)) fail(name + "={}: a state is a non-negative integer, not {}", *text);
      return inner(name, state_number(*text));
    }
    check_states();  // a wrong number is why a node seems to have no links
    std::vector<std::uint8_t> without(static_cast<std::size_t>(states_), 1);
    for (const std::int64_t state : others) without[static_cast<std::size_t>(state)] = 0;
    const std::int64_t count = std::ranges::count(without, 1);
    if (count == 1) return inner(name, std::ranges::find(without, 1) - without.begin());
    constexpr std::int64_t kShown = 5;
    std::string some;
    std::int64_t shown = 0;
    for (std::int64_t state = 0; state < states_ && shown < std::min(count, kShown); ++state) {
      if (without[static_cast<std::size_t>(state)]) some += (shown++ ? ", " : "") + std::to_string(state);
    }
    if (count > kShown) some += ", ...";
    const std::string nodes = count ? std::to_string(count) + " nodes (" + some + ")" : "no nodes";
    fail("no " + name + "= field, and " + nodes + " without " + side + " links; expected exactly one");
  }

  std::int64_t inner(const std::string& name, std::int64_t state) const {
    if (state < states_) return state;
    fail(name + "=" + std::to_string(state) + ", but the nodes are 0 to " + std::to_string(states_ - 1));
  }

  std::int32_t call_label(std::int32_t name) const { return static_cast<std::int32_t>(words_.size()) + name; }
  bool is_call(std::int32_t label) const { return label >= static_cast<std::int32_t>(words_.size()); }
  // Of what stands in a line for a node.
  std::int32_t label_of(std::size_t line) const {
    return text_.node_calls[line] == kNoWord ? text_.node_labels[line] : call_label(text_.node_calls[line]);
  }

  void add_arcs(LatticeDraft& draft) {
    const ArcColumns& links = text_.links;
    are_words_on_nodes_ = links.labels.empty() || std::ranges::find(links.labels, kNoWord) != links.labels.end();
    std::vector<std::int32_t> of_node;
    if (are_words_on_nodes_ || has_calls_) {
      check_states();
      of_node.resize(static_cast<std::size_t>(states_), static_cast<std::int32_t>(words_.size()) - 1);
      for (std::size_t i = 0; i < text_.nodes.size(); ++i) {
        if (text_.nodes[i] < states_) of_node[static_cast<std::size_t>(text_.nodes[i])] = label_of(i);
      }
    }
    // If the recogniser ran backwards in time, a node's word belongs to the links out of it.
    const std::vector<std::int64_t>& ends = backwards_ ? links.sources : links.destinations;
    if (has_calls_) refuse_two_words(of_node, ends);
    settle_scores();
    DraftArc* arc = draft.more_arcs(links.places.size());
    for (std::size_t i = 0; i < links.places.size(); ++i, ++arc) {
      std::int32_t label = links.labels[i];
      if (label == kNoWord) label = of_node[static_cast<std::size_t>(ends[i])];
      *arc = {links.sources[i], links.destinations[i], links.places[i], label, 0, cost(i)};
    }
  }

  void refuse_two_words(const std::vector<std::int32_t>& of_node, const std::vector<std::int64_t>& ends) const {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (text_.links.labels[i] == kNoWord || !is_call(of_node[static_cast<std::size_t>(ends[i])])) continue;
      Fault fault("a link with a word of its own leads to a node that is a sub-lattice");
      fault.line = text_.links.places[i];
      throw fault;
    }
  }

  void settle_scores() {
    const double base = number_of("base", std::numbers::e);
    acoustic_ = number_of("acscale", 1.0);
    pronunciation_ = number_of("prscale", 1.0);
    if (number_of("wdpenalty", 0.0) != 0 && base != 1 && base != std::numbers::e) {
      fail("wdpenalty={} beside base=" + std::string(*field("base")) +
               " is a natural logarithm in HTK and one to this base in SRILM: write wdpenalty=0, and give "
               "--word-penalty, "
               "a cost",
           *field("wdpenalty"));
    }
    are_probabilities_ = base == 0;
    log_base_ = base == 1 || base == std::numbers::e ? 1.0 : std::log(base);
    is_plain_ = log_base_ == 1.0 && acoustic_ == 1 &&
                std::ranges::all_of(text_.pronunciation, [](double score) { return score == 0; });
  }

  CostPair cost(std::size_t i) const {
    const CostPair& scores = text_.links.costs[i];
    if (is_plain_) return {0.0 - scores[0], 0.0 - scores[1]};
    const double acoustic = natural(scores[1]) * acoustic_;
    const double pronunciation = natural(text_.pronunciation[i]) * pronunciation_;
    return {0.0 - natural(scores[0]), 0.0 - (acoustic + pronunciation)};
  }

  double natural(double score) const { return are_probabilities_ ? std::log(score) : score * log_base_; }

  // The word, or the call, of the node that no link speaks for gets an arc of its own, if it is one. The end state.
  std::int64_t keep_outer_word(LatticeDraft& draft, std::int64_t end) {
    const std::int64_t outer = backwards_ ? end : draft.start;
    const auto node = std::ranges::find(text_.nodes, outer);
    if (node == text_.nodes.end()) return end;
    const std::int32_t label = label_of(static_cast<std::size_t>(node - text_.nodes.begin()));
    if (!is_call(label)) {
      const std::int32_t word = words_[static_cast<std::size_t>(label)].number;
      if (!are_words_on_nodes_ || Vocabulary::is_silent(word) || Vocabulary::is_marker(word)) return end;
    }
    added_ = states_++;
    const std::int64_t source = backwards_ ? end : added_;
    const std::int64_t destination = backwards_ ? added_ : draft.start;
    draft.add_arc({source, destination, 1, label, 0, {}});
    if (backwards_) return added_;
    draft.start = added_;
    return end;
  }

  const SlfText& text_;
  bool backwards_;
  std::vector<LabelWord> words_;  // the last one stands for no word
  std::int64_t states_ = 0;
  std::int64_t added_ = -1;  // the state that no node is
  bool has_calls_, are_words_on_nodes_ = false, is_plain_ = true, are_probabilities_ = false;
  double acoustic_ = 1.0, pronunciation_ = 1.0, log_base_ = 1.0;
};

// The names of sub-lattices, and the weights for which they ask.
void check_sublattices(const std::vector<SlfMeaning>& lattices) {
  std::map<std::string_view, std::int64_t> lines;
  for (std::size_t i = 0; i + 1 < lattices.size(); ++i) {
    const SlfMeaning& lattice = lattices[i];
    const auto name = lattice.name();
    if (!name) lattice.fail("no SUBLAT= field in this sub-lattice, so nothing can name it", {}, true);
    const auto [other, is_new] = lines.emplace(*name, lattice.line());
    if (!is_new) lattice.fail("sub-lattice {} is already in line " + std::to_string(other->second), *name, true);
    lattice.compare_scales(lattices.back());
  }
}

SlfCard card_of(SlfText& text, SlfMeaning& meaning, LatticeMaker& maker) {
  SlfCard card;
  meaning.complete(card.draft);
  maker.check(card.draft);
  const auto is_absent = [](const DraftArc& arc) {
    return !(std::isfinite(arc.cost[0]) && std::isfinite(arc.cost[1]));
  };
  card.draft.arcs.resize(std::remove_if(card.draft.arcs.begin(), card.draft.arcs.end(), is_absent) -
                         card.draft.arcs.begin());
  card.name = meaning.name().value_or("");
  card.words = std::move(text.links.words);
  return card;
}

// The main lattice first, as what is wrong with it is told first.
std::vector<SlfCard> cards_of(std::vector<SlfText>& texts, std::vector<SlfMeaning>& lattices, LatticeMaker& maker) {
  check_sublattices(lattices);
  std::vector<SlfCard> cards(lattices.size());
  cards.back() = card_of(texts.back(), lattices.back(), maker);
  for (std::size_t i = 0; i + 1 < lattices.size(); ++i) cards[i] = card_of(texts[i], lattices[i], maker);
  cards.back().scales = lattices.back().scales();
  return cards;
}

}  // namespace

std::vector<SlfCard> read_slf_file(std::string_view text, bool backwards, const ItemLimits& limits, std::string id,
                                   LatticeColumn& column) {
  WordLattice lattice;
  lattice.id = std::move(id);
  lattice.end = static_cast<std::int64_t>(text.size());
  try {
    std::vector<SlfText> texts = read_slf(text);
    refuse_cut(text);
    const bool is_network = std::ranges::any_of(texts, calls_others), escapes = text.find('\\') != text.npos;
    // Words of a network are none of the run's.
    const auto vocabulary = is_network ? std::make_shared<Vocabulary>() : column.shared_vocabulary();
    std::vector<SlfMeaning> lattices;
    for (const SlfText& each : std::span(texts).last(is_network ? texts.size() : 1)) {
      lattices.emplace_back(each, backwards, escapes, *vocabulary);
    }
    SlfMeaning& main = lattices.back();
    if (main.name()) {
      main.fail(
          "the file ends with sub-lattice {}; expected a line with a period after it, and the main lattice, which has "
          "no SUBLAT=: is the file cut off?",
          *main.name(), true);
    }
    LatticeMaker maker(vocabulary, limits);
    if (is_network) return cards_of(texts, lattices, maker);
    LatticeDraft draft;
    main.complete(draft);
    lattice.scales = main.scales();
    lattice.times = main.times();
    maker.complete(draft, main.words(), Labels(vocabulary, LabelKind::kWords), lattice);
  } catch (Fault& fault) { lattice.fault = std::move(fault); }
  column.add(std::move(lattice));
  return {};
}

}  // namespace fstmetrics

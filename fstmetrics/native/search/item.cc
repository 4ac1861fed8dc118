#include "search/item.h"

#include <numeric>
#include <optional>

#include "support/poll.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

// A text by the labels of its own words.
class Labelled {
 public:
  explicit Labelled(const Text& text) {
    Polls poll;
    std::vector<Word> words;
    text.words(words);
    table_.reset(words.size());
    for (const Word& word : words) {
      poll(20);
      labels_.push_back(table_.intern(word));
    }
  }

  const WordTable& table() const { return table_; }

  Side side(int window, Reordering reordering) const {
    if (window > 1) return Permutations{labels_, window, reordering};
    std::vector<Arc> arcs;
    arcs.reserve(labels_.size());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      arcs.push_back({labels_[i], static_cast<StateId>(i + 1), 0, static_cast<std::int32_t>(i)});
    }
    std::vector<std::int32_t> offsets(labels_.size() + 2, static_cast<std::int32_t>(labels_.size()));
    std::iota(offsets.begin(), offsets.end() - 1, 0);
    std::vector<std::uint8_t> is_final(labels_.size() + 1, 0);
    is_final.back() = 1;
    return std::make_shared<const Automaton>(0, std::move(offsets), std::move(arcs), std::move(is_final));
  }

 private:
  WordTable table_;
  std::vector<Label> labels_;
};

// A side with the words of its labels, whichever kind it is.
class Worded {
 public:
  explicit Worded(const Given& given) {
    if (const auto* graph = std::get_if<const Graph*>(&given)) {
      graph_ = *graph;
    } else {
      text_.emplace(std::get<Text>(given));
    }
  }

  Side side(int window, Reordering reordering) const {
    if (text_) return text_->side(window, reordering);
    if (window > 1) {
      throw SearchError(
          "reordering in a window is for strings; of a lattice or network, every path would have to be reordered by "
          "itself: "
          "take its n-best list, or use window 1");
    }
    return graph_->machine();
  }

  // What taking its arcs costs; may be null.
  std::shared_ptr<const std::vector<std::int64_t>> arc_costs() const { return graph_ ? graph_->arc_costs() : nullptr; }

  // The arcs that only a match can take; may be null.
  std::shared_ptr<const std::vector<std::uint8_t>> only_hits() const { return graph_ ? graph_->only_hits() : nullptr; }

  // The label that takes any word of the other side; kNoMatch if there is none.
  Label wildcard() const {
    const Label label = graph_ ? graph_->table().find(make_word(kWildcard)) : kEpsilon;
    return label != kEpsilon ? label : kNoMatch;
  }

  // How many labels there are, that of epsilon included.
  Label labels() const { return table().size() + 1; }

  // One entry a hypothesis label: the reference label of the same word.
  std::vector<Label> to_reference(const Worded& reference) const {
    Polls poll;
    std::vector<Label> same(table().size() + 1, kNoMatch);
    same[kEpsilon] = kEpsilon;
    // Whichever side has fewer words looks for them on the other.
    if (table().size() <= reference.table().size()) {
      for (Label label = 1; label <= table().size(); ++label) {
        poll(20);
        if (const Label found = reference.table().find(table().word(label))) same[label] = found;
      }
    } else {
      for (Label label = 1; label <= reference.table().size(); ++label) {
        poll(20);
        if (const Label found = table().find(reference.table().word(label))) same[found] = label;
      }
    }
    return same;
  }

 private:
  const WordTable& table() const { return text_ ? text_->table() : graph_->table(); }

  const Graph* graph_ = nullptr;
  std::optional<Labelled> text_;
};

}  // namespace

void Text::words(std::vector<Word>& words) const {
  words.clear();
  if (is_list) {
    for (const std::string_view word : list) {
      if (!word.empty()) words.push_back(make_word(word));
    }
    return;
  }
  switch (unit) {
    case Unit::kWord:
      return split_words(sentence, words);
    case Unit::kCharacterOfWords:
      return split_characters_of_words(sentence, words);
    case Unit::kCharacter:
      return split_characters(sentence, words);
  }
}

bool Text::characters(std::vector<Label>& labels) const {
  labels.clear();
  if (is_list || unit == Unit::kWord) return false;
  return unit == Unit::kCharacter ? number_characters(sentence, labels) : number_characters_of_words(sentence, labels);
}

std::optional<std::span<const unsigned char>> Text::bytes() const {
  if (is_list || unit == Unit::kWord) return std::nullopt;
  if (!(unit == Unit::kCharacter ? are_bytes(sentence) : are_bytes_of_words(sentence))) return std::nullopt;
  return std::span(reinterpret_cast<const unsigned char*>(sentence.data()), sentence.size());
}

Problem make_problem(const Item& item, const Question& question) {
  const Worded hypothesis(item.hypothesis), reference(item.reference);
  if (hypothesis.wildcard() != kNoMatch) {
    throw SearchError(
        "there is a wildcard <*> in a hypothesis; only references can have one (an ordinary word is written \\<*>)");
  }
  if (const auto& costs = item.word_costs) {
    const auto fits = [](std::size_t given, const Worded& side) {
      return given >= static_cast<std::size_t>(side.labels());
    };
    if (!fits(costs->insertion.size(), hypothesis) || !fits(costs->match.size(), reference)) {
      throw SearchError("costs of words must cover all words of either side");
    }
  }
  return {hypothesis.side(question.window, question.reordering),
          reference.side(1, question.reordering),
          hypothesis.to_reference(reference),
          question.metric,
          item.word_costs,
          hypothesis.arc_costs(),
          reference.arc_costs(),
          reference.only_hits(),
          reference.wildcard()};
}

}  // namespace fstmetrics

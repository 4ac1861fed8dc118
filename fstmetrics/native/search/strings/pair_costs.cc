#include "search/strings/pair_costs.h"

#include <algorithm>
#include <optional>
#include <span>

#include "search/strings/edit_table.h"
#include "support/crew.h"
#include "support/poll.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

// What a pair takes, in nanoseconds: for polls.
constexpr std::int64_t kCostsOfPair = 200;

// A number as a word: one that is told from others by its key alone.
Word number_word(Label number) { return {std::uint64_t{1} << 56 | static_cast<std::uint32_t>(number), nullptr, 0}; }

// Texts as numbers of their words, in both forms that are compared.
struct NumberedTexts {
  NumberedTexts(const WordLists& texts, WordTable& table) : labels(texts.size()), words(texts.size()) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (const Word& word : texts[i]) {
        labels[i].push_back(table.intern(word));
        words[i].push_back(number_word(labels[i].back()));
      }
    }
  }

  std::vector<std::vector<Label>> labels;
  WordLists words;
};

// Of strings of any length.
std::int64_t edits_of_long(std::span<const Label> one, std::span<const Label> other) {
  if (one.empty() || other.empty()) return std::max(std::ssize(one), std::ssize(other));
  EditTable table(one, other);
  const std::int64_t limit = std::max(table.num_rows(), table.num_columns());
  EditTable::Column column = table.first_column(limit);
  while (column.index < table.num_columns()) table.advance(column, limit);
  return table.cost(column);
}

}  // namespace

std::vector<std::int64_t> pair_costs(const WordLists& hypotheses, const WordLists& references,
                                     const UnitWeights& weights, int threads) {
  const bool is_one = &hypotheses == &references;
  WordTable table;
  table.reset(64);
  const NumberedTexts h(hypotheses, table);
  const NumberedTexts others(is_one ? WordLists() : references, table);
  const NumberedTexts& r = is_one ? h : others;
  const std::size_t rows = hypotheses.size(), columns = references.size();
  std::vector<std::int64_t> costs(rows * columns);
  share_out(rows, threads, [&](std::size_t i) {
    thread_local ShortPair pair;
    for (std::size_t j = is_one ? i : 0; j < columns; ++j) {
      poll(kCostsOfPair);
      const std::optional<int> few = pair.edits(h.words[i], r.words[j]);
      const std::int64_t edits = few ? *few : edits_of_long(h.labels[i], r.labels[j]);
      const auto cost = [&](const std::vector<Word>& one, const std::vector<Word>& other) {
        return weights.cost(edits, std::ssize(one), std::ssize(other));
      };
      costs[i * columns + j] = cost(h.words[i], r.words[j]);
      if (is_one) costs[j * columns + i] = cost(r.words[j], h.words[i]);
    }
  });
  return costs;
}

}  // namespace fstmetrics

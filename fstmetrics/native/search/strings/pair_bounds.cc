#include "search/strings/pair_bounds.h"

#include <algorithm>
#include <cstdlib>

#include "search/strings/edit_table.h"
#include "support/poll.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

std::vector<PairBounds::Text> numbered_texts(const WordLists& texts, WordTable& table) {
  std::vector<PairBounds::Text> numbered;
  numbered.reserve(texts.size());
  Polls poll;
  for (const std::vector<Word>& words : texts) {
    std::vector<Label> labels;
    labels.reserve(words.size());
    for (const Word& word : words) {
      poll(20);
      labels.push_back(table.intern(word));
    }
    numbered.emplace_back(std::move(labels));
  }
  return numbered;
}

}  // namespace

PairBounds::PairBounds(const WordLists& hypotheses, const WordLists& references) {
  WordTable table;
  table.reset(64);
  hypotheses_ = numbered_texts(hypotheses, table);
  references_ = numbered_texts(references, table);
}

std::int64_t PairBounds::least(std::size_t hypothesis, std::size_t reference) const {
  const Text &h = hypotheses_[hypothesis], &r = references_[reference];
  const std::int64_t in_length = std::abs(std::ssize(h.labels) - std::ssize(r.labels));
  return std::max<std::int64_t>(
      {in_length, missing_pieces(h.labels, r.runs).front(), missing_pieces(r.labels, h.runs).front()});
}

PairBounds::Edits PairBounds::within(std::size_t hypothesis, std::size_t reference, std::int64_t limit) const {
  const Text *down = &hypotheses_[hypothesis], *across = &references_[reference];
  if (down->labels.size() < across->labels.size()) std::swap(down, across);
  const std::int64_t most = std::ssize(down->labels);
  if (across->labels.empty()) return {most, most};
  EditTable table(down->labels, across->labels);
  table.find_pieces(down->runs, across->runs);
  if (table.least() > limit) return {table.least(), table.least()};
  EditTable::Column column = table.first_column(limit);
  bool goes_on = true;
  while (goes_on && column.index < table.num_columns()) goes_on = table.advance(column, limit);
  const std::int64_t cost = goes_on ? table.cost(column) : most;
  if (cost <= limit) return {cost, cost};
  // As many edits as there will be if the rest is as different as what was read until the limit was passed.
  const double share = static_cast<double>(table.num_columns()) / static_cast<double>(column.index);
  const double more = share * static_cast<double>(limit + 1 - table.least());
  return {limit + 1, std::min(most, table.least() + static_cast<std::int64_t>(more))};
}

}  // namespace fstmetrics

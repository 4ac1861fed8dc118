#include "search/strings/short_pair.h"

#include <algorithm>
#include <bit>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr int kCells = 64;  // of a column
constexpr std::size_t kColumnsBetweenPolls = 256;

constexpr std::uint64_t nth_bit(std::size_t i) { return std::uint64_t{1} << i; }

}  // namespace

std::optional<UnitWeights> unit_weights(const EditAutomaton& metric) {
  if (metric.num_memories() != 1) return std::nullopt;
  const auto cost = [&](Op op) { return static_cast<Wide>(metric.transitions[0][static_cast<int>(op)].cost); };
  const Wide edit = cost(Op::kSubstitution) - cost(Op::kMatch);
  if (edit <= 0 || cost(Op::kInsertion) + cost(Op::kDeletion) != cost(Op::kSubstitution) + edit) return std::nullopt;
  const Wide hypothesis_word = cost(Op::kInsertion) - edit, reference_word = cost(Op::kDeletion) - edit;
  // Sums over any text that fits memory must fit 64 bits.
  const auto fits = [](Wide weight) { return weight < (Wide{1} << 24) && -weight < (Wide{1} << 24); };
  if (!fits(edit) || !fits(hypothesis_word) || !fits(reference_word)) return std::nullopt;
  return UnitWeights{static_cast<std::int64_t>(edit), static_cast<std::int64_t>(hypothesis_word),
                     static_cast<std::int64_t>(reference_word)};
}

std::optional<AlikeEnds> ShortPair::lay_out_middle(Words hypothesis, Words reference) {
  const AlikeEnds alike(hypothesis, reference);
  lay_out(alike.middle(hypothesis), alike.middle(reference));
  if (!fits(down_.size(), across_.size())) return std::nullopt;
  return alike;
}

std::optional<int> ShortPair::edits(Words hypothesis, Words reference) {
  if (!lay_out_middle(hypothesis, reference)) return std::nullopt;
  return fill();
}

std::optional<Totals> ShortPair::run(Words hypothesis, Words reference, const UnitWeights& weights,
                                     std::vector<Op>* ops) {
  const auto h = static_cast<std::int64_t>(hypothesis.size()), r = static_cast<std::int64_t>(reference.size());
  // 1. What is between a common beginning and end.
  const std::optional<AlikeEnds> found = lay_out_middle(hypothesis, reference);
  if (!found) return std::nullopt;
  const auto [begin, end] = *found;

  // 2. The distance. Edits beyond the difference in length are substitutions, or pairs of an insertion and a deletion.
  const int edits = fill();
  const std::int64_t uneven = edits - std::abs(h - r);
  const auto alike = static_cast<std::int64_t>(begin + end);
  const bool settled = uneven <= 1 && !ops;

  // 3. The totals, and the way.
  Totals totals;
  totals.matches = settled ? std::min(h, r) - uneven : alike + most_matches();
  totals.cost = weights.cost(edits, h, r);
  totals.reference_words = r;
  totals.edits = edits;
  totals.deletions = edits - (h - totals.matches);
  if (ops) {
    ops->reserve(hypothesis.size() + down_.size());
    ops->assign(begin, Op::kMatch);
    trace(*ops);
    ops->insert(ops->end(), end, Op::kMatch);
  }
  return totals;
}

bool ShortPair::run_if_only(Words hypothesis, Words reference, std::vector<Op>& ops) {
  // What both begin and end with may be aligned otherwise, too.
  lay_out(hypothesis, reference);
  if (std::max(down_.size(), across_.size()) > kMaxWords) return false;
  fill();
  if (!has_one_way()) return false;
  ops.clear();
  ops.reserve(hypothesis.size() + reference.size());
  trace(ops);
  return true;
}

// A column takes time, a cell does not: the longer string goes downwards if it fits.
void ShortPair::lay_out(Words hypothesis, Words reference) {
  const bool both_fit = std::max(hypothesis.size(), reference.size()) <= kMaxWords;
  down_is_hypothesis_ = (hypothesis.size() <= reference.size()) != both_fit;
  down_ = down_is_hypothesis_ ? hypothesis : reference;
  across_ = down_is_hypothesis_ ? reference : hypothesis;
}

// The word's entry, or the free one where it belongs.
unsigned ShortPair::entry_of(const Word& word) const {
  unsigned at = hash_of(word) >> (64 - std::countr_zero(kEntries));
  while (entries_[at].positions != 0 && !(entries_[at].word == word)) at = (at + 1) % kEntries;
  return at;
}

int ShortPair::fill() {
  // What may find no memory comes before the entries are filled.
  if (columns_.size() <= across_.size()) columns_.resize(across_.size() + 1);
  std::uint8_t used[kMaxWords];
  for (std::size_t i = 0; i < down_.size(); ++i) {
    used[i] = static_cast<std::uint8_t>(entry_of(down_[i]));
    entries_[used[i]].word = down_[i];
    entries_[used[i]].positions |= nth_bit(i);
  }
  const int edits = fill_columns();
  for (std::size_t i = 0; i < down_.size(); ++i) entries_[used[i]].positions = 0;
  return edits;
}

// Returns the distance. Names as in [Hyyrö 2003]: bit i is cell i + 1 here, and moved up by one in what is kept.
int ShortPair::fill_columns() {
  const std::size_t length = down_.size();
  columns_[0] = {0, 0, ~std::uint64_t{1}, 0};
  std::uint64_t vp = ~std::uint64_t{0}, vn = 0;
  auto distance = static_cast<int>(length);
  for (std::size_t j = 0; j < across_.size(); ++j) {
    const std::uint64_t equal = entries_[entry_of(across_[j])].positions;
    const std::uint64_t d0 = (((equal & vp) + vp) ^ vp) | equal | vn;
    const std::uint64_t left = ((vn | ~(d0 | vp)) << 1) | 1, fallen = (d0 & vp) << 1;
    distance += static_cast<int>((left >> length) & 1) - static_cast<int>((fallen >> length) & 1);
    vp = fallen | ~(d0 | left);
    vn = left & d0;
    columns_[j + 1] = {equal << 1, ~(d0 << 1) & ~std::uint64_t{1}, vp << 1, left};
  }
  return distance;
}

// From the end to the beginning, over the cells from which the end can be reached with as many edits as are left.
int ShortPair::most_matches() {
  struct Cells {
    std::uint64_t live = 0;
    std::int32_t matches[kCells];  // most matches from here to the end
  } cells[2];
  if (next_.size() < (across_.size() + 1) * kCells) next_.resize((across_.size() + 1) * kCells);
  Cells *here = &cells[0], *before = &cells[1];
  const Next deletion = down_is_hypothesis_ ? kLeft : kUp;
  here->live = nth_bit(down_.size());
  here->matches[down_.size()] = 0;
  for (std::size_t j = across_.size() + 1; j-- > 0; std::swap(here, before)) {
    if (j % kColumnsBetweenPolls == 0) poll(50 * kColumnsBetweenPolls);
    const Column& column = columns_[j];
    before->live = 0;
    // Of steps that are equally good a deletion is taken, otherwise the one offered first: a substitution.
    const auto offer = [&](Cells& to, std::size_t at, int cell, int matches, Next next) {
      if ((to.live & nth_bit(cell)) && to.matches[cell] + (next != deletion) > matches) return;
      to.live |= nth_bit(cell);
      to.matches[cell] = matches;
      next_[at * kCells + cell] = next;
    };
    for (std::uint64_t todo = here->live; todo != 0;) {
      const int cell = 63 - std::countl_zero(todo);
      const std::uint64_t mark = nth_bit(cell);
      const int matches = here->matches[cell];
      if (column.match & mark) {  // no other step leads to more matches
        offer(*before, j - 1, cell - 1, matches + 1, kMatch);
      } else {
        if (column.pair & mark) offer(*before, j - 1, cell - 1, matches, kPair);
        if (column.left & mark) offer(*before, j - 1, cell, matches, kLeft);
        if (column.up & mark) offer(*here, j, cell - 1, matches, kUp);
      }
      todo = here->live & (mark - 1);
    }
  }
  return before->matches[0];
}

// The same over all steps of best alignments, those beside a match, too. Whether only one alignment has the most
// matches.
bool ShortPair::has_one_way() {
  struct Cells {
    std::uint64_t live = 0, several = 0;  // from several there are more ways than one
    std::int32_t matches[kCells];
  } cells[2];
  if (next_.size() < (across_.size() + 1) * kCells) next_.resize((across_.size() + 1) * kCells);
  Cells *here = &cells[0], *before = &cells[1];
  here->live = nth_bit(down_.size());
  here->matches[down_.size()] = 0;
  for (std::size_t j = across_.size() + 1; j-- > 0; std::swap(here, before)) {
    const Column& column = columns_[j];
    before->live = before->several = 0;
    const auto offer = [&](Cells& to, std::size_t at, int cell, int matches, bool several, Next next) {
      const std::uint64_t mark = nth_bit(cell);
      if ((to.live & mark) && to.matches[cell] > matches) return;
      if ((to.live & mark) && to.matches[cell] == matches) return void(to.several |= mark);
      to.live |= mark;
      to.several = several ? to.several | mark : to.several & ~mark;
      to.matches[cell] = matches;
      next_[at * kCells + cell] = next;
    };
    for (std::uint64_t todo = here->live; todo != 0;) {
      const int cell = 63 - std::countl_zero(todo);
      const std::uint64_t mark = nth_bit(cell);
      const int matches = here->matches[cell];
      const bool several = (here->several & mark) != 0;
      if (column.match & mark) offer(*before, j - 1, cell - 1, matches + 1, several, kMatch);
      if (column.pair & ~column.match & mark) offer(*before, j - 1, cell - 1, matches, several, kPair);
      if (column.left & mark) offer(*before, j - 1, cell, matches, several, kLeft);
      if (column.up & mark) offer(*here, j, cell - 1, matches, several, kUp);
      todo = here->live & (mark - 1);
    }
  }
  return (before->several & 1) == 0;
}

void ShortPair::trace(std::vector<Op>& ops) const {
  const Op up = down_is_hypothesis_ ? Op::kInsertion : Op::kDeletion;
  const Op left = down_is_hypothesis_ ? Op::kDeletion : Op::kInsertion;
  const Op op_of[] = {Op::kMatch, Op::kSubstitution, up, left};  // by Next
  for (std::size_t column = 0, cell = 0; column < across_.size() || cell < down_.size();) {
    const std::uint8_t next = next_[column * kCells + cell];
    ops.push_back(op_of[next]);
    column += next != kUp;
    cell += next != kLeft;
  }
}

}  // namespace fstmetrics

#include "text/common_ngrams.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr std::uint32_t kNoNgram = ~std::uint32_t{0};

// A shorter n-gram, by its number, or none, and a word behind it.
struct Ngram {
  std::uint32_t prefix;
  std::int32_t word;
};

// N-grams by number.
class NgramTree {
 public:
  std::size_t size() const { return ngrams_.size(); }
  std::vector<Ngram> taken() { return std::move(ngrams_); }

  std::uint32_t find(std::uint32_t prefix, std::int32_t word) const { return table_[place(prefix, word)]; }

  std::uint32_t add(std::uint32_t prefix, std::int32_t word) {
    const std::uint32_t known = find(prefix, word);
    if (known != kNoNgram) return known;
    if (2 * (size() + 1) > table_.size()) grow();
    const auto number = static_cast<std::uint32_t>(size());
    ngrams_.push_back({prefix, word});
    return table_[place(prefix, word)] = number;
  }

 private:
  std::size_t place(std::uint32_t prefix, std::int32_t word) const {
    const std::uint64_t key = std::uint64_t{prefix} << 32 | static_cast<std::uint32_t>(word);
    std::size_t at = (key * 0x9E3779B97F4A7C15ULL) >> 32 & (table_.size() - 1);
    while (table_[at] != kNoNgram && (ngrams_[table_[at]].prefix != prefix || ngrams_[table_[at]].word != word))
      at = (at + 1) & (table_.size() - 1);
    return at;
  }

  void grow() {
    const std::size_t size_of_table = 2 * table_.size();
    table_ = {};  // before there is another one
    table_.assign(size_of_table, kNoNgram);
    for (std::uint32_t n = 0; n < size(); ++n) table_[place(ngrams_[n].prefix, ngrams_[n].word)] = n;
  }

  std::vector<Ngram> ngrams_;
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(1024, kNoNgram);  // a power of two
};

void read_item(const SideWords& side, std::size_t item, std::vector<std::int32_t>& words) {
  const auto begin = side.starts[item], end = side.starts[item + 1];
  std::visit([&](const auto& all) { words.assign(all.begin() + begin, all.begin() + end); }, side.words);
}

class NgramCounter {
 public:
  NgramCounter(std::int32_t first, std::int32_t end, std::int32_t max_order)
      : first_(first), end_(end), max_order_(max_order) {}

  std::vector<Ngram> taken() { return ngrams_.taken(); }

  // By n-gram, how often it is on both sides of an item; those of systems to come have none.
  std::vector<std::int32_t> counts(const SystemWords& system) {
    std::vector<std::int32_t> found(ngrams_.size());
    for (std::size_t item = 0; item + 1 < system.reference.starts.size(); ++item) {
      read_item(system.reference, item, side_);
      of_reference_.clear();
      visit_ngrams([&](std::uint32_t prefix, std::int32_t word) {
        const std::uint32_t ngram = ngrams_.add(prefix, word);
        left_.resize(ngrams_.size());
        ++left_[ngram];
        of_reference_.push_back(ngram);
        return ngram;
      });
      found.resize(ngrams_.size());
      read_item(system.hypothesis, item, side_);
      visit_ngrams([&](std::uint32_t prefix, std::int32_t word) {
        const std::uint32_t ngram = ngrams_.find(prefix, word);
        if (ngram != kNoNgram && left_[ngram] > 0) {
          --left_[ngram];
          ++found[ngram];
        }
        return ngram;
      });
      for (const std::uint32_t ngram : of_reference_) left_[ngram] = 0;
    }
    return found;
  }

 private:
  // Visits the n-grams of the side by prefix and last word; longer ones than one that is none are not visited.
  template <class Visit>
  void visit_ngrams(Visit visit) {
    poll(static_cast<std::int64_t>(side_.size()) + 1);
    for (std::size_t begin = 0; begin < side_.size(); ++begin) {
      if (side_[begin] < first_ || side_[begin] >= end_) continue;
      const std::size_t end = std::min(side_.size(), begin + static_cast<std::size_t>(max_order_));
      std::uint32_t ngram = kNoNgram;
      for (std::size_t at = begin; at < end; ++at) {
        ngram = visit(ngram, side_[at]);
        if (ngram == kNoNgram) break;
      }
    }
  }

  std::int32_t first_, end_, max_order_;
  NgramTree ngrams_;
  std::vector<std::int32_t> side_;
  std::vector<std::uint32_t> of_reference_;
  std::vector<std::int32_t> left_;  // by n-gram, how often the reference has it and the hypothesis not yet
};

}  // namespace

CommonNgrams common_ngrams(std::span<const SystemWords> systems, std::int32_t first, std::int32_t end,
                           std::int32_t max_order) {
  std::vector<std::vector<std::int32_t>> counts;
  std::vector<Ngram> ngrams;
  {
    NgramCounter counter(first, end, max_order);
    for (const SystemWords& system : systems) counts.push_back(counter.counts(system));
    ngrams = counter.taken();
  }
  std::vector<std::vector<std::uint32_t>> by_order(static_cast<std::size_t>(max_order));
  std::vector<std::int32_t> longer(ngrams.size());  // by how many words it is longer than one
  for (std::uint32_t n = 0; n < ngrams.size(); ++n) {
    if (ngrams[n].prefix != kNoNgram) longer[n] = longer[ngrams[n].prefix] + 1;
    const auto is_common = [n](const std::vector<std::int32_t>& own) { return n < own.size() && own[n] != 0; };
    if (std::ranges::any_of(counts, is_common)) by_order[longer[n]].push_back(n);
  }
  CommonNgrams found;
  std::vector<std::uint32_t> kept;
  std::vector<std::int32_t> places(ngrams.size(), -1);
  for (std::vector<std::uint32_t>& of_order : by_order) {
    // What is common to both sides begins with what is, so that prefixes have their places.
    const auto key = [&](std::uint32_t n) {
      const std::uint32_t prefix = ngrams[n].prefix;
      return std::pair(prefix == kNoNgram ? -1 : places[prefix], ngrams[n].word);
    };
    std::ranges::sort(of_order, {}, key);
    for (const std::uint32_t n : of_order) {
      const auto [prefix, word] = key(n);
      found.prefixes.push_back(prefix);
      found.words.push_back(word);
      places[n] = static_cast<std::int32_t>(kept.size());
      kept.push_back(n);
    }
  }
  found.counts.reserve(counts.size() * kept.size());
  for (const std::vector<std::int32_t>& own : counts) {
    for (const std::uint32_t n : kept) found.counts.push_back(n < own.size() ? own[n] : 0);
  }
  return found;
}

}  // namespace fstmetrics

// What a batch of searches found: numbers at once, words and alignments made into Python objects when they are looked at.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/batch.h"
#include "search/side_column.h"
#include "search/tally.h"

namespace fstmetrics {

namespace nb = nanobind;

// A path as Python objects; empty where no alignment was asked for.
struct Written {
  nb::tuple hypothesis, closest, alignment;
};

class Found {
 public:
  // `hypotheses` and `references`: what was asked.
  Found(std::unique_ptr<SideColumn> hypotheses, std::unique_ptr<SideColumn> references, Answers answers)
      : hypotheses_(std::move(hypotheses)), references_(std::move(references)), answers_(std::move(answers)) {}

  // Cost, matches, substitutions, insertions, deletions, moves, words of the reference.
  static constexpr std::size_t kCounts = Tally::kCounts;
  using Counts = Tally::Counts;

  std::size_t size() const { return answers_.items.size(); }
  const Answer& answer(std::size_t item) const;
  const std::optional<Failure>& failure() const { return answers_.failure; }
  std::size_t paths(std::size_t item) const { return std::max<std::size_t>(answer(item).paths.size(), 1); }
  Counts counts(std::size_t item, std::size_t path) const;
  std::vector<std::int64_t> all_counts() const;  // of the best paths
  // Adds the same of every item; its number among the rows of the tally.
  std::vector<std::int64_t> add_to(Tally& tally) const;
  std::optional<Counts> sums() const;            // of the same; nothing where a sum does not fit
  std::map<std::int64_t, std::int64_t> lengths() const;  // how many of them have so many words of the reference

  // `type`: a subclass of tuple, whose instances operations are: letter, hypothesis word, reference word, position of the
  // hypothesis word, moves; None for what there is not.
  Written written(std::size_t item, std::size_t path, nb::handle type) const;

  // The alignments of the best paths, one behind the other.
  struct Operations {
    std::vector<std::int64_t> begins{0};             // of each item, and where the last one ends
    std::vector<std::uint8_t> letters;               // as records have them
    std::vector<std::int32_t> hypothesis, closest;   // which word, from 0: of the words given (of a lattice, the arc), and of the
                                                     // closest path; -1: none
  };
  Operations operations() const;
  // Records of all items as lines of JSON. `kinds` has the number of each item's counts; `heads` and `middles` by that number are
  // what stands before the words and behind them, `tail` what ends every record.
  std::string records(const TextColumn* ids, std::span<const std::int64_t> kinds, std::span<const std::string_view> heads,
                      std::span<const std::string_view> middles, std::string_view tail, bool alignment) const;

 private:
  std::unique_ptr<SideColumn> hypotheses_, references_;
  Answers answers_;
};

}  // namespace fstmetrics

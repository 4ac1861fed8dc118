// What a batch of searches found: numbers at once, words and alignments made into Python objects when they are looked
// at.
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
  // `hypotheses` and `references`: what was asked. `threads`: of operations().
  Found(std::unique_ptr<SideColumn> hypotheses, std::unique_ptr<SideColumn> references, Answers answers, int threads)
      : all_(std::make_shared<const All>(
            All{std::move(hypotheses), std::move(references), std::move(answers), threads})),
        size_(all_->answers.items.size()) {}
  // Every so many of the items, from one on; they are not copied.
  Found part(std::size_t first, std::size_t step) const;
  // All paths of all items as items of one path each, which know what was asked; and where those of each begin and end.
  std::pair<Found, std::vector<std::int64_t>> paths_apart() const;

  // Cost, matches, substitutions, insertions, deletions, moves, words of the reference.
  static constexpr std::size_t kCounts = Tally::kCounts;
  using Counts = Tally::Counts;

  std::size_t size() const { return size_; }
  const Answer& answer(std::size_t item) const;
  // The first of all items that were searched together.
  const std::optional<Failure>& failure() const { return all_->answers.failure; }
  // What was asked of an item.
  Given hypothesis(std::size_t item) const { return all_->hypotheses->given(place(item)); }
  Given reference(std::size_t item) const { return all_->references->given(place(item)); }
  bool needs_python() const { return all_->hypotheses->needs_python() || all_->references->needs_python(); }
  // The steps of a path. Labels of two texts are places, from 1, where the steps are spelled out.
  std::vector<Step> steps(std::size_t item, std::size_t path) const;
  std::size_t paths(std::size_t item) const { return std::max<std::size_t>(answer(item).paths.size(), 1); }
  Counts counts(std::size_t item, std::size_t path) const;
  std::vector<std::int64_t> all_counts() const;  // of the best paths
  // Adds the same of every item; its number among the rows of the tally.
  std::vector<std::int64_t> add_to(Tally& tally) const;
  std::optional<Counts> sums() const;                    // of the same; nothing where a sum does not fit
  std::map<std::int64_t, std::int64_t> lengths() const;  // how many of them have so many words of the reference

  // `type`: a subclass of tuple, whose instances operations are: letter, hypothesis word, reference word, position of
  // the hypothesis word, moves; None for what there is not.
  Written written(std::size_t item, std::size_t path, nb::handle type) const;

  // The alignments of the best paths, one behind the other.
  struct Operations {
    std::vector<std::int64_t> begins{0};  // of each item, and where the last one ends
    std::vector<std::uint8_t> letters;    // as records have them
    std::vector<std::int32_t> hypothesis,
        closest;  // which word, from 0: of the words given (of a lattice, the arc; of alternatives
                  // and networks, of the path), and of the closest path; -1: none
  };
  Operations operations() const;

 private:
  struct All {
    std::unique_ptr<SideColumn> hypotheses, references;
    Answers answers;
    int threads;
  };
  std::size_t place(std::size_t item) const { return first_ + item * step_; }
  std::vector<Op> left_ops_of(std::size_t item) const;  // of two texts of characters

  std::shared_ptr<const All> all_;
  std::size_t first_ = 0, step_ = 1, size_;
};

// Of operations, by number.
inline constexpr const char* kLetters[] = {"=", "S", "I", "D", "", "*"};
// Whether two texts were compared, and operations tell their words by counting.
inline bool is_spelled_out(const Answer& found) { return found.paths.empty(); }
// Leaves of each word the first one.
void keep_first(std::vector<Word>& words);
// The words of a side of texts by label, from 1: its different words; where the steps are spelled out, all as they
// come. `text`: which one of several; -1: all of them.
void words_by_label(const Given& side, std::int32_t text, bool spelled_out, std::vector<Word>& words);
// Which text of the reference that is for a path of an answer.
inline std::int32_t reference_text(const Answer& found) { return is_spelled_out(found) ? found.reference_text : -1; }

}  // namespace fstmetrics

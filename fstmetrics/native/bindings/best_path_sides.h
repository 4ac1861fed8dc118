// The words of the best paths of many lattices, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/lattice_column.h"
#include "formats/lattice_words.h"
#include "search/side_column.h"

namespace fstmetrics {

// Of each lattice of a column the words of its own best path under some scales; on request with their posteriors.
class BestPathSides {
 public:
  BestPathSides(std::shared_ptr<const LatticeColumn> column, const GivenScales& given, std::optional<double> scale,
                int threads);

  std::size_t size() const { return words_.size(); }
  const std::vector<std::string_view>& words(std::size_t i) const { return words_[i]; }
  const std::vector<std::vector<std::string_view>>& all_words() const { return words_; }
  const std::vector<double>& posteriors(std::size_t i) const { return posteriors_[i]; }
  // The first lattice that has none of that: it is damaged or cyclic, has no path, or not the times that are needed.
  std::optional<std::size_t> failure() const { return failure_; }

 private:
  // Whether the words were found.
  bool find(std::size_t i, const GivenScales& given, std::optional<double> scale);

  std::shared_ptr<const LatticeColumn> column_;  // whose vocabulary has the words
  std::vector<std::vector<std::string_view>> words_;
  std::vector<std::vector<double>> posteriors_;
  std::optional<std::size_t> failure_;
};

// A side of a search: the words of one best path an item.
class BestPathSideColumn : public SideColumn {
 public:
  explicit BestPathSideColumn(std::shared_ptr<const BestPathSides> best) : best_(std::move(best)) {}
  std::size_t size() const override { return best_->size(); }
  Given given(std::size_t item) const override { return Text{{}, best_->words(item), true}; }

 private:
  std::shared_ptr<const BestPathSides> best_;
};

// A side of a search: the weighted paths of each lattice of a column.
class WeightedSides {
 public:
  WeightedSides(std::shared_ptr<const LatticeColumn> column, const GivenScales& given, double per_nat, int threads);
  WeightedSides(const WeightedSides&) = delete;
  WeightedSides& operator=(const WeightedSides&) = delete;

  std::size_t size() const { return paths_.size(); }
  const Graph& graph(std::size_t i) const { return paths_[i]->graph; }
  // Of words that paths of each lattice have, the least cost; those of lattice i end before ends[i].
  std::vector<double> least_costs(std::span<const std::vector<std::string_view>> words,
                                  std::span<const std::int64_t> ends) const;
  // The first lattice that has no such paths here; nothing may be searched then.
  std::optional<std::size_t> failure() const { return failure_; }

 private:
  std::vector<std::optional<WeightedPaths>> paths_;
  std::optional<std::size_t> failure_;
};

class WeightedSideColumn : public SideColumn {
 public:
  explicit WeightedSideColumn(std::shared_ptr<const WeightedSides> sides) : sides_(std::move(sides)) {}
  std::size_t size() const override { return sides_->size(); }
  Given given(std::size_t item) const override { return &sides_->graph(item); }

 private:
  std::shared_ptr<const WeightedSides> sides_;
};

void bind_best_path_sides(nanobind::module_& m);

}  // namespace fstmetrics

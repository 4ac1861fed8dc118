// Batches of lattices as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/lattice_column.h"
#include "search/side_column.h"

namespace fstmetrics {

// A column, and what Python says is wrong with damaged lattices.
struct BoundColumn {
  explicit BoundColumn(std::shared_ptr<Vocabulary> vocabulary)
      : column(std::make_shared<LatticeColumn>(std::move(vocabulary))) {}

  std::shared_ptr<LatticeColumn> column;
  nanobind::dict errors;  // by number of the lattice
};

// The lattices of a column as one side of a search; prepared here, with Python's lock held by nobody.
class LatticeSides : public SideColumn {
 public:
  explicit LatticeSides(std::shared_ptr<const LatticeColumn> column);
  std::size_t size() const override { return column_->size(); }
  Given given(std::size_t item) const override { return &column_->graph(item); }

 private:
  std::shared_ptr<const LatticeColumn> column_;
};

// Each lattice of a column, and then the words of its own best path under some scales: two items of a search.
class OracleSides {
 public:
  OracleSides(std::shared_ptr<const LatticeColumn> column, const GivenScales& weights, int threads);

  const LatticeColumn& column() const { return *column_; }
  LatticeScales scales(std::size_t i) const { return column_->scales(i, weights_); }
  // The words of the best path; sentence boundaries are none.
  const std::vector<std::string_view>& words(std::size_t i) const { return words_[i]; }
  // The first lattice that is cyclic, and that it is.
  std::optional<std::pair<std::size_t, std::string>> failure;
  // Whether all lattices have words and a path from the start to a final state; otherwise there is nothing to be asked
  // here.
  bool are_searchable = true;

 private:
  void find_best_path(std::size_t i);

  std::shared_ptr<const LatticeColumn> column_;
  GivenScales weights_;
  std::vector<std::vector<std::string_view>> words_;
};

class OracleSideColumn : public SideColumn {
 public:
  explicit OracleSideColumn(std::shared_ptr<const OracleSides> sides) : sides_(std::move(sides)) {}
  std::size_t size() const override { return 2 * sides_->column().size(); }
  Given given(std::size_t item) const override {
    if (item % 2 == 0) return &sides_->column().graph(item / 2);
    return Text{{}, sides_->words(item / 2), true};
  }

 private:
  std::shared_ptr<const OracleSides> sides_;
};

void bind_lattices(nanobind::module_& m);

}  // namespace fstmetrics

// Batches of lattices as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "formats/lattice_column.h"

namespace fstmetrics {

// A column, and what Python says is wrong with damaged lattices.
struct BoundColumn {
  explicit BoundColumn(std::shared_ptr<Vocabulary> vocabulary) : column(std::make_shared<LatticeColumn>(std::move(vocabulary))) {}

  std::shared_ptr<LatticeColumn> column;
  nanobind::dict errors;  // by number of the lattice
};

void bind_lattices(nanobind::module_& m);

}  // namespace fstmetrics

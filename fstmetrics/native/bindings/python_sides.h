// One side of many items as Python gives it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "bindings/strings.h"
#include "search/graph.h"
#include "search/side_column.h"

namespace fstmetrics {

namespace nb = nanobind;

// A graph, and the Python objects it was made of.
struct BoundGraph {
  Graph graph;
  nb::object machine;
  nb::tuple words;  // by label; the first is not used
};

// A tuple of str, lists or tuples of words, tuples of such, and BoundGraphs.
class PythonSides : public SideColumn {
 public:
  explicit PythonSides(nb::tuple sides) : sides_(std::move(sides)) {}
  std::size_t size() const override { return sides_.size(); }
  Given given(std::size_t item) const override;
  bool needs_python() const override { return true; }
  // By label, where the item is a BoundGraph; else nothing.
  std::optional<nb::tuple> words(std::size_t item) const;

 private:
  nb::tuple sides_;
  mutable Utf8 utf8_;
};

// The column of a TextColumn; or of any sequence, as a tuple of its own: other threads may change a list while a search
// runs.
std::unique_ptr<SideColumn> side_column(nb::handle sides);

}  // namespace fstmetrics

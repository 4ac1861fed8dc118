// Texts that leave a choice, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "formats/choice_lines.h"
#include "search/side_column.h"

namespace fstmetrics {

// A side of a search: the graphs of texts that leave a choice.
class ChoiceGraphs : public SideColumn {
 public:
  ChoiceGraphs(const ChoiceLines& lines, ChangedWords&& words);
  ChoiceGraphs(const ChoiceGraphs&) = delete;
  ChoiceGraphs& operator=(const ChoiceGraphs&) = delete;
  std::size_t size() const override { return graphs_.size(); }
  Given given(std::size_t item) const override { return &graphs_[item]; }

 private:
  const ChangedWords words_;
  std::vector<Graph> graphs_;
};

// A side of a search in which every item is the next one of either of two columns.
class MixedSides : public SideColumn {
 public:
  // Of each item whether it is of the first column. Throws std::invalid_argument where the columns do not have that
  // many.
  MixedSides(const std::vector<std::uint8_t>& of_first, std::shared_ptr<const SideColumn> first,
             std::shared_ptr<const SideColumn> second);
  std::size_t size() const override { return places_.size(); }
  Given given(std::size_t item) const override {
    const auto [is_first, place] = places_[item];
    return (is_first ? first_ : second_)->given(place);
  }
  bool needs_python() const override { return first_->needs_python() || second_->needs_python(); }

 private:
  std::vector<std::pair<bool, std::size_t>> places_;
  std::shared_ptr<const SideColumn> first_, second_;
};

// What others hold as well, as a column.
class SharedSides : public SideColumn {
 public:
  explicit SharedSides(std::shared_ptr<const SideColumn> column) : column_(std::move(column)) {}
  std::size_t size() const override { return column_->size(); }
  Given given(std::size_t item) const override { return column_->given(item); }
  bool needs_python() const override { return column_->needs_python(); }

 private:
  std::shared_ptr<const SideColumn> column_;
};

void bind_choices(nanobind::module_& m);

}  // namespace fstmetrics

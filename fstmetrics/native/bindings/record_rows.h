// Rows of text put together from columns: records, and what the journal of a run says of items.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/found.h"
#include "search/side_column.h"

namespace fstmetrics {

// The words of the best paths of some items, on one side: to be compared with others.
struct PathWords {
  PathWords(std::shared_ptr<const Found> found, bool of_hypothesis, std::size_t first, std::size_t last);

  std::shared_ptr<const Found> found;  // has the words
  std::vector<std::vector<std::string_view>> words;
};

class PathWordSides : public SideColumn {
 public:
  explicit PathWordSides(std::shared_ptr<const PathWords> paths) : paths_(std::move(paths)) {}
  std::size_t size() const override { return paths_->words.size(); }
  Given given(std::size_t item) const override { return Text{{}, paths_->words[item], true}; }

 private:
  std::shared_ptr<const PathWords> paths_;
};

void bind_record_rows(nanobind::module_& m);

}  // namespace fstmetrics

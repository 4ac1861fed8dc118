// One side of many items, in whatever way it is kept. Results look at it again when somebody asks for their words.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "search/item.h"
#include "text/text_column.h"

namespace fstmetrics {

class SideColumn {
 public:
  virtual ~SideColumn() = default;
  virtual std::size_t size() const = 0;
  // What a search takes, which views what this object holds. Asked with Python's lock held. The words of a graph's
  // labels are those of its table.
  virtual Given given(std::size_t item) const = 0;
  // Whether that must be so.
  virtual bool needs_python() const { return false; }
};

// Plain texts, words between white space.
class TextSides : public SideColumn {
 public:
  explicit TextSides(std::shared_ptr<const TextColumn> column) : column_(std::move(column)) {}
  std::size_t size() const override { return column_->size(); }
  Given given(std::size_t item) const override { return Text{column_->texts[item], {}, false}; }

 private:
  std::shared_ptr<const TextColumn> column_;
};

// Several texts of each item, of which the best one counts: columns of texts side by side, or one column whose texts
// from begins[i] to begins[i + 1] are those of item i.
class AlternativeTexts : public SideColumn {
 public:
  // Every item of a column is a Text, and the columns are equally long; of begins there is one more than items, and no
  // item is without a text.
  explicit AlternativeTexts(std::vector<std::shared_ptr<const SideColumn>> columns,
                            std::vector<std::int64_t> begins = {})
      : columns_(std::move(columns)), begins_(std::move(begins)) {}
  std::size_t size() const override { return begins_.empty() ? columns_.front()->size() : begins_.size() - 1; }
  Given given(std::size_t item) const override;
  bool needs_python() const override;

 private:
  std::vector<std::shared_ptr<const SideColumn>> columns_;
  std::vector<std::int64_t> begins_;
};

// The characters of plain texts.
class CharacterSides : public SideColumn {
 public:
  CharacterSides(std::shared_ptr<const TextColumn> column, bool as_they_are)
      : column_(std::move(column)), unit_(as_they_are ? Unit::kCharacter : Unit::kCharacterOfWords) {}
  std::size_t size() const override { return column_->size(); }
  Given given(std::size_t item) const override { return text(item); }
  Text text(std::size_t item) const { return {column_->texts[item], {}, false, unit_}; }

 private:
  std::shared_ptr<const TextColumn> column_;
  Unit unit_;
};

}  // namespace fstmetrics

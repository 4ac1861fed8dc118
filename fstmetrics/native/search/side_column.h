// One side of many items, in whatever way it is kept. Results look at it again when somebody asks for their words.
#pragma once

#include <memory>
#include <utility>

#include "search/item.h"
#include "text/text_column.h"

namespace fstmetrics {

class SideColumn {
 public:
  virtual ~SideColumn() = default;
  virtual std::size_t size() const = 0;
  // What a search takes, which views what this object holds. Asked with Python's lock held. The words of a graph's labels are
  // those of its table.
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

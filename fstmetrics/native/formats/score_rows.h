// Tables of scores as columns, a row a line: names by number, and scores.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/table_rows.h"
#include "text/text_arena.h"
#include "text/word_table.h"

namespace fstmetrics {

// Cells that tabs part, or any white space, in the order of a head; without quotes. White space around a cell does not
// count.
class HeadedRowForm : public TableForm {
 public:
  HeadedRowForm(ColumnRoles roles, std::vector<std::string> names, bool has_tabs)
      : TableForm(std::move(roles)), names(std::move(names)), has_tabs(has_tabs) {}
  std::unique_ptr<TableReader> table_reader() const override;

  const std::vector<std::string> names;
  const bool has_tabs;
};

// A name for each row: its number among the different ones, from 0 as they come.
class NameColumn {
 public:
  NameColumn() { table_.reset(0); }
  void add(std::string_view name);
  std::vector<std::int32_t>& numbers() { return numbers_; }
  std::int32_t size() const { return table_.size(); }
  std::string_view name(std::int32_t number) const { return table_.word(number + 1).view(); }

 private:
  TextArena arena_;
  WordTable table_;
  std::vector<std::int32_t> numbers_;
};

class ScoreRows {
 public:
  // Of each column of names and of scores, what it is called. Every row has all of them, and no others that are fields.
  ScoreRows(const TableForm& form, std::vector<std::string> names, std::vector<std::string> scores);
  // Reads whole lines. False where one is something that only the reader in Python tells; no more can then be read.
  bool add(std::string_view lines);

  NameColumn& names(std::size_t column) { return names_.at(column); }
  // Not a number where there is none.
  std::vector<double>& scores(std::size_t column) { return scores_.at(column); }

 private:
  bool take(const std::vector<FieldCell>& cells);
  std::ptrdiff_t place_of(std::int32_t field);

  std::unique_ptr<TableReader> reader_;
  const std::vector<std::string> called_;  // names, then scores
  std::vector<std::ptrdiff_t> places_;     // of fields, among these; -1 for others
  std::vector<NameColumn> names_;
  std::vector<std::vector<double>> scores_;
};

}  // namespace fstmetrics

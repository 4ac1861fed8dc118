// Rows of tables, one a line: the columns that are the id and the text of an item, and those that are its fields.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/line_form.h"
#include "text/field_rows.h"
#include "text/text_arena.h"
#include "text/text_column.h"

namespace fstmetrics {

// Which columns are what; those of objects within a row have names as `audio.path`.
struct ColumnRoles {
  std::vector<std::string> id;  // joined by _; none where order pairs
  std::string text;
  std::vector<std::string> left_out;                         // that are no fields
  std::vector<std::pair<std::string, std::string>> renamed;  // columns, and the names that they have as fields
  bool has_fields = true;
  bool has_nulls = true;  // whether an empty text as a field is no null
};

// The columns of some rows; without ids if no column is one.
struct TablePart {
  TextColumn ids, texts;
  FieldRows fields;
};

// One row, as its values come.
class TableRow {
 public:
  explicit TableRow(const ColumnRoles& roles);

  void begin();
  // The number of a column; -1 where there are too many.
  std::int32_t column(std::string_view name);
  // Takes a value; false where the column came before in this row.
  bool add(std::int32_t column, FieldKind kind, std::string_view text);
  // The same of a list, which no field is.
  bool add_list(std::int32_t column);
  // Whether the row has an id and a text, and no other kind of value there.
  bool close();

  bool has_ids() const { return !roles_.id.empty(); }
  std::string_view id() const { return id_; }
  std::string_view text() const { return text_.text; }
  const std::vector<FieldCell>& fields() const { return fields_; }
  // Whether a list was where a field may be.
  bool has_list() const { return has_list_; }
  const FieldRows::Names& names() const { return names_; }
  // Those among them that a row has had.
  FieldRows::Names used_names() const;
  // Lets what it holds itself stay where it is for as long as the caller likes.
  TextArena& arena() { return *arena_; }
  const std::shared_ptr<TextArena>& shared_arena() const { return arena_; }
  void keeps_texts() { keeps_texts_ = true; }

 private:
  struct Column {
    std::string name;
    std::int32_t field = -1, part_of_id = -1;
    bool is_text = false;
    std::int64_t row = 0;  // the last one that has it
  };
  struct Place {
    std::int64_t row = 0;  // the last one that has the field
    std::size_t at = 0;
  };

  const ColumnRoles roles_;
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::int32_t> known_;
  FieldRows::Names names_;
  std::vector<Place> places_;  // of each field, in the row
  std::int64_t row_ = 0;
  std::vector<FieldCell> parts_;  // of the id
  FieldCell text_;
  bool has_text_ = false, has_list_ = false, keeps_texts_ = false;
  std::size_t found_parts_ = 0;
  std::string_view id_;
  std::vector<FieldCell> fields_;
  std::shared_ptr<TextArena> arena_ = std::make_shared<TextArena>();
};

class TableReader : public LineReader {
 public:
  explicit TableReader(const ColumnRoles& roles) : row_(roles) {}
  LineItem read(std::string_view line) final;
  std::vector<std::string> fields() const final { return row_.used_names(); }
  TableRow& row() { return row_; }

 protected:
  // Reads a line's values into the row, which has begun.
  virtual LineKind read_values(std::string_view line) = 0;
  // What is worth a remark about a text, beside missing numbers.
  virtual TextNote note_of(std::string_view) const { return TextNote::kNone; }

  TableRow row_;
};

class TableForm : public LineForm {
 public:
  explicit TableForm(ColumnRoles roles) : roles(std::move(roles)) {}
  bool has_columns() const override { return true; }
  std::unique_ptr<LineReader> reader(bool is_known = false) const final;
  virtual std::unique_ptr<TableReader> table_reader() const = 0;
  // The columns of whole lines; nothing where one is something that only the reader in Python tells.
  std::optional<TablePart> part(std::string_view bytes, std::shared_ptr<const void> holder) const;

  const ColumnRoles roles;
};

// Objects of JSON, one a line, as manifests of NeMo and of Lhotse have them. Only what Python's json reads in the same
// way is an item.
class JsonRowForm : public TableForm {
 public:
  using TableForm::TableForm;
  std::unique_ptr<TableReader> table_reader() const override;
};

// Cells of a line, in the order of a head: parted by a character, and in quotes as of RFC 4180 unless it is a tab. A
// row in quotes that goes on in the next line is left to the reader in Python.
class DelimitedRowForm : public TableForm {
 public:
  struct Head {
    std::vector<std::string> names;  // one may have none
    std::int64_t bytes = 0, lines = 0;
  };
  // With `is_spaced`, spaces behind the delimiter do not count.
  DelimitedRowForm(ColumnRoles roles, Head head, char delimiter, bool is_spaced)
      : TableForm(std::move(roles)), head(std::move(head)), delimiter(delimiter), is_spaced(is_spaced) {}
  std::unique_ptr<TableReader> table_reader() const override;
  std::int64_t head_bytes() const override { return head.bytes; }
  std::int64_t head_lines() const override { return head.lines; }

  const Head head;
  const char delimiter;
  const bool is_spaced;
};

}  // namespace fstmetrics

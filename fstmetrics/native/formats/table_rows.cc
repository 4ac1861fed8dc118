#include "formats/table_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "formats/lines.h"
#include "support/poll.h"
#include "text/json.h"

namespace fstmetrics {
namespace {

// More columns than any table has by rows: what has more has keys that are values.
constexpr std::size_t kMostColumns = 1 << 12;

// Whole numbers below are what they are as doubles; io/rows.py writes ids of numbers alike.
constexpr double kMostExact = 9007199254740992.0;

bool may_be_id(const FieldCell& cell) {
  return cell.kind == FieldKind::kInteger || cell.kind == FieldKind::kReal ||
         (cell.kind == FieldKind::kText && !cell.text.empty());
}

// What Python, numpy, pandas, R and databases write for what is missing; io/rows.py has the same.
bool is_nothing(std::string_view text) {
  switch (text.size()) {
    case 2:
      return text == "NA";
    case 3:
      return text == "nan" || text == "NaN" || text == "NaT";
    case 4:
      return text == "None" || text == "null" || text == "NULL" || text == "<NA>";
    default:
      return false;
  }
}

// What spreadsheets show where a formula failed.
constexpr std::string_view kErrors[] = {"#N/A", "#VALUE!", "#REF!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"};

// Whether a text may be the written form of another value, as `['the', 'cat']`, `{'text': 'the cat'}`, `b'the cat'` or
// `#N/A`; io/rows.py tells.
bool may_be_written(std::string_view text) {
  if (text.empty()) return false;
  const auto begin = static_cast<unsigned char>(text.front());
  if (begin > ' ' && begin != '[' && begin != '{' && begin != 'b' && begin != '#') return false;
  text = stripped(text);
  if (text.size() < 3) return false;
  const auto is_quote = [](char c) { return c == '\'' || c == '"'; };
  switch (text.front()) {
    case '#':
      return std::ranges::find(kErrors, text) != std::end(kErrors);
    case 'b':
      return is_quote(text[1]) && text[1] == text.back();
    case '[':
    case '{':
      if (text.back() != (text.front() == '[' ? ']' : '}')) return false;
      return is_quote(text[text.find_first_not_of(" \t\r\n", 1)]);
    default:
      return false;
  }
}

}  // namespace

TableRow::TableRow(const ColumnRoles& roles) : roles_(roles), parts_(roles.id.size()) {}

void TableRow::begin() {
  ++row_;
  fields_.clear();
  found_parts_ = 0;
  has_text_ = has_list_ = false;
  if (!keeps_texts_) arena_->clear();
}

std::int32_t TableRow::column(std::string_view name) {
  const auto [at, is_new] = known_.try_emplace(std::string(name), static_cast<std::int32_t>(columns_.size()));
  if (!is_new) return at->second;
  if (columns_.size() == kMostColumns) {
    known_.erase(at);
    return -1;
  }
  Column column;
  column.name = name;
  const auto part = std::find(roles_.id.begin(), roles_.id.end(), name);
  if (part != roles_.id.end()) column.part_of_id = static_cast<std::int32_t>(part - roles_.id.begin());
  column.is_text = name == roles_.text;
  const bool is_left_out = std::find(roles_.left_out.begin(), roles_.left_out.end(), name) != roles_.left_out.end();
  if (roles_.has_fields && !is_left_out) {
    const auto renamed = std::find_if(roles_.renamed.begin(), roles_.renamed.end(),
                                      [&](const auto& pair) { return pair.first == name; });
    const std::string_view field = renamed == roles_.renamed.end() ? name : std::string_view(renamed->second);
    const auto known = std::find(names_.begin(), names_.end(), field);
    column.field = static_cast<std::int32_t>(known - names_.begin());
    if (known == names_.end()) {
      names_.emplace_back(field);
      places_.emplace_back();
    }
  }
  columns_.push_back(std::move(column));
  return at->second;
}

bool TableRow::add(std::int32_t number, FieldKind kind, std::string_view text) {
  Column& column = columns_[static_cast<std::size_t>(number)];
  if (column.row == row_) return false;
  column.row = row_;
  FieldCell cell{column.field, kind, text};
  if (column.is_text) {
    text_ = cell;
    has_text_ = true;
  }
  if (column.part_of_id >= 0) {
    parts_[static_cast<std::size_t>(column.part_of_id)] = cell;
    ++found_parts_;
  }
  if (column.field >= 0) {
    if (kind == FieldKind::kText) cell.text = stripped(text);
    if (!roles_.has_nulls && cell.text.empty()) cell.kind = FieldKind::kNull;
    Place& place = places_[static_cast<std::size_t>(column.field)];
    if (place.row == row_) {
      fields_[place.at] = cell;
    } else {
      place = {row_, fields_.size()};
      fields_.push_back(cell);
    }
  }
  return true;
}

FieldRows::Names TableRow::used_names() const {
  FieldRows::Names used;
  for (std::size_t name = 0; name < names_.size(); ++name) {
    if (places_[name].row > 0) used.push_back(names_[name]);
  }
  return used;
}

bool TableRow::add_list(std::int32_t number) {
  Column& column = columns_[static_cast<std::size_t>(number)];
  const bool is_new = column.row != row_ && !column.is_text && column.part_of_id < 0;
  column.row = row_;
  has_list_ = has_list_ || column.field >= 0;
  return is_new;
}

bool TableRow::close() {
  if (!has_text_ || text_.kind != FieldKind::kText || found_parts_ < parts_.size()) return false;
  if (parts_.empty()) return true;
  if (!std::all_of(parts_.begin(), parts_.end(), may_be_id)) return false;
  if (parts_.size() == 1 && parts_.front().kind != FieldKind::kReal) {
    id_ = parts_.front().text;
    return true;
  }
  std::string id;
  for (const FieldCell& part : parts_) {
    if (&part != &parts_.front()) id += '_';
    if (part.kind == FieldKind::kReal) {
      double number = 0;
      std::from_chars(part.text.data(), part.text.data() + part.text.size(), number);
      if (number == std::trunc(number) && std::abs(number) < kMostExact) {
        id += std::to_string(static_cast<std::int64_t>(number));  // 0.0 is 0
      } else {
        append_json(id, number);
      }
    } else {
      id += part.text;
    }
  }
  char* room = arena_->room(id.size());
  id_ = arena_->keep(std::copy(id.begin(), id.end(), room));
  return true;
}

LineItem TableReader::read(std::string_view line) {
  row_.begin();
  LineItem item;
  item.kind = read_values(line);
  if (item.kind != LineKind::kItem) return item;
  if (!row_.close()) return {};
  if (row_.has_ids()) item.id = row_.id();
  item.text = row_.text();
  if (may_be_written(item.text)) return {};
  item.note = is_nothing(item.text) ? TextNote::kMissing : note_of(item.text);
  return item;
}

std::unique_ptr<LineReader> TableForm::reader(bool) const { return table_reader(); }

std::optional<TablePart> TableForm::part(std::string_view bytes, std::shared_ptr<const void> holder) const {
  const std::unique_ptr<TableReader> reader = table_reader();
  TableRow& row = reader->row();
  row.keeps_texts();
  const auto holders =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<TextArena>>>(holder, row.shared_arena());
  TablePart part{{holders, {}}, {holders, {}}, {holders, nullptr, {}, {}}};
  Polls poll;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = bytes.substr(at, end - at);  // with a CR, as a survey has it
    at = end + 1;
    poll(100 + 2 * static_cast<std::int64_t>(line.size()));
    const LineItem item = reader->read(line);
    if (item.kind == LineKind::kNone) continue;
    if (item.kind == LineKind::kOther) return std::nullopt;
    if (row.has_ids()) part.ids.texts.push_back(item.id);
    part.texts.texts.push_back(item.text);
    part.fields.add_row(row.fields());
  }
  part.fields.names = std::make_shared<FieldRows::Names>(row.names());
  return part;
}

}  // namespace fstmetrics

#include "formats/score_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "formats/lines.h"
#include "formats/numbers.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

class HeadedRowReader : public TableReader {
 public:
  explicit HeadedRowReader(const HeadedRowForm& form) : TableReader(form.roles), has_tabs_(form.has_tabs) {
    for (const std::string& name : form.names) columns_.push_back(row_.column(name));
  }

 protected:
  LineKind read_values(std::string_view line) override {
    if (line.ends_with('\r')) line.remove_suffix(1);
    cells_.clear();
    if (has_tabs_) {
      split_at_tabs(line);
      if (cells_.size() == 1 && cells_.front().empty()) return LineKind::kNone;
    } else {
      split(line, cells_);
      if (cells_.empty()) return LineKind::kNone;
    }
    if (cells_.size() != columns_.size()) return LineKind::kOther;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (columns_[i] < 0 || !row_.add(columns_[i], FieldKind::kText, cells_[i])) return LineKind::kOther;
    }
    return LineKind::kItem;
  }

 private:
  void split_at_tabs(std::string_view line) {
    while (true) {
      const std::size_t end = line.find('\t');
      cells_.push_back(stripped(line.substr(0, end)));
      if (end == line.npos) return;
      line.remove_prefix(end + 1);
    }
  }

  const bool has_tabs_;
  std::vector<std::int32_t> columns_;
  std::vector<std::string_view> cells_;
};

bool is_missing_score(const FieldCell& cell) {
  return cell.kind == FieldKind::kNull || cell.text.empty() || cell.text == "None" || cell.text == "NA";
}

// As Python reads it; nothing for all that it tells apart, such as truth values.
std::optional<double> score_of(FieldCell cell) {
  if (cell.kind == FieldKind::kFalse || cell.kind == FieldKind::kTrue) return std::nullopt;
  if (cell.kind == FieldKind::kText) cell.text = stripped(cell.text);
  if (is_missing_score(cell)) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> found = number(cell.text);
  if (!found || !std::isfinite(*found)) return std::nullopt;
  return cell.kind == FieldKind::kInteger ? *found + 0.0 : *found;  // of whole numbers, -0 is 0
}

// A text, or a whole number, which Python writes as it is written here.
bool is_name(const FieldCell& cell) {
  return cell.kind == FieldKind::kText || cell.kind == FieldKind::kNull ||
         (cell.kind == FieldKind::kInteger && !cell.text.starts_with('-'));
}

}  // namespace

std::unique_ptr<TableReader> HeadedRowForm::table_reader() const { return std::make_unique<HeadedRowReader>(*this); }

void NameColumn::add(std::string_view name) {
  if (!numbers_.empty() && this->name(numbers_.back()) == name) {
    numbers_.push_back(numbers_.back());
    return;
  }
  Label label = table_.find(make_word(name));
  if (label == kEpsilon) {
    char* room = arena_.room(name.size() + 1);
    label = table_.intern(make_word(arena_.keep(std::copy(name.begin(), name.end(), room))));
  }
  numbers_.push_back(static_cast<std::int32_t>(label) - 1);
}

ScoreRows::ScoreRows(const TableForm& form, std::vector<std::string> names, std::vector<std::string> scores)
    : reader_(form.table_reader()),
      called_([&] {
        std::vector<std::string> all = names;
        all.insert(all.end(), scores.begin(), scores.end());
        return all;
      }()),
      names_(names.size()),
      scores_(scores.size()) {}

bool ScoreRows::add(std::string_view lines) {
  Polls poll;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string_view line = lines.substr(at, end - at);
    at = end + 1;
    poll(100 + 4 * static_cast<std::int64_t>(line.size()));
    const LineItem item = reader_->read(line);
    if (item.kind == LineKind::kNone) continue;
    const TableRow& row = reader_->row();
    if (item.kind == LineKind::kOther || row.has_list() || !take(row.fields())) return false;
  }
  return true;
}

bool ScoreRows::take(const std::vector<FieldCell>& cells) {
  if (cells.size() != called_.size()) return false;
  for (const FieldCell& cell : cells) {
    const std::ptrdiff_t place = place_of(cell.name);
    if (place < 0) return false;
    const auto column = static_cast<std::size_t>(place);
    if (column < names_.size()) {
      if (!is_name(cell)) return false;
      names_[column].add(cell.kind == FieldKind::kNull ? std::string_view{} : stripped(cell.text));
    } else {
      const std::optional<double> score = score_of(cell);
      if (!score) return false;
      scores_[column - names_.size()].push_back(*score);
    }
  }
  return true;
}

std::ptrdiff_t ScoreRows::place_of(std::int32_t field) {
  const std::vector<std::string>& fields = reader_->row().names();
  while (places_.size() < fields.size()) {
    const auto found = std::find(called_.begin(), called_.end(), fields[places_.size()]);
    places_.push_back(found == called_.end() ? -1 : found - called_.begin());
  }
  return places_[static_cast<std::size_t>(field)];
}

}  // namespace fstmetrics

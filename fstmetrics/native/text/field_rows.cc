#include "text/field_rows.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "support/poll.h"
#include "text/json.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

bool says_nothing(const FieldCell& cell) {
  return cell.kind == FieldKind::kNull || (cell.kind == FieldKind::kText && cell.text.empty());
}

void append_value(std::string& json, const FieldCell& cell, bool ascii) {
  switch (cell.kind) {
    case FieldKind::kNull:
      json += "null";
      break;
    case FieldKind::kFalse:
      json += "false";
      break;
    case FieldKind::kTrue:
      json += "true";
      break;
    case FieldKind::kInteger:
      json += cell.text;
      break;
    case FieldKind::kReal: {
      double number = 0;
      std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), number);
      fstmetrics::append_json(json, number);
      break;
    }
    case FieldKind::kText:
      ascii ? append_ascii_json(json, cell.text) : fstmetrics::append_json(json, cell.text);
      break;
  }
}

std::int32_t number_of(const FieldRows::Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<std::int32_t>(found - names.begin());
}

}  // namespace

FieldRows FieldRows::taken(std::span<const std::int64_t> numbers) const {
  FieldRows some{holder, names, {}, {}};
  some.ends.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    some.add_row(number < 0 ? std::span<const FieldCell>() : row(static_cast<std::size_t>(number)));
  }
  return some;
}

std::vector<std::string_view> FieldRows::present() const {
  std::vector<bool> seen(names->size());
  std::vector<std::string_view> found;
  for (const FieldCell& cell : cells) {
    const auto name = static_cast<std::size_t>(cell.name);
    if (!seen[name]) found.push_back((*names)[name]);
    seen[name] = true;
  }
  return found;
}

FieldCell FieldRows::value(std::size_t i, std::string_view name) const {
  const std::int32_t wanted = number_of(*names, name);
  const auto cells_of = row(i);
  const auto found =
      std::find_if(cells_of.begin(), cells_of.end(), [&](const FieldCell& cell) { return cell.name == wanted; });
  return found == cells_of.end() ? FieldCell{} : *found;
}

FieldRows::Codes FieldRows::codes(std::string_view name) const {
  const std::int32_t wanted = number_of(*names, name);
  // Of each kind that has no text, the code; of texts and numbers, tables of what comes.
  constexpr std::size_t kKinds = 6;
  std::int64_t of_kind[kKinds];
  std::fill(std::begin(of_kind), std::end(of_kind), -1);
  WordTable tables[kKinds];
  std::vector<std::int64_t> of_labels[kKinds];
  for (WordTable& table : tables) table.reset(0);
  Codes found;
  found.codes.reserve(size());
  Polls poll;
  for (std::size_t i = 0; i < size(); ++i) {
    poll(30);
    FieldCell cell;
    for (const FieldCell& each : row(i)) {
      if (each.name == wanted) cell = each;
    }
    const auto kind = static_cast<std::size_t>(cell.kind);
    std::int64_t code = -1;
    if (cell.kind < FieldKind::kInteger || cell.text.empty()) {
      code = of_kind[kind];
      if (code < 0) of_kind[kind] = static_cast<std::int64_t>(found.first.size());
    } else {
      const auto label = static_cast<std::size_t>(tables[kind].intern(make_word(cell.text)));
      if (label <= of_labels[kind].size()) code = of_labels[kind][label - 1];
      if (code < 0) of_labels[kind].push_back(static_cast<std::int64_t>(found.first.size()));
    }
    if (code < 0) {
      code = static_cast<std::int64_t>(found.first.size());
      found.first.push_back(static_cast<std::int64_t>(i));
    }
    found.codes.push_back(code);
  }
  return found;
}

void FieldRows::append_json(std::string& json, std::size_t i, bool ascii) const {
  json += '{';
  const char* between = "";
  for (const FieldCell& cell : row(i)) {
    json += between;
    const std::string& name = (*names)[static_cast<std::size_t>(cell.name)];
    ascii ? append_ascii_json(json, name) : fstmetrics::append_json(json, name);
    json += ": ";
    append_value(json, cell, ascii);
    between = ", ";
  }
  json += '}';
}

FieldRows merged(std::span<const FieldRows* const> sides) {
  const auto holders = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  const auto names = std::make_shared<FieldRows::Names>();
  std::unordered_map<std::string_view, std::int32_t> known;
  std::vector<std::vector<std::int32_t>> numbers;  // of each side's names
  std::size_t size = 0;
  for (const FieldRows* side : sides) {
    holders->push_back(side->holder);
    holders->push_back(side->names);
    size = std::max(size, side->size());
    std::vector<std::int32_t>& of_side = numbers.emplace_back();
    for (const std::string& name : *side->names) {
      const auto [at, is_new] = known.try_emplace(name, static_cast<std::int32_t>(known.size()));
      if (is_new) names->push_back(name);
      of_side.push_back(at->second);
    }
  }
  FieldRows all{holders, names, {}, {}};
  all.ends.reserve(size);
  std::vector<std::int64_t> place(names->size(), -1);  // of each name's cell in the row
  Polls poll;
  for (std::size_t i = 0; i < size; ++i) {
    poll(50);
    const auto begin = static_cast<std::int64_t>(all.cells.size());
    for (std::size_t side = 0; side < sides.size(); ++side) {
      for (FieldCell cell : sides[side]->row(i)) {
        cell.name = numbers[side][static_cast<std::size_t>(cell.name)];
        std::int64_t& at = place[static_cast<std::size_t>(cell.name)];
        if (at < begin) {
          at = static_cast<std::int64_t>(all.cells.size());
          all.cells.push_back(cell);
        } else if (says_nothing(all.cells[static_cast<std::size_t>(at)])) {
          all.cells[static_cast<std::size_t>(at)] = cell;
        }
      }
    }
    all.ends.push_back(static_cast<std::int64_t>(all.cells.size()));
  }
  return all;
}

FieldRows with_texts(const FieldRows* rows, std::string_view name, const TextColumn& texts) {
  const auto names = rows ? std::make_shared<FieldRows::Names>(*rows->names) : std::make_shared<FieldRows::Names>();
  const auto number = static_cast<std::int32_t>(std::find(names->begin(), names->end(), name) - names->begin());
  if (static_cast<std::size_t>(number) == names->size()) names->emplace_back(name);
  using Holders = std::vector<std::shared_ptr<const void>>;
  const auto holders = std::make_shared<Holders>(Holders{rows ? rows->holder : nullptr, texts.holder});
  FieldRows all{holders, names, {}, {}};
  all.cells.reserve((rows ? rows->cells.size() : 0) + texts.size());
  all.ends.reserve(texts.size());
  Polls poll;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    poll(50);
    const FieldCell told{number, FieldKind::kText, texts.texts[i]};
    bool is_there = false;
    for (const FieldCell& cell : rows ? rows->row(i) : std::span<const FieldCell>()) {
      is_there |= cell.name == number;
      all.cells.push_back(cell.name == number ? told : cell);
    }
    if (!is_there) all.cells.push_back(told);
    all.ends.push_back(static_cast<std::int64_t>(all.cells.size()));
  }
  return all;
}

}  // namespace fstmetrics

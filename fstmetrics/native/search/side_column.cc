#include "search/side_column.h"

#include <algorithm>

namespace fstmetrics {

Given AlternativeTexts::given(std::size_t item) const {
  Texts texts;
  const auto add = [&](const SideColumn& column, std::size_t at) { texts.push_back(std::get<Text>(column.given(at))); };
  if (begins_.empty()) {
    texts.reserve(columns_.size());
    for (const auto& column : columns_) add(*column, item);
  } else {
    texts.reserve(static_cast<std::size_t>(begins_[item + 1] - begins_[item]));
    for (std::int64_t at = begins_[item]; at < begins_[item + 1]; ++at)
      add(*columns_.front(), static_cast<std::size_t>(at));
  }
  if (texts.size() == 1) return std::move(texts.front());
  return texts;
}

bool AlternativeTexts::needs_python() const {
  return std::ranges::any_of(columns_, [](const auto& column) { return column->needs_python(); });
}

}  // namespace fstmetrics

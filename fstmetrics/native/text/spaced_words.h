// Lists of words as texts.
#pragma once

#include <string_view>
#include <vector>

#include "text/text_column.h"

namespace fstmetrics {

// The words of each list with a space between one and the next.
TextColumn spaced_words(const std::vector<std::vector<std::string_view>>& lists);

}  // namespace fstmetrics

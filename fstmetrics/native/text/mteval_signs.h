// Signs as words of their own, as the script mteval-v13a of NIST has them.
#pragma once

#include <string>
#include <string_view>

namespace fstmetrics {

// A text with spaces around its signs: what the regular expressions of sacrebleu's tokenizers 13a and zh make of it.
std::string with_signs_apart(std::string_view text);

}  // namespace fstmetrics

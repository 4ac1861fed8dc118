// Texts and numbers in JSON, in the way in which Python's json writes them.
#pragma once

#include <string>
#include <string_view>

namespace fstmetrics {

// Appends the text in quotation marks; characters beyond ASCII stay.
void append_json(std::string& json, std::string_view utf8);
// The same with characters beyond ASCII as \u escapes.
void append_ascii_json(std::string& json, std::string_view utf8);
// Appends the shortest number that is read as this one; null for what is infinite or no number.
void append_json(std::string& json, double number);

}  // namespace fstmetrics

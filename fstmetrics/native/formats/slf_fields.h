// `NAME=value` lines of HTK's standard lattice format (SLF), with its quotes and escapes.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fstmetrics {

struct SlfField {
  std::string_view name, value;
};

// The fields of one line after another. Values stay valid as long as the reader and the text live.
class SlfFields {
 public:
  // The fields of a line, up to a comment; none for blank lines. Throws Fault for what is not NAME=value.
  const std::vector<SlfField>& of(std::string_view line);

 private:
  std::string_view unescaped(std::string_view value);

  std::vector<SlfField> fields_;
  std::deque<std::string> kept_;  // values with escapes, which are not in the text as they stand
};

}  // namespace fstmetrics

// What a parser throws where a file cannot be read.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace fstmetrics {

struct Fault final : std::exception {
  // `message` says what was expected; "{}" in it stands for `piece`, which was found.
  Fault(std::string message, std::string_view piece = {}) : message(std::move(message)), piece(piece) {}

  static Fault at_byte(std::int64_t byte, std::string message) {
    Fault fault(std::move(message));
    fault.byte = byte;
    return fault;
  }
  const char* what() const noexcept override { return message.c_str(); }

  static constexpr std::int64_t kNoLine = -1;  // no line is to blame

  std::string message;
  std::string piece;
  std::int64_t line = 0;   // from 1; 0 where it is not known yet
  std::int64_t byte = -1;  // from 0; -1 likewise
};

// What a parser throws, and catches itself, where text or bytes are not as the usual programs write them: a general
// reader takes them, which knows what is wrong if something is.
struct ForAnotherReader {};

}  // namespace fstmetrics

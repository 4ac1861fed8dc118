#include "support/instruction_set.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "support/simd.h"

#define FSTMETRICS_TEXT_OF(number) #number
#define FSTMETRICS_TEXT(number) FSTMETRICS_TEXT_OF(number)

namespace fstmetrics {
namespace {

constexpr const char* kVariable = "FSTMETRICS_INSTRUCTION_SET";

constexpr struct {
  const char* name;
  int bytes;
} kSets[] = {{"x86-64-v4", 64}, {"x86-64-v3", 32}, {"plain", 16}};

int widest_here() {
#if FSTMETRICS_WIDE_KERNELS
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return 64;
  if (__builtin_cpu_supports("x86-64-v3")) return 32;
#endif
  return 16;
}

int widest_wanted() {
  const char* wanted = std::getenv(kVariable);
  if (wanted == nullptr || *wanted == '\0') return widest_here();
  for (const auto& set : kSets)
    if (std::strcmp(wanted, set.name) == 0) return std::min(set.bytes, widest_here());
  return 0;
}

}  // namespace

const int vector_bytes = widest_wanted();

const char* instruction_set() {
  for (const auto& set : kSets)
    if (set.bytes == vector_bytes) return set.name;
  std::string wanted = std::getenv(kVariable);
  const auto is_odd = [](char c) { return c < ' ' || c > '~'; };
  std::replace_if(wanted.begin(), wanted.end(), is_odd, '?');  // the message is a line of UTF-8, and this any bytes
  throw std::invalid_argument(
      std::string(kVariable) + " is " + wanted +
      ": expected x86-64-v4, x86-64-v3 or plain, or unset it for the best that this machine has");
}

const char* compiler() {
#if defined(__clang__)
  return "Clang " FSTMETRICS_TEXT(__clang_major__) "." FSTMETRICS_TEXT(__clang_minor__) "." FSTMETRICS_TEXT(
      __clang_patchlevel__);
#elif defined(__GNUC__)
  return "GCC " FSTMETRICS_TEXT(__GNUC__) "." FSTMETRICS_TEXT(__GNUC_MINOR__) "." FSTMETRICS_TEXT(__GNUC_PATCHLEVEL__);
#else
  return "another compiler";
#endif
}

}  // namespace fstmetrics

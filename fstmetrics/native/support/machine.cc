#include "support/machine.h"

#include "support/simd.h"

#define FSTMETRICS_TEXT_OF(number) #number
#define FSTMETRICS_TEXT(number) FSTMETRICS_TEXT_OF(number)

namespace fstmetrics {
namespace {

// A kernel that says which one it is.
struct Named {
  template <int kBytes>
  static FSTMETRICS_INLINE void run(const char** name) {
    *name = kBytes == 64 ? "x86-64-v4" : kBytes == 32 ? "x86-64-v3" : "plain";
  }
};

}  // namespace

const char* instruction_set() {
  const char* name = nullptr;
  run_kernel<Named>(&name);
  return name;
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

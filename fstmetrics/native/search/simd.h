// One function compiled for several instruction sets, the best chosen when the library is loaded. The plain version
// is right on every machine of the architecture; FSTMETRICS_PLAIN leaves only that one.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && !defined(FSTMETRICS_PLAIN)
#define FSTMETRICS_CLONES __attribute__((target_clones("default", "avx2", "arch=skylake-avx512")))
#else
#define FSTMETRICS_CLONES
#endif

#define FSTMETRICS_INLINE inline __attribute__((always_inline))

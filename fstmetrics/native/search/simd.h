// One function compiled for several instruction sets, the best chosen when the library is loaded. The plain version
// is right on every machine of the architecture; FSTMETRICS_PLAIN leaves only that one.
#pragma once

// x86-64-v3 has AVX2, x86-64-v4 AVX-512; compilers that do not know these names make the plain version only.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && \
    !defined(FSTMETRICS_PLAIN)
#define FSTMETRICS_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define FSTMETRICS_CLONES
#endif

#define FSTMETRICS_INLINE inline __attribute__((always_inline))

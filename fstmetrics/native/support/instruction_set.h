// What the engine was built with, and what of it this machine runs: for bug reports.
#pragma once

namespace fstmetrics {

// Bytes of a vector of kernels here (support/simd.h): 64, 32 or 16. The most that the machine has, but at most what the
// environment variable FSTMETRICS_INSTRUCTION_SET names when the library is loaded, so that every version can be run
// and timed on one machine. 0: the variable names no instruction set.
extern const int vector_bytes;

// Their instruction set: "x86-64-v4" (AVX-512), "x86-64-v3" (AVX2), or "plain", which is the least that the
// architecture has. Throws std::invalid_argument, with what is in the environment variable, if that names none.
const char* instruction_set();

// The compiler and its version.
const char* compiler();

}  // namespace fstmetrics

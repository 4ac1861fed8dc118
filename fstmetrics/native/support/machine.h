// What the engine was built with, and what of it this machine runs: for bug reports.
#pragma once

namespace fstmetrics {

// The instruction set that kernels use here (support/simd.h): "x86-64-v4" (AVX-512), "x86-64-v3" (AVX2), or "plain", which
// is the least that the architecture has.
const char* instruction_set();

// The compiler and its version.
const char* compiler();

}  // namespace fstmetrics

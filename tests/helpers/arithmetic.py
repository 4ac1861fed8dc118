"""The same last digits on every x86-64 processor; imported before numpy.

numpy takes logarithms, and OpenBLAS sums, by other instructions on newer processors, and the last of 17 digits may be
another one. Golden output has all of them.
"""

import os

os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"
os.environ["OPENBLAS_CORETYPE"] = "Haswell"

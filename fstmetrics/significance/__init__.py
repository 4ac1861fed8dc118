"""Whether a difference between systems is more than chance.

`compare` is the way in; `p_values` has what each test counts, `sc_stats` the tests of NIST's program for speech;
`fstmetrics.engine.resampling` draws resamples, sums them and makes intervals of them.
"""

from fstmetrics.engine.resampling import Resampling
from fstmetrics.significance.compare_statistics import compare_statistics
from fstmetrics.significance.compare_texts import Runs, compare
from fstmetrics.significance.comparison import Blocks, Comparison, Design, SystemScore, TestResult
from fstmetrics.significance.external_scores import external_statistics
from fstmetrics.significance.p_values import TESTS, holm, sign_p
from fstmetrics.significance.sc_stats import Verdict

__all__ = [
    "TESTS",
    "Blocks",
    "Comparison",
    "Design",
    "Resampling",
    "Runs",
    "SystemScore",
    "TestResult",
    "Verdict",
    "compare",
    "compare_statistics",
    "external_statistics",
    "holm",
    "sign_p",
]

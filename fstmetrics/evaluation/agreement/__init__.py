"""Whether metrics, and tests of them, say what people say.

`correlate` is the way in: correlation of systems, documents and segments with intervals, from a `ScoreTable`.
`coefficients` has what is computed of two rows of scores, `agreement` what is computed of judgments and of conclusions
about pairs of systems; `scored_runs` and `joining` make tables of files.
"""

from fstmetrics.evaluation.agreement.coefficients import (
    kendall,
    pairwise_accuracy,
    pearson,
    segment_kendall,
    spearman,
)
from fstmetrics.evaluation.agreement.joining import join
from fstmetrics.evaluation.agreement.judgments import (
    Proportion,
    agreement,
    chi_square,
    clopper_pearson,
    combined_tests,
    conclusion_accuracy,
    conclusions,
    human_tests,
    kappa,
    pairwise_tests,
    rank_sum_p,
    separation,
)
from fstmetrics.evaluation.agreement.levels import Correlation, Documents, Intervals, correlate
from fstmetrics.evaluation.agreement.table import Scored, ScoreTable

__all__ = [
    "Correlation",
    "Documents",
    "Intervals",
    "Proportion",
    "ScoreTable",
    "Scored",
    "agreement",
    "chi_square",
    "clopper_pearson",
    "combined_tests",
    "conclusion_accuracy",
    "conclusions",
    "correlate",
    "human_tests",
    "join",
    "kappa",
    "kendall",
    "pairwise_accuracy",
    "pairwise_tests",
    "pearson",
    "rank_sum_p",
    "segment_kendall",
    "separation",
    "spearman",
]

"""Whether metrics, and tests of them, say what people say; as `fm.evaluation` in Python.

`correlate` is the way in: correlation of systems, documents and segments with intervals, from a `ScoreTable`.
`coefficients` has what is computed of two rows of scores, `judgments` what is computed of judgments and of conclusions
about pairs of systems; `joining` makes tables of files. The commands are `correlate` and `rankings`.

Meta-evaluation of metrics from arrays of shape (systems, segments): `spa`, `acc_eq`, `correlation`.

>>> from fstmetrics import evaluation
>>> metric, human = [[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]], [[5, 1], [5, 3], [2, 3]]
>>> value, epsilon = evaluation.acc_eq(metric, human, group="item")
>>> round(value, 3)
0.833
"""

from fstmetrics.apps.metaeval.coefficients import (
    kendall,
    pairwise_accuracy,
    pearson,
    segment_kendall,
    spearman,
)
from fstmetrics.apps.metaeval.correlations import Correlation, Documents, correlate
from fstmetrics.apps.metaeval.exchanges import ExchangeTest, perm_both, perm_inputs, perm_systems
from fstmetrics.apps.metaeval.joining import join
from fstmetrics.apps.metaeval.judgments import (
    Proportion,
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
from fstmetrics.apps.metaeval.metric_tests import MetricTest, Permutations, compare_metrics, rank_clusters
from fstmetrics.apps.metaeval.preferences import Preferences, preferences
from fstmetrics.apps.metaeval.ranking_files import Rankings, read_rankings
from fstmetrics.apps.metaeval.ranking_weights import learn_weights
from fstmetrics.apps.metaeval.resampled import Intervals
from fstmetrics.apps.metaeval.segment_coefficients import correlation
from fstmetrics.apps.metaeval.soft_accuracy import spa
from fstmetrics.apps.metaeval.table import Scored, ScoreTable
from fstmetrics.apps.metaeval.tie_calibration import AccEq, acc_eq
from fstmetrics.io.scores.score_cells import ScoreFile
from fstmetrics.io.scores.score_files import read_scores
from fstmetrics.significance import Design, compare_statistics, external_statistics

__all__ = [
    "AccEq",
    "Correlation",
    "Design",
    "Documents",
    "ExchangeTest",
    "Intervals",
    "MetricTest",
    "Permutations",
    "Preferences",
    "Proportion",
    "Rankings",
    "ScoreFile",
    "ScoreTable",
    "Scored",
    "acc_eq",
    "chi_square",
    "clopper_pearson",
    "combined_tests",
    "compare_metrics",
    "compare_statistics",
    "conclusion_accuracy",
    "conclusions",
    "correlate",
    "correlation",
    "external_statistics",
    "human_tests",
    "join",
    "kappa",
    "kendall",
    "learn_weights",
    "pairwise_accuracy",
    "pairwise_tests",
    "pearson",
    "perm_both",
    "perm_inputs",
    "perm_systems",
    "preferences",
    "rank_clusters",
    "rank_sum_p",
    "read_rankings",
    "read_scores",
    "segment_kendall",
    "separation",
    "spa",
    "spearman",
]

"""Whether a difference between systems is real, and whether metrics agree with people.

Meta-evaluation of metrics from arrays of shape (systems, segments): `spa`, `acc_eq`, `correlation`.

>>> from fstmetrics import evaluation
>>> metric, human = [[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]], [[5, 1], [5, 3], [2, 3]]
>>> value, epsilon = evaluation.acc_eq(metric, human, group="item")
>>> round(value, 3)
0.833
"""

from fstmetrics.evaluation.agreement.coefficients import (
    kendall,
    pairwise_accuracy,
    pearson,
    segment_kendall,
    spearman,
)
from fstmetrics.evaluation.agreement.exchanges import ExchangeTest, perm_both, perm_inputs, perm_systems
from fstmetrics.evaluation.agreement.grouped import correlation
from fstmetrics.evaluation.agreement.metric_tests import (
    MetricTest,
    Permutations,
    compare_metrics,
    rank_clusters,
)
from fstmetrics.evaluation.agreement.preferences import Preferences, preferences
from fstmetrics.evaluation.agreement.ranking_weights import learn_weights
from fstmetrics.evaluation.agreement.soft_accuracy import spa
from fstmetrics.evaluation.agreement.tie_calibration import AccEq, acc_eq
from fstmetrics.evaluation.significance.compare_statistics import compare_statistics
from fstmetrics.evaluation.significance.comparison import Design
from fstmetrics.evaluation.significance.external_scores import external_statistics
from fstmetrics.io.scores.ranking_files import Rankings, read_rankings
from fstmetrics.io.scores.score_cells import ScoreFile
from fstmetrics.io.scores.score_files import read_scores

__all__ = [
    "AccEq",
    "Design",
    "ExchangeTest",
    "MetricTest",
    "Permutations",
    "Preferences",
    "Rankings",
    "ScoreFile",
    "acc_eq",
    "compare_metrics",
    "compare_statistics",
    "correlation",
    "external_statistics",
    "kendall",
    "learn_weights",
    "pairwise_accuracy",
    "pearson",
    "perm_both",
    "perm_inputs",
    "perm_systems",
    "preferences",
    "rank_clusters",
    "read_rankings",
    "read_scores",
    "segment_kendall",
    "spa",
    "spearman",
]

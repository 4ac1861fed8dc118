# The public names and where each comes from. This is the one list of them: `__init__.py` reads it.
from fstmetrics.evaluation.agreement.coefficients import kendall as kendall
from fstmetrics.evaluation.agreement.coefficients import pairwise_accuracy as pairwise_accuracy
from fstmetrics.evaluation.agreement.coefficients import pearson as pearson
from fstmetrics.evaluation.agreement.coefficients import segment_kendall as segment_kendall
from fstmetrics.evaluation.agreement.coefficients import spearman as spearman
from fstmetrics.evaluation.agreement.grouped import correlation as correlation
from fstmetrics.evaluation.agreement.metric_tests import MetricTest as MetricTest
from fstmetrics.evaluation.agreement.metric_tests import Permutations as Permutations
from fstmetrics.evaluation.agreement.metric_tests import compare_metrics as compare_metrics
from fstmetrics.evaluation.agreement.metric_tests import rank_clusters as rank_clusters
from fstmetrics.evaluation.agreement.preferences import Preferences as Preferences
from fstmetrics.evaluation.agreement.preferences import preferences as preferences
from fstmetrics.evaluation.agreement.soft_accuracy import spa as spa
from fstmetrics.evaluation.agreement.tie_calibration import AccEq as AccEq
from fstmetrics.evaluation.agreement.tie_calibration import acc_eq as acc_eq
from fstmetrics.readers.score_files import ScoreFile as ScoreFile
from fstmetrics.readers.score_files import read_scores as read_scores

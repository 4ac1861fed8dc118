# The public names of this folder and where each comes from, as of fstmetrics/__init__.pyi.
from fstmetrics.decoding.tuning.candidates import Candidates as Candidates
from fstmetrics.decoding.tuning.error_rate_training import mert as mert
from fstmetrics.decoding.tuning.line_searches import LineSearch as LineSearch
from fstmetrics.decoding.tuning.line_searches import line_search as line_search
from fstmetrics.decoding.tuning.margin_training import mira as mira
from fstmetrics.decoding.tuning.ranking_training import pro as pro
from fstmetrics.decoding.tuning.tuned_weights import Tuned as Tuned

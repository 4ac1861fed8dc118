"""What follows from a decoder's own costs and features: oracles, posteriors, minimum risk, tuning.

The names of tuning are reached as `fstmetrics.decoding.NAME`.
"""

from fstmetrics.decoding.tuning.candidates import Candidates
from fstmetrics.decoding.tuning.error_rate_training import mert
from fstmetrics.decoding.tuning.line_searches import LineSearch, line_search
from fstmetrics.decoding.tuning.margin_training import mira
from fstmetrics.decoding.tuning.ranking_training import pro
from fstmetrics.decoding.tuning.tuned_weights import Tuned

__all__ = [
    "Candidates",
    "LineSearch",
    "Tuned",
    "line_search",
    "mert",
    "mira",
    "pro",
]

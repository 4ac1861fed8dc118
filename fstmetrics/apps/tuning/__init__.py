"""Weights of a log-linear model, tuned towards a metric [L11 §3]; as `fm.decoding` in Python, `tune` as a command.

Read `candidates` first (what is chosen from, and its statistics), then `error_rate_training` (MERT),
`margin_training` (MIRA), `ranking_training` (PRO); `tuned_weights` has what all share, and makes lists of lattices for
the last two.
"""

from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.error_rate_training import LineSearch, line_search, mert
from fstmetrics.apps.tuning.margin_training import mira
from fstmetrics.apps.tuning.ranking_training import pro
from fstmetrics.apps.tuning.tuned_weights import Tuned

__all__ = [
    "Candidates",
    "LineSearch",
    "Tuned",
    "line_search",
    "mert",
    "mira",
    "pro",
]

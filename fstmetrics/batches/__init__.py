"""One function from batches of items to batches of results: what local threads and other engines run.

`scorer` makes it. docs/batches.md has the schemas.
"""

from fstmetrics.batches.batch_scorer import InputColumns, Scorer, scorer
from fstmetrics.batches.batch_sums import Merged, merge

__all__ = [
    "InputColumns",
    "Merged",
    "Scorer",
    "merge",
    "scorer",
]

# The public names of this folder and where each comes from, as of fstmetrics/__init__.pyi.
from fstmetrics.batches.batch_scorer import InputColumns as InputColumns
from fstmetrics.batches.batch_scorer import Scorer as Scorer
from fstmetrics.batches.batch_scorer import scorer as scorer
from fstmetrics.batches.batch_sums import Merged as Merged
from fstmetrics.batches.batch_sums import merge as merge

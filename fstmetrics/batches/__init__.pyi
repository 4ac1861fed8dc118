# The public names of this folder and where each comes from, as of fstmetrics/__init__.pyi.
from fstmetrics.batches.path_scoring import PathScoring as PathScoring

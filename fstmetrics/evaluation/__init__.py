"""Whether a difference between systems is real, and whether metrics agree with people.

Meta-evaluation of metrics from arrays of shape (systems, segments): `spa`, `acc_eq`, `correlation`. The names are
listed in `__init__.pyi`; each is imported from its module when it is first used.

>>> from fstmetrics import evaluation
>>> metric, human = [[0.9, 0.2], [0.8, 0.6], [0.5, 0.9]], [[5, 1], [5, 3], [2, 3]]
>>> value, epsilon = evaluation.acc_eq(metric, human, group="item")
>>> round(value, 3)
0.833
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())

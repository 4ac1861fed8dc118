"""What follows from a decoder's own costs and features: oracles, posteriors, minimum risk, tuning.

The names of tuning are reached as `fstmetrics.decoding.NAME`; they are listed in `__init__.pyi`.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())

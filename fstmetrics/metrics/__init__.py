"""Metrics: one file a metric; `METRICS` is the registry of all by name, those of other packages too.

Read `corpus` first, what every metric can do; then `base`: a finite-state metric (`Metric`) is a name for an edit
automaton that the engine searches with. `WER`, `WRR`, `GRR`, `HyTER` and `Sclite` are given; `EditMetric` is one's
own. A `TextMetric` compares strings: `BLEU` and its kin, and those that sacrebleu and nltk compute.

The names are listed in `__init__.pyi`. Each is imported from its module when it is first used: a run uses one metric.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())

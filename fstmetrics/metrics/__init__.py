"""Metrics: one file a metric; `METRICS` is the registry of all by name, those of other packages too. To add one: write
its class in a file of its own, whose fields declare its options, a row in `registry` and one for type checkers there,
and its class in `_NAMES` of `fstmetrics`. What its records count (`quotient`) makes the score of pages and tables of
records; how counts make it: native/formats/record_columns.cc. Metrics whose matches are words are named in `OF_WORDS`
of `engine/unlike_sides`; `openfst/independent_proof`, which imports nothing, has the costs and options of those that
it checks.

Read `corpus_metric` first, what every metric can do; then `path_metric`: a finite-state metric (`Metric`) is a name
for an edit automaton that the engine searches with. `WER`, `WRR`, `GRR`, `HyTER` and `Sclite` are given; `EditMetric`
is one's own. A `TextMetric` compares strings: `BLEU` and its kin, and those that sacrebleu and nltk compute.

A metric's class is imported from its file, as a run uses few; here is what they have in common.
"""

from fstmetrics.metrics.corpus_metric import CorpusMetric, Mean, TextMetric
from fstmetrics.metrics.path_metric import EditTable, Metric, Op
from fstmetrics.metrics.registry import METRICS, as_corpus_metric, as_metric

__all__ = [
    "METRICS",
    "CorpusMetric",
    "EditTable",
    "Mean",
    "Metric",
    "Op",
    "TextMetric",
    "as_corpus_metric",
    "as_metric",
]

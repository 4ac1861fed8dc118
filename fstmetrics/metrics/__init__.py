"""Metrics: one file a metric; `METRICS` is the registry of all by name, those of other packages too.

Read `corpus` first, what every metric can do; then `base`: a finite-state metric (`Metric`) is a name for an edit
automaton that the engine searches with. `WER`, `WRR`, `GRR`, `HyTER` and `Sclite` are given; `EditMetric` is one's
own. A `TextMetric` compares strings: `BLEU` and its kin, and those that sacrebleu and nltk compute.
"""

from __future__ import annotations

import re
from functools import cache

from fstmetrics.metrics.base import EditTable, Metric, Op
from fstmetrics.metrics.bleu import BLEU, BLEUSBP, SentenceBLEU
from fstmetrics.metrics.corpus import CHARACTERS, MEAN, CorpusMetric, Mean, TextMetric, metric_of
from fstmetrics.metrics.custom import EditMetric
from fstmetrics.metrics.grr import GRR
from fstmetrics.metrics.gtm import GTM
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.maxsim import MaxSim
from fstmetrics.metrics.mer import MER
from fstmetrics.metrics.nist_meteor import METEOR, NIST
from fstmetrics.metrics.sclite import Sclite
from fstmetrics.metrics.ter_chrf import TER, ChrF, ChrFPlusPlus
from fstmetrics.metrics.tesla import TeslaM
from fstmetrics.metrics.wer import WER
from fstmetrics.metrics.wil import WIL, WIP
from fstmetrics.metrics.wrr import WRR
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown
from fstmetrics.support.plugins import Registry

NAME = re.compile(r"[a-z][a-z0-9+-]*")

SHIPPED: tuple[type[CorpusMetric], ...] = (
    WER,
    WRR,
    GRR,
    HyTER,
    Sclite,
    MER,
    WIL,
    WIP,
    BLEU,
    BLEUSBP,
    SentenceBLEU,
    TER,
    ChrF,
    ChrFPlusPlus,
    NIST,
    METEOR,
    GTM,
    MaxSim,
    TeslaM,
)


def _fault(name: str, given: object) -> str:
    if not (isinstance(given, type) and issubclass(given, CorpusMetric)):
        return "expected a class made from fstmetrics.Metric or fstmetrics.TextMetric"
    if missing := sorted(getattr(given, "__abstractmethods__", ())):
        return f"{given.__name__} has no {', '.join(missing)}"
    if metric_of(name) != name or not NAME.fullmatch(name):
        return "a name has a-z, 0-9, + and -, and does not begin with mean- or char-"
    own = getattr(given, "name", None)
    return "" if own == name else f"it is registered as {name!r}, and calls itself {own!r}"


METRICS: Registry[type[CorpusMetric]] = Registry(
    "metric", "fstmetrics.metrics", lambda: {metric.name: metric for metric in SHIPPED}, _fault
)


def as_corpus_metric(metric: str | CorpusMetric) -> CorpusMetric:
    """Any metric by name with its default parameters, or the metric itself; `mean-NAME` is the mean of item scores.

    Raises:
        FstmetricsError: no metric of that name, or neither a name nor a metric.

    >>> as_corpus_metric("mean-hyter").signature()
    'metric:mean-hyter|window:1|reordering:moves'
    """
    if isinstance(metric, CorpusMetric):
        return metric
    if not isinstance(metric, str):
        instance = f"; give an instance: {metric.__name__}()" if isinstance(metric, type) else ""
        raise FstmetricsError(f"a metric is a name or a metric object, not {metric!r}{instance}")
    if metric.startswith(MEAN):
        return Mean(as_corpus_metric(metric.removeprefix(MEAN)))
    if metric.lower() == "cer" or metric.startswith(CHARACTERS):
        of_words = metric_of(metric.lower())
        raise FstmetricsError(
            f"{metric} is {of_words} of characters: ask for {of_words} with --unit char, in Python "
            'with normalisation=Normalisation(unit="char")'
        )
    if metric not in METRICS:
        raise FstmetricsError(unknown("metric", metric, METRICS))
    found = METRICS[metric]
    return _with_defaults(found) if issubclass(found, Metric) else found()


@cache
def _with_defaults(metric: type[Metric]) -> Metric:
    """One for all callers: it never changes, and what the engine needs of it is made once."""
    return metric()


def as_metric(metric: str | Metric) -> Metric:
    """A finite-state metric by name with its default parameters, or the metric itself.

    Raises:
        FstmetricsError: no metric of that name, or one that has no best path.
    """
    found = as_corpus_metric(metric)
    if not isinstance(found, Metric):
        raise FstmetricsError(
            f"{found.name} has no best path to find: it compares strings, by score() and compare()"
        )
    return found


__all__ = [
    "BLEU",
    "BLEUSBP",
    "GRR",
    "GTM",
    "MER",
    "METEOR",
    "METRICS",
    "NIST",
    "TER",
    "WER",
    "WIL",
    "WIP",
    "WRR",
    "ChrF",
    "ChrFPlusPlus",
    "CorpusMetric",
    "EditMetric",
    "EditTable",
    "HyTER",
    "MaxSim",
    "Mean",
    "Metric",
    "Op",
    "Sclite",
    "SentenceBLEU",
    "TeslaM",
    "TextMetric",
    "as_corpus_metric",
    "as_metric",
]

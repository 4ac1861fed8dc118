"""Metrics by name: `METRICS`, those of other packages too; `as_corpus_metric` and `as_metric` make one of a name."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from fstmetrics.metrics.base import Metric
from fstmetrics.metrics.corpus import CHARACTERS, MEAN, CorpusMetric, Mean, metric_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown
from fstmetrics.support.plugins import OnUse, Registry

NAME = re.compile(r"[a-z][a-z0-9+-]*")

# Module and class of each, in the order of help pages.
SHIPPED = {
    "wer": ("wer", "WER"),
    "cer": ("wer", "CER"),
    "wrr": ("wrr", "WRR"),
    "grr": ("grr", "GRR"),
    "hyter": ("hyter", "HyTER"),
    "sclite": ("sclite", "Sclite"),
    "mer": ("mer", "MER"),
    "wil": ("wil", "WIL"),
    "wip": ("wil", "WIP"),
    "per": ("orthography", "PER"),
    "case": ("orthography", "CaseErrors"),
    "bleu": ("bleu", "BLEU"),
    "bleu-sbp": ("bleu", "BLEUSBP"),
    "sentence-bleu": ("bleu", "SentenceBLEU"),
    "ter": ("ter", "TER"),
    "terp": ("terp", "TERp"),
    "chrf": ("chrf", "ChrF"),
    "chrf++": ("chrf", "ChrFPlusPlus"),
    "nist": ("nist_meteor", "NIST"),
    "meteor": ("nist_meteor", "METEOR"),
    "gtm": ("gtm", "GTM"),
    "maxsim": ("maxsim", "MaxSim"),
    "tesla-m": ("tesla", "TeslaM"),
    "tesla-f": ("tesla_f", "TeslaF"),
}
# What other programs print, in small letters.
OTHERS_NAMES = {"chrf2": "chrf", "chrf2++": "chrf++"}


def registered(name: str) -> str:
    """A metric's name as it is registered, of one in any case or as sacrebleu prints it.

    >>> registered("BLEU"), registered("mean-chrF2++"), registered("CER")
    ('bleu', 'mean-chrf++', 'cer')
    """
    bare = name.lower().removeprefix(MEAN)
    return name.lower().removesuffix(bare) + OTHERS_NAMES.get(bare, bare)


def _shipped(name: str) -> type[CorpusMetric]:
    module, found = SHIPPED[name]
    metric: type[CorpusMetric] = getattr(import_module(f"{__package__}.{module}"), found)
    return metric


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
    "metric", "fstmetrics.metrics", lambda: OnUse(SHIPPED, _shipped), _fault
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
    if metric not in METRICS:
        given, metric = metric, registered(metric)
        if metric.startswith(MEAN):
            return Mean(as_corpus_metric(metric.removeprefix(MEAN)))
        if metric.startswith(CHARACTERS):
            of_words = metric_of(metric)
            raise FstmetricsError(
                f"{metric} is {of_words} of characters: ask for {of_words} with --unit char, in Python "
                'with normalisation=Normalisation(unit="char")'
            )
        if metric not in METRICS:
            raise FstmetricsError(unknown("metric", given, METRICS))
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
    # Those that ship are the same for good.
    return _by_name(metric) if type(metric) is str and metric in SHIPPED else _with_a_path(metric)


def _with_a_path(metric: str | Metric) -> Metric:
    found = as_corpus_metric(metric)
    if not isinstance(found, Metric):
        raise FstmetricsError(
            f"{found.name} has no best path to find: it compares strings, by score() and compare()"
        )
    return found


@cache
def _by_name(name: str) -> Metric:
    return _with_a_path(name)

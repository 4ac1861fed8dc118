"""Metrics by name: `METRICS`, those of other packages too; `as_corpus_metric` and `as_metric` make one of a name.

`metric_options` has the options that metrics declare, `MetricParameters` makes metrics by them.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from typing import Any, Literal

from fstmetrics.metrics.corpus_metric import CHARACTERS, MEAN, SESSION_RATES, CorpusMetric, Mean, metric_of
from fstmetrics.metrics.path_metric import Metric
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown
from fstmetrics.support.options import PATH, Kind, Option, dashed, options_of_fields, text
from fstmetrics.support.plugins import PluginWarning, Registry

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
# The same for type checkers: metrics of best paths, and of strings.
PathName = Literal["wer", "cer", "wrr", "grr", "hyter", "sclite", "mer", "wil", "wip"]
TextName = Literal[
    "per", "case", "bleu", "bleu-sbp", "sentence-bleu", "ter", "terp", "chrf", "chrf++", "nist", "meteor", "gtm",
    "maxsim", "tesla-m", "tesla-f",
]  # fmt: skip
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
    "metric", "fstmetrics.metrics", lambda: {name: partial(_shipped, name) for name in SHIPPED}, _fault
)


def as_corpus_metric(metric: str | CorpusMetric) -> CorpusMetric:
    """Any metric by name with its default parameters, or the metric itself; `mean-NAME` is the mean of item scores.

    Raises:
        FstmetricsError: no metric of that name, or neither a name nor a metric.

    >>> as_corpus_metric("mean-hyter").signature()
    'metric:mean-hyter|window:1|reordering:moves'
    """
    if isinstance(metric, CorpusMetric):
        if not hasattr(metric, "name"):
            raise FstmetricsError(f"{type(metric).__name__} has no `name`, as in name = 'half'")
        return metric
    if not isinstance(metric, str):
        is_class = isinstance(metric, type) and issubclass(metric, CorpusMetric)
        own = "for one of your own derive a class from fm.TextMetric: docs/plugins.md"
        raise FstmetricsError(
            f"a metric is a name or a metric object, not {metric!r}; "
            + (f"give an instance: {metric.__name__}()" if is_class else own)
        )
    if (found := METRICS.get(metric)) is None:
        given, metric = metric, registered(metric)
        if metric.startswith(MEAN):
            return Mean(as_corpus_metric(metric.removeprefix(MEAN)))
        if metric.startswith(CHARACTERS):
            of_words = metric_of(metric)
            raise FstmetricsError(
                f"{metric} is {of_words} of characters: ask for {of_words} with --unit char, in Python "
                'with normalisation=Normalisation(unit="char")'
            )
        if metric == "spbleu":
            raise FstmetricsError("spbleu is bleu with a tokenizer: --metric bleu --tokenize flores200")
        if (rate := metric_of(metric)) in SESSION_RATES or metric == "der":
            unit = " --unit char-no-space" if rate != metric else ""
            compared = "" if rate == "der" else f"; compare has it by --metric {rate}{unit}, too"
            raise FstmetricsError(
                f"{metric} is of recordings with several speakers: fstmetrics speakers REF HYP --metric {rate}{unit}"
                f"{compared}"
            )
        if (found := METRICS.get(metric)) is None:
            raise FstmetricsError(unknown("metric", given, METRICS))
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
            f"{found.name} has no best path to find: it compares strings, by score() and compare(); of n-best lists in "
            "files fm.oracle_files finds the best entries, and with model_weight hope and fear"
        )
    return found


@cache
def _by_name(name: str) -> Metric:
    return _with_a_path(name)


def declared(metric: type[CorpusMetric]) -> dict[str, Option]:
    """The options that a metric declares: those of its fields, which are its parameters, or of another metric's."""
    return options_of_fields(getattr(metric, "_options_of", metric))


def metric_options(names: Iterable[str] | None = None, but: Iterable[str] = ()) -> dict[str, Option]:
    """The options of some metrics, or of all but some, by their names; one that several share is there once.

    Raises:
        FstmetricsError: two of the metrics mean different things by an option.

    >>> list(metric_options(["hyter"]))
    ['window', 'reordering']
    """
    found: dict[str, Option] = {}
    for name in (each for each in (METRICS if names is None else names) if each not in but):
        for called, option in declared(METRICS[name]).items():
            option = option._replace(field=called)
            if found.setdefault(called, option) != option:
                other = _users(called)[0]
                said = f"{dashed(called)} of the metric {name} is another option than that of {other}"
                if names is not None:
                    raise FstmetricsError(f"{said}: ask for one of the two")
                warnings.warn(PluginWarning(f"{said}; it is left out"), stacklevel=2)
    return found


def _users(option: str) -> list[str]:
    """The metrics that have an option."""
    return [name for name, metric in METRICS.items() if option in declared(metric)]


@dataclass(frozen=True)
class MetricParameters:
    """Options of metrics that were given, and their values.

    Attributes:
        given: the values, by the names of the options.
        known: the options.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    known: Mapping[str, Option] = field(default_factory=dict)

    @property
    def files(self) -> list[str]:
        """The files that are read."""
        return [value for name, value in self.given.items() if self.known[name].kind is PATH]

    def metric(self, name: str) -> CorpusMetric:
        """The metric of that name, with its parameters.

        Raises:
            FstmetricsError: no metric of that name, or values that do not go together.
        """
        if name.startswith(MEAN):
            return Mean(self.metric(name.removeprefix(MEAN)))
        if name not in METRICS:
            return as_corpus_metric(name)
        own = {
            option.field: self.given[called]
            for called, option in declared(METRICS[name]).items()
            if called in self.given
        }
        return METRICS[name](**own) if own else as_corpus_metric(name)

    def metrics(self, asked: Iterable[str | CorpusMetric]) -> list[CorpusMetric]:
        """The metrics that are asked for: by comma-separated names, each once, or themselves.

        Raises:
            FstmetricsError: no metric of a name, or a parameter that none of the metrics by name has.
        """
        wanted: list[str | CorpusMetric] = []
        for part in asked:
            for each in [part] if isinstance(part, CorpusMetric) else map(str.strip, part.split(",")):
                if isinstance(each, str) and each not in METRICS.shipped:
                    each = registered(each)
                if each not in wanted:
                    wanted.append(each)
        make = self.metric if self.given else as_corpus_metric
        found = [make(each) if isinstance(each, str) else each for each in wanted]
        names = [name for name in wanted if isinstance(name, str)]
        for option in self.given:
            if not any(option in declared(METRICS[name.removeprefix(MEAN)]) for name in names):
                if not names:
                    raise FstmetricsError(
                        f"{dashed(option)} is for metrics by name; give it to the metric itself"
                    )
                raise FstmetricsError(
                    f"{dashed(option)} is for the metric {' or '.join(_users(option))}, not for {', '.join(names)}; "
                    "give --metric, too"
                )
        return found


def metric_name(text: str) -> str:
    """The name of a metric as it is registered, of one in any case.

    Raises:
        ValueError: there is none of that name, or it is a mean, or several; an error has the nearest names first.
    """
    if "," in text:
        raise ValueError(f"expected one metric, not several: {text!r}")
    if text.startswith(MEAN):
        raise ValueError(
            f"expected a metric, not {text!r}; the mean of the item scores is always printed, and fstmetrics compare "
            f"--metric {text} --ref REF HYP has it as a metric"
        )
    if text not in METRICS:
        try:
            as_corpus_metric(text)
        except FstmetricsError as error:
            raise ValueError(str(error)) from None
    return registered(text)


def metric(given: Any) -> str | CorpusMetric:
    """A metric, or the name of one.

    Raises:
        ValueError: it is none.
    """
    return given if isinstance(given, CorpusMetric) else metric_name(text(given))


def metrics(given: Any) -> str | CorpusMetric | list[str | CorpusMetric]:
    """A metric, or several: names joined by commas, or a list.

    Raises:
        ValueError: one of them is none.
    """
    if isinstance(given, str):
        return ",".join([metric_name(name.strip()) for name in given.split(",")])
    return [metric(each) for each in given] if isinstance(given, list | tuple) else metric(given)


METRIC = Kind(metric, "NAME", offers=METRICS)
SOME_METRICS = Kind(metrics, "NAME,...", offers=METRICS)

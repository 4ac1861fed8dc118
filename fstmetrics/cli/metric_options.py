"""Options that say which metric, and its parameters; `MetricOptions`, what they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from fstmetrics.cli.numbers import MOST_WEIGHT, Real, Whole
from fstmetrics.cli.options import Request
from fstmetrics.evaluation.significance.texts import is_hyter
from fstmetrics.metrics import (
    BLEU,
    BLEUSBP,
    GRR,
    METEOR,
    METRICS,
    CorpusMetric,
    HyTER,
    Mean,
    SentenceBLEU,
    TeslaM,
    as_corpus_metric,
)
from fstmetrics.metrics.base import exact
from fstmetrics.metrics.corpus import MEAN
from fstmetrics.metrics.grr import MOST_ORDER
from fstmetrics.metrics.hyter import MOST_WINDOW
from fstmetrics.reports.summary import table_lines
from fstmetrics.scoring.sides import Alternatives
from fstmetrics.scoring.statistics import as_wanted
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.normalisation import Normalisation

Function = TypeVar("Function", bound=Callable[..., Any])


class Exact(Real):
    """A finite number, kept as it is written so that it can be read exactly."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What was written, if it is such a number."""
        super().convert(value, param, ctx)
        try:
            exact(value, "the value")
        except FstmetricsError as error:
            self.fail(str(error), param, ctx)
        return value


LOSS = Exact(-MOST_WEIGHT, MOST_WEIGHT)


def grr_options(function: Function) -> Function:
    """The parameters of N-GRR."""
    for option in reversed(
        [
            click.option("--order", type=Whole(1, MOST_ORDER), default=4, show_default=True, metavar="N",
                         help="N of N-GRR."),
            click.option("--alpha", type=LOSS, default="1", show_default=True, metavar="NUMBER",
                         help="What an insertion loses in N-GRR."),
            click.option("--beta", type=LOSS, default="0", show_default=True, metavar="NUMBER",
                         help="What a deletion loses in N-GRR."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def hyter_options(function: Function) -> Function:
    """The networks and parameters of HyTER, beside other metrics."""
    for option in reversed(
        [
            click.option("--networks", metavar="NETWORKS", help="Reference networks, for hyter."),
            click.option("--window", type=Whole(1, MOST_WINDOW), default=1, show_default=True, metavar="K",
                         help="Local reordering window of hyter."),
            click.option("--reordering", type=click.Choice(["moves", "jumps"]), default="moves", show_default=True,
                         help="How hyter counts reordering."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def path_metric_options(help: str) -> Callable[[Function], Function]:
    """Which metric lattices are searched under, and its parameters.

    Args:
        help: what the metric does there.
    """
    names = click.Choice(["wer", "wrr", "grr", "sclite"])
    choice = click.option("--metric", "metric_name", type=names, default="wer", show_default=True, help=help)
    return lambda function: choice(grr_options(function))


def text_metric_options(function: Function) -> Function:
    """The parameters of BLEU, METEOR and TESLA-M."""
    for option in reversed(
        [
            click.option("--ref-length", type=click.Choice(["closest", "shortest", "average"]), default="closest",
                         show_default=True, help="Which of several references' lengths counts in BLEU and BLEU-SBP."),
            click.option("--smoothing", type=click.Choice(["exp", "plus-one", "none"]),
                         help="What BLEU does where an order has no match; by default exp, for sentence-bleu "
                              "plus-one."),
            click.option("--synonyms", type=click.Choice(["wordnet", "none"]), default="wordnet", show_default=True,
                         help="Synonyms of METEOR."),
            click.option("--analyser", type=click.Choice(["wordnet", "factored", "factored-wordnet"]),
                         default="wordnet", show_default=True,
                         help="How TESLA-M knows lemmas: from WordNet, or from words given as word|lemma|POS."),
            click.option("--discount", type=click.Choice(["subtract", "factor"]), default="subtract",
                         show_default=True, help="How TESLA-M weighs function words: 1 - 0.1 each, or 0.1 for each."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def metric_table(names: Iterable[str]) -> str:
    """What a help page ends with: each metric, which way is better, and when it is decomposable."""
    rows = [("metric", "better", "decomposable")]
    rows += [
        (name, "higher" if METRICS[name].recognition else "lower", METRICS[name].decomposable)
        for name in names
    ]
    table = "\n".join(table_lines(rows, 3))
    return (
        f"\b\n{table}\n\nDecomposable: a better sentence never makes the corpus worse [C08]. The mean of item scores, "
        "mean-NAME in compare and correlate, always is. docs/significance.md says which metric to take for what."
    )


def refuse_unready(metrics: Iterable[CorpusMetric], normalisation: Normalisation) -> None:
    """Raise an FstmetricsError, before anything is read, if a metric's own tokenizer is not installed."""
    for metric in metrics:
        as_wanted(metric, normalisation).words("")


@dataclass(frozen=True)
class MetricOptions:
    """Parameters of metrics by name."""

    order: int = 4
    alpha: str = "1"
    beta: str = "0"
    ref_length: Any = "closest"
    smoothing: Any = None
    synonyms: Any = "wordnet"
    analyser: Any = "wordnet"
    discount: Any = "subtract"
    window: int = 1
    reordering: Any = "moves"

    def metric(self, name: str) -> CorpusMetric:
        """The metric of that name, with its parameters; alpha and beta are read as the decimals they are written as.

        Raises:
            FstmetricsError: no metric of that name.
        """
        if name.startswith(MEAN):
            return Mean(self.metric(name.removeprefix(MEAN)))
        made: dict[str, Callable[[], CorpusMetric]] = {
            "grr": lambda: GRR(self.order, exact(self.alpha, "--alpha"), exact(self.beta, "--beta")),
            "hyter": lambda: HyTER(self.window, self.reordering),
            "bleu": lambda: BLEU(self.ref_length, self.smoothing or "exp"),
            "bleu-sbp": lambda: BLEUSBP(self.ref_length, self.smoothing or "exp"),
            "sentence-bleu": lambda: SentenceBLEU(self.ref_length, self.smoothing or "plus-one"),
            "meteor": lambda: METEOR(self.synonyms),
            "tesla-m": lambda: TeslaM(self.analyser, self.discount),
        }
        return made[name]() if name in made else as_corpus_metric(name)


def asked_metrics(
    names: Iterable[str], options: MetricOptions, references: Sequence[str], networks: str | None
) -> list[CorpusMetric]:
    """The metrics of comma-separated names, each once, which must have something to compare with.

    Raises:
        FstmetricsError: no such metric, a metric without references, or networks without HyTER.
    """
    wanted = list(dict.fromkeys(name.strip() for part in names for name in part.split(",")))
    metrics = [options.metric(name) for name in wanted]
    if networks is not None and not any(map(is_hyter, metrics)):
        raise FstmetricsError("--networks are for the metric hyter, which was not asked for")
    if not references:
        for metric in metrics:
            if networks is None or not is_hyter(metric):
                raise FstmetricsError(f"{metric.name} needs references: --ref FILE")
    return metrics


def refuse_plain_hyter(metrics: Iterable[CorpusMetric], against: Sequence[Any], request: Request) -> None:
    """Raise an FstmetricsError for a HyTER that would be nothing but the word error rate.

    Args:
        metrics: what was asked for.
        against: the references that HyTER is given.
        request: which has the grammars that widen them.
    """
    for metric in filter(is_hyter, metrics):
        inner = metric.metric if isinstance(metric, Mean) else metric
        assert isinstance(inner, HyTER)
        if inner.window == 1 and not request.grammars and all(map(_is_plain, against)):
            raise FstmetricsError(
                f"{metric.name} of plain references without a window is the word error rate: give --networks "
                "NETWORKS or --window K, or ask for wer"
            )


def _is_plain(reference: Any) -> bool:
    """Whether a reference is one sentence or several, and leaves no other choice."""
    if isinstance(reference, Alternatives | list | tuple):
        items = reference.items if isinstance(reference, Alternatives) else reference
        return all(map(_is_plain, items))
    return isinstance(reference, str)

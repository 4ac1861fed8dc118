"""Options that say which metric, and its parameters; `MetricOptions`, what they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from fstmetrics.cli.options import decimal
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
from fstmetrics.reports.summary import table_lines

Function = TypeVar("Function", bound=Callable[..., Any])


def grr_options(function: Function) -> Function:
    """The parameters of N-GRR."""
    for option in reversed(
        [
            click.option("--order", type=click.IntRange(min=1), default=4, show_default=True, help="N of N-GRR."),
            click.option("--alpha", default="1", show_default=True, callback=decimal, metavar="NUMBER",
                         help="What an insertion loses in N-GRR."),
            click.option("--beta", default="0", show_default=True, callback=decimal, metavar="NUMBER",
                         help="What a deletion loses in N-GRR."),
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
            click.option("--smoothing", type=click.Choice(["exp", "plus-one", "none"]), default="exp",
                         show_default=True, help="What BLEU does where an order has no match."),
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


@dataclass(frozen=True)
class MetricOptions:
    """Parameters of metrics by name."""

    order: int = 4
    alpha: str = "1"
    beta: str = "0"
    ref_length: Any = "closest"
    smoothing: Any = "exp"
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
            "bleu": lambda: BLEU(self.ref_length, self.smoothing),
            "bleu-sbp": lambda: BLEUSBP(self.ref_length, self.smoothing),
            "sentence-bleu": lambda: SentenceBLEU(self.ref_length),
            "meteor": lambda: METEOR(self.synonyms),
            "tesla-m": lambda: TeslaM(self.analyser, self.discount),
        }
        return made[name]() if name in made else as_corpus_metric(name)

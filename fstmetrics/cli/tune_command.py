"""`fstmetrics tune`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import click

from fstmetrics.cli.option_types import FormatName, OutputFile, Real, Whole
from fstmetrics.cli.options import (
    FIELDS,
    FORMAT_OPTIONS,
    SYMBOLS,
    command,
    group,
    metric_parameters,
    networks_option,
    option,
    word_options,
)
from fstmetrics.cli.terminal import show, show_json, stages, tell
from fstmetrics.decoding.tuning.candidates import Candidates
from fstmetrics.decoding.tuning.error_rate_training import MOST_STARTS, STARTS, mert
from fstmetrics.decoding.tuning.margin_training import EPOCHS, MOST_EPOCHS, mira
from fstmetrics.decoding.tuning.ranking_training import pro
from fstmetrics.decoding.tuning.tuned_weights import Progress, Tuned
from fstmetrics.evaluation.significance.texts import is_hyter
from fstmetrics.evaluation.systems import refuse_plain_hyter
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.corpus import name_of
from fstmetrics.readers.items import FeatureOptions
from fstmetrics.readers.reading import check_paths
from fstmetrics.readers.weights_file import LAYOUTS, layout_of, read_weights, weights_text
from fstmetrics.reports.summary import number
from fstmetrics.reports.tuned_tables import matrix_lines, tuned_lines, tuned_summary, weight_lines
from fstmetrics.runs.request import MetricParameters, Request, fields_of, refuse_unready
from fstmetrics.runs.tune_inputs import TuningInputs, read_tuning_inputs
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.output import write_whole
from fstmetrics.support.signals import Stopped

ALGORITHMS = {"mert": mert, "mira": mira, "pro": pro}


@command(usual=("--ref", "--metric", "--weights", "--output", "--algorithm", "--starts"))
@click.argument("hypotheses", metavar="NBEST...", nargs=-1, required=True)
@group(
    "Metric",
    option(
        "--metric",
        "metric_names",
        multiple=True,
        metavar="NAMES",
        default=("bleu",),
        show_default=True,
        help="What to tune towards: bleu, bleu-sbp, ter, wer, grr, hyter, tesla-m or another metric. Several, "
        "joined by commas, are each tuned towards and all measured.",
    ),
)
@metric_parameters
@networks_option
@group(
    "Input",
    option("--ref", "more_references", multiple=True, metavar="FILE", help="References. Repeatable."),
    option(
        "--held-out",
        metavar="NBEST",
        help="Also measure on these, which are not tuned on. Needs --held-out-ref.",
    ),
    option("--held-out-ref", multiple=True, metavar="FILE", help="Their references. Repeatable."),
    option(
        "--weights",
        "start",
        required=True,
        metavar="START",
        help="The weights to begin at: lines `name value` or `name= value ...`, or a moses.ini.",
    ),
    option(
        "--default-weight",
        type=Real(-1e9, 1e9),
        metavar="X",
        help="The weight of features that START does not have. Default: they are refused.",
    ),
    option(
        "--feature-names",
        metavar="NAMES",
        help="Names of values that have none (old Joshua), joined by commas. Default: feature_1,feature_2,...",
    ),
    *FORMAT_OPTIONS,
    FIELDS,
    SYMBOLS,
)
@group(
    "Tuning",
    option(
        "--algorithm",
        type=click.Choice(list(ALGORITHMS)),
        default="mert",
        show_default=True,
        help="mert: exact line searches; mira: hope-fear MIRA; pro: ranking of pairs. The last two make lists of the "
        "best paths of lattices and forests.",
    ),
    option(
        "--tune",
        "patterns",
        multiple=True,
        metavar="NAMES",
        help="Change the weights of these features only; * stands for anything: 'lm,tm_*'. Default: all.",
    ),
    option(
        "--starts",
        type=Whole(1, MOST_STARTS),
        metavar="N",
        help=f"mert: points to begin at, START and random ones. Default: {STARTS}.",
    ),
    option(
        "--directions",
        type=Whole(0, MOST_STARTS),
        metavar="N",
        help="mert: random directions of a pass, beside the features. Default: as many as features, at most 10.",
    ),
    option("--epochs", type=Whole(1, MOST_EPOCHS), metavar="N", help=f"mira: epochs. Default: {EPOCHS}."),
    option(
        "--seed", type=Whole(0, 2**32 - 1), default=1, show_default=True, help="Seed of the random numbers."
    ),
)
@word_options
@group(
    "Output",
    option("--output", "-o", type=OutputFile("weights", ".weights"), metavar="OUT",
           help="Write the weights to OUT; of several metrics, to OUT/METRIC.weights. Default: they are only shown."),
    option("--weights-format", type=FormatName(LAYOUTS), metavar="FORMAT",
           help=f"How to write weights: {', '.join(LAYOUTS)}. Default: as START."),
    option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
)  # fmt: skip
def tune(
    hypotheses: tuple[str, ...], metric_names: tuple[str, ...], networks: str | None, **options: Any
) -> None:
    """Tune the weights of a translation model or recogniser towards a metric.

    \b
    Example:  fstmetrics tune a.nbest --ref ref.txt --weights w.txt -o tuned.txt
              fstmetrics tune a.nbest b.nbest --ref ref.txt --weights moses.ini
              fstmetrics tune forests/ --ref ref.txt --metric grr --weights w.txt

    NBEST: n-best lists with features (Moses, cdec, Joshua), hypergraphs with features (a file or a folder), or
    lattices, whose costs are the features lm, acoustic and word_penalty. Several files are the lists of one decoder
    after the other, and count together.
    """
    parameters, asked = fields_of(MetricParameters, options), fields_of(Asked, options)
    metrics = parameters.metrics(metric_names)
    request = Request(**options, features=asked.features)
    request.refuse_rules("tune")
    refuse_unready(metrics, request.normalisation)
    references = request.more_references
    asked.refuse_half_held_out(networks)
    inputs = [*hypotheses, *references, networks, asked.start, asked.held_out, *asked.held_out_ref]
    check_paths(inputs, *asked.outputs(metrics, request))
    for metric in metrics:
        if not references and not (networks and is_hyter(metric)):
            raise FstmetricsError(f"{metric.name} needs references: --ref FILE")
    if networks and not any(map(is_hyter, metrics)):
        raise FstmetricsError("--networks is for the metric hyter, which was not asked for")
    read = read_tuning_inputs(request, hypotheses, networks)
    held_out = None
    if asked.held_out:
        others = replace(request, more_references=asked.held_out_ref)
        held_out = read_tuning_inputs(others, [asked.held_out], None)
    task = Tuning(request, asked, read, held_out, metrics)
    try:
        task.run()
    except Stopped as stopped:
        stopped.remark = task.saved()
        raise
    task.write()
    task.show()


@dataclass(frozen=True)
class Asked:
    """The options of tuning."""

    start: str
    default_weight: float | None = None
    feature_names: str | None = None
    algorithm: str = "mert"
    patterns: Sequence[str] = ()
    starts: int | None = None
    directions: int | None = None
    epochs: int | None = None
    seed: int = 1
    weights_format: str | None = None
    held_out: str | None = None
    held_out_ref: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name, algorithm in (("starts", "mert"), ("directions", "mert"), ("epochs", "mira")):
            if getattr(self, name) is not None and self.algorithm != algorithm:
                raise FstmetricsError(f"--{name} is for --algorithm {algorithm}, not for {self.algorithm}")

    def refuse_half_held_out(self, networks: str | None) -> None:
        """Raise an FstmetricsError if hypotheses or references are held out, and the others are missing."""
        if bool(self.held_out) != bool(self.held_out_ref):
            raise FstmetricsError("--held-out NBEST and --held-out-ref FILE go together; give both")
        if self.held_out and networks:
            raise FstmetricsError("--held-out is for references, not for --networks; leave one out")

    @property
    def weights(self) -> dict[str, float]:
        """Those of START."""
        return dict(read_weights(self.start))

    @property
    def features(self) -> FeatureOptions:
        """What is wanted of features: those that have a weight, unless there is one for others."""
        known = frozenset(self.weights) if self.default_weight is None else None
        names = tuple(name.strip() for name in (self.feature_names or "").split(",") if name.strip())
        return FeatureOptions(known, self.start, names, ", or give --default-weight 0")

    @property
    def layout(self) -> str:
        """How to write weights."""
        return self.weights_format or layout_of(self.start)

    def outputs(self, metrics: Sequence[CorpusMetric], request: Request) -> list[str]:
        """The files of weights of the metrics; none without OUT."""
        if request.output is None:
            return []
        if len(metrics) == 1:
            return [request.output]
        return [
            os.path.join(request.output, f"{name_of(metric.name, request.unit)}.weights")
            for metric in metrics
        ]

    def tuned(self, names: Sequence[str]) -> list[str] | None:
        """The features that `--tune` names; None: all.

        Raises:
            FstmetricsError: a pattern that no feature fits.
        """
        patterns = [part.strip() for parts in self.patterns for part in parts.split(",") if part.strip()]
        for pattern in patterns:
            if not any(fnmatchcase(name, pattern) for name in names):
                raise FstmetricsError(
                    f"--tune {pattern}: there is no such feature; there are {listed(names)}"
                )
        return [n for n in names if any(fnmatchcase(n, p) for p in patterns)] if patterns else None

    def run(self, candidates: Candidates, weights: Mapping[str, float], progress: Progress) -> Tuned:
        """Tune by the algorithm that was asked for."""
        own = {
            name: getattr(self, name)
            for name in ("starts", "directions", "epochs")
            if getattr(self, name) is not None
        }
        algorithm: Any = ALGORITHMS[self.algorithm]
        tuned = self.tuned(candidates.names)
        found: Tuned = algorithm(candidates, weights, tuned=tuned, seed=self.seed, progress=progress, **own)
        return found


class Tuning:
    """One run of `tune`.

    Attributes:
        found: what was found for each metric, so far.
    """

    def __init__(
        self,
        request: Request,
        asked: Asked,
        read: TuningInputs,
        held_out: TuningInputs | None,
        metrics: Sequence[CorpusMetric],
    ) -> None:
        self._request, self._asked, self._metrics = request, asked, metrics
        self._read, self._held_out = read, held_out
        self.found: dict[CorpusMetric, Tuned] = {}
        self._matrix: dict[str, list[float]] = {}
        self._files = asked.outputs(metrics, request)

    def run(self) -> None:
        """Tune towards each metric, and measure by all of them."""
        with ExitStack() as stack:
            self._progress = stack.enter_context(stages())
            self._progress("scoring hypotheses", 0, None)
            of_metric = self._candidates(self._read)
            measured = self._candidates(self._held_out) if self._held_out else of_metric
            self._start = self._started(of_metric[self._metrics[0]], measured[self._metrics[0]])
            for metric, candidates in of_metric.items():
                self._tune(metric, candidates)
            if len(self._metrics) > 1 or self._held_out:
                self._measure(measured)

    def _candidates(self, read: TuningInputs) -> dict[CorpusMetric, Candidates]:
        found: dict[CorpusMetric, Candidates] = {}
        for metric in self._metrics:
            against = read.networks if read.networks and is_hyter(metric) else read.references
            refuse_plain_hyter([metric], against, self._request)
            options = self._request.search
            if not found:
                found[metric] = Candidates(
                    read.hypotheses, against, metric,
                    normalisation=self._request.normalisation, options=options,
                )  # fmt: skip
            else:
                found[metric] = next(iter(found.values())).under(metric, against, options)
        return found

    def _started(self, *candidates: Candidates) -> dict[str, float]:
        weights = self._asked.weights
        default = self._asked.default_weight
        names = list(dict.fromkeys(name for each in candidates for name in each.names))
        if default is not None:
            weights |= {name: default for name in names if name not in weights}
        # The features of lattices are known only now.
        if missing := [name for name in names if name not in weights]:
            raise FstmetricsError(
                f"{self._asked.start}: there is no weight of {listed(missing)}; add lines `{missing[0]} VALUE`, or "
                "give --default-weight 0"
            )
        return weights

    def _tune(self, metric: CorpusMetric, candidates: Candidates) -> None:
        def told(found: Tuned, done: int, of: int) -> None:
            self.found[metric] = found
            self._progress(f"{metric.name} {number(found.score, metric.percent)}", done, of)

        self._progress(metric.name, 0, None)
        self.found[metric] = self._asked.run(candidates, self._start, told)

    def _measure(self, of_metric: Mapping[CorpusMetric, Candidates]) -> None:
        rows = {"start": self._start} | {
            name_of(metric.name, self._request.unit): found.weights for metric, found in self.found.items()
        }
        self._matrix = {
            name: [candidates.score(weights) for candidates in of_metric.values()]
            for name, weights in rows.items()
        }

    def write(self) -> None:
        """The weights of all metrics that something was found for."""
        for metric, path in zip(self._metrics, self._files, strict=False):
            if metric in self.found:
                if len(self._metrics) > 1:
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                layout = self._asked.layout
                around = self._asked.start if layout == "moses-ini" else None
                write_whole(path, weights_text(self.found[metric].weights, layout, around))

    def saved(self) -> str:
        """Write the best weights so far, of a run that was stopped; returns what there is to say of them."""
        if not self.found or not self._files:
            return ""
        self.write()
        return f"{self._request.output} has the best weights so far"

    def show(self) -> None:
        """What was found."""
        request, unit = self._request, self._request.unit
        if request.as_json:
            settings = {
                "algorithm": self._asked.algorithm,
                "seed": self._asked.seed,
                "items": len(self._read.hypotheses),
                "held_out": self._asked.held_out,
                "start": self._start,
            }
            show_json(tuned_summary(self.found, self._matrix, settings, unit))
        else:
            if self._matrix:
                show(*([f"measured on {self._asked.held_out}"] if self._held_out else []))
                show(*matrix_lines(self._matrix, self._metrics, unit))
            if len(self._metrics) == 1:
                show(*([""] if self._matrix else []), *tuned_lines(self.found, unit), "")
                show(*weight_lines(self._start, next(iter(self.found.values()))))
            show("", f"{self._read.counts}, {self._asked.algorithm}, seed {self._asked.seed}")
        tell(*self._read.all_remarks(self._asked.start, self._start))

"""The command `tune`, and `tune_files`, the same as a call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import click

from fstmetrics import CorpusMetric, FstmetricsError, Lattice
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.error_rate_training import MOST_STARTS, STARTS, mert
from fstmetrics.apps.tuning.margin_training import EPOCHS, MOST_EPOCHS, mira
from fstmetrics.apps.tuning.ranking_training import pro
from fstmetrics.apps.tuning.tune_inputs import TuningInputs, read_tuning_inputs
from fstmetrics.apps.tuning.tuned_weights import Progress, Tuned
from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    of_metrics,
    path_of,
    several_paths,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.engine.search import refuse_other_unit
from fstmetrics.engine.unlike_sides import unlike_remarks
from fstmetrics.io.items import FeatureOptions
from fstmetrics.io.reading import check_paths
from fstmetrics.io.weights_file import LAYOUTS, as_scales, layout_of, read_weights, weights_text
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.reports.summary import Part, Printed, Table, shortened
from fstmetrics.scoring.request import OfNetworks, Request, fields_of, refuse_unready
from fstmetrics.significance.block_statistics import is_hyter
from fstmetrics.significance.system_outputs import refuse_plain_hyter
from fstmetrics.support.json_text import finite
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    JOINED,
    PATH,
    SEED,
    TEXT,
    many,
    named,
    one_of,
    option,
    options_of_fields,
    real,
    whole,
    written_file,
)
from fstmetrics.support.output import write_whole
from fstmetrics.support.printable import counted, marked, number
from fstmetrics.support.progress import listener
from fstmetrics.support.signals import Stopped
from fstmetrics.text.normalisation import Unit

# So many weights are shown, those that changed the most.
MOST = 30


ALGORITHMS = {"mert": mert, "mira": mira, "pro": pro}


@dataclass(frozen=True)
class TuneOptions(OfNetworks):
    """Options of `tune` beside those of every run."""

    metric_names: Sequence[str] = option(
        ("bleu",),
        many(TEXT),
        "What to tune towards: bleu, bleu-sbp, ter, wer, grr, hyter, tesla-m or another metric. Several, joined by "
        "commas, are each tuned towards and all measured.",
        "NAMES",
        name="metric",
    )
    held_out: str | None = option(
        None, PATH, "Also measure on these, which are not tuned on. Needs --held-out-ref.", "NBEST"
    )
    held_out_ref: Sequence[str] = option((), many(PATH), "Their references. Repeatable.", "FILE")
    start: str | None = option(
        None,
        PATH,
        "Weights to begin at, unless --default-weight says all: `name value` or `name= value ...`, or a moses.ini.",
        "START",
        name="weights",
    )
    default_weight: float | None = option(
        None, real(-1e9, 1e9), "The weight of features that START does not have. Default: they are refused."
    )
    feature_names: str | None = option(
        None,
        JOINED,
        "Names of values that have none (old Joshua), joined by commas. Default: feature_1,feature_2,...",
        "NAMES",
    )
    algorithm: str = option(
        "mert",
        one_of(*ALGORITHMS),
        "mert: exact line searches; mira: hope-fear MIRA; pro: ranking of pairs. The last two make lists of the "
        "best paths of lattices and forests.",
    )
    patterns: Sequence[str] = option(
        (),
        many(TEXT),
        "Change the weights of these features only; * stands for anything: 'lm,tm_*'. Default: all.",
        "NAMES",
        name="tune",
    )
    starts: int | None = option(
        None, whole(1, MOST_STARTS), f"mert: points to begin at, START and random ones. Default: {STARTS}."
    )
    directions: int | None = option(
        None,
        whole(0, MOST_STARTS),
        "mert: random directions of a pass, beside the features. Default: as many as features, at most 10.",
    )
    epochs: int | None = option(None, whole(1, MOST_EPOCHS), f"mira: epochs. Default: {EPOCHS}.")
    seed: int = option(1, SEED, "Seed of the random numbers.")
    weights_format: str | None = option(
        None, named("format", LAYOUTS), f"How to write weights: {', '.join(LAYOUTS)}. Default: as START."
    )

    def __post_init__(self) -> None:
        if self.start is None and self.default_weight is None:
            raise FstmetricsError(
                "give --weights START to begin at, lines `name value` or a moses.ini; or --default-weight W for all"
            )
        for name, algorithm in (("starts", "mert"), ("directions", "mert"), ("epochs", "mira")):
            if getattr(self, name) is not None and self.algorithm != algorithm:
                raise FstmetricsError(f"--{name} is for --algorithm {algorithm}, not for {self.algorithm}")

    def refuse_half_held_out(self) -> None:
        """Raise an FstmetricsError if hypotheses or references are held out, and the others are missing."""
        if bool(self.held_out) != bool(self.held_out_ref):
            raise FstmetricsError("--held-out NBEST and --held-out-ref FILE go together; give both")
        if self.held_out and self.networks:
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
        return FeatureOptions(known, self.start or "", names, ", or give --default-weight 0")

    @property
    def layout(self) -> str:
        """How to write weights."""
        return self.weights_format or (layout_of(self.start) if self.start else "cdec")

    def outputs(self, metrics: Sequence[CorpusMetric], request: Request) -> list[str]:
        """The files of weights of the metrics; none without OUT."""
        if request.output is None:
            return []
        if len(metrics) == 1:
            return [request.output]
        if request.output == "-":
            raise FstmetricsError("--output - takes the weights of one metric; of several give a folder")
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


ASKED = options_of_fields(TuneOptions)
TUNING: Options = {
    **under("Metric", ASKED, "metric"),
    **of_metrics(),
    **under("Input", ASKED, "networks", ref=REQUEST["ref"]._replace(help="References. Repeatable.")),
    **under("Input", ASKED, "held_out", "held_out_ref", "weights", "default_weight", "feature_names"),
    **under("Input", REQUEST, "format", "ref_format", "fields", "symbols"),
    **under("Tuning", ASKED, "algorithm", "tune", "starts", "directions", "epochs", "seed"),
    **WORDS,
    **under(
        "Output",
        output=REQUEST["output"]._replace(
            kind=written_file("weights", ".weights"),
            help="Write the weights to OUT; of several metrics, to OUT/METRIC.weights. Default: they are only shown.",
            metavar="OUT",
        ),
        weights_format=ASKED["weights_format"],
    ),
    **FORMS_PRINTED,
}


@dataclass(frozen=True)
class FilesTuning(Printed):
    """Weights that were tuned on hypotheses in files.

    Attributes:
        tuned: for each metric that was tuned towards, the weights and their scores.
        start: the weights that tuning began with.
        matrix: of several metrics, or held-out items: scores by every metric, of `start` and of each tuned weights.
        settings: what was asked for.
        unit: what was compared.
        read: what was read.
        remarks: what was guessed about the files, and what is odd about them.
    """

    tuned: Mapping[CorpusMetric, Tuned]
    start: Mapping[str, float]
    matrix: Mapping[str, Sequence[float]]
    settings: Mapping[str, Any]
    unit: Unit
    read: TuningInputs
    remarks: tuple[str, ...]

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        names = self._names
        return {
            **self.settings,
            "start": self.start,
            "tuned": [
                {
                    "metric": name,
                    "start_score": finite(tuned.start_score),
                    "score": finite(tuned.score),
                    "scores": list(map(finite, tuned.scores)),
                    "weights": tuned.weights,
                }
                for name, tuned in zip(names, self.tuned.values(), strict=True)
            ],
            "matrix": {
                row: dict(zip(names, map(finite, scores), strict=True)) for row, scores in self.matrix.items()
            },
        }

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        if self.matrix:
            if self.settings["held_out"]:
                yield f"measured on {self.settings['held_out']}"
            yield self._matrix_table()
        if len(self.tuned) == 1:
            ((metric, tuned),) = self.tuned.items()
            scores = (number(score, metric.percent) for score in (tuned.start_score, tuned.score))
            yield Table([("tuned towards", "start", "tuned"), (*self._names, *scores)])
            yield self._weight_table(tuned.weights)
        yield f"{self.read.counts}, {self.settings['algorithm']}, seed {self.settings['seed']}"

    @property
    def _names(self) -> list[str]:
        return [name_of(metric.name, self.unit) for metric in self.tuned]

    def _matrix_table(self) -> Table:
        """As [L11, table 4]: a row for each metric that was tuned towards, a column for each that measures."""
        columns = []
        for place, metric in enumerate(self.tuned):
            own, shown = [row[place] for row in self.matrix.values()], partial(number, percent=metric.percent)
            columns.append(marked(list(map(shown, own)), own, metric.recognition, shown))
        return Table([("tuned towards", *self._names), *zip(self.matrix, *columns, strict=True)])

    def _weight_table(self, weights: Mapping[str, float]) -> Table:
        """The weights at the start and at the end; of many, those that changed the most."""
        names, start = list(weights), self.start
        if len(names) > MOST:
            changed = sorted(names, key=lambda name: -abs(weights[name] - start.get(name, 0.0)))
            names = [name for name in names if name in set(changed[:MOST])]
        rows = [("feature", "start", "tuned")]
        rows += [(name, f"{start.get(name, 0.0):.6g}", f"{weights[name]:.6g}") for name in names]
        more = len(weights) - len(names)
        return Table(rows, notes=[f"and {more} more features"] if more else ())


@sides_by_name
def tune_files(
    *,
    hypotheses: PathLike | Iterable[PathLike],
    references: PathLike | Iterable[PathLike] = (),
    weights: PathLike | None = None,
    metric: str | Iterable[str] = "bleu",
    **options: Any,
) -> FilesTuning:
    """Tune a decoder's weights on `hypotheses=` towards `references=`, files, as `fstmetrics tune` does.

    Nothing is printed.

    Args:
        hypotheses: n-best lists, hypergraphs or lattices with features; several files count together.
        references: a file, or several sets of references.
        weights: the weights to begin at; not needed with `default_weight=`.
        metric: names of metrics to tune towards.
        options: those of the command, with `_` for `-`, as of `score_files`: `algorithm="mira"`, `tune=["lm"]`,
            `held_out="test.nbest"`, `held_out_ref="test.txt"`, `output="tuned.weights"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> folder = files("fstmetrics") / "examples" / "tuning"
    >>> sides = {"hypotheses": folder / "nbest.txt", "references": folder / "ref.txt"}
    >>> found = fm.tune_files(**sides, weights=folder / "start.weights", metric="wer", starts=1)
    >>> [tuned.score <= tuned.start_score for tuned in found.tuned.values()]
    [True]
    """
    given = {"metric": metric, "weights": weights and path_of("tune_files", weights), **options}
    found = fields_of_options("tune_files", TUNING, given)
    found["more_references"] = [*several_paths("tune_files", references), *found["more_references"]]
    return tune_from(several_paths("tune_files", hypotheses, "hypotheses"), found)


def tune_from(hypotheses: Sequence[str], options: dict[str, Any]) -> FilesTuning:
    """The weights by fields of `TuneOptions` and `Request`, and `parameters`.

    Raises:
        FstmetricsError: as of `tune_files`.
    """
    parameters, asked = options.pop("parameters"), fields_of(TuneOptions, options)
    metrics, networks = parameters.metrics(asked.metric_names), asked.networks
    check_paths([*hypotheses, *options["more_references"], asked.start, asked.held_out, *asked.held_out_ref])
    request = Request(**options, features=asked.features)
    request.refuse_rules("tune")
    refuse_unready(metrics, request.normalisation)
    for metric in metrics:
        refuse_other_unit(metric, request.normalisation.unit)
    references = request.more_references
    asked.refuse_half_held_out()
    inputs = [*hypotheses, *references, networks, asked.start, asked.held_out, *asked.held_out_ref]
    files = asked.outputs(metrics, request)
    check_paths(inputs, *files)
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
    tuned: dict[CorpusMetric, Tuned] = {}
    try:
        start, matrix, spelled = _tune(request, asked, metrics, read, held_out, tuned)
    except Stopped as stopped:
        if tuned and files:
            _write(asked, tuned, files)
            stopped.remark = f"{request.output} has the best weights so far"
        raise
    _write(asked, tuned, files)
    settings = {
        "algorithm": asked.algorithm,
        "seed": asked.seed,
        "items": len(read.hypotheses),
        "held_out": asked.held_out,
    }
    said = read.all_remarks(asked.start if asked.weights else None, start)
    said += held_out.remarks if held_out else ()
    own = (*_scales(read, tuned, request.unit), *_unfinished(asked, tuned, request.unit))
    remarks = dict.fromkeys([*spelled, *said, *own])
    return FilesTuning(tuned, start, matrix, settings, request.unit, read, tuple(remarks))


def _scales(read: TuningInputs, tuned: Mapping[CorpusMetric, Tuned], unit: Unit) -> Iterator[str]:
    """Remarks on weights of lattices, which other commands take as scales."""
    are_lattices = all(isinstance(value, Lattice) for values in read.hypotheses for value in values)
    for metric, found in tuned.items() if are_lattices else ():
        if options := as_scales(found.weights):
            yield f"{name_of(metric.name, unit)}: best and oracle take these weights as {options}"


def _unfinished(asked: TuneOptions, tuned: Mapping[CorpusMetric, Tuned], unit: Unit) -> Iterator[str]:
    """Remarks on metrics for which MIRA or PRO found no better weights, or whose best epoch of MIRA is the last one."""
    epochs = asked.epochs or EPOCHS
    for metric, found in tuned.items():
        if asked.algorithm != "mert" and found.scores and found.score == found.start_score:
            tries = counted(len(found.scores), "epoch" if asked.algorithm == "mira" else "round")
            best = number((max if metric.recognition else min)(found.scores), metric.percent)
            yield (
                f"{name_of(metric.name, unit)}: the weights are those of START, as none of {tries} was better: the "
                f"best has {best}"
            )
        is_last = found.scores[-1:] == (found.score,) and found.score not in (
            found.start_score,
            *found.scores[:-1],
        )
        if asked.algorithm == "mira" and is_last and epochs < MOST_EPOCHS:
            more = min(2 * epochs, MOST_EPOCHS)
            last = "the only one" if epochs == 1 else f"the last of {epochs}"
            yield f"{name_of(metric.name, unit)}: the best epoch is {last}: try --epochs {more}"


def _tune(
    request: Request,
    asked: TuneOptions,
    metrics: Sequence[CorpusMetric],
    read: TuningInputs,
    held_out: TuningInputs | None,
    tuned: dict[CorpusMetric, Tuned],
) -> tuple[dict[str, float], dict[str, list[float]], list[str]]:
    """Tune towards each metric, into `tuned`; the weights at the start, all scores, and remarks on their choices."""
    with listener.get().stages() as progress:
        progress("scoring hypotheses", 0, None)
        of_metric = _candidates(request, metrics, read)
        measured = _candidates(request, metrics, held_out) if held_out else of_metric
        start = _started(asked, of_metric[metrics[0]], measured[metrics[0]])
        chosen = zip(next(iter(of_metric.values())).best(start), read.references, strict=False)
        texts = [(" ".join(words), given) for words, given in chosen]
        rules = replace(request.normalisation, tokenize=request.normalisation.tokenize or "none")
        unlike = (unlike_remarks(texts, len(texts), metric, rules) for metric in metrics)
        spelled = next(filter(None, unlike), [])
        for metric, candidates in of_metric.items():

            def told(found: Tuned, done: int, of: int, metric: CorpusMetric = metric) -> None:
                tuned[metric] = found
                progress(f"{metric.name} {number(found.score, metric.percent)}", done, of)

            progress(metric.name, 0, None)
            tuned[metric] = asked.run(candidates, start, told)
        spelled += [
            remark for each in (*of_metric.values(), *measured.values()) for remark in each.remarks or ()
        ]
        if len(metrics) == 1 and not held_out:
            return start, {}, spelled
        rows = {"start": start} | {
            name_of(metric.name, request.unit): found.weights for metric, found in tuned.items()
        }
        matrix = {
            name: [candidates.score(weights) for candidates in measured.values()]
            for name, weights in rows.items()
        }
    return start, matrix, spelled


def _candidates(
    request: Request, metrics: Sequence[CorpusMetric], read: TuningInputs
) -> dict[CorpusMetric, Candidates]:
    found: dict[CorpusMetric, Candidates] = {}
    for metric in metrics:
        against = read.networks if read.networks and is_hyter(metric) else read.references
        refuse_plain_hyter([metric], against, request)
        options = request.search
        if not found:
            found[metric] = Candidates(
                read.hypotheses,
                against,
                metric,
                normalisation=request.normalisation,
                options=options,
                remarks={},
            )
        else:
            found[metric] = next(iter(found.values())).under(metric, against, options)
    return found


def _started(asked: TuneOptions, *candidates: Candidates) -> dict[str, float]:
    weights, default = asked.weights, asked.default_weight
    names = list(dict.fromkeys(name for each in candidates for name in each.names))
    if default is not None:
        weights |= {name: default for name in names if name not in weights}
    # The features of lattices are known only now.
    if missing := [name for name in names if name not in weights]:
        raise FstmetricsError(
            f"{asked.start}: there is no weight of {listed(missing)}; add lines `{missing[0]} VALUE`, or give "
            "--default-weight 0"
        )
    return weights


def _write(asked: TuneOptions, tuned: Mapping[CorpusMetric, Tuned], files: Sequence[str]) -> None:
    """The weights of all metrics that something was found for."""
    for found, path in zip(tuned.values(), files, strict=False):
        if len(files) > 1:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        around = asked.start if asked.layout == "moses-ini" else None
        write_whole(path, weights_text(found.weights, asked.layout, around))


@command(usual=("--ref", "--metric", "--weights", "--output", "--algorithm", "--starts"))
@click.argument("hypotheses", metavar="NBEST...", nargs=-1, required=True)
@options_of(TUNING)
def tune_command(hypotheses: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Tune the weights of a translation model or recogniser towards a metric.

    \b
    Example:  fstmetrics tune a.nbest --ref ref.txt --weights w.txt -o tuned.txt
              fstmetrics tune a.nbest b.nbest --ref ref.txt --weights moses.ini
              fstmetrics tune forests/ --ref ref.txt --metric grr --weights w.txt

    NBEST: n-best lists with features (Moses, cdec, Joshua), hypergraphs with features (a file or a folder), or
    lattices, whose costs are the features lm, acoustic and word_penalty. Several files are the lists of one decoder
    after the other, and count together.
    """
    refuse_shared_output(form, options["output"])
    found = tune_from(hypotheses, options)
    show_report(found.parts(), found.summary, form, beside=options["output"])
    tell(*shortened(found.remarks))

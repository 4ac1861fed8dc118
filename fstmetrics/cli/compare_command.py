"""`fstmetrics compare`, and the picture of its `--plot`: `draw`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import click

from fstmetrics.cli import on_request
from fstmetrics.cli.compare_options import block_options, label_options, score_options
from fstmetrics.cli.option_types import SEED, OutputFile, Real, Whole
from fstmetrics.cli.options import (
    ARGUMENTS,
    OPTIONAL_WORDS_OPTION,
    SHARD,
    WHERE,
    alternations_option,
    command,
    fields_option,
    format_options,
    grammar_option,
    group,
    metric_parameters,
    metric_table,
    missing_option,
    networks_option,
    option,
    symbols_option,
    together,
    word_options,
)
from fstmetrics.cli.pictures import check_pictures
from fstmetrics.cli.profiles_compared import profiles_options, show_profiles
from fstmetrics.cli.terminal import show, show_json, stages, width
from fstmetrics.evaluation.item_blocks import blocks_of, items_remark
from fstmetrics.evaluation.item_labels import labelled
from fstmetrics.evaluation.score_inputs import GivenFiles, named_systems
from fstmetrics.evaluation.significance import TESTS, Runs
from fstmetrics.evaluation.significance.block_statistics import Runner, here
from fstmetrics.evaluation.significance.comparison import Comparison, Design
from fstmetrics.evaluation.significance.distributions import distributions
from fstmetrics.evaluation.significance.p_values import as_test
from fstmetrics.evaluation.significance.texts import compare as compare_systems
from fstmetrics.evaluation.systems import (
    Columns,
    asked_metrics,
    named_path,
    read_columns,
    refuse_plain_hyter,
    runs_of,
)
from fstmetrics.metrics import METRICS, CorpusMetric
from fstmetrics.reports.comparison_report import (
    cautions,
    comparison_dict,
    latex_lines,
    markdown_lines,
    text_lines,
)
from fstmetrics.reports.plots import null_plot
from fstmetrics.runs.path_checks import check_paths
from fstmetrics.runs.request import MetricParameters, Request, fields_of, refuse_unready
from fstmetrics.scoring.resampling import Resampling
from fstmetrics.scoring.unlike_spellings import match_remark
from fstmetrics.support.equal_rows import Repeated
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.values.fields import NO_FIELDS
from fstmetrics.values.groupings import Grouping

if TYPE_CHECKING:
    from fstmetrics.evaluation.compare_shards import ComparisonShard

# What is computed where nobody says: of plain text, which is as likely a translation, and of transcripts.
PLAIN_TEXT, TRANSCRIPTS = ("bleu",), ("wer",)
Layout = Literal["json", "markdown", "latex"]
LAYOUTS: dict[Layout, str] = {
    "json": "one JSON object",
    "markdown": "a Markdown table",
    "latex": "a LaTeX table",
}

significance_options = group(
    "Significance",
    option("--test", type=click.Choice(list(TESTS), case_sensitive=False), default="bootstrap", show_default=True,
           metavar="TEST",
           help=f"Test of significance: {', '.join(TESTS)}. docs/significance.md says which is for what."),
    option("--samples", type=Whole(1, MOST_SAMPLES), default=10_000, show_default=True, metavar="B",
           help="Resamples of the test and of the intervals."),
    option("--seed", type=SEED, default=1, show_default=True, metavar="N",
           help="Seed of the random numbers. The same seed gives the same results everywhere."),
    option("--one-sided", is_flag=True,
           help="bootstrap, randomization: test only the side on which the difference is."),
    option("--both-ways", is_flag=True, help="sign test: also test the baseline against each system."),
    option("--pairs", type=click.Choice(["baseline", "all"]), default="baseline", show_default=True,
           help="Test each system against the first, or all pairs of systems."),
    option("--correction", type=click.Choice(["none", "holm"]), default="none", show_default=True,
           help="holm: correct p for the number of tests; the plain p is kept."),
    option("--confidence", type=Real(0, 1, True, True), default=0.95, show_default=True, metavar="C",
           help="Confidence of the intervals."),
)  # fmt: skip


def _choose(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    """Keep the layout that is asked for, of which there may be one."""
    if given:
        before = context.meta.setdefault("layout", parameter.name)
        if before != parameter.name:
            raise FstmetricsError(
                f"--{before} and --{parameter.name}: a table is printed in one form; give one of them"
            )


layout_options = group(
    "Output",
    *(
        option(f"--{layout}", layout, is_flag=True, expose_value=False, callback=_choose, help=f"Print {what}.")
        for layout, what in LAYOUTS.items()
    ),
    option("--plot", metavar="FILE",
           help="Draw the distribution of the test, for the first two systems and the first metric."),
)  # fmt: skip


@command(
    usual=("--ref", "--metric", "--test", "--lowercase", "--json", "--markdown"),
    ending=metric_table,
)
@click.argument("systems", metavar="SYSTEM...", nargs=-1)
@together(
    group(
        "Metric",
        option("--metric", "metric_names", multiple=True, metavar="NAMES",
               help=f"Separated by commas: {', '.join(METRICS.shipped)}. mean-NAME is the mean of the item scores. "
                    "Default: wer; bleu where all files are plain text and the test is not one of speech."),
    ),
    metric_parameters,
    group(
        "Input",
        option("--ref", "references", multiple=True, metavar="FILE", help="References. Repeatable."),
    ),
    fields_option,
    networks_option,
    missing_option,
    format_options,
    symbols_option,
    alternations_option,
    group("Input", OPTIONAL_WORDS_OPTION),
    word_options,
    grammar_option,
    profiles_options,
    significance_options,
    block_options,
    score_options,
    label_options,
    layout_options,
    group(
        "Long runs",
        *WHERE,
        SHARD,
        option("--output", type=OutputFile("sums as JSON", ".sums"), metavar="FILE",
               help="With --shard: what fstmetrics merge puts together."),
    ),
)  # fmt: skip
def compare(
    systems: tuple[str, ...], references: tuple[str, ...], networks: str | None, metric_names: tuple[str, ...],
    test: str, samples: int, seed: int, one_sided: bool, both_ways: bool, pairs: Any, correction: Any,
    confidence: float, scores: tuple[str, ...], lower: str, by: Sequence[Grouping], labels: tuple[str, ...],
    documents: str | None, blocks: str | None, speakers: str | None, plot: str | None, profiles: str | None, top: int,
    are_systems: bool, merged: Sequence[ComparisonShard] = (), **options: Any,
) -> None:  # fmt: skip
    """Score several systems, and test each against the first, the baseline.

    \b
    Example:  fstmetrics compare --ref ref.txt base.txt new.txt --metric bleu,wer
              fstmetrics compare --ref ref.trn base.trn new.trn --test mapsswe
              fstmetrics compare base.jsonl new.jsonl --fields ref=text,hyp=pred
              fstmetrics compare --ref ref.txt old=b1,b2 new=n1,n2 --metric bleu
              fstmetrics compare --ref ref.txt a.txt b.txt --scores comet=c.json
              fstmetrics compare --scores comet=wmt.seg.score --pairs all

    SYSTEM: a file with the system's outputs, one sentence per line. Its name in the table is the file's name without
    ending; NAME=FILE gives another. NAME=FILE,FILE are several runs of one system, as of an optimizer. Of lattices and
    n-best lists the best paths are scored (oracles). Lines pair by id where all files have ids (Kaldi text), otherwise
    by order. Tables (JSON Lines, CSV, Parquet, ...) may have the references, too, and several systems, hyp=A,hyp=B:
    docs/tables.md. With --scores alone, SYSTEM is the name of a system in its file; without any, all are compared.
    """
    if merged:
        parameters, request = fields_of(MetricParameters, options), Request(**options)
        design = _design(test, samples, seed, one_sided, both_ways, correction, confidence, pairs)
        asked = parameters.metrics(merged[0].metrics)
        _show(*on_request.compare_shards(merged, asked, request, design), request)
        return
    if not systems and not scores:
        raise click.MissingParameter(param_hint="'SYSTEM...'", param_type="argument")
    arguments, run_of = runs_of(systems)
    scores_only = _scores_only(scores, systems, references, networks, metric_names)
    files = [*references, networks, *(named_path(score)[1] for score in scores)]
    files += [] if scores_only else [named_path(argument)[1] for argument in arguments]
    check_paths([*files, *(label.partition("=")[2] or None for label in labels), documents], plot)
    check_pictures(plot)
    parameters = fields_of(MetricParameters, options)
    if options.get("shard") and options.get("output") is None:
        raise FstmetricsError("--shard writes the sums of a part of a run: give --output FILE, too")
    request = Request(**options)
    if request.output is not None and not request.shard:
        raise FstmetricsError("--output is for --shard I/N; the table is printed")
    if request.shard:
        on_request.refuse_unfit(request, {
            "--test": test, "--scores": scores, "--by": by, "--blocks": blocks, "--speakers": speakers,
            "--labels": labels, "--documents": documents, "--plot": plot, "--profiles": profiles,
        })  # fmt: skip
    if profiles is not None:
        as_json = click.get_current_context().meta.get("layout") == "json"
        show_profiles(profiles, request, systems, references, top, as_json)
        return
    external = GivenFiles.read(scores)
    metrics: Sequence[CorpusMetric] = ()
    outputs: dict[str, Any] | None = None
    if scores_only:
        names = named_systems(systems, external.systems)
        columns = _without_outputs(external)
    else:
        columns, metrics = _read(request, parameters, arguments, references, networks, metric_names, test)
        outputs = _gathered(columns.systems, run_of)
        names = list(outputs)
    columns = labelled(columns, external.fields(columns.ids), labels, documents, by, speakers)
    in_blocks = blocks_of(columns, blocks, speakers, test)
    fields = None if isinstance(columns.fields, Repeated) else columns.fields
    columns = replace(columns, remarks=(*items_remark(columns, blocks, in_blocks), *columns.remarks))
    if request.shard:
        design = _design(test, samples, seed, one_sided, both_ways, correction, confidence, pairs)
        given = click.get_current_context().meta[ARGUMENTS]
        with _runner(request, metrics) as run, stages() as progress:
            written = on_request.write_shard(
                request, given, outputs or {}, columns, metrics, design, run, progress
            )  # fmt: skip
        show(written)
        return
    with _runner(request, metrics) as run, stages() as progress:
        comparison = compare_systems(
            outputs, columns.references or columns.networks or [], metrics, test=test, samples=samples, seed=seed,
            networks=columns.networks, grammars=request.grammars, one_sided=one_sided, both_ways=both_ways,
            pairs=pairs, correction=correction, confidence=confidence, scores=external.scores(names, columns.ids),
            lower=[name.strip() for name in lower.split(",") if name.strip()], fields=fields, by=by,
            normalisation=request.normalisation, progress=progress, blocks=in_blocks, options=request.search,
            run=run,
        )  # fmt: skip
    if plot:
        draw(plot, comparison)
    _show(comparison, columns, request)


def _design(
    test: str, samples: int, seed: int, one_sided: bool, both_ways: bool, correction: Any, confidence: float, pairs: Any
) -> Design:  # fmt: skip
    """What is tested where nothing but items is resampled."""
    resampling = Resampling(samples, seed)
    return Design(test, resampling, one_sided, both_ways, correction, confidence, pairs=pairs)


def _show(comparison: Comparison, columns: Columns, request: Request) -> None:
    """Print a comparison, with what the files decide."""
    comparison = replace(comparison, shows_counts=comparison.shows_counts or not columns.are_sentences)
    read = [*columns.conditions, *([f"alternations:{request.alternations}"] if request.alternations else [])]
    conditions = {name: (*parts, *(read if parts else ())) for name, parts in comparison.conditions.items()}
    comparison = replace(comparison, conditions=conditions)
    if columns.has_mark:  # sacrebleu gets other texts
        statistics = {
            system: {name: replace(each, as_given=False) for name, each in found.items()}
            for system, found in comparison.statistics.items()
        }
        comparison = replace(comparison, statistics=statistics)
    columns = replace(columns, remarks=(*_match_remarks(comparison), *columns.remarks))
    _print(comparison, click.get_current_context().meta.get("layout"), request, columns)


def _match_remarks(comparison: Comparison) -> Iterator[str]:
    """What is said of systems of which hardly a word matches, once each."""
    for name, scores in comparison.systems.items():
        told = [
            match_remark(score.totals, comparison.items, comparison.metrics[metric], normalisation, False)
            for metric, score in scores.items()
            if score.totals and (normalisation := comparison.normalisations.get(metric))
        ]
        yield from (f"{name}: {remark}" for remark in [*filter(None, told)][:1])


@contextmanager
def _runner(request: Request, metrics: Sequence[CorpusMetric]) -> Iterator[Runner]:
    """What has statistics found, while they are; there are none to find of given scores."""
    if request.on == "local" or not metrics:
        yield here
        return
    with closing(on_request.engine_of(request.on, request.jobs)) as engine:
        yield on_request.statistics_runner(engine)


def _read(
    request: Request,
    parameters: MetricParameters,
    arguments: Sequence[str],
    references: Sequence[str],
    networks: str | None,
    metric_names: Sequence[str],
    test: str,
) -> tuple[Columns, Sequence[CorpusMetric]]:
    """The systems' outputs, and the metrics that are computed of them."""
    metrics = asked_metrics(metric_names or PLAIN_TEXT, parameters, references, networks, tables=True)
    if metric_names:
        refuse_unready(metrics, request.normalisation)
    of_speech = as_test(test).compares != "items"

    def why(told: Sequence[str]) -> str:
        if metric_names:
            return metrics[0].name
        if of_speech:
            return f"{TRANSCRIPTS[0]} (the metric of --test {test})"
        if told:
            return f"{TRANSCRIPTS[0]} (the default metric, as {told[0]} is no plain text)"
        return f"{PLAIN_TEXT[0]} (the default metric, as all files are plain text)"

    columns = read_columns(request, arguments, references, networks, why, in_columns=True)
    if not metric_names:
        of_speech = of_speech or not columns.are_sentences
        metrics = parameters.metrics(TRANSCRIPTS) if of_speech else metrics
        refuse_unready(metrics, request.normalisation)
    refuse_plain_hyter(metrics, columns.networks or columns.references, request)
    return columns, metrics


def _scores_only(
    scores: Sequence[str],
    systems: Sequence[str],
    references: Sequence[str],
    networks: str | None,
    metric_names: Sequence[str],
) -> bool:
    """Whether nothing but given scores is compared: of systems that are named, if at all, without their outputs.

    Raises:
        FstmetricsError: something to compute, and no outputs.
    """
    if not scores or any(os.path.exists(named_path(system)[1]) for system in systems):
        return False
    if not (references or networks or metric_names):
        return True
    if systems:
        return False
    what = "--metric" if metric_names else "--ref" if references else "--networks"
    raise FstmetricsError(f"{what} is for outputs of systems: give their files, or --scores alone")


def _without_outputs(external: GivenFiles) -> Columns:
    """The items of scores alone."""
    number, segments = external.segments
    ids: Sequence[str | None] = segments or Repeated(None, number)
    return Columns(
        {},
        [],
        None,
        {},
        (),
        {},
        ids,
        ("ids:yes" if segments else "ids:no",),
        Repeated(NO_FIELDS, number),
        True,
    )


def _gathered(outputs: Mapping[str, Sequence[Any]], run_of: Mapping[str, str]) -> dict[str, Any]:
    """The outputs of each system, those of several runs together."""
    found: dict[str, Any] = {}
    for name, items in outputs.items():
        if name in run_of:
            found.setdefault(run_of[name], []).append(items)
        else:
            found[name] = items
    runs = set(run_of.values())
    return {name: Runs(items) if name in runs else items for name, items in found.items()}


def _print(comparison: Comparison, layout: Layout | None, request: Request, columns: Columns) -> None:
    if layout == "json":
        wider = {"grammars": request.grammar_signature} if request.grammars else {}
        words = {**request.normalisation.settings(), "tokenize": request.tokenize}
        settings = {**words, **wider, "formats": columns.formats, "pairing": columns.pairing}
        remarks = [*cautions(comparison), *columns.remarks]
        show_json(comparison_dict(comparison, settings) | {"remarks": remarks})
        return
    if layout:
        lines = markdown_lines(comparison) if layout == "markdown" else latex_lines(comparison)
    else:
        lines = text_lines(comparison, columns.remarks, width())
    show(*lines)


def draw(path: str, comparison: Comparison) -> None:
    """Draw the differences of the second system from the first under the first metric, on the comparison's resamples.

    Raises:
        FstmetricsError: one system only, or a metric or file that cannot be drawn.
    """
    if len(comparison.statistics) < 2:
        raise FstmetricsError("--plot draws the difference of two systems; only one was given")
    metric = next(iter(comparison.metrics))
    (one, baseline), (other, system) = list(comparison.statistics.items())[:2]
    found = distributions(
        baseline[metric], system[metric], comparison.design.resampling, comparison.design.blocks
    )
    null_plot(found, path, gain_title(metric, comparison.metrics[metric], one, other))


def gain_title(name: str, metric: CorpusMetric, baseline: str, system: str) -> str:
    """What the axis of differences says: which side of zero is in favour of which system.

    >>> from fstmetrics.metrics import WER
    >>> gain_title("wer", WER(), "old", "new")
    'wer of old minus wer of new: where positive, new is better'
    """
    one, two = (system, baseline) if metric.recognition else (baseline, system)
    return f"{name} of {one} minus {name} of {two}: where positive, {system} is better"

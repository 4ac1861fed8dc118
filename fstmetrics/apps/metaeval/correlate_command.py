"""The command `correlate`, and `correlate_files`, the same as a call."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from shlex import quote
from typing import Any

import click
import numpy as np

from fstmetrics import METRICS, FstmetricsError
from fstmetrics.apps.metaeval import Documents, Intervals
from fstmetrics.apps.metaeval.coefficient_names import wanted as wanted_coefficients
from fstmetrics.apps.metaeval.coefficients import pearson
from fstmetrics.apps.metaeval.correlate_inputs import read_inputs, read_pairs
from fstmetrics.apps.metaeval.correlation_report import (
    TaskFindings,
    finding_parts,
    read_otherwise,
    score_lines,
    task_parts,
    tasks_json,
    turned_round,
)
from fstmetrics.apps.metaeval.correlation_report import as_json as findings_json
from fstmetrics.apps.metaeval.correlations import MOST_DOCUMENTS
from fstmetrics.apps.metaeval.metric_tests import TESTS as OF_METRICS
from fstmetrics.apps.metaeval.study import Findings, Study, study
from fstmetrics.apps.metaeval.table import ScoreTable
from fstmetrics.apps.metaeval.wmt_tasks import (
    average_intervals,
    read_tasks,
    task_resamples,
    task_values,
    tied_metrics,
)
from fstmetrics.cli.click_options import (
    FormOfTables,
    command,
    options_of,
    options_of_line,
    refuse_shared_output,
)
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    GRAMMAR,
    MISSING,
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    given_options,
    of_metrics,
    systems_of,
    under,
)
from fstmetrics.cli.terminal import show_report, width
from fstmetrics.io.reading import check_paths
from fstmetrics.io.scores.mqm_files import SEVERITIES, MqmErrors, is_mqm
from fstmetrics.metrics.given_scores import Directions
from fstmetrics.reports.plots import Points, check_pictures, human_plot, separation_plot, significance_grid
from fstmetrics.reports.summary import Part, Printed, Row, Table, text_lines
from fstmetrics.reports.table_forms import FORMS
from fstmetrics.scoring.request import OfNetworks, Request, fields_of, refuse_unready
from fstmetrics.significance import TESTS
from fstmetrics.significance.p_values import as_test
from fstmetrics.significance.system_outputs import asked_metrics
from fstmetrics.support.file_sets import files_of, is_several
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    FLAG,
    JOINED,
    PATH,
    SEED,
    TEXT,
    Kind,
    dashed,
    many,
    one_of,
    option,
    options_of_fields,
    real,
    several,
    whole,
    written_file,
)
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import number
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path, open_text

LEVELS = ("system", "document", "segment")
# Tests that need no more than scores of items.
OF_ITEMS = [name for name, test in TESTS.items() if test.compares == "items"]


def _written_sizes(given: Any) -> str:
    return given if isinstance(given, str) else ",".join(several(given, str))


@dataclass(frozen=True)
class CorrelateOptions(OfNetworks):
    """Options of `correlate` beside those of every run."""

    human: str | None = option(
        None,
        TEXT,
        "The column of the human scores, or the name of WMT's file of them (mqm of en-de.mqm.seg.score).",
        "COLUMN",
    )
    pair: str | None = option(
        None, TEXT, "Of a folder of WMT: the language pair, such as en-de.", "LP", name="language_pair"
    )
    metric_references: str | None = option(
        None,
        TEXT,
        "Of a folder of WMT: the references that its metrics had, such as refA. Default: the first in order.",
        "NAME",
        name="metric_refs",
    )
    lower: str = option(
        "",
        JOINED,
        "Columns where lower is better; people's scores by the name of their column, or human. Error rates are known "
        "by their names (wer, TER, hter, mqm_penalty, rank).",
        "NAMES",
    )
    higher: str = option(
        "", JOINED, "Columns where higher is better, though their names may say otherwise.", "NAMES"
    )
    people: str = option(
        "", JOINED, "Systems that are human translations: for m/h, and left out of the correlations.", "NAMES"
    )
    renamed: Sequence[str] = option(
        (),
        many(TEXT),
        "What a system of a file of scores is called in the others. Repeatable.",
        "OLD=NEW",
        name="rename",
    )
    raw: bool = option(
        False,
        FLAG,
        "Average the scores of the assessors as they are. Default: with a column assessor, the scores of each "
        "assessor are standardised first.",
    )
    threshold: float = option(
        0.0, real(0, 1e9), "WMT's variants of tau: human scores that differ by less are ties.", "D"
    )
    levels: str = option(
        "system,segment", JOINED, "Separated by commas: system, document, segment.", "NAMES", name="level"
    )
    coefficients: str | None = option(
        None,
        JOINED,
        "Separated by commas: spa, acc-eq, pearson, spearman, kendall-a, -b, -c, -12, -13, -14, -23, -like, "
        "accuracy, acc-23. With a group: pearson:item, pearson:system. Default: the usual ones of each level.",
        "NAMES",
    )
    tasks: str | None = option(
        None,
        PATH,
        "Of a folder of WMT: rank metrics by the weighted average over tasks, wmt23, wmt24 or a TOML file.",
        "LIST",
    )
    by_field: Any = option(
        None,
        one_of("domain", "document"),
        "The coefficients of each domain or document, too.",
        "FIELD",
        name="by",
    )
    sizes: str | None = option(
        None,
        Kind(_written_sizes),
        "Make documents of so many random segments, for example 1,2,4,8.",
        "SIZES",
        name="documents",
    )
    per_size: int = option(50, whole(2, MOST_DOCUMENTS), "Documents of each size.")
    references: Sequence[str] = option(
        (),
        many(PATH),
        "References, to score outputs of systems among SCORES. Repeatable.",
        "FILE",
        name="ref",
    )
    metric_names: str = option(
        "bleu",
        JOINED,
        f"With --ref: {', '.join(METRICS.shipped)}. mean-NAME is the mean of the item scores.",
        "NAMES",
        name="metric",
    )
    test: Any = option(
        None,
        one_of(*OF_ITEMS, *OF_METRICS),
        f"Test each pair of metrics: does one agree better with people ({', '.join(OF_METRICS)})? Or test each "
        f"pair of systems ({', '.join(OF_ITEMS)}), and compare with a rank-sum test of the human scores.",
        "TEST",
    )
    fluency: str | None = option(
        None,
        TEXT,
        "With --test: a column of further human scores, of fluency. They decide pairs of systems that the "
        "human scores, of adequacy, leave undecided.",
        "COLUMN",
    )
    p_level: float = option(0.05, real(0, 1, without_least=True), "Level of significance of --test.", "P")
    samples: int = option(
        1000, whole(0, MOST_SAMPLES), "Resamples of the intervals and of --test; 0 is no intervals.", "B"
    )
    seed: int = option(1, SEED, "Seed of the random numbers.")
    resample: Any = option("both", one_of("both", "segments", "systems"), "What the intervals resample.")
    confidence: float = option(0.95, real(0, 1, True, True), "Confidence of the intervals.", "C")
    output: str | None = option(
        None,
        written_file("a table with tabs", ".tsv"),
        "Write all scores of the segments as one table.",
        "FILE",
    )
    plot: str | None = option(None, PATH, "Draw metrics against human scores: .png, .pdf or .svg.", "FILE")
    plot_level: Any = option(None, one_of(*LEVELS[::2]), "The points of --plot. Default: system.")
    grid: str | None = option(None, PATH, "With --test: draw which system is better than which.", "FILE")
    bars: str | None = option(
        None, PATH, "With --people: draw how far people and machines are from perfect.", "FILE"
    )

    @property
    def study(self) -> Study:
        """What to find.

        Raises:
            FstmetricsError: a level, a size or a coefficient that there is not.
        """
        of_metrics = self.test if self.test in OF_METRICS else None
        return Study(
            _levels(self.levels, self.sizes),
            Documents(_sizes(self.sizes), self.per_size, self.seed) if self.sizes else None,
            Intervals(self.samples, self.seed, self.resample, self.confidence),
            self.threshold,
            tuple(_names(self.people)),
            None if of_metrics else self.test,
            self.p_level,
            self.fluency,
            None if self.coefficients is None else wanted_coefficients(_names(self.coefficients)),
            of_metrics,
            self.by_field,
        )

    def refuse_useless(self) -> None:
        """Raise an FstmetricsError, before anything is computed, for what can come to nothing."""
        of_systems = bool(self.test) and self.test not in OF_METRICS
        least = 1 / (self.samples + 1)
        draws = as_test(self.test).draws if of_systems else self.test not in (None, "williams")
        if draws and self.p_level <= least:
            raise FstmetricsError(
                f"with --samples {self.samples} no p of --test {self.test} is below {least:.2g}, so nothing is "
                f"significant at {self.p_level:g}; ask for more"
            )
        if self.fluency is not None and not of_systems:
            raise FstmetricsError("--fluency decides pairs of --test, which was not asked for")
        if self.grid and not of_systems:
            raise FstmetricsError("--grid draws the outcome of --test, which was not asked for")
        if self.bars and not self.people:
            raise FstmetricsError("--bars draws human translations beside machines; --people names them")
        check_pictures(self.plot, self.grid, self.bars)


ASKED = options_of_fields(CorrelateOptions)
METRICS_ASKED: Options = {**under("Metric", ASKED, "metric"), **of_metrics(), **WORDS, **GRAMMAR}
CORRELATING: Options = {
    **under(
        "Scores",
        ASKED,
        "human",
        "language_pair",
        "metric_refs",
        "lower",
        "higher",
        "people",
        "rename",
        "raw",
        "threshold",
    ),
    **under("Levels", ASKED, "level", "coefficients", "tasks", "by", "documents", "per_size"),
    **under("Input", ASKED, "ref", "networks", missing=MISSING),
    **under("Input", REQUEST, "format", "ref_format", "fields"),
    **METRICS_ASKED,
    **under("Significance", ASKED, "test", "fluency", "p_level", "samples", "seed", "resample", "confidence"),
    **FORMS_PRINTED,
    **under("Output", ASKED, "output", "plot", "plot_level", "grid", "bars"),
}
# Options that say how outputs are scored, which tables and records have no use for.
OF_OUTPUTS = (*METRICS_ASKED, "missing")
# Those that go with a list of tasks, and those of its intervals.
BESIDE_TASKS = ("tasks", "human", "metric_refs", "lower", "higher", "people", "json", *FORMS, "samples")
INTERVALS = ("seed", "resample", "confidence")


@dataclass(frozen=True)
class FilesCorrelation(Printed):
    """How metrics agree with people, of scores in files.

    Attributes:
        findings: correlations, tests and conclusions; of `tasks`, the averages over them; of a file of MQM alone, its
            errors.
        remarks: what was guessed about the files, and what is odd about them.
        signatures: of the metrics that outputs were scored with.
        raw: whether coefficients are negative where lower scores of a metric are better.
    """

    findings: Findings | TaskFindings | MqmErrors
    remarks: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    raw: bool = False

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        if isinstance(self.findings, TaskFindings):
            return tasks_json(self.findings, self.remarks)
        if isinstance(self.findings, MqmErrors):
            return self.findings.as_dict()
        return findings_json(self.findings, self.signatures, self.remarks)

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        if isinstance(self.findings, TaskFindings):
            yield from (*task_parts(self.findings), "", *self.findings.remarks(), *self.remarks)
        elif isinstance(self.findings, MqmErrors):
            yield from mqm_parts(self.findings)
        else:
            yield from (*finding_parts(self.findings, not self.raw), *self.remarks, *self.signatures)

    def lines(self, width: int | None = None) -> list[str]:
        """The same as text, folded to a width."""
        return list(text_lines(self.parts(), width))


def correlate_files(
    scores: PathLike | Iterable[PathLike] | Mapping[str, PathLike], **options: Any
) -> FilesCorrelation:
    """Correlate metrics with human scores that are in files, as `fstmetrics correlate` does.

    Arguments are paths. Nothing is printed.

    Args:
        scores: tables of scores, WMT's files or folder, records, and, with `ref`, outputs of systems. A dict has the
            files of systems by their names.
        options: those of the command, with `_` for `-`, as of `score_files`: `ref="ref.txt"`, `metric="bleu,chrf"`,
            `level="segment"`, `coefficients=["pearson"]`, `test="perm-both"`, `samples=0`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "scores.tsv"
    >>> rows = [("A", 1, 3, 0.3), ("A", 2, 1, 0.1), ("B", 1, 5, 0.5), ("B", 2, 2, 0.2)]
    >>> head = "system\\tsegment\\thuman\\tcomet\\n"
    >>> _ = file.write_text(head + "".join("\\t".join(map(str, row)) + "\\n" for row in rows))
    >>> found = fm.correlate_files(file, level="segment", coefficients="pearson:item", samples=0)
    >>> [round(each.value, 6) for each in found.findings.correlations]
    [1.0]
    """
    found = fields_of_options("correlate_files", CORRELATING, options)
    files = systems_of("correlate_files", scores, "scores")
    return correlate_from(files, found, given_options(CORRELATING, options))


def correlate_from(files: Sequence[str], options: dict[str, Any], given: Collection[str]) -> FilesCorrelation:
    """What agrees, by fields of `CorrelateOptions` and `Request`, and `parameters`.

    Args:
        files: paths, or NAME=PATH.
        options: the fields.
        given: the options that were given, by their names in Python.

    Raises:
        FstmetricsError: as of `correlate_files`.
    """
    asked = fields_of(CorrelateOptions, options)
    several = {path for path in files if "=" not in path and is_several(path) and not os.path.isdir(path)}
    files = [str(each) for path in files for each in (files_of(path) if path in several else [path])]
    if asked.tasks is not None:
        return _by_tasks(asked, asked.tasks, files, given)
    parameters = options.pop("parameters")
    request = Request(**options)
    request.refuse_rules("correlate", widening=True)
    references, networks = asked.references, asked.networks
    scores_outputs = bool(references) or networks is not None
    if not scores_outputs:
        _refuse_options_of_outputs(given)
    metrics = asked_metrics([asked.metric_names], parameters, references, networks) if scores_outputs else []
    refuse_unready(metrics, request.normalisation)
    paths = [*(named_path(file)[1] for file in files), *references, networks]
    check_paths(paths, asked.plot, asked.grid, asked.bars, asked.output)
    only = named_path(files[0])[1]
    source = None
    # Folders are none. What comes through a pipe can be read once.
    if len(files) == 1 and not scores_outputs and (only == "-" or not os.path.isdir(only)):
        source = open_text(only)
        if is_mqm(source):
            return _of_errors(MqmErrors.read(source), asked.output, given)
    asked.refuse_useless()
    wanted = asked.study
    table, remarks, signatures = read_inputs(
        files,
        references,
        networks,
        metrics,
        request,
        asked.human,
        Directions.of(asked.lower, asked.higher),
        not asked.raw,
        asked.pair,
        asked.metric_references,
        asked.renamed,
        source,
        asked.levels != "system",
    )
    with listener.get().stages() as progress:
        findings, grids = study(table, wanted, progress)
    if not (findings.correlations or findings.separations or grids):
        raise FstmetricsError(
            f"there are no scores by {asked.levels}: give --level system, or files that have them"
        )
    _write(table, wanted, findings, grids, asked)
    if asked.output and (turned := turned_round(table)):
        remarks = (*remarks, f"{asked.output}: turned round, so that higher is better: {', '.join(turned)}")
    if asked.output and (names := read_otherwise(table)):
        told = quote(",".join(names))
        remarks = (*remarks, f"{asked.output}: to be read with --higher {told}, as the names tell otherwise")
    return FilesCorrelation(findings, remarks, tuple(signatures), asked.raw)


def _of_errors(found: MqmErrors, output: str | None, given: Collection[str]) -> FilesCorrelation:
    """The tables of a file of errors by itself, beside which no scores of metrics are given."""
    if strange := [name for name in given if name not in ("output", "json", *FORMS)]:
        raise FstmetricsError(
            f"{found.source.path} has errors that people marked, and there are no scores of metrics to be correlated "
            f"with them, so {dashed(strange[0])} has nothing to do: give scores, or outputs with --ref"
        )
    if output is not None:
        rows = list(found.rows())
        with whole_file(output) as stream:
            stream.writelines(
                "\t".join(map(str, row)) + "\n" for row in (rows[0], *(row.values() for row in rows))
            )
    return FilesCorrelation(found)


def _refuse_beside_tasks(given: Collection[str]) -> None:
    """Raise an FstmetricsError for options that a list of tasks decides by itself."""
    allowed = (*BESIDE_TASKS, *(INTERVALS if "samples" in given else ()))
    if not (strange := [name for name in given if name not in allowed]):
        return
    if strange[0] in INTERVALS:
        raise FstmetricsError(
            f"{dashed(strange[0])} is for the intervals of averages over --tasks, which --samples asks for"
        )
    raise FstmetricsError(
        f"--tasks says itself what is found, so {dashed(strange[0])} cannot be given; beside it go --human, "
        "--metric-refs, --lower, --higher, --people, --samples and the form of output"
    )


def _by_tasks(
    asked: CorrelateOptions, tasks: str, files: Sequence[str], given: Collection[str]
) -> FilesCorrelation:
    """Rank metrics by a list of tasks."""
    _refuse_beside_tasks(given)
    samples = asked.samples if "samples" in given else 0
    intervals = Intervals(samples, asked.seed, asked.resample, asked.confidence)
    tables, remarks = read_pairs(
        files, asked.human, asked.metric_references, Directions.of(asked.lower, asked.higher)
    )
    wanted, people = read_tasks(tasks, list(tables)), _names(asked.people)
    systems = {name for table in tables.values() for name in table.systems}
    if strange := [name for name in people if name not in systems]:
        raise FstmetricsError(
            f"--people: no language pair has a system {strange[0]}; there are {listed(sorted(systems))}"
        )
    machines = {
        pair: table.without([p for p in people if p in table.systems]) for pair, table in tables.items()
    }
    values, tied, resamples = [], [], []
    with listener.get().stages() as progress:
        for done, task in enumerate(wanted):
            progress(task.name, done, len(wanted))
            values.append(task_values(task, machines))
            tied.append(tied_metrics(task, machines))
            if samples:
                resamples.append(task_resamples(task, machines, intervals))
    found = TaskFindings(wanted, values, tied)
    if samples:
        averages = average_intervals(wanted, resamples, intervals)
        found = TaskFindings(wanted, values, tied, asdict(intervals), averages)
    return FilesCorrelation(found, tuple(remarks))


def _refuse_options_of_outputs(given: Collection[str]) -> None:
    """Raise an FstmetricsError for an option that says how to score outputs, where there are none."""
    # What is none of the command's own is of a metric.
    if strange := [name for name in given if name in OF_OUTPUTS or name not in CORRELATING]:
        raise FstmetricsError(
            f"{dashed(strange[0])} says how outputs of systems are scored; scores in tables and records stay as they "
            "are: give outputs with --ref REF or --networks NETWORKS"
        )


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _levels(text: str, sizes: str | None) -> tuple[Any, ...]:
    names = _names(text)
    for name in names:
        if name not in LEVELS:
            raise FstmetricsError(f"unknown level {name!r}; known are {', '.join(LEVELS)}")
    return tuple(dict.fromkeys([*names, *(["document"] if sizes else [])]))


def _sizes(text: str) -> tuple[int, ...]:
    names = _names(text)
    if not names or not all(re.fullmatch("0*[1-9][0-9]{0,8}", name) for name in names):
        raise FstmetricsError(f"--documents takes sizes such as 1,2,4,8, not {text!r}")
    return tuple(map(int, names))


def _write(
    table: ScoreTable, wanted: Study, findings: Findings, grids: dict[str, Any], asked: CorrelateOptions
) -> None:
    """The table and the pictures that were asked for."""
    if asked.output:
        with whole_file(asked.output) as stream:
            stream.writelines(f"{line}\n" for line in score_lines(table))
    if asked.plot or asked.grid:
        judged = table.without(wanted.people)
        if asked.plot:
            human_plot(panels(judged, asked.plot_level or "system"), asked.plot)
        if asked.grid:
            best = np.argsort(-judged.human.sign * judged.human.whole(), kind="stable")
            significance_grid([judged.systems[i] for i in best], grids, asked.grid)
    if asked.bars:
        separation_plot(findings.separations, asked.bars)


def mqm_parts(found: MqmErrors) -> Iterator[Part]:
    """The scores of systems with their errors by severity, and errors by category and severity."""
    counts = {system: found.counts(system) for system in found.systems()}
    severities = [name for name in SEVERITIES if any(each == name for _, each in found.counts())]
    rows: list[Row] = [("system", "score", "segments", *severities)]
    for system, score in found.systems().items():
        own = counts[system]
        by_severity = (sum(n for (_, each), n in own.items() if each == name) for name in severities)
        segments = sum(cell[0] == system for cell in found.scores)
        rows.append((system, number(score), str(segments), *map(str, by_severity)))
    yield Table(rows)
    rows = [("errors", *counts, "all")]
    for (category, severity), total in sorted(found.counts().items(), key=lambda each: (-each[1], each[0])):
        own_counts = (str(own[category, severity]) for own in counts.values())
        rows.append((f"{category}, {severity}", *own_counts, str(total)))
    yield Table(rows)
    raters = len({error.rater for error in found.errors})
    yield (
        f"score: minus the weights of errors (major 5, non-translation 25, minor 1, minor punctuation 0.1), the mean "
        f"of segments; {raters} rater{'s' * (raters != 1)}"
    )


def panels(table: ScoreTable, level: str = "system") -> list[Points]:
    """Panels for `human_plot`: every metric of a table, with Pearson's r, as `correlate` has it.

    Scores are drawn as they are. Where lower is better on one of the two sides, r is turned round, and that is said.

    Args:
        table: scores.
        level: `system` or `segment`.
    """
    found = []
    for name, scored in table.metrics.items():
        x, y = (
            (scored.whole(), table.human.whole()) if level == "system" else (scored.items, table.human.items)
        )
        there = np.isfinite(x) & np.isfinite(y)
        r = pearson(scored.sign * x[there], table.human.sign * y[there])
        names = [table.systems[i] for i in np.flatnonzero(there)] if level == "system" else None
        turned = "" if scored.sign == table.human.sign else ", turned round"
        remark = f"Pearson's r = {r:.3f}{turned}"
        titles = [f"{side}{'' if sign > 0 else ' (lower is better)'}"
                  for side, sign in ((name, scored.sign), ("human score", table.human.sign))]  # fmt: skip
        found.append(Points(titles[0], x[there], y[there], names, remark, titles[1]))
    return found


@command(usual=("--human", "--level", "--ref", "--metric", "--test", "--plot"))
@click.argument("files", metavar="SCORES...", nargs=-1, required=True)
@options_of(CORRELATING)
def correlate_command(files: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Correlate metrics with human scores.

    \b
    Example:  fstmetrics correlate scores.tsv
              fstmetrics correlate human.tsv --ref ref.txt A.txt B.txt

    SCORES: tables (the first line names the columns: system, segment, human, and metrics), WMT's files of human
    scores, records of `score --output` (one file per system), and, with --ref, outputs of systems. NAME=FILE says
    which system a file is of. Without NAME it is the judged system whose name is between dots in the file's name
    (hyp.Online-W.de.gz), otherwise the file's name without ending. METRIC:SYSTEM=FILE has scores of one system, one a
    line.
    """
    output = options["output"]
    refuse_shared_output(form, output)
    found = correlate_from(files, options, options_of_line())
    show_report(found.parts(), found.summary, form, width(), beside=output)

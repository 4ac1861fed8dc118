"""The command `compare`, and `compare_files`, the same as a call."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from os.path import commonprefix
from typing import Any, Literal, NamedTuple

import click

from fstmetrics.cli.click_options import FormOfTables, called, command, options_of, options_of_line, together
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    GRAMMAR,
    MISSING,
    PERCENT,
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    given_options,
    metric_table,
    of_metrics,
    sides_by_name,
    under,
    written,
)
from fstmetrics.cli.terminal import show, show_formed, show_json, show_report, width
from fstmetrics.data.fields import NO_FIELDS
from fstmetrics.engine.resampling import Resampling
from fstmetrics.engine.unlike_sides import FEWEST_ITEMS
from fstmetrics.engine.word_classes import CLASSES
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics import METRICS, CorpusMetric, Metric
from fstmetrics.metrics.compared_rates import ClassRate
from fstmetrics.metrics.corpus_metric import SESSION_RATES
from fstmetrics.metrics.registry import MetricParameters
from fstmetrics.reports.comparison_report import cautions, text_lines, without_prefix
from fstmetrics.reports.formed_comparisons import comparison_dict, formed_lines
from fstmetrics.reports.profile_tables import left_out_lines, profile_parts, profile_signatures
from fstmetrics.reports.summary import items_lines, shortened
from fstmetrics.reports.table_forms import FORMS, Form, is_pasted
from fstmetrics.scoring.biasing_lists import METRICS as METRICS_OF_CLASSES
from fstmetrics.scoring.biasing_lists import biasing_of, refuse_other_ids
from fstmetrics.scoring.request import OfSessions, OfSystems, Request, bare_cuts, fields_of, refuse_unready
from fstmetrics.significance import Runs
from fstmetrics.significance.block_statistics import Runner, here, system_remarks
from fstmetrics.significance.compare_shards import ComparisonShard, compare_shards, refuse_unfit, write_shard
from fstmetrics.significance.compare_statistics import with_others
from fstmetrics.significance.compare_texts import LOOKED_AT
from fstmetrics.significance.compare_texts import compare as compare_systems
from fstmetrics.significance.comparison import Comparison, Design
from fstmetrics.significance.item_labels import blocks_of, items_remark, labelled
from fstmetrics.significance.null_distributions import distributions
from fstmetrics.significance.p_values import CORRECTIONS, TESTS, as_test, tests_of
from fstmetrics.significance.profile_comparison import ProfileComparison, compare_profiles, names_of
from fstmetrics.significance.score_inputs import GivenFiles, named_systems
from fstmetrics.significance.system_outputs import (
    Columns,
    asked_metrics,
    read_columns,
    refuse_plain_hyter,
    runs_of,
)
from fstmetrics.support.equal_rows import Repeated
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.options import (
    FLAG,
    JOINED,
    PATH,
    ROWS,
    SEED,
    TEXT,
    Option,
    as_given,
    dashed,
    joined_of,
    many,
    one_of,
    option,
    options_of_fields,
    path,
    real,
    several,
    whole,
    written_file,
)
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import in_percent
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path
from fstmetrics.support.tables import Tabular
from fstmetrics.text.profiles import added, profile

# What is computed where nobody says: of plain text, which is as likely a translation, and of transcripts.
PLAIN_TEXT, TRANSCRIPTS = ("bleu",), ("wer",)


@dataclass(frozen=True)
class CompareOptions(OfSystems, OfSessions):
    """Options of `compare` beside those of every run; `merged` are the shards of a run that are put together."""

    metric_names: Sequence[str] = option(
        (),
        many(TEXT),
        f"Separated by commas: {', '.join(METRICS.shipped)}. mean-NAME is the mean of the item scores. "
        "cpwer and its kin are of sessions of several speakers. Default: wer; bleu where all files are plain text "
        "and the test is not one of speech.",
        "NAMES",
        name="metric",
    )
    references: Sequence[str] = option((), many(PATH), "References. Repeatable.", "FILE", name="ref")
    profiles: str | None = option(
        None,
        JOINED,
        "Instead of a test: the word error rate of every system under several profiles, separated by commas, and what "
        "the rules alone change. The first is compared with the others.",
        "NAMES",
    )
    test: str = option(
        "bootstrap",
        joined_of(*TESTS),
        f"Test of significance: {', '.join(TESTS)}. docs/significance.md says which is for what. Several, joined "
        "by commas: a table has all p.",
        "TEST",
    )
    samples: int = option(10_000, whole(1, MOST_SAMPLES), "Resamples of the test and of the intervals.", "B")
    seed: int = option(
        1, SEED, "Seed of the random numbers. The same seed gives the same results everywhere."
    )
    one_sided: bool = option(
        False, FLAG, "bootstrap, randomization: test only the side on which the difference is."
    )
    both_ways: bool = option(False, FLAG, "sign test: also test the baseline against each system.")
    pairs: Any = option(
        "baseline", one_of("baseline", "all"), "Test each system against the first, or all pairs of systems."
    )
    correction: Any = option(
        "none", one_of("none", *CORRECTIONS), "holm: correct p for the number of tests; the plain p is kept."
    )
    confidence: float = option(0.95, real(0, 1, True, True), "Confidence of the intervals.", "C")
    blocks: str | None = option(
        None,
        TEXT,
        "Resample, and rank, all items of a speaker or session together: speaker, or another field of the "
        "files. item: do not; wilcoxon then ranks items.",
        "FIELD",
    )
    items: str | None = option(
        None,
        written_file("a table with tabs", ".tsv"),
        "Write the scores of the items: a line an item and system, a column a metric. correlate and --scores read it.",
        "FILE",
    )
    plot: str | None = option(
        None,
        PATH,
        "Draw the distribution of the test, for the first two systems and the first metric.",
        "FILE",
    )
    merged: Sequence[ComparisonShard] = ()

    @property
    def design(self) -> Design:
        """What is tested where nothing but items is resampled."""
        resampling = Resampling(self.samples, self.seed)
        return Design(
            tests_of(self.test)[0],
            resampling,
            self.one_sided,
            self.both_ways,
            self.correction,
            self.confidence,
            pairs=self.pairs,
        )


# Options: of outputs and metrics, of tests, and the others.
ASKED = options_of_fields(CompareOptions)
OUTPUTS_COMPARED: Options = {
    **under("Metric", ASKED, "metric"),
    **of_metrics(),
    **under("Metric", ASKED, "collar"),
    **under("Input", ASKED, "ref"),
    **under("Input", REQUEST, "fields"),
    **under("Input", ASKED, "networks", missing=MISSING),
    **under("Input", REQUEST, "resegment", "criterion", "format", "ref_format"),
    **under("Input", REQUEST, "symbols", "alternations", "optional_words"),
    **WORDS,
    **GRAMMAR,
    **under("Words", REQUEST, "biasing"),
}
PROFILES: Options = under(
    "Profiles",
    ASKED,
    "profiles",
    top=Option(ROWS, "Rows of words for each profile; 0 is all.", 10, printed=True),
    systems=Option(
        FLAG, "May stand before the systems: --systems A=FILE B=FILE.", field="are_systems", printed=True
    ),
)
TESTED: Options = {
    **under(
        "Significance", ASKED, "test", "samples", "seed", "one_sided", "both_ways", "pairs", "correction",
        "confidence", "blocks", speakers=REQUEST["speakers"],
    ),
    **under("Scores", ASKED, "scores", "lower", "higher"),
    **under("Output", ASKED, "by", "labels", "documents"),
}  # fmt: skip
WRITTEN: Options = {
    **FORMS_PRINTED,
    **PERCENT,
    **under("Output", ASKED, "items", "plot"),
    **under(
        "Long runs", REQUEST, "jobs", "on", "shard",
        output=REQUEST["output"]._replace(
            kind=written_file("sums as JSON", ".sums"), help="With --shard: what fstmetrics merge puts together."
        ),
    ),
}  # fmt: skip
COMPARING = {**OUTPUTS_COMPARED, **PROFILES, **TESTED, **WRITTEN}
# What goes with --profiles.
BESIDE_PROFILES = (
    *PROFILES, "fields", "ref", "json", *FORMS, "format", "ref_format", "symbols", "alternations", "lowercase",
    "remove_punctuation", "ignore", "ignore_ref", "ignore_hyp", "normalise_unicode", "unit", "grammar", "metric",
)  # fmt: skip


class ComparedProfiles(NamedTuple):
    """Systems under several profiles.

    Attributes:
        found: error rates, and what the rules alone change.
        items: how many items there were.
        conditions: how files were read, as signatures have it.
    """

    found: ProfileComparison
    items: int
    conditions: Sequence[str]


@dataclass(frozen=True)
class FilesComparison(Tabular):
    """Systems whose outputs, or scores, are in files, compared.

    Attributes:
        comparison: scores, intervals and tests. None of a shard, whose items are not all there are.
        remarks: what was guessed about the files, and what is odd about them.
        settings: what was done to words, and how files were read.
        shard: of a part of a run, what the command prints of it; else empty.
        profiles: of `profiles`, the error rates under each of them, in place of a comparison.
    """

    comparison: Comparison | None
    remarks: tuple[str, ...] = ()
    settings: Mapping[str, Any] | None = None
    shard: str = ""
    profiles: ComparedProfiles | None = None

    @property
    def whole(self) -> Comparison:
        """The comparison.

        Raises:
            FstmetricsError: this is a part of a run, or of profiles.
        """
        if self.profiles is not None:
            raise FstmetricsError("nothing is tested under several profiles: see profiles")
        if self.comparison is None:
            raise FstmetricsError(f"a shard is a part of a run: {self.shard.partition('; ')[2]}")
        return self.comparison

    def __str__(self) -> str:
        if self.comparison is None:
            return self.shard or str(self.profiles and self.profiles.found)
        return "\n".join(text_lines(self.comparison, self.remarks))

    def columns(self) -> dict[str, list[Any]]:
        """Those of the comparison.

        Raises:
            FstmetricsError: this is a part of a run, or of profiles.
        """
        return self.whole.columns()

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`.

        Raises:
            FstmetricsError: this is a part of a run.
        """
        if self.profiles is not None:
            told = {"items": self.profiles.items, "remarks": list(self.remarks)}
            signatures = list(profile_signatures(self.profiles.found, self.profiles.conditions))
            return {**self.profiles.found.as_dict(), **told, "signatures": signatures}
        found = comparison_dict(self.whole, self.settings or {})
        return found | {"remarks": [*cautions(self.whole), *self.remarks]}


@sides_by_name
def compare_files(
    systems: PathLike | Iterable[PathLike] | Mapping[str, PathLike | Iterable[PathLike]],
    *,
    references: PathLike | Iterable[PathLike] = (),
    metric: str | Iterable[str] | None = None,
    **options: Any,
) -> FilesComparison:
    """Score files of `systems` by `references=`, and test each against the first, as `fstmetrics compare` does.

    Arguments are paths. `fm.compare` takes the outputs themselves. Nothing is printed.

    Args:
        systems: a file each, the baseline first; a dict has their names, and lists of files where a system has several
            runs. Empty where `scores` alone are compared.
        references: a file, or several sets of references; none where the systems' files are tables that have them.
        metric: names of metrics. Without any wer, or bleu where all files are plain text and the test is not one of
            speech.
        options: those of the command, with `_` for `-`, as of `score_files`: `test="mapsswe"`, `samples=1000`,
            `by=["speaker"]`, `scores={"comet": "c.json"}`, `networks="networks/"`, `profiles=["none", "whisper-en"]`.
            The forms of the table, `--json`, `--markdown` and `--latex`, are none of them.

    Returns:
        The comparison, as of `fm.compare`, with what was found about the files; its `summary()` is what the command
        prints with `--json`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> examples = files("fstmetrics") / "examples" / "hyter"
    >>> file = examples / "hyp.txt"
    >>> found = fm.compare_files({"one": file}, references=file, metric="wer", samples=9)
    >>> found.comparison.systems["one"]["wer"].score
    0.0
    """
    given = {"metric": metric, **options}
    found = fields_of_options("compare_files", COMPARING, given)
    arguments, first = arguments_of("compare_files", systems, references)
    found["references"] = [*first, *found.get("references", ())]
    if found.get("shard"):
        found["called"] = ("compare", [*arguments, *written({**given, "ref": found["references"]})])
    return compare_prepared(prepared(arguments, found, given_options(COMPARING, given)))


def arguments_of(
    function: str,
    systems: PathLike | Iterable[PathLike] | Mapping[str, PathLike | Iterable[PathLike]],
    references: PathLike | Iterable[PathLike],
) -> tuple[list[str], list[str]]:
    """Systems as the command line has them, and paths of references.

    Args:
        function: the function that was called.
        systems, references: as of `compare_files`.

    Raises:
        FstmetricsError: other things than paths.
    """
    try:
        if isinstance(systems, Mapping):
            arguments = [_argument(name, files) for name, files in systems.items()]
        else:
            arguments = several(systems, path)
        return arguments, several(references, path)
    except FstmetricsError:
        raise
    except (ValueError, TypeError):
        other = "; fm.compare takes texts" if function == "compare_files" else ""
        raise FstmetricsError(
            f"{function}() takes paths of systems and of references, not {as_given(systems)} and "
            f"{as_given(references)}{other}"
        ) from None


def _argument(name: str, files: PathLike | Iterable[PathLike]) -> str:
    """A system as the command line has it.

    Raises:
        FstmetricsError: the command line cannot have it.
    """
    paths = several(files, path)
    if "=" in name or (len(paths) > 1 and any("," in path for path in paths)) or not paths:
        raise FstmetricsError(
            f"{name}: a system has a name without =, and files, of which those of several runs have no commas"
        )
    return f"{name}={','.join(paths)}"


@dataclass(frozen=True)
class Prepared:
    """A call of `compare` whose options go together.

    Attributes:
        systems: as they are given.
        asked, parameters, request: the options.
        arguments: files of outputs, several runs of a system one by one.
        run_of: which system these are runs of.
        scores_only: whether nothing but given scores is compared.
    """

    systems: Sequence[str]
    asked: CompareOptions
    parameters: MetricParameters
    request: Request
    arguments: Sequence[str] = ()
    run_of: Mapping[str, str] | None = None
    scores_only: bool = False


def prepared(systems: Sequence[str], options: dict[str, Any], given: Collection[str]) -> Prepared:
    """The options of a call, before anything is read.

    Args:
        systems: files of outputs, or NAME=FILE, or NAME=FILE,FILE.
        options: fields of `CompareOptions`, `Request`, and `parameters`.
        given: the options that were given, by their names in Python.

    Raises:
        FstmetricsError: options that contradict one another, or paths that cannot be used.
    """
    asked = fields_of(CompareOptions, options)
    if options.get("resegment"):  # which has the documents of segments
        options["documents"], asked = asked.documents, replace(asked, documents=None)
    if asked.merged:
        return Prepared(systems, asked, options.pop("parameters"), Request(**options))
    if not systems and not asked.scores:
        raise FstmetricsError("there is no system to compare: give files of outputs, or scores")
    arguments, run_of = runs_of(systems)
    scores_only = bool(asked.scores) and _scores_only(asked, systems)
    named = (*asked.scores, *(() if scores_only else arguments))
    files = [*asked.references, asked.networks, *[named_path(argument)[1] for argument in named]]
    labels = [label.partition("=")[2] or None for label in asked.labels]
    check_paths([*files, *labels, asked.documents], asked.plot, asked.items)
    if asked.items == "-":
        raise FstmetricsError("--items and the tables both want standard output; give --items a file")
    if asked.plot is not None:
        from fstmetrics.reports.plots import check_pictures

        check_pictures(asked.plot)
    parameters = options.pop("parameters")
    if options.get("shard") and options.get("output") is None:
        raise FstmetricsError("--shard writes the sums of a part of a run: give --output FILE, too")
    options["bare_cuts"] = bool(options.get("resegment")) and bare_cuts(
        parameters.metrics(asked.metric_names)
    )
    request = Request(**options)
    if request.output is not None and not request.shard:
        raise FstmetricsError("--output is for --shard I/N; the table is printed")
    if request.shard:
        refuse_unfit(request, {
            "--test": asked.test, "--scores": asked.scores, "--by": asked.by, "--blocks": asked.blocks,
            "--speakers": request.speakers, "--labels": asked.labels, "--documents": asked.documents,
            "--plot": asked.plot, "--items": asked.items, "--profiles": asked.profiles, "--biasing": request.biasing,
        })  # fmt: skip
    if asked.profiles is not None:
        if others := [name for name in given if name not in BESIDE_PROFILES]:
            raise FstmetricsError(f"{dashed(others[0])} does not go with --profiles")
        if any(name != "wer" for name in asked.metric_names):
            raise FstmetricsError("--profiles compares word error rates; leave --metric out")
    return Prepared(systems, asked, parameters, request, arguments, run_of, scores_only)


def compare_prepared(call: Prepared) -> FilesComparison:
    """Read and pair the files, score the systems, test each against the first.

    Raises:
        FstmetricsError: a file that cannot be read, items that do not pair, or as of `fm.compare`.
    """
    asked, request = call.asked, call.request
    if asked.merged:
        metrics = call.parameters.metrics(asked.merged[0].metrics)
        return _found(*compare_shards(asked.merged, metrics, request, asked.design), request)
    if asked.profiles is not None:
        return _under_profiles(asked.profiles, request, call.systems, asked.references)
    named = [name.lower() for names in asked.metric_names for name in names.split(",")]
    if not SESSION_RATES.isdisjoint(named):
        return _of_speakers(call, list(dict.fromkeys(named)))
    external = GivenFiles.read(asked.scores) if asked.scores else None
    computed: Sequence[CorpusMetric] = ()
    outputs: dict[str, Any] | None = None
    if external and call.scores_only:
        names = named_systems(call.systems, external.systems)
        columns = _without_outputs(external)
    else:
        columns, computed = _read(asked, request, call.parameters, call.arguments)
        outputs = _gathered(columns.systems, call.run_of) if call.run_of else dict(columns.systems)
        names = list(outputs)
        external = external and external.called(names)
    lists: Sequence[frozenset[str]] = ()
    if request.biasing is not None:
        computed, lists = _with_classes(computed, columns, request)
    lines = columns.lines() if external else {}
    told = external.fields(columns.ids, outputs or {}, lines) if external else None
    columns = labelled(columns, told, asked.labels, asked.documents, asked.by, request.speakers)
    first, *others = tests_of(asked.test)
    in_blocks = blocks_of(columns, asked.blocks, first)
    fields = None if isinstance(columns.fields, Repeated) else columns.fields
    remarks = items_remark(columns, asked.blocks, in_blocks, request.resegment)
    of_scores = external.remarks(lines) if external else ()
    columns = replace(columns, remarks=(*remarks, *of_scores, *columns.remarks))
    if request.shard:
        with _runner(request, computed) as run, listener.get().stages() as progress:
            written = write_shard(
                request, request.called[1], outputs or {}, columns, computed, asked.design, run, progress
            )
        return FilesComparison(None, shard=written)
    normalisation = request.normalisation
    if request.resegment and computed and all(metric.unit for metric in computed):
        # Documents were cut in the unit that is asked for, whatever is compared.
        normalisation = replace(normalisation, unit=computed[0].unit_beside(normalisation.unit))
    with _runner(request, computed) as run, listener.get().stages() as progress:
        context = copy_context()
        context.run(LOOKED_AT.set, True)
        comparison = context.run(
            compare_systems, outputs, columns.references or columns.networks or [], computed, test=first,
            samples=asked.samples, seed=asked.seed, networks=columns.networks, grammars=request.grammars,
            one_sided=asked.one_sided, both_ways=asked.both_ways, pairs=asked.pairs, correction=asked.correction,
            confidence=asked.confidence,
            scores=external.scores(names, columns.ids, outputs or {}, lines) if external else {},
            lower=[name.strip() for name in asked.lower.split(",") if name.strip()],
            higher=[name.strip() for name in asked.higher.split(",") if name.strip()], fields=fields, by=asked.by,
            normalisation=normalisation, progress=progress, blocks=in_blocks, options=request.search,
            lists=lists, run=run,
        )  # fmt: skip
    if others:
        blocks = ((test, blocks_of(columns, asked.blocks, test)) for test in others)
        designs = [replace(comparison.design, test=test, blocks=each) for test, each in blocks]
        comparison = with_others(comparison, designs)
    if asked.plot:
        draw(asked.plot, comparison)
    if asked.items:
        with whole_file(asked.items) as stream:
            stream.writelines(item_lines(comparison, columns.ids))
    return _found(comparison, columns, request)


def _of_speakers(call: Prepared, metrics: Sequence[str]) -> FilesComparison:
    """Systems of recordings with several speakers.

    Raises:
        FstmetricsError: an option that is of segments.
    """
    from fstmetrics.commands.compare_speakers import compare_speakers  # few comparisons are of sessions

    asked, request = call.asked, call.request
    given = {
        "--networks": asked.networks, "--scores": asked.scores, "--by": asked.by, "--labels": asked.labels,
        "--documents": asked.documents, "--blocks": asked.blocks, "--speakers": request.speakers,
        "--biasing": request.biasing, "--resegment": request.resegment, "--shard": request.shard,
    }  # fmt: skip
    if unfit := [name for name, value in given.items() if value]:
        raise FstmetricsError(f"{metrics[0]} compares sessions, and does not go with {unfit[0]}")
    if call.run_of:
        raise FstmetricsError(f"{metrics[0]} compares sessions of one run a system: give one file for each")
    comparison, remarks, formats = compare_speakers(
        call.systems, asked.references, metrics, request, asked.design, asked.collar
    )
    if asked.plot:
        draw(asked.plot, comparison)
    return FilesComparison(comparison, remarks, _settings(request, formats, "sessions"))


def _with_classes(
    metrics: Sequence[CorpusMetric], columns: Columns, request: Request
) -> tuple[Sequence[CorpusMetric], Sequence[frozenset[str]]]:
    """The metrics with B-WER and U-WER behind the one whose paths they count on, and the words of each item's list.

    Raises:
        FstmetricsError: no metric counts errors of words, or two do; lists as of `score --biasing`.
    """
    paths = [
        metric
        for metric in metrics
        if isinstance(metric, Metric) and metric.unit is None and metric.name in METRICS_OF_CLASSES
    ]
    if len(paths) != 1:
        raise FstmetricsError(
            f"--biasing counts on the paths of one metric, {' or '.join(METRICS_OF_CLASSES)}: --metric has to have one "
            f"of them, and has {len(paths)}"
        )
    biasing = biasing_of(request)
    refuse_other_ids(biasing, columns.ids, request.missing)
    at = metrics.index(paths[0]) + 1
    classes = [ClassRate(f"{name}-wer", paths[0], biasing.label) for name in CLASSES]
    return [*metrics[:at], *classes, *metrics[at:]], [biasing.of(id) for id in columns.ids]


def _under_profiles(
    names: str, request: Request, systems: Sequence[str], references: Sequence[str]
) -> FilesComparison:
    """The systems under every profile, each with what is asked for beside it."""
    rules = {name: added(profile(name), request.normalisation) for name in names_of(names)}
    columns = read_columns(request, systems, references, None)
    with listener.get().stages() as progress:
        context = copy_context()
        context.run(LOOKED_AT.set, True)
        found = context.run(
            compare_profiles, columns.systems, columns.references, rules, grammars=request.grammars,
            progress=progress,
        )  # fmt: skip
    alternations = [f"alternations:{request.alternations}"] if request.alternations else []
    conditions = [*found.conditions, *columns.conditions, *alternations]
    profiles = ComparedProfiles(found, len(columns.references), conditions)
    return FilesComparison(None, tuple(columns.remarks), profiles=profiles)


def _found(comparison: Comparison, columns: Columns, request: Request) -> FilesComparison:
    """A comparison, with what the files decide."""
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
    settings = _settings(request, columns.formats, columns.pairing) | {"tokenize": request.tokenize}
    remarks = columns.remarks
    if max(comparison.items, len(columns.ids)) >= FEWEST_ITEMS:
        said = system_remarks(
            columns.systems, columns.references, columns.networks, comparison.statistics, comparison.items,
            request.grammars,
        )  # fmt: skip
        remarks = (*said, *remarks)
    return FilesComparison(comparison, tuple(remarks), settings)


def _settings(request: Request, formats: Mapping[str, str], pairing: object) -> dict[str, Any]:
    """What was done to words, and how files were read."""
    wider = {"grammars": request.grammar_signature} if request.grammars else {}
    return {**request.normalisation.settings(), **wider, "formats": formats, "pairing": pairing}


@contextmanager
def _runner(request: Request, metrics: Sequence[CorpusMetric]) -> Iterator[Runner]:
    """What has statistics found, while they are; there are none to find of given scores."""
    if request.on == "local" or not metrics:
        yield here
        return
    from fstmetrics.batches.dispatch import engine_of, statistics_runner

    with closing(engine_of(request.on, request.jobs)) as engine:
        yield statistics_runner(engine)


def _read(
    asked: CompareOptions, request: Request, parameters: MetricParameters, arguments: Sequence[str]
) -> tuple[Columns, Sequence[CorpusMetric]]:
    """The systems' outputs, and the metrics that are computed of them."""
    references, networks, metric_names = asked.references, asked.networks, asked.metric_names
    if not metric_names and request.biasing is not None:
        metric_names = TRANSCRIPTS
    metrics = asked_metrics(metric_names or PLAIN_TEXT, parameters, references, networks, tables=True)
    if metric_names:
        refuse_unready(metrics, request.normalisation, request.resegment)
    speech = [name for name in tests_of(asked.test) if as_test(name).compares != "items"]
    of_speech = bool(speech)

    def why(told: Sequence[str]) -> str:
        if metric_names:
            return metrics[0].name
        if of_speech:
            return f"{TRANSCRIPTS[0]} (the metric of --test {speech[0]})"
        if told:
            return f"{TRANSCRIPTS[0]} (the default metric, as {told[0]} is no plain text)"
        return f"{PLAIN_TEXT[0]} (the default metric, as all files are plain text)"

    columns = read_columns(request, arguments, references, networks, why, in_columns=True)
    if not metric_names:
        if not (of_speech or columns.are_sentences):
            other = next(
                path for path, format in columns.formats.items() if {*format.split(",")} - {"plain", ""}
            )
            default = f"{TRANSCRIPTS[0]} is the default, as {other} is no plain text; --metric names others"
            columns = replace(columns, remarks=(default, *columns.remarks))
        of_speech = of_speech or not columns.are_sentences
        metrics = parameters.metrics(TRANSCRIPTS) if of_speech else metrics
        refuse_unready(metrics, request.normalisation, request.resegment)
    refuse_plain_hyter(metrics, columns.networks or columns.references, request)
    return columns, metrics


def _scores_only(asked: CompareOptions, systems: Sequence[str]) -> bool:
    """Whether nothing but given scores is compared: of systems that are named, if at all, without their outputs.

    Raises:
        FstmetricsError: something to compute, and no outputs.
    """
    references, networks, metric_names = asked.references, asked.networks, asked.metric_names
    if any(os.path.exists(named_path(system)[1]) for system in systems):
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


def item_lines(comparison: Comparison, ids: Sequence[str | None]) -> Iterator[str]:
    """The scores of the items: a line an item and system, with tabs, a column a metric; nothing where there is none.

    Metrics of whole systems have no scores of items.
    """
    names = [name for name, metric in comparison.metrics.items() if metric.columns]
    yield "\t".join(["system", "segment", *names]) + "\n"
    for system, found in comparison.statistics.items():
        scores = [found[name].item_scores.tolist() for name in names]
        for number, row in enumerate(zip(*scores, strict=True)):
            cells = [repr(score) if math.isfinite(score) else "" for score in row]
            yield "\t".join([system, ids[number] or str(number + 1), *cells]) + "\n"


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
    from fstmetrics.reports.plots import null_plot

    null_plot(found, path, gain_title(metric, comparison.metrics[metric], one, other))


def gain_title(name: str, metric: CorpusMetric, baseline: str, system: str) -> str:
    """What the axis of differences says: which side of zero is in favour of which system.

    >>> from fstmetrics.metrics.wer import WER
    >>> gain_title("wer", WER(), "old", "new")
    'wer of old minus wer of new: where positive, new is better'
    """
    one, two = (system, baseline) if metric.recognition else (baseline, system)
    return f"{name} of {one} minus {name} of {two}: where positive, {system} is better"


# What is left out of names that all begin so: parts that end, and are longer than a version.
PREFIX = re.compile(r".{3,}[._-]")


@command(
    usual=("--ref", "--metric", "--test", "--lowercase", "--json", "--markdown"),
    ending=metric_table,
)
@click.argument("systems", metavar="SYSTEM...", nargs=-1)
@together(*map(options_of, (OUTPUTS_COMPARED, PROFILES, TESTED, WRITTEN)))
def compare_command(
    systems: tuple[str, ...],
    top: int,
    are_systems: bool,
    percent: bool,
    form: Form | Literal["json"] | None,
    **options: Any,
) -> None:
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
    if not (systems or options["scores"]):
        raise click.MissingParameter(param_hint="'SYSTEM...'", param_type="argument")
    if options["shard"]:
        options["called"] = called()
    found = compare_prepared(prepared(systems, options, options_of_line()))
    if percent:
        click.get_current_context().with_resource(in_percent())
    show_comparison(found, form, top)


def show_comparison(found: FilesComparison, form: FormOfTables, top: int = 10) -> int:
    """What is printed; the exit status.

    Args:
        found: the comparison.
        form: of the tables; None for text.
        top: rows of words for each profile.
    """
    if form == "json" and not found.shard:
        show_json(found.summary())
    elif found.profiles is not None:
        compared, items, conditions = found.profiles
        parts = [
            *profile_parts(compared, top or None, width()),
            *items_lines(items),
            *left_out_lines(compared, items),
            *shortened(found.remarks),
            *profile_signatures(compared, conditions),
        ]
        show_report(parts, found.summary, form, width())
    elif found.comparison is None:
        show(found.shard)
    elif form and form != "json" and not is_pasted(form):
        show_formed(formed_lines(found.comparison, form), form)
    else:
        comparison, remarks = found.comparison, found.remarks
        names = list(comparison.systems)
        prefix = PREFIX.match(commonprefix(names))  # noqa: RUF071 (no paths)
        if prefix and len(names) > 1 and all(re.search(r"[^\W\d_]", name[prefix.end() :]) for name in names):
            comparison = without_prefix(comparison, prefix[0])
            remarks = (f"the names of the systems begin with {prefix[0]}, which is left out", *remarks)
        if form and form != "json":
            show_formed(formed_lines(comparison, form), form)
        else:
            show(*text_lines(comparison, remarks, width()))
    return 0

"""The command `report`, and `report_files`, the same as a call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import Any

import click

from fstmetrics import METRICS, FstmetricsError, InputError, Normalisation, Statistics
from fstmetrics.analysis.record_table import RecordTable, Vocabulary, read_table
from fstmetrics.analysis.side_by_side import unlike_remark
from fstmetrics.apps.pages import Drawing, Drawings, Shown, System, write_page
from fstmetrics.apps.pages import scored_systems as scoring
from fstmetrics.apps.pages.neighbourhood import drawing_of
from fstmetrics.apps.pages.shown import Sounds, listed_names, sounds
from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import (
    GRAMMAR,
    MISSING,
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    of_metrics,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show, tell
from fstmetrics.commands.compare import arguments_of
from fstmetrics.data.groupings import refuse_unknown
from fstmetrics.io.formats.records import aligns_itself, refuse_shard
from fstmetrics.io.reading import check_paths, read_items
from fstmetrics.reports.alignment import EDITS
from fstmetrics.reports.summary import shortened
from fstmetrics.scoring.request import OfSystems, Request, bare_cuts, fields_of, refuse_unready
from fstmetrics.significance.block_statistics import system_remarks
from fstmetrics.significance.compare_statistics import unscored_remarks
from fstmetrics.significance.external_scores import statistics_by_name
from fstmetrics.significance.item_labels import labelled
from fstmetrics.significance.score_inputs import GivenFiles
from fstmetrics.significance.system_outputs import asked_metrics, names_of, read_columns, refuse_plain_hyter
from fstmetrics.support.names import listed
from fstmetrics.support.options import FLAG, PATH, TEXT, many, option, options_of_fields, written_file
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener
from fstmetrics.support.source import File, file_name, named_path, stem

# The field that NeMo's manifests name sound files by.
AUDIO = "audio_filepath"
# What is computed of plain text where nobody says.
USUAL = ("bleu",)
# What is said of outputs without references.
RECORDS = "records that score writes with --alignment --output FILE have them"


@dataclass(frozen=True)
class PageOptions(OfSystems):
    """Options of `report` beside those of every run."""

    reference_files: Sequence[str] = option((), many(PATH), "References. Repeatable.", "FILE", name="ref")
    metric_names: Sequence[str] = option(
        (),
        many(TEXT),
        f"Separated by commas: {', '.join(METRICS.shipped)}. Default: bleu where all files are plain text, else wer.",
        "NAMES",
        name="metric",
    )
    output: str | None = option(
        None,
        written_file("an HTML page", ".html", ".htm"),
        "The page. Default: the first file with the ending .html.",
        "FILE",
    )
    source: str | None = option(
        None, PATH, "The source text, one sentence per line, shown with each item.", "FILE"
    )
    train: str | None = option(
        None,
        PATH,
        "Training text, or lines WORD<TAB>COUNT: words are grouped by their frequency there. Default: by that in the "
        "references.",
        "FILE",
    )
    title: str | None = option(None, TEXT, "Title of the page. Default: the names of the systems.")
    audio: str | None = option(
        None,
        TEXT,
        f"Play the items' sound: FIELD has the path of each file; default: {AUDIO}, else the ids. The page links to "
        "the files that can be read, relative to itself.",
        "[FIELD]",
        bare=AUDIO,
    )
    full_paths: bool = option(
        False,
        FLAG,
        "Show absolute paths in ids and fields whole, and link to sound files by them. Default: the folders that all "
        "share are left out.",
    )
    references: str | None = option(
        None,
        PATH,
        "Networks, lattices or texts that the items were scored against, or the lattices that were scored. "
        "Each item then gets a drawing of the arcs around its closest path or its hypothesis.",
        "PATH",
    )
    against: str | None = option(None, PATH, "One more system, as another argument.", "SYSTEM")


ASKED = options_of_fields(PageOptions)
PAGE: Options = {
    **under("Outputs of systems", ASKED, "ref", "metric"),
    **of_metrics(),
    **under("Scores", ASKED, "scores", "lower", "higher"),
    **under(
        "Page", ASKED, "output", "source", "train", "title", "audio", "full_paths", "references", "against"
    ),
    **under("Output", ASKED, "by", "labels", "documents", speakers=REQUEST["speakers"]),
    **under("Input", REQUEST, "fields"),
    **under("Input", ASKED, "networks", missing=MISSING),
    **under("Input", REQUEST, "resegment", "criterion", "format", "ref_format", "symbols", "alternations"),
    **under("Input", REQUEST, "optional_words"),
    **WORDS,
    **GRAMMAR,
}


@dataclass(frozen=True)
class Page:
    """A page that was written.

    Attributes:
        path: where.
        items: how many it shows.
        remarks: what it does not show, and why; whether records were not scored alike; and how files were read.
    """

    path: str
    items: int
    remarks: Sequence[str]


@sides_by_name
def report_files(
    systems: PathLike | Iterable[Any] | Mapping[str, Any],
    *,
    references: Any = (),
    metric: str | Iterable[str] | None = None,
    **options: Any,
) -> Page:
    """Write an HTML page of `systems`, and of `references=` if they are to be scored, as `fstmetrics report` does.

    Args:
        systems: files of outputs, or of records that `score`, `oracle` or `hyter` wrote; a dict has their names. The
            first is the baseline.
        references: of outputs: a file, or several sets of references. What the command draws, `--references`, is
            `drawn`.
        metric: of outputs: names of metrics; as of `compare_files`.
        options: those of the command, with `_` for `-`, as of `score_files`: `output="page.html"`, `source="src.txt"`,
            `audio=True`.

    Returns:
        Where the page is, and what it lacks.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    known = {"drawn" if name == "references" else name: option for name, option in PAGE.items()}
    found = fields_of_options("report_files", known, {"metric": metric, **options})
    arguments, first = arguments_of("report_files", systems, references)
    found["reference_files"] = [*first, *found["reference_files"]]
    return report_from(arguments, found)


def report_from(systems: Sequence[str], options: dict[str, Any]) -> Page:
    """The page by the options of `PAGE`; as of `report_files`."""
    asked = fields_of(PageOptions, options)
    remarks: list[str] = []
    given = [*systems, *([asked.against] if asked.against else [])]
    paths = [named_path(argument)[1] for argument in given]
    names = names_of(given)
    if asked.output is None and paths[0] == "-":
        raise FstmetricsError("records from standard input need --output, the page's file")
    target = asked.output or str(Path(paths[0]).with_name(f"{stem(paths[0])}.html"))
    files = [*asked.reference_files, *(named_path(score)[1] for score in asked.scores)]
    files += [label.partition("=")[2] for label in asked.labels if "=" in label]
    symbols, networks = options["symbols"], asked.networks
    check_paths(
        (*paths, asked.references, symbols, asked.source, asked.documents, asked.train, networks, *files),
        target,
    )
    if _are_records(paths, asked, options["speakers"]):
        runs, shown = _recorded(names, paths, asked, options["ref_format"])
        remarks += filter(None, [unlike_remark({name: run.table for name, run in runs.items()})])
    else:
        runs, shown = _scored(given, asked, options)
    read = shown.remarks
    tables = [run.table for run in runs.values()]
    names = list(runs)
    field, links = "", None
    if asked.audio:
        field, links = _sounds(asked.audio, tables[0], target, paths[0], asked.full_paths, remarks)
    shown = replace(
        shown,
        title=asked.title or (Path(paths[0]).name if len(runs) == 1 else listed_names(names)),
        drawings=_drawings(asked.references, tables, options["format"], symbols)
        if asked.references
        else None,
        sounds=links,
        audio_field=field,
        full_paths=asked.full_paths,
        remarks=shown.remarks
        if asked.full_paths
        else _without_folders(shown.remarks, [*paths, *files, networks or ""]),
    )
    with listener.get().stages("writing"), whole_file(target) as stream:
        write_page(runs, stream, shown)
    return Page(target, len(tables[0]), [*remarks, *read])


def _without_folders(remarks: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Remarks that name files given by absolute paths by their names alone."""
    found = list(remarks)
    for path in sorted(filter(os.path.isabs, paths), key=len, reverse=True):
        found = [remark.replace(path, Path(path).name) for remark in found]
    return found


def _are_records(paths: Sequence[str], asked: PageOptions, speakers: str | None) -> bool:
    """Whether the files hold records, not outputs.

    Raises:
        FstmetricsError: some do, and some do not; or records and options that are for outputs.
    """
    of_outputs = {
        "--ref": asked.reference_files, "--metric": asked.metric_names, "--scores": asked.scores,
        "--networks": asked.networks, "--documents": asked.documents, "--labels": asked.labels,
        "--speakers": speakers,
    }  # fmt: skip
    options = [name for name, value in of_outputs.items() if value]
    kinds = {path: not options if path == "-" else _has_records(path, not options) for path in paths}
    records, outputs = ([path for path, kind in kinds.items() if kind is wanted] for wanted in (True, False))
    if records and outputs:
        raise FstmetricsError(
            f"{records[0]} has records and {outputs[0]} has none: give records of all systems, or the outputs of all "
            "and --ref"
        )
    if records and options:
        raise FstmetricsError(
            f"{options[0]} is for outputs, and {records[0]} has records, which were scored already"
        )
    return not outputs


def _has_records(path: str, usual: bool) -> bool:
    """Whether a file begins with a record; of one that is empty or cannot be read, what is usual."""
    if os.path.isdir(path):
        return False
    try:
        head = File(path).head().beginning.lstrip(b"\xef\xbb\xbf \t\r\n")
    except InputError:
        return usual
    if not head:
        return usual
    return head.startswith(b"{") and b'"metric"' in head


def _recorded(
    names: Sequence[str], paths: Sequence[str], asked: PageOptions, format: str | None
) -> tuple[dict[str, System], Shown]:
    """Systems of records."""
    words = Vocabulary()
    runs: dict[str, System] = {}
    for name, path in zip(names, paths, strict=True):
        with listener.get().stages(f"reading {path}"):
            table = read_table(path, words)
            known = next(iter(runs.values())).table.ids if runs else table.ids
            runs[name] = System.of_records(replace(table, ids=known) if table.ids == known else table)
    table = next(iter(runs.values())).table
    for grouping in asked.by:
        refuse_unknown(grouping, table.fields)
        if len(grouping.fields) > 1 or grouping.bins:
            raise FstmetricsError(
                "--by of records takes single fields; bins and pairs of fields are for outputs"
            )
    groupings = [grouping.fields[0] for grouping in asked.by]
    own = aligns_itself(table.metric)
    note, by_metric = ("", table.metric) if own else (EDITS.format(metric=table.metric), "")
    if not (asked.source or asked.train):
        return runs, Shown("", groupings=groupings, note=note, aligned_by=by_metric)
    if asked.source:
        refuse_shard(paths[0], table.signature)
    sources = scoring.read_sources(asked.source, format, paths[0], table.ids) if asked.source else []
    counts = scoring.word_counts(asked.train, Normalisation()) if asked.train else None
    return runs, Shown(
        "", sources=sources, word_counts=counts, groupings=groupings, note=note, aligned_by=by_metric
    )


def _scored(
    given: Sequence[str], asked: PageOptions, options: dict[str, Any]
) -> tuple[dict[str, System], Shown]:
    """Systems of outputs, which are scored."""
    parameters = options.pop("parameters")
    if options.get("resegment"):  # which has the documents of segments
        options["documents"], asked = asked.documents, replace(asked, documents=None)
    options["bare_cuts"] = bool(options.get("resegment")) and bare_cuts(
        parameters.metrics(asked.metric_names)
    )
    request = Request(**options)
    references, networks, metric_names = asked.reference_files, asked.networks, asked.metric_names or USUAL
    metrics = asked_metrics(
        metric_names if asked.metric_names or not networks else ("wer",),
        parameters,
        references,
        networks,
        True,
    )
    columns = read_columns(
        request,
        given,
        references,
        networks,
        lambda told: f"{', '.join(metric_names)}; {RECORDS}",
        in_columns=True,
    )
    if not asked.metric_names and not columns.are_sentences:
        metrics = parameters.metrics(("wer",))
    refuse_unready(metrics, request.normalisation, request.resegment)
    refuse_plain_hyter(metrics, columns.networks or columns.references, request)
    external = GivenFiles.read(asked.scores).called(list(columns.systems))
    lines = columns.lines() if asked.scores else {}
    told = external.fields(columns.ids, columns.systems, lines)
    columns = labelled(columns, told, asked.labels, asked.documents, asked.by, request.speakers)
    columns, groupings = scoring.with_groups(columns, asked.by)
    sources = []
    if asked.source:
        sources = scoring.read_sources(
            asked.source, request.ref_format, given[0], columns.ids, request.fields
        )
    numbers = external.scores(columns.systems, columns.ids, columns.systems, lines)
    columns, kept = scoring.without_dropped(request, columns)
    given_scores = external_by_name(numbers, asked.lower, asked.higher, kept)
    one_reference = networks is None and all(isinstance(each, str) for each in columns.references)
    aligned = scoring.aligned_by(metrics, request, networks is not None, one_reference)
    with listener.get().stages() as progress:
        runs = scoring.score_systems(request, columns, metrics, aligned, given_scores, progress)
    counts = scoring.word_counts(asked.train, aligned.normalisation) if asked.train else None
    first = next(iter(runs.values()))
    statistics = {name: run.scores for name, run in runs.items()}
    said = system_remarks(
        columns.systems, columns.references, columns.networks, statistics, len(columns.ids), request.grammars
    )
    unscored = [
        remark
        for name in first.scores
        for remark in unscored_remarks(name, {system: run.scores[name] for system, run in runs.items()})
    ]
    written = scoring.written_references(columns.references, columns.networks is not None)
    one_a_file = all(len(texts) == len(references) for texts in written)
    return runs, Shown(
        "",
        sources=list(compress(sources, kept)),
        references=written,
        reference_names=reference_names(references) if one_a_file else [],
        word_counts=counts,
        remarks=[*said, *columns.remarks, *external.remarks(lines), *unscored],
        groupings=groupings,
        note=aligned.note,
        aligned_by=first.table.metric if aligned.metric in metrics else "",
    )


def reference_names(paths: Sequence[str]) -> list[str]:
    """What references are called on the page: the stems of their files, else their file names, else nothing.

    >>> reference_names(["a/ref.A.de.gz", "ref.B.de.gz"]), reference_names(["x.0", "x.1"])
    (['ref.A', 'ref.B'], ['x.0', 'x.1'])
    """
    for named in (stem, file_name):
        names = [named(path) for path in paths]
        if len(set(names)) == len(names):
            return names
    return []


def external_by_name(
    given: Mapping[str, dict[str, Any]], lower: str, higher: str, kept: Sequence[bool]
) -> dict[str, dict[str, Statistics]]:
    """Statistics of given scores, of the items that are kept.

    Raises:
        FstmetricsError: `lower` or `higher` names no scores, or one does not tell which scores are better.
    """
    below, above = ([name.strip() for name in names.split(",") if name.strip()] for names in (lower, higher))
    scores = {
        name: type(by_system)(
            {
                system: list(compress(values, kept)) if isinstance(values, list) else values
                for system, values in by_system.items()
            }
        )
        for name, by_system in given.items()
    }
    return statistics_by_name(scores, below, above, "--")


def _sounds(
    audio: str, table: RecordTable, target: str, records: str, full_paths: bool, remarks: list[str]
) -> tuple[str, Sounds]:
    """The field that names sound files, and links to them; remarks on those that there are not are added.

    Raises:
        FstmetricsError: there is no such field, or none of its files can be read.
    """

    if audio in table.fields:
        paths: Sequence[object] = table.fields[audio]
    elif audio in (AUDIO, "id"):
        paths = table.ids
    else:
        known = listed(list(table.fields)) if table.fields else "none"
        hint = "; write --audio after the records" if Path(audio).exists() else ""
        raise FstmetricsError(f"the records have no field {audio!r} for --audio; they have: {known}{hint}")
    page = Path("page.html" if target == "-" else target)
    found = sounds(paths, page, [Path(records).parent, Path()], full_paths)
    if not any(found.links):
        what = "field " + repr(audio) if audio in table.fields else "ids"
        remarks.append(
            _lost(found) if found.far else f"--audio: no file that the {what} of the records name can be read"
        )
    elif found.missing or found.far:
        remarks.append(_lost(found))
    return audio, found


def _lost(found: Sounds) -> str:
    """Why some items have no sound."""
    parts = []
    if found.missing:
        parts.append(f"{counted(found.missing, 'sound file')} cannot be read")
    if found.far:
        parts.append(
            f"{counted(found.far, 'sound file')} share no folder with the page: write the page nearer to them, or give "
            "--full-paths"
        )
    return "--audio: " + "; ".join(parts)


def _drawings(path: str, tables: Sequence[RecordTable], format: str | None, symbols: str | None) -> Drawings:
    """What lies beside an item's path; items are found by id, or by their number where there are no ids."""
    known = frozenset(id for table in tables for id in table.ids)
    with listener.get().stages(f"reading {path}"):
        items = read_items(path, format=format, symbols=symbols, known_ids=known).items
    by_id = {str(number) if item.id is None else item.id: item.value for number, item in enumerate(items, 1)}
    if known.isdisjoint(by_id):
        raise FstmetricsError(f"{path}: none of the items has an id of the records")

    def drawing(id: str, closest: Sequence[str], hypothesis: Sequence[str]) -> Drawing:
        if id not in by_id:
            return Drawing(why=f"Not drawn: {path} has no item of this id.")
        return drawing_of(by_id[id], closest, hypothesis)

    return drawing


@command(usual=("--ref", "--metric", "--source", "--output", "--by", "--scores"))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@options_of(PAGE)
def report_command(systems: tuple[str, ...], **options: Any) -> None:
    """Write an HTML page that compares systems on the same items, or shows one.

    \b
    Example:  fstmetrics report --ref ref.txt A.txt B.txt C.txt --source src.txt
              fstmetrics report a.jsonl b.jsonl -o page.html

    SYSTEM: a file of outputs, to be scored against --ref; or records that `score`, `oracle` or `hyter` wrote with
    --alignment --output. NAME=FILE names the system. The first system is the baseline. The page has scores with tests
    of significance, every alignment in colour, and what the systems do differently. It is one file and works offline.
    """
    page = report_from(systems, options)
    tell(*shortened(page.remarks))
    if page.path != "-":
        show(f"{page.path}: {counted(page.items, 'item')}")

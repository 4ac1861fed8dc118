"""`fstmetrics report`: outputs or records of systems as a page to look at."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fstmetrics.analysis.record_table import RecordTable, Vocabulary, read_table
from fstmetrics.cli.option_types import OutputFile
from fstmetrics.cli.options import (
    command,
    fields_option,
    format_options,
    grammar_option,
    group,
    metric_parameters,
    missing_option,
    networks_option,
    option,
    options_of,
    together,
    word_options,
)
from fstmetrics.cli.terminal import show, spinner, stages, tell
from fstmetrics.commands import options as declared
from fstmetrics.evaluation.item_labels import labelled
from fstmetrics.evaluation.score_inputs import GivenFiles
from fstmetrics.evaluation.significance.external_scores import external_statistics
from fstmetrics.evaluation.systems import (
    asked_metrics,
    named_path,
    names_of,
    read_columns,
    refuse_plain_hyter,
)
from fstmetrics.metrics import METRICS
from fstmetrics.readers.reading import check_paths
from fstmetrics.readers.record_schema import aligns_itself
from fstmetrics.runs.request import MetricParameters, Request, fields_of, refuse_unready
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.source import file_name, stem
from fstmetrics.values.groupings import Grouping, refuse_unknown
from fstmetrics.values.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.reports.page import Drawing, Drawings, Shown, System
    from fstmetrics.reports.page.sounds import Sounds
    from fstmetrics.scoring.statistics import Statistics

# The field that NeMo's manifests name sound files by.
AUDIO = "audio_filepath"
# What is computed of plain text where nobody says.
USUAL = ("bleu",)
# What is said of outputs without references.
RECORDS = "records that score writes with --alignment --output FILE have them"
# Bytes of a file that tell records from outputs.
HEAD = 4096


report_inputs = group(
    "Outputs of systems",
    option("--ref", "reference_files", multiple=True, metavar="FILE", help="References. Repeatable."),
    option("--metric", "metric_names", multiple=True, metavar="NAMES",
           help=f"Separated by commas: {', '.join(METRICS.shipped)}. Default: bleu where all files are plain text, "
                "else wer."),
)  # fmt: skip
page_options = group(
    "Page",
    option("-o", "--output", type=OutputFile("an HTML page", ".html", ".htm"), metavar="FILE",
           help="The page. Default: the first file with the ending .html."),
    option("--source", metavar="FILE", help="The source text, one sentence per line, shown with each item."),
    option("--train", metavar="FILE",
           help="Training text, or lines WORD<TAB>COUNT: words are grouped by their frequency there. Default: by that "
                "in the references."),
    option("--title", help="Title of the page. Default: the names of the systems."),
    option("--audio", metavar="[FIELD]", is_flag=False, flag_value=AUDIO,
           help=f"Play the items' sound: FIELD has the path of each file; default: {AUDIO}, else the ids. The page "
                "links to the files that can be read, relative to itself."),
    option("--full-paths", is_flag=True,
           help="Show absolute paths in ids and fields whole, and link to sound files by them. Default: the folders "
                "that all share are left out."),
    option("--references", metavar="PATH",
           help="Networks, lattices or texts that the items were scored against, or the lattices that were scored. "
                "Each item then gets a drawing of the arcs around its closest path or its hypothesis."),
    option("--against", metavar="SYSTEM", help="One more system, as another argument."),
)  # fmt: skip


@command(usual=("--ref", "--metric", "--source", "--output", "--by", "--scores"))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@together(
    report_inputs,
    metric_parameters,
    options_of(declared.SCORES),
    page_options,
    options_of(declared.LABELS),
    fields_option,
    networks_option,
    missing_option,
    format_options,
    options_of({**declared.SYMBOLS, **declared.ALTERNATIONS}),
    word_options,
    grammar_option,
)
def report(
    systems: tuple[str, ...], reference_files: tuple[str, ...], metric_names: tuple[str, ...],
    scores: tuple[str, ...], lower: str, output: str | None, source: str | None, by: Sequence[Grouping],
    labels: tuple[str, ...], documents: str | None, train: str | None, title: str | None, audio: str | None,
    full_paths: bool, references: str | None, against: str | None, networks: str | None, **options: Any,
) -> None:  # fmt: skip
    """Write an HTML page that compares systems on the same items, or shows one.

    \b
    Example:  fstmetrics report --ref ref.txt A.txt B.txt C.txt --source src.txt
              fstmetrics report a.jsonl b.jsonl -o page.html

    SYSTEM: a file of outputs, to be scored against --ref; or records that `score`, `oracle` or `hyter` wrote with
    --alignment --output. NAME=FILE names the system. The first system is the baseline. The page has scores with tests
    of significance, every alignment in colour, and what the systems do differently. It is one file and works offline.
    """  # fmt: skip
    from fstmetrics.reports.page import write_page

    given = [*systems, *([against] if against else [])]
    paths = [named_path(argument)[1] for argument in given]
    names = names_of(given)
    if output is None and paths[0] == "-":
        raise FstmetricsError("records from standard input need --output, the page's file")
    target = output or str(Path(paths[0].removesuffix(".gz")).with_suffix(".html"))
    files = [*reference_files, *(named_path(score)[1] for score in scores)]
    files += [label.partition("=")[2] for label in labels if "=" in label]
    others = (references, options["symbols"], source, documents, train, networks, *files)
    check_paths((*paths, *others), target)
    asked = {
        "--ref": reference_files, "--metric": metric_names, "--scores": scores, "--networks": networks,
        "--documents": documents, "--labels": labels,
    }  # fmt: skip
    if _are_records(paths, asked):
        runs, shown = _recorded(names, paths, by, source, train)
    else:
        external = GivenFiles.read(scores)
        below = [name.strip() for name in lower.split(",") if name.strip()]
        extra = _Beside(external, below, by, labels, documents, source, train)
        runs, shown = _scored(given, reference_files, networks, metric_names, options, extra)
    tables = [run.table for run in runs.values()]
    names = list(runs)
    field, sounds = _sounds(audio, tables[0], target, paths[0], full_paths) if audio else ("", None)
    shown = replace(
        shown,
        title=title or (Path(paths[0]).name if len(runs) == 1 else listed_names(names)),
        drawings=_drawings(references, tables, options["format"], options["symbols"]) if references else None,
        sounds=sounds,
        audio_field=field,
        full_paths=full_paths,
        remarks=shown.remarks
        if full_paths
        else _without_folders(shown.remarks, [*paths, *files, networks or ""]),
    )
    with spinner("writing"), whole_file(target) as stream:
        write_page(runs, stream, shown)
    if target != "-":
        show(f"{target}: {counted(len(tables[0]), 'item')}")


def _without_folders(remarks: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Remarks that name files given by absolute paths by their names alone."""
    found = list(remarks)
    for path in sorted(filter(os.path.isabs, paths), key=len, reverse=True):
        found = [remark.replace(path, Path(path).name) for remark in found]
    return found


def listed_names(names: Sequence[str]) -> str:
    """Names in a title.

    >>> listed_names(["a", "b"]), listed_names(["a", "b", "c"])
    ('a and b', 'a, b and c')
    """
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _are_records(paths: Sequence[str], asked: Mapping[str, object]) -> bool:
    """Whether the files hold records, not outputs.

    Raises:
        FstmetricsError: some do, and some do not; or records and options that are for outputs.
    """
    options = [name for name, value in asked.items() if value]
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
        with open(path, "rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if compressed else open(path, "rb") as stream:
            head = stream.read(HEAD).lstrip(b"\xef\xbb\xbf \t\r\n")
    except (OSError, EOFError, zlib.error):
        return usual
    if not head:
        return usual
    return head.startswith(b"{") and b'"metric"' in head


def _recorded(
    names: Sequence[str],
    paths: Sequence[str],
    by: Sequence[Grouping],
    source: str | None,
    train: str | None,
) -> tuple[dict[str, System], Shown]:
    """Systems of records."""
    from fstmetrics.reports.alignment import EDITS
    from fstmetrics.reports.page import Shown, System

    words = Vocabulary()
    runs = {}
    for name, path in zip(names, paths, strict=True):
        with spinner(f"reading {path}"):
            runs[name] = System.of_records(read_table(path, words))
    table = next(iter(runs.values())).table
    for grouping in by:
        refuse_unknown(grouping, table.fields)
        if len(grouping.fields) > 1 or grouping.bins:
            raise FstmetricsError(
                "--by of records takes single fields; bins and pairs of fields are for outputs"
            )
    groupings = [grouping.fields[0] for grouping in by]
    own = aligns_itself(table.metric)
    note, by_metric = ("", table.metric) if own else (EDITS.format(metric=table.metric), "")
    if not (source or train):
        return runs, Shown("", groupings=groupings, note=note, aligned_by=by_metric)
    from fstmetrics.reports.scored_systems import read_lines, word_counts

    sources = read_lines(source, "source text", table.ids, len(table)) if source else []
    counts = word_counts(train, Normalisation()) if train else None
    return runs, Shown(
        "", sources=sources, word_counts=counts, groupings=groupings, note=note, aligned_by=by_metric
    )


@dataclass(frozen=True)
class _Beside:
    """What is given beside outputs and references: scores and those where lower is better, fields, and texts."""

    scores: GivenFiles
    lower: Sequence[str]
    by: Sequence[Grouping]
    labels: Sequence[str]
    documents: str | None
    source: str | None
    train: str | None


def _scored(
    given: Sequence[str],
    references: Sequence[str],
    networks: str | None,
    metric_names: Sequence[str],
    options: dict[str, Any],
    extra: _Beside,
) -> tuple[dict[str, System], Shown]:
    """Systems of outputs, which are scored."""
    from fstmetrics.reports import scored_systems as scoring
    from fstmetrics.reports.page import Shown

    parameters = fields_of(MetricParameters, options)
    request = Request(**options)
    asked = metric_names or USUAL
    metrics = asked_metrics(
        asked if metric_names or not networks else ("wer",), parameters, references, networks, True
    )
    columns = read_columns(
        request, given, references, networks, lambda told: f"{', '.join(asked)}; {RECORDS}"
    )
    if not metric_names and not columns.are_sentences:
        metrics = parameters.metrics(("wer",))
    refuse_unready(metrics, request.normalisation)
    refuse_plain_hyter(metrics, columns.networks or columns.references, request)
    columns = labelled(
        columns, extra.scores.fields(columns.ids), extra.labels, extra.documents, extra.by, None
    )
    columns, groupings = scoring.with_groups(columns, extra.by)
    sources = []
    if extra.source:
        sources = scoring.read_lines(extra.source, "source text", columns.ids, len(columns.ids))
    numbers = extra.scores.scores(list(columns.systems), columns.ids)
    columns, kept = scoring.without_dropped(request, columns)
    external = external_by_name(numbers, extra.lower, kept)
    aligned = scoring.aligned_by(metrics, request, networks is not None)
    with stages() as progress:
        runs = scoring.score_systems(request, columns, metrics, aligned, external, progress)
    counts = scoring.word_counts(extra.train, aligned.normalisation) if extra.train else None
    first = next(iter(runs.values()))
    written = scoring.written_references(columns.references, columns.networks is not None)
    one_a_file = all(len(texts) == len(references) for texts in written)
    return runs, Shown(
        "",
        sources=list(compress(sources, kept)),
        references=written,
        reference_names=reference_names(references) if one_a_file else [],
        word_counts=counts,
        remarks=columns.remarks,
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
    given: Mapping[str, Mapping[str, Any]], lower: Sequence[str], kept: Sequence[bool]
) -> dict[str, dict[str, Statistics]]:
    """Statistics of given scores, of the items that are kept.

    Raises:
        FstmetricsError: `lower` names no scores.
    """
    if unknown := [name for name in lower if name not in given]:
        raise FstmetricsError(f"--lower names {unknown[0]}, and --scores gives {', '.join(given) or 'none'}")
    return {
        name: external_statistics(
            name,
            {
                system: list(compress(values, kept)) if isinstance(values, list) else values
                for system, values in by_system.items()
            },
            name not in lower,
        )
        for name, by_system in given.items()
    }


def _sounds(
    audio: str, table: RecordTable, target: str, records: str, full_paths: bool
) -> tuple[str, Sounds]:
    """The field that names sound files, and links to them.

    Raises:
        FstmetricsError: there is no such field, or none of its files can be read.
    """
    from fstmetrics.reports.page.sounds import sounds

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
        tell(
            _lost(found) if found.far else f"--audio: no file that the {what} of the records name can be read"
        )
    elif found.missing or found.far:
        tell(_lost(found))
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
    from fstmetrics.readers import read_items
    from fstmetrics.reports.page import Drawing
    from fstmetrics.reports.page.neighbourhood import drawing_of

    known = frozenset(id for table in tables for id in table.ids)
    with spinner(f"reading {path}"):
        items = read_items(path, format=format, symbols=symbols, known_ids=known).items
    by_id = {str(number) if item.id is None else item.id: item.value for number, item in enumerate(items, 1)}
    if known.isdisjoint(by_id):
        raise FstmetricsError(f"{path}: none of the items has an id of the records")

    def drawing(id: str, closest: Sequence[str], hypothesis: Sequence[str]) -> Drawing:
        if id not in by_id:
            return Drawing(why=f"Not drawn: {path} has no item of this id.")
        return drawing_of(by_id[id], closest, hypothesis)

    return drawing

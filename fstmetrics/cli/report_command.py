"""`fstmetrics report`: records of one system, or of two, as a page to look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fstmetrics.analysis.record_table import RecordTable, Vocabulary, read_table
from fstmetrics.cli.option_types import FORMAT
from fstmetrics.cli.options import command
from fstmetrics.cli.path_checks import check_paths
from fstmetrics.cli.systems import named_path, names_of
from fstmetrics.cli.terminal import show, spinner, tell
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    from fstmetrics.reports.page import Drawing, Drawings
    from fstmetrics.reports.page.sounds import Sounds

# The field that NeMo's manifests name sound files by.
AUDIO = "audio_filepath"


@command()
@click.argument("records", metavar="RECORDS [RECORDS]", nargs=-1, required=True)
@click.option("--against", metavar="RECORDS", help="Records of a second system, as the second argument.")
@click.option("-o", "--output", metavar="FILE", help="The page. Default: RECORDS with the ending .html.")
@click.option(
    "--audio",
    metavar="[FIELD]",
    is_flag=False,
    flag_value=AUDIO,
    help=f"Play the items' sound: FIELD has the path of each file; default: {AUDIO}, else the ids. The page links to "
    "the files that can be read, relative to itself.",
)
@click.option(
    "--full-paths",
    is_flag=True,
    help="Show absolute paths in ids and fields whole, and link to sound files by them. Default: the folders that "
    "all share are left out.",
)
@click.option(
    "--references",
    metavar="PATH",
    help="Networks, lattices or texts that the items were scored against, or the lattices that were scored. Each item "
    "then gets a drawing of the arcs around its closest path or its hypothesis.",
)
@click.option("--format", "format", type=FORMAT, help="Format of --references. Default: recognised.")
@click.option(
    "--symbols",
    metavar="FILE",
    help="Symbol table (lines `word integer`) where --references hold numbers for words.",
)
@click.option("--title", help="Title of the page. Default: the name of RECORDS, or those of both systems.")
def report(
    records: tuple[str, ...],
    against: str | None,
    output: str | None,
    audio: str | None,
    full_paths: bool,
    references: str | None,
    format: str | None,
    symbols: str | None,
    title: str | None,
) -> None:
    """Write an HTML page about a run, or about two on the same items.

    \b
    Example:  fstmetrics score ref.txt a.txt --alignment --output a.jsonl
              fstmetrics score ref.txt b.txt --alignment --output b.jsonl
              fstmetrics report a.jsonl b.jsonl -o page.html

    RECORDS: what `score`, `oracle` or `hyter` writes with --alignment --output RECORDS; NAME=RECORDS names the system.
    The page has the summary, tables of errors, scores by field and every alignment in colour. Of two systems it shows
    what differs first, and whether the difference is significant. It is one file and works offline.
    """  # fmt: skip
    from fstmetrics.reports.page import Shown, write_page

    given = [*records, *([against] if against else [])]
    if len(given) > 2:
        raise FstmetricsError(f"a page shows one system or two, not {len(given)}")
    paths = [named_path(argument)[1] for argument in given]
    names = names_of(given)
    if output is None and paths[0] == "-":
        raise FstmetricsError("records from standard input need --output, the page's file")
    target = output or str(Path(paths[0].removesuffix(".gz")).with_suffix(".html"))
    check_paths((*paths, references, symbols), target)
    words = Vocabulary()
    tables = []
    for path in paths:
        with spinner(f"reading {path}"):
            tables.append(read_table(path, words))
    field, sounds = _sounds(audio, tables[0], target, paths[0], full_paths) if audio else ("", None)
    shown = Shown(
        title or (Path(paths[0]).name if len(paths) == 1 else " and ".join(names)),
        _drawings(references, tables, format, symbols) if references else None,
        sounds,
        field,
        full_paths,
    )
    with spinner("writing"), whole_file(target) as stream:
        write_page(dict(zip(names, tables, strict=True)), stream, shown)
    if target != "-":
        show(f"{target}: {counted(len(tables[0]), 'item')}")


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

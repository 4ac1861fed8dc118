"""The command `show`, and `show_files`, the same as a call: the records that one asks for, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Any

import click

from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.cli.click_options import command, options_of, options_of_line
from fstmetrics.cli.option_tables import (
    Options,
    PathLike,
    fields_of_options,
    given_options,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import Console, tell
from fstmetrics.commands.scored_records import (
    SCORED,
    SIMILAR,
    most_similar,
    records_or_sides,
    scored_first,
    scoring_of,
    word_of_texts,
)
from fstmetrics.io.formats.records import aligns_itself
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics.given_scores import higher_is_better
from fstmetrics.reports.alignment import has_error
from fstmetrics.reports.item_texts import STYLES, record_score, record_texts
from fstmetrics.reports.summary import shortened
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import nearest
from fstmetrics.support.options import ROWS, TEXT, Option, many, one_of, refuse_ending, written_file
from fstmetrics.support.output import whole_file

SHOWING: Options = under(
    "Items",
    id=Option(many(TEXT), "Only this item. Repeatable.", metavar="ID"),
    word=Option(TEXT, "Only items with an error on this word.", metavar="WORD"),
    op=Option(
        one_of("S", "I", "D"), "Only items with a substitution, insertion or deletion (of --word, if given)."
    ),
    prefer_similar=SIMILAR,
    sort=Option(
        one_of("file", "worst"),
        "worst: the highest error rate, or the lowest recognition rate, first.", "worst",
    ),
    limit=Option(ROWS, "Items to show; 0 is all.", 10),
    style=Option(
        one_of("text", "csv", "jsonl"),
        "Rows of words per item (text), one line per operation (csv), or the records as they are (jsonl).", "text",
        printed=True,
    ),
    output=Option(
        written_file(), "Write to FILE instead of standard output.", metavar="FILE", printed=True
    ),
)  # fmt: skip
SHOWN: Options = {**SHOWING, **SCORED}
# Ids that an error names.
NEAR = 3


@sides_by_name
def show_files(
    records: PathLike | None = None,
    *,
    references: PathLike | None = None,
    hypotheses: PathLike | None = None,
    **options: Any,
) -> list[Record]:
    """Records, or those of `hypotheses=` against `references=`, the worst first, as `fstmetrics show` chooses them.

    Args:
        records: what `score`, `oracle` or `hyter` writes with `alignment` and `output`.
        references, hypotheses: files in place of records; they are scored first.
        options: those of the command that choose: `id=["u1", "u2"]`, `word="cat"`, `op="S"`, `sort="file"`,
            `limit=0` for all; of references and hypotheses also those that score, as of `errors_files`.

    Returns:
        The records: their `fields`, their `alignment`, and with `nbest` those of every path.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    found = fields_of_options("show_files", SHOWN, options)
    sides = records_or_sides("show_files", records, references, hypotheses)
    return list(show_from(*sides, found, given_options(SHOWN, options))[0])


def show_from(
    records: str, hypotheses: str | None, options: dict[str, Any], given: Sequence[str]
) -> tuple[Iterable[Record], Sequence[str]]:
    """The records by the options of `SHOWN`, of which some are `given`, as of `show_files`; and remarks on files that
    are scored first."""
    scoring = scoring_of(options, hypotheses, given)
    if scoring is None and not options["prefer_similar"]:
        return _chosen(records, options, records), ()
    with TemporaryDirectory() as folder:
        path = records
        remarks: Sequence[str] = ()
        if scoring is not None:
            (path,), remarks, rules = scored_first(records, [hypotheses], scoring, folder)
            options["word"] = word_of_texts(options["word"], rules)
        if options["prefer_similar"]:
            path = most_similar(path, f"{folder}/similar.jsonl")
        return list(_chosen(path, options, hypotheses or records)), shortened(remarks)


def _chosen(records: str, options: dict[str, Any], given: str) -> Iterable[Record]:
    """The records that are asked for, of a file that was `given`, or made of it."""
    ids, op, word = options["id"], options["op"], options["word"]
    some = _named(records, ids, given) if ids else read_records(records)
    if op or word is not None:
        some = (record for record in some if has_error(record.alignment, op, word))
    limit = options["limit"] or None
    if options["sort"] == "file":
        return islice(some, limit)
    return sorted(some, key=_badness) if limit is None else nsmallest(limit, some, key=_badness)


def _named(path: str, ids: Sequence[str], given: str) -> list[Record]:
    """The records of these ids.

    Raises:
        FstmetricsError: there is none of an id; ids that look like it are named.
    """
    known, found = [], []
    for record in read_records(path):
        known.append(record.id)
        if record.id in ids:
            found.append(record)
    if unknown := [id for id in ids if id not in known]:
        near = nearest(unknown[0], known)[:NEAR] or known[:NEAR]
        some = ", ".join(map(repr, unknown[:NEAR]))
        more = f" and {len(unknown) - NEAR} more" if len(unknown) > NEAR else ""
        raise FstmetricsError(
            f"{given} has no {'item' if len(unknown) == 1 else 'items'} {some}{more}; it has {', '.join(near)}"
        )
    return found


def _badness(record: Record) -> tuple[float, int]:
    """Smaller is worse; among equals, more errors."""
    score = record_score(record.fields)
    is_rate = record.fields["gain"] is None
    if not aligns_itself(record.metric):
        is_rate = not higher_is_better(record.metric)
    return (-score if is_rate else score), -(record.edits + record.moves)


@command(
    usual=("--id", "--word", "--op", "--limit", "--lowercase", "--output"),
    several="one run at a time; two systems side by side: fstmetrics errors RECORDS --against RECORDS",
)
@click.argument("records", metavar="REF|RECORDS")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(SHOWN)
def show_command(
    records: str, hypotheses: str | None, style: str, output: str | None, **options: Any
) -> None:
    """Show the alignments of items, the worst first.

    \b
    Example:  fstmetrics show ref.txt hyp.txt
              fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics show records.jsonl

    REF and HYP are scored first, by the fewest word edits or another --metric. RECORDS: what `score`, `oracle` or
    `hyter` writes with --alignment --output RECORDS. Of records with --nbest, every path is shown.
    """
    output = output or "-"
    write, kind = STYLES[style]
    check_paths(tuple(filter(None, (records, hypotheses))), output)
    refuse_ending(output, *kind)
    chosen, remarks = show_from(records, hypotheses, options, options_of_line())
    if style == "text" and output == "-":
        console = Console()
        for text in record_texts(chosen, console.width):
            console.print(text)
    else:
        with whole_file(output) as stream:
            write(chosen, stream)
    tell(*remarks)

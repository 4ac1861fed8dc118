"""`fstmetrics show`: items of records, one by one."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any, TextIO

import click

from fstmetrics.analysis.oracle_scores import is_oracle, one_best, one_best_parts
from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.cli import terminal
from fstmetrics.cli.option_types import ROWS, Output
from fstmetrics.cli.options import command
from fstmetrics.readers.reading import check_paths
from fstmetrics.readers.record_schema import aligns_itself, unit_of
from fstmetrics.runs.option_values import refuse_ending
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.names import nearest
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import printable

if TYPE_CHECKING:
    from fstmetrics.support.styled import Styled

# Ids that an error names.
NEAR = 3
# What is said of records of oracles.
ORACLES = "oracles: the best path of each lattice or list; 1-best: the path that the decoder chose"
HEADER = ("id", "rank", "position", "op", "hypothesis", "reference", "given", "moves")


@command(several="one run at a time; two systems side by side: fstmetrics errors RECORDS --against RECORDS")
@click.argument("records", metavar="RECORDS")
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only this item. Repeatable.")
@click.option("--word", metavar="WORD", help="Only items with an error on this word.")
@click.option(
    "--op",
    type=click.Choice(["S", "I", "D"]),
    help="Only items with a substitution, insertion or deletion (of --word, if given).",
)
@click.option(
    "--sort",
    type=click.Choice(["file", "worst"]),
    default="worst",
    show_default=True,
    help="worst: the highest error rate, or the lowest recognition rate, first.",
)
@click.option("--limit", type=ROWS, default=10, show_default=True, help="Items to show; 0 is all.")
@click.option(
    "--style",
    type=click.Choice(["text", "csv", "jsonl"]),
    default="text",
    show_default=True,
    help="Rows of words per item (text), one line per operation (csv), or the records as they are (jsonl).",
)
@click.option(
    "--output", type=Output(), default="-", metavar="FILE", help="Write to FILE instead of standard output."
)
def show(
    records: str,
    ids: tuple[str, ...],
    word: str | None,
    op: str | None,
    sort: str,
    limit: int,
    style: str,
    output: str,
) -> None:
    """Show the alignments of items, the worst first.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics show records.jsonl

    RECORDS: what `score`, `oracle` or `hyter` writes with --alignment --output RECORDS. Of records with --nbest, every
    path is shown.
    """  # fmt: skip
    check_paths((records,), output)
    refuse_ending(
        output, *{"text": ("text", ".txt"), "csv": ("CSV", ".csv"), "jsonl": ("JSON Lines", ".jsonl")}[style]
    )
    some = _named(records, ids) if ids else read_records(records)
    chosen = _sorted((r for r in some if _has(r, op, word)), sort, limit or None)
    if style == "text" and output == "-":
        _print(chosen)
        return
    with whole_file(output) as stream:
        {"csv": _csv, "jsonl": _jsonl, "text": _text}[style](chosen, stream)


def _named(path: str, ids: Sequence[str]) -> list[Record]:
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
            f"{path} has no {'item' if len(unknown) == 1 else 'items'} {some}{more}; it has {', '.join(near)}"
        )
    return found


def _has(record: Record, op: str | None, word: str | None) -> bool:
    """Whether a record has an error as asked for."""
    if op is None and word is None:
        return True
    return any(
        p.op in "SID" and op in (None, p.op) and word in (None, p.hypothesis, p.reference)
        for p in record.alignment
    )


def _sorted(records: Iterable[Record], sort: str, limit: int | None) -> Iterable[Record]:
    if sort == "file":
        return islice(records, limit)
    return sorted(records, key=_badness) if limit is None else nsmallest(limit, records, key=_badness)


def _badness(record: Record) -> tuple[float, int]:
    """Smaller is worse; among equals, more errors."""
    score = _value(record.fields)
    is_rate = record.fields["gain"] is None
    if not aligns_itself(record.metric):
        from fstmetrics.evaluation.agreement.scored_runs import higher_is_better  # `show` starts without it

        is_rate = not higher_is_better(record.metric)
    return (-score if is_rate else score), -(record.edits + record.moves)


def _value(fields: Mapping[str, Any]) -> float:
    """The score, also where it is infinite: the sign is then that of what is divided."""
    if fields["score"] is not None:
        return float(fields["score"])
    return math.copysign(math.inf, 1 if fields["gain"] is None else fields["gain"])


def _paths(record: Record) -> Iterator[tuple[int, Record]]:
    yield from enumerate(record.nbest or (record,), 1)


def _print(records: Iterable[Record]) -> None:
    from fstmetrics.reports.alignment import alignment_text

    console = terminal.Console()
    records = iter(records)
    first = list(islice(records, 1))
    console.print(_head(first), style="dim")
    width = console.width if console.is_terminal else 100
    for record in chain(first, records):
        for rank, path in _paths(record):
            console.print((f"{rank:>3}. " if record.nbest else "") + _title(record, path), style="bold")
            text = alignment_text(path.alignment, width)
            if rank == 1 and (own := _one_best(record, width)):
                text.append_text(own).append("\n")
            console.print(text)


def _head(first: Sequence[Record]) -> str:
    """What stands over all items, as the first tells: only with a window have records an order of words."""
    from fstmetrics.reports.alignment import EDITS, LEGEND, MOVES

    moves = f", {MOVES}" if any("order" in record.fields for record in first) else ""
    edits = "".join(f"{EDITS.format(metric=r.metric)}\n" for r in first if not aligns_itself(r.metric))
    return edits + (f"{ORACLES}\n" if any(map(is_oracle, first)) else "") + f"{LEGEND}{moves}\n"


def _text(records: Iterable[Record], stream: TextIO) -> None:
    from fstmetrics.reports.alignment import alignment_text

    records = iter(records)
    first = list(islice(records, 1))
    stream.write(_head(first) + "\n")
    for record in chain(first, records):
        for rank, path in _paths(record):
            stream.write((f"{rank:>3}. " if record.nbest else "") + _title(record, path) + "\n")
            stream.write(alignment_text(path.alignment).plain)
            if rank == 1 and (own := _one_best(record)):
                stream.write(own.plain + "\n")
            stream.write("\n")


def _one_best(record: Record, width: int = 100) -> Styled | None:
    """The words of the 1-best, and where the oracle has others, where a record says so."""
    from fstmetrics.reports.alignment import one_best_text

    best, parts = one_best(record), one_best_parts(record)
    if best is None or parts is None:
        return None
    return one_best_text(
        best["hypothesis"], parts, "" if unit_of(record.metric) == "character" else " ", width
    )


def _title(record: Record, path: Record) -> str:
    moves = f", {path.moves} move{'' if path.moves == 1 else 's'}" if path.moves else ""
    oracle = "oracle " if is_oracle(record) else ""
    beside = one_best(record)
    return (
        f"{printable(record.id)}  {oracle}{path.metric} {_value(path.fields):.4f}  ({path.substitutions} sub, "
        f"{path.insertions} ins, {path.deletions} del{moves}; {path.path_length} reference {unit_of(path.metric)}s)"
        + ("" if beside is None else f"  1-best {_value(beside):.4f}")
    )


def _csv(records: Iterable[Record], stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    for record in records:
        for rank, path in _paths(record):
            given = count()
            for position, pair in enumerate(path.alignment, 1):
                at = (
                    "" if pair.hypothesis is None else next(given) if pair.position is None else pair.position
                )
                words = pair.hypothesis or "", pair.reference or ""
                place = at if at == "" else int(at) + 1
                writer.writerow((record.id, rank, position, pair.op, *words, place, pair.moves))


def _jsonl(records: Iterable[Record], stream: TextIO) -> None:
    for record in records:
        stream.write(written_json(dict(record.fields)) + "\n")

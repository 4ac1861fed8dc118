"""`fstmetrics errors`: what goes wrong most, from records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from fstmetrics.analysis.error_counts import Bin, ErrorRow, Errors, added_up
from fstmetrics.analysis.missing_ngrams import MAX_ORDER
from fstmetrics.analysis.oracle_scores import OracleScores
from fstmetrics.analysis.record_table import RecordTable, Vocabulary, read_parts, read_table
from fstmetrics.analysis.side_by_side import Beside, ItemRow, KindRow, WordRow, beside
from fstmetrics.cli.option_types import ROWS, Whole
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show, show_json, spinner
from fstmetrics.readers.record_schema import aligns_itself
from fstmetrics.reports.alignment import EDITS
from fstmetrics.reports.summary import table_lines
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    from fstmetrics.analysis.record_table import RecordTable
    from fstmetrics.analysis.terms import TermCounts

NAMES = {"S": "substitutions", "I": "insertions", "D": "deletions"}

# Characters of a phrase that tables show: a card may hold whole sentences.
PHRASE = 60

# First columns of a table that hold names; all others hold numbers.
NAME_HEADS = frozenset(
    {
        "",
        "id",
        "reference",
        "hypothesis",
        "word",
        "words",
        "moved before",
        "written",
        "taken",
        "as",
        "grammar",
        "card",
        "phrase",
    }
)


@command(several="of two systems: fstmetrics errors RECORDS --against RECORDS")
@click.argument("records", metavar="RECORDS")
@click.option(
    "--against",
    metavar="RECORDS",
    help="Records of a second system: show what only one of the two gets right. NAME=RECORDS names a system, here and "
    "before it.",
)
@click.option(
    "--terms",
    "term_file",
    metavar="FILE",
    help="Terms, one a line, of one word or several: show recall, precision and error rate of each.",
)
@click.option(
    "--spans",
    "span_files",
    metavar="NLP",
    help="fstalign's NLP file of the references, or a folder with one for each id: show the error rate by tag.",
)
@click.option("--op", type=click.Choice(list(NAMES)), help="Only substitutions, insertions or deletions.")
@click.option("--word", metavar="WORD", help="Only errors with this word.")
@click.option(
    "--min-count",
    type=Whole(1, 2**31 - 1),
    default=1,
    show_default=True,
    help="Only what happens at least N times.",
)
@click.option("--top", type=ROWS, default=20, show_default=True, help="Rows per table; 0 is all.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def errors(
    records: str,
    against: str | None,
    term_file: str | None,
    span_files: str | None,
    op: str | None,
    word: str | None,
    min_count: int,
    top: int,
    as_json: bool,
) -> None:
    """Count the errors of a run: which words go wrong most.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics errors records.jsonl

    RECORDS: what `score`, `oracle` or `hyter` writes with --alignment --output RECORDS. The tables show substitutions,
    insertions and deletions with counts and rates, errors by position and by sentence length, missing n-grams, and
    which alternatives, cards and rules the closest paths use.
    """
    limit = top or None
    if term_file is not None or span_files is not None:
        if op or word or min_count > 1 or against or (term_file and span_files):
            raise FstmetricsError("--terms and --spans stand alone, but for --top and --json")
        with spinner(f"reading {records}"):
            table = read_table(records)
            listed = table_of_terms(table, term_file, span_files)
        if as_json:
            show_json({"items": len(table), **listed.as_dict(), "signature": table.signature})
        else:
            show(*_term_table(listed, "term" if term_file else "label", limit), table.signature)
        return
    if against is not None:
        if op or word or min_count > 1:
            raise FstmetricsError(
                "--against adds up all errors: --op, --word and --min-count are for one system"
            )
        from fstmetrics.evaluation.systems import (
            named_path,
        )  # as of one system, the command starts without the metrics

        given = (records, against)
        with spinner("reading"):
            words = Vocabulary()
            one, two = (read_table(named_path(each)[1], words) for each in given)
            both = beside(one, two)
        if as_json:
            show_json(asdict(both))
        else:
            show(*_beside(both, dict(zip(_names(given), (one, two), strict=True)), limit))
        return
    with spinner(f"reading {records}"):
        found = added_up(read_parts(records))
    rows = found.rows(op, word, min_count)
    if as_json:
        show_json(as_object(found, rows, min_count))
    else:
        show(*_tables(found, rows, op, word, min_count, limit))


def table_of_terms(table: RecordTable, term_file: str | None, span_files: str | None) -> TermCounts:
    """What happened to the terms of a file, or to the spans that NLP files tag."""
    from fstmetrics.analysis.terms import read_terms, span_counts, term_counts

    if term_file is not None:
        return term_counts(table, read_terms(term_file))
    from fstmetrics.analysis.tagged_spans import spans_of

    assert span_files is not None
    return span_counts(table, spans_of(table, span_files))


def _term_table(found: TermCounts, title: str, limit: int | None) -> Iterator[str]:
    """The most frequent first, and all together."""
    rows: list[tuple[str, ...]] = [
        (title, "in ref", "correct", "recall", "in hyp", "precision", "f1", "words", "edits", "error rate")
    ]
    ranked = sorted(found.rows, key=lambda row: (-row.reference, row.term))
    shown = ranked[:limit]
    for row in (*shown, found.total):
        rates = [_percent(rate) for rate in (row.recall, row.precision, row.f1, row.score)]
        spoken = "" if row.hypothesis is None else str(row.hypothesis)
        rows.append(
            (_short(row.term), str(row.reference), str(row.correct), rates[0], spoken, *rates[1:3], str(row.words),
             str(row.edits), rates[3])
        )  # fmt: skip
    if title == "label":  # hypotheses have no labels
        rows = [(*row[:4], *row[7:]) for row in rows]
    yield from table_lines(rows)
    if len(shown) < len(ranked):
        yield f"{len(ranked) - len(shown)} more: --top 0 shows all"
    absent = sum(not row.reference and not row.hypothesis for row in ranked)
    if absent:
        yield f"{absent} of {counted(len(ranked), 'term')} on neither side: write terms as the records have words"
    yield ""


def _percent(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.1f}%"


def as_object(found: Errors, rows: Sequence[ErrorRow], min_count: int) -> dict[str, Any]:
    """All tables, for programs."""
    return {
        "items": found.items,
        "paths": max(found.paths, 1),
        "oracle": {"score": found.scores.oracle, "one_best": found.scores.one_best}
        if found.scores.items
        else None,
        "errors": [asdict(row) | {"rate": row.rate} for row in rows],
        "by_position": [asdict(part) | {"rate": part.rate} for part in found.by_position()],
        "by_length": [asdict(part) | {"rate": part.rate} for part in found.by_length()],
        "moves": {
            "moves": found.moves,
            "items": found.items_with_moves,
            "words": [
                {"words": words, "before": before, "count": count}
                for (words, before), count in found.moved.most_common()
            ],
        },
        "missing_ngrams": [
            {"words": list(words), "count": count}
            for order in range(1, MAX_ORDER + 1)
            for words, count in found.missing_ngrams(order, min_count)
        ],
        "alternatives": [
            {"written": written, "taken": taken, "count": count}
            for (written, taken), count in found.alternatives.most_common()
        ],
        "cards": [
            {"card": card, "phrase": phrase, "count": count}
            for (card, phrase), count in found.cards.most_common()
        ],
        "rules": [{"rule": rule, "count": count} for rule, count in found.rules.most_common()],
        "rewrites": [
            {
                "grammar": g,
                "before": before,
                "after": after,
                "count": n,
                "not_hits": found.not_hits[g, before, after],
            }
            for (g, before, after), n in found.rewrites.most_common()
        ],
        "signature": found.signature,
    }


def _tables(
    found: Errors,
    rows: Sequence[ErrorRow],
    op: str | None,
    word: str | None,
    min_count: int,
    limit: int | None,
) -> Iterator[str]:
    if not aligns_itself(found.metric):
        yield EDITS.format(metric=found.metric)
        yield ""
    if found.scores.items:
        yield f"{found.scores.text()}: the errors are those of the oracle's paths, not of the 1-best"
        yield ""
    if found.paths > 1:
        yield f"records hold up to {found.paths} best paths an item: the errors are those of the best one"
        yield ""
    for letter, name in NAMES.items():
        own = [row for row in rows if row.op == letter]
        if own:
            yield from _titled(
                f"{name}: {sum(row.count for row in own)} of {counted(len(own), 'kind')}",
                _error_rows(own[:limit]),
            )
    if not rows:
        yield "no errors" + (" that fit the filters" if (op, word, min_count) != (None, None, 1) else "")
    if op is None and word is None:
        yield from _rest(found, min_count, limit)
    if found.signature:
        yield found.signature


def _rest(found: Errors, min_count: int, limit: int | None) -> Iterator[str]:
    title = "by position in the reference (the last row has insertions after the last word, too)"
    yield from _titled(title, _part_rows(found.by_position()))
    yield from _titled("by reference length", _part_rows(found.by_length()))
    for order in range(2, MAX_ORDER + 1):
        if ngrams := found.missing_ngrams(order, max(min_count, 2))[:limit]:
            rows = [("words", "count"), *((" ".join(words), str(count)) for words, count in ngrams)]
            yield from _titled(f"missing {order}-grams", rows)
    if found.moves:
        yield from _titled(
            "reordering", [("moves", "items"), (str(found.moves), str(found.items_with_moves))]
        )
    if found.moved:
        blocks = [(words, before, str(n)) for (words, before), n in found.moved.most_common(limit)]
        yield from _titled("words moved", [("words", "moved before", "count"), *blocks])
    if found.alternatives:
        taken = [
            (_short(written), _short(taken or "(nothing)"), str(n))
            for (written, taken), n in found.alternatives.most_common(limit)
        ]
        yield from _titled("alternatives taken", [("written", "taken", "count"), *taken])
    if found.cards:
        cards = [
            (card, _short(phrase or "(nothing)"), str(n))
            for (card, phrase), n in found.cards.most_common(limit)
        ]
        yield from _titled("cards taken", [("card", "phrase", "count"), *cards])
    if found.rewrites:
        used = [
            (
                _short(before),
                _short(after or "(nothing)"),
                grammar,
                str(n),
                str(found.not_hits[grammar, before, after]),
            )
            for (grammar, before, after), n in found.rewrites.most_common(limit)
        ]
        total_used, not_hits = sum(found.rewrites.values()), sum(found.not_hits.values())
        yield from _titled(
            f"rewrites used: {total_used}, {not_hits} of them not of hits alone, which may change only the length",
            [("written", "as", "grammar", "count", "not hits"), *used],
        )


def _short(text: str) -> str:
    """A phrase that does not push the counts off the screen; --json has all of it."""
    return text if len(text) <= PHRASE else text[: PHRASE - 1].rstrip() + "…"


def _error_rows(rows: Sequence[ErrorRow]) -> list[tuple[str, ...]]:
    words = [(row.reference, row.hypothesis) for row in rows]
    head = tuple(name for i, name in enumerate(("reference", "hypothesis")) if words[0][i] is not None)
    body = [
        (*(word for word in pair if word is not None), str(row.count), str(row.of), f"{100 * row.rate:.1f}%")
        for row, pair in zip(rows, words, strict=True)
    ]
    return [(*head, "count", "of", "rate"), *body]


def _part_rows(parts: Sequence[Bin]) -> list[tuple[str, ...]]:
    rows = [
        (p.name, str(p.items), str(p.words), str(p.errors), "" if p.rate is None else f"{100 * p.rate:.1f}%")
        for p in parts
    ]
    return [("", "items", "words", "errors", "rate"), *rows]


def _names(given: tuple[str, str]) -> Sequence[str]:
    """The names of two systems; `first` and `second` where the files have the same."""
    from fstmetrics.evaluation.systems import names_of

    try:
        return names_of(given)
    except FstmetricsError:
        return "first", "second"


def _beside(both: Beside, systems: Mapping[str, RecordTable], limit: int | None) -> Iterator[str]:
    for name, table in systems.items():
        if scores := OracleScores(table.special.values()).text():
            yield f"{name}: {scores}"
    first, second = systems
    if systems[first].signature != systems[second].signature:
        yield "the two were not scored alike:"
        yield from (f"  {name}: {table.signature or '(no signature)'}" for name, table in systems.items())
    yield f"{first} better in {counted(both.better, 'item')}, {second} in {both.worse}, equal in {both.equal}"
    yield ""
    words = [(row.word, str(row.first), str(row.second), _instead(row)) for row in both.words[:limit]]
    yield from _titled("words only one gets right", [("word", first, second, "the other has"), *words], 1)
    kinds = [
        (*(word or "" for word in (row.reference, row.hypothesis)), *_numbers(row))
        for row in both.kinds[:limit]
    ]
    yield from _titled(
        "errors that one makes more often",
        [("reference", "hypothesis", first, second, "difference"), *kinds],
        2,
    )
    items = [(row.id, *_numbers(row)) for row in both.items[:limit]]
    yield from _titled("errors by item", [("id", first, second, "difference"), *items], 1)


def _numbers(row: KindRow | ItemRow) -> tuple[str, str, str]:
    return str(row.first), str(row.second), f"{row.second - row.first:+d}"


def _instead(row: WordRow) -> str:
    return f"{row.instead or '(nothing)'} {row.instead_count}" if row.instead_count else ""


def _titled(title: str, rows: Sequence[tuple[str, ...]], names: int | None = None) -> Iterator[str]:
    """A table under its title; the first columns stand to the left: so many, or those with heads of `NAME_HEADS`."""
    yield title
    if names is None:
        names = sum(1 for _ in takewhile(NAME_HEADS.__contains__, rows[0]))
    yield from (f"  {line}" for line in (table_lines(rows, names) if len(rows) > 1 else ("none",)))
    yield ""

"""Errors of one run or two, as the command `errors` shows them: `error_parts`, `beside_parts`, `term_parts`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from fstmetrics.analysis.error_counts import Bin, ErrorRow, Errors
from fstmetrics.analysis.insertion_runs import InsertionRuns, Run
from fstmetrics.analysis.missing_ngrams import MAX_ORDER
from fstmetrics.analysis.oracle_scores import OracleScores
from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.analysis.side_by_side import Beside, ItemRow, KindRow, WordRow
from fstmetrics.analysis.terms import ListedTerms, TermCounts
from fstmetrics.engine.word_classes import class_numbers, class_text
from fstmetrics.io.formats.records import aligns_itself
from fstmetrics.reports.alignment import EDITS
from fstmetrics.reports.summary import Part, Table, text_lines
from fstmetrics.support.printable import counted, number

# Makes a table of its rows: a list, or an iterator, where they are written one by one.
Rows = Callable[[Iterable[Any]], Any]
NAMES = {"S": "substitutions", "I": "insertions", "D": "deletions"}
ERROR_NAMES = ("op", "reference", "hypothesis", "count", "of", "rate")

# Characters of a phrase that tables show: a card may hold whole sentences.
PHRASE = 60


def term_parts(found: TermCounts, title: str, limit: int | None) -> Iterator[Part]:
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
    said = [f"{len(ranked) - len(shown)} more: --top 0 shows all"] if len(shown) < len(ranked) else []
    absent = sum(not row.reference and not row.hypothesis for row in ranked)
    yield Table(rows, notes=[*said, *_absence(absent, len(ranked))])


def _absence(absent: int, terms: int) -> list[str]:
    """What is said of terms that no item has, on neither side."""
    said = f"{absent} of {counted(terms, 'term')} on neither side: write terms as the records have words"
    return [said] if absent else []


def listed_term_parts(found: ListedTerms, limit: int | None) -> Iterator[Part]:
    """The terms of most items first, and all together."""
    ranked = sorted(found.rows, key=lambda row: (-row.items, row.term))
    rows: list[tuple[str, ...]] = [("term", "items", "in hyp", "share")]
    for row in (*ranked[:limit], found.total):
        rows.append((_short(row.term), str(row.items), str(row.found), _percent(row.share)))
    more = len(ranked) - len(ranked[:limit])
    said = [f"{more} more: --top 0 shows all"] if more else []
    said += _absence(sum(row.is_absent for row in ranked), len(ranked))
    yield Table(rows, notes=[*said, "share: of the items that list a term, those whose hypothesis has it"])


def run_parts(found: InsertionRuns, limit: int | None) -> Iterator[Part]:
    """Loops and long runs, the longest first, and what they make of all insertions and of the error rate."""
    loops = sum(run.loop is not None for run in found.runs)
    others = counted(len(found.runs) - loops, "other run")
    yield f"{counted(loops, 'loop')}, {others} of more than {found.most} insertions"
    if found.runs:
        rows = [
            ("id", "repeated", "words", "times", "hypothesis", "after ref"),
            *map(_run_row, found.runs[:limit]),
        ]
        yield ""
        more = 0 if limit is None else max(len(found.runs) - limit, 0)
        yield Table(rows, 2, notes=[f"{more} more: --top 0 shows all"] if more else ())
        yield "hypothesis: the place of the first word; after ref: words of the reference before it"
    share = "" if found.share is None else f" ({100 * found.share:.1f}%)"
    items = len({run.id for run in found.runs})
    are = "is" if found.inserted == 1 else "are"
    yield (
        f"{found.inserted} of {counted(found.insertions, 'insertion')}{share} {are} in them, in {items} of "
        f"{counted(found.items, 'item')}"
    )
    if found.score is not None and found.score_of_runs is not None:
        yield f"{found.rate} {number(found.score)}; with each of them as one error {number(found.score_of_runs)}"
    if found.signature:
        yield found.signature


def _run_row(run: Run) -> tuple[str, ...]:
    repeated, times = (" ".join(run.loop.words), str(run.loop.times)) if run.loop else ("-", "")
    return run.id, _short(repeated), str(len(run.words)), times, str(run.hypothesis), str(run.reference)


def _percent(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.1f}%"


def errors_dict(
    found: Errors, op: str | None, word: str | None, min_count: int, rows: Rows = list
) -> dict[str, Any]:
    """All tables, for programs; as of `error_parts`. `rows` makes those that may be long of their rows, one by one."""
    return {
        "items": found.items,
        "paths": max(found.paths, 1),
        "oracle": {"score": found.scores.oracle, "one_best": found.scores.one_best}
        if found.scores.items
        else None,
        **(class_numbers(*found.classes) if found.classes else {}),
        "errors": rows(
            {name: getattr(row, name) for name in ERROR_NAMES} for row in found.each_row(op, word, min_count)
        ),
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
        "missing_ngrams": rows(
            {"words": list(words), "count": count}
            for order in range(1, MAX_ORDER + 1)
            for words, count in found.each_missing(order, min_count)
        ),
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


def error_text(found: Errors, limit: int | None) -> str:
    """All kinds of errors in text, tables of so many rows."""
    return "\n".join(text_lines(error_parts(found, None, None, 1, limit)))


def error_parts(
    found: Errors, op: str | None, word: str | None, min_count: int, limit: int | None
) -> Iterator[Part]:
    """The tables of one system.

    Args:
        found: its errors.
        op, word: only errors of this kind, or with this word.
        min_count: only what happens as often.
        limit: rows of a table; None: all.
    """
    is_empty = True
    if not aligns_itself(found.metric):
        yield EDITS.format(metric=found.metric)
        yield ""
    if found.scores.items:
        yield f"{found.scores.text()}: the errors are those of the oracle's paths, not of the 1-best"
        yield ""
    if found.paths > 1:
        yield f"records hold up to {found.paths} best paths an item: the errors are those of the best one"
        yield ""
    if found.classes:
        yield class_text(*found.classes)
        yield ""
    for letter, name in NAMES.items() if op is None else ((op, NAMES[op]),):
        rows = found.each_row(letter, word, min_count)
        shown = list(islice(rows, limit))
        if shown:
            counts = [*(row.count for row in shown), *(row.count for row in rows)]
            title = f"{name}: {sum(counts)} of {counted(len(counts), 'kind')}"
            yield Table(_error_rows(shown), 2 if letter == "S" else 1, title)
            is_empty = False
    if is_empty:
        filtered = " that fit the filters" if (op, word, min_count) != (None, None, 1) else ""
        yield f"no errors{filtered}" + (f": is {word!r} written as records have words?" if word else "")
    if op is None and word is None:
        yield from _rest(found, min_count, limit)
    if found.signature:
        yield found.signature


def _rest(found: Errors, min_count: int, limit: int | None) -> Iterator[Part]:
    title = "by position in the reference (insertions after the last word are where that word is)"
    yield Table(_part_rows(found.by_position()), title=title)
    yield Table(_part_rows(found.by_length()), title="by reference length")
    for order in range(2, MAX_ORDER + 1):
        if ngrams := list(islice(found.each_missing(order, max(min_count, 2)), limit)):
            rows = [("words", "count"), *((" ".join(words), str(count)) for words, count in ngrams)]
            yield Table(rows, title=f"missing {order}-grams")
    if found.moves:
        yield Table([("moves", "items"), (str(found.moves), str(found.items_with_moves))], 0, "reordering")
    if found.moved:
        blocks = [(words, before, str(n)) for (words, before), n in found.moved.most_common(limit)]
        yield Table([("words", "moved before", "count"), *blocks], 2, "words moved")
    if found.alternatives:
        taken = [
            (_short(written), _short(taken or "(nothing)"), str(n))
            for (written, taken), n in found.alternatives.most_common(limit)
        ]
        yield Table([("written", "taken", "count"), *taken], 2, "alternatives taken")
    if found.cards:
        cards = [
            (card, _short(phrase or "(nothing)"), str(n))
            for (card, phrase), n in found.cards.most_common(limit)
        ]
        yield Table([("card", "phrase", "count"), *cards], 2, "cards taken")
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
        yield Table(
            [("written", "as", "grammar", "count", "not hits"), *used],
            3,
            f"rewrites used: {total_used}, {not_hits} of them not of hits alone, which may change only the length",
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


def beside_parts(both: Beside, systems: Mapping[str, RecordTable], limit: int | None) -> Iterator[Part]:
    """The tables of two systems, which have names."""
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
    yield Table([("word", first, second, "the other has"), *words], title="words only one gets right")
    kinds = [
        (*(word or "" for word in (row.reference, row.hypothesis)), *_numbers(row))
        for row in both.kinds[:limit]
    ]
    head = ("reference", "hypothesis", first, second, "difference")
    yield Table([head, *kinds], 2, "errors that one makes more often")
    items = [(row.id, *_numbers(row)) for row in both.items[:limit]]
    yield Table([("id", first, second, "difference"), *items], title="errors by item")


def _numbers(row: KindRow | ItemRow) -> tuple[str, str, str]:
    return f"{row.first:.15g}", f"{row.second:.15g}", f"{row.second - row.first:+.15g}"


def _instead(row: WordRow) -> str:
    return f"{row.instead or '(nothing)'} {row.instead_count}" if row.instead_count else ""

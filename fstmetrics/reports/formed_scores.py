"""Scores as tables to paste: what `score`, `oracle` and `hyter` print with `--markdown`, `--csv` and the like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.word_classes import class_numbers, script_numbers
from fstmetrics.reports import table_forms
from fstmetrics.reports.field_tables import breakdown_rows, interval_lines
from fstmetrics.reports.oracle_lines import further_rows
from fstmetrics.reports.summary import Part, Table, score_parts
from fstmetrics.reports.table_forms import SIGNATURES, Form, flat
from fstmetrics.reports.time_tables import time_records, time_tables
from fstmetrics.scoring.score import Score, Scores, oracles_of


def formed_lines(score: Score | Scores, form: Form) -> Iterator[str]:
    """The tables of all items and by field in a form; in CSV and TSV one table of all, whose numbers are in full."""
    return table_forms.formed_lines(_parts(score), partial(score_records, score), form)


def _parts(score: Score | Scores) -> Iterator[Part]:
    parts = list(score_parts(score))
    tables = [part for part in parts if isinstance(part, Table)]
    tables += [Table(breakdown_rows(table, list(table))) for table in score.breakdowns]
    tables += time_tables(score.times) if score.times else []
    lines = [part for part in parts if isinstance(part, str)]
    at = next((place for place, line in enumerate(lines) if line.startswith(SIGNATURES)), len(lines))
    lines[at:at] = interval_lines(score.breakdowns)
    yield from tables
    yield from lines


def score_records(score: Score | Scores) -> Iterator[dict[str, Any]]:
    """A row for each score: of all items, of what stands beside an oracle, and of each value of a field."""
    for each in score.values() if isinstance(score, Scores) else [score]:
        corpus = each.corpus
        assert corpus is not None  # a shard has no score
        called = {"row": "oracle"} if each.shown.is_oracle or each.oracle else {}
        oracles = oracles_of(each)
        whole = {"metric": corpus.name, **called, "items": len(corpus)} | flat(corpus.as_dict())
        whole |= {"arcs": oracles.arcs} if oracles else {}
        yield whole | (_class_cells(class_numbers(*each.classes)) if each.classes else {})
        if isinstance(corpus, CorpusResult):
            for title, found in further_rows(oracles) if oracles else []:
                yield {"metric": corpus.name, "row": title} | flat(found.numbers())
            for depth in oracles.depths() if oracles else ():
                yield {"metric": corpus.name, "row": "depth"} | flat(depth)
            for row in oracles.sweep if oracles else []:
                yield {"metric": corpus.name, "row": "sweep"} | flat(row.as_dict())
        elif each.oracle is not None:
            for title, value in each.oracle.further():
                yield {"metric": corpus.name, "row": title, "score": value}
        for table in each.breakdowns:
            for name, rows in table.as_dict().items():
                for row in rows:
                    yield {"metric": corpus.name, "by": name} | flat(_class_cells(row))
        for name, numbers in script_numbers(each.scripts).items():
            yield {"metric": corpus.name, "script": name} | flat(numbers)
        for record in time_records(each.times) if each.times else []:
            yield {"metric": corpus.name} | flat(record)


def _class_cells(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers with the counts of words of a list and of all others by names of their own, `b_edits` and the like."""
    classes = numbers.get("biasing", {})
    counts = {f"{one}_{count}": n for one, own in classes.items() for count, n in own.items()}
    return {name: cell for name, cell in numbers.items() if name != "biasing"} | counts

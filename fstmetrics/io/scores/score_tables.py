"""Tables of scores with a head, a line a system and segment (and assessor): `scores_of_rows`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fstmetrics.data.ratings import Cell, Ratings
from fstmetrics.io.rows import Rows
from fstmetrics.io.scores.score_cells import (
    ASSESSOR,
    DOCUMENT,
    DOMAIN,
    HUMAN,
    IN_DOCUMENTS,
    NO_SCORES,
    SEGMENT,
    SYSTEM,
    TEXTS,
    ScoreFile,
    cell_number,
    cell_text,
    column_advice,
    grid,
    head_advice,
    is_missing,
    is_number,
    one_of,
    places,
)
from fstmetrics.support.source import Source

# WMT's direct assessments number their systems: Facebook-AI.7.
NUMBERED = re.compile(r"\.\d+$")


def without_number(system: str) -> str:
    """A system's name without the number that direct assessments put behind it."""
    return NUMBERED.sub("", system)


@dataclass(frozen=True)
class TableColumns:
    """Which column is what."""

    system: str
    segment: str
    assessor: str | None
    document: str | None
    domain: str | None
    human: str | None
    metrics: list[str]
    human_others: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Those that are no scores."""
        given = (self.system, self.segment, self.assessor, self.document, self.domain)
        return [name for name in given if name is not None]

    @classmethod
    def of(cls, source: Source, head: Sequence[str], human: str | None) -> TableColumns:
        """Of a head; `human` as of `scores_of_rows`.

        Raises:
            InputError: it names no system or no segment.
        """
        system, segment = one_of(head, SYSTEM), one_of(head, SEGMENT)
        if system is None or segment is None:
            advice = head_advice(source)
            raise source.error(
                f"the head must name the columns system and segment, and those of scores{advice}", 1
            )
        said = one_of(head, [human] if human else HUMAN)
        assessor, document, domain = (one_of(head, names) for names in (ASSESSOR, DOCUMENT, DOMAIN))
        taken = {*HUMAN, *NO_SCORES, *TEXTS, system, segment, assessor, document, domain, said}
        metrics = [name for name in head if name not in taken]
        others = tuple(name for name in HUMAN if name in head and name != said and not human)
        return cls(system, segment, assessor, document, domain, said, metrics, others)


class _Cells:
    """What the rows of a table say, cell by cell; a cell is a system and a segment."""

    def __init__(self, table: Rows, columns: TableColumns) -> None:
        self.table, self.columns = table, columns
        self.rows: dict[tuple[str, str, str], int] = {}
        self.metrics: dict[str, dict[Cell, float]] = {name: {} for name in columns.metrics}
        self.human: dict[Cell, float] = {}
        self.ratings = Ratings()
        self.documents: dict[str, str] = {}
        self.domains: dict[str, str] = {}

    def add(self, row: int) -> None:
        """One row.

        Raises:
            InputError: no system or segment, a cell once more, or a segment in two documents.
        """
        values, columns, table = self.table.rows[row], self.columns, self.table
        cell = (cell_text(values.get(columns.system)), cell_text(values.get(columns.segment)))
        if columns.system == "SYS":
            cell = (without_number(cell[0]), cell[1])
        if "" in cell:
            raise table.error(row, "a line without a system or a segment")
        assessor = "" if columns.assessor is None else cell_text(values.get(columns.assessor))
        before = self.rows.setdefault((*cell, assessor), row)
        if before != row:
            by = f" by {assessor}" if assessor else ""
            raise table.error(
                row,
                f"segment {cell[1]} of {cell[0]}{by} once more, after {table.place(before)}"
                + (f"; {IN_DOCUMENTS}" if columns.document else ""),
            )
        self._place(row, "document", columns.document, cell[1], self.documents)
        self._place(row, "domain", columns.domain, cell[1], self.domains)
        self._scores(row, cell, assessor)

    def _place(self, row: int, what: str, column: str | None, segment: str, known: dict[str, str]) -> None:
        if column is None:
            return
        given = cell_text(self.table.rows[row].get(column))
        if known.setdefault(segment, given) != given:
            raise self.table.error(row, f"segment {segment} is in two {what}s, {known[segment]} and {given}")

    def _scores(self, row: int, cell: Cell, assessor: str) -> None:
        values = self.table.rows[row]
        for name, found in self.metrics.items():
            value = values.get(name)
            if not is_missing(value):
                score = cell_number(self.table, row, name, value)
                if found.setdefault(cell, score) != score:
                    said = f"{name} of segment {cell[1]} of {cell[0]} is {value} here, and was another"
                    raise self.table.error(row, said)
        if self.columns.human is not None and not is_missing(value := values.get(self.columns.human)):
            score = cell_number(self.table, row, self.columns.human, value)
            if self.columns.assessor is None:
                self.human[cell] = score
            else:
                self.ratings.add(assessor, cell, score)


def scores_of_rows(table: Rows, human: str | None, standardise: bool) -> ScoreFile:
    """The scores in the rows of a table.

    Args:
        table: the rows.
        human: the column of people's scores, or None for the known names.
        standardise: whether ratings of assessors are standardised before their mean is taken.

    Raises:
        InputError: no columns of systems and segments, no rows, a column of whole numbers that may tell who rated, or a
            row that does not fit.
    """
    columns = TableColumns.of(table.source, table.names or (), human)
    if not table.rows:
        raise table.source.error("a head, and no scores under it")
    # Who names the column of people's scores has looked at the others.
    texts = tuple(name for name in columns.metrics if human is not None and _is_text(table, name))
    columns = replace(columns, metrics=[name for name in columns.metrics if name not in texts])
    if {"category", "severity"} <= set(columns.metrics) and _is_text(table, "severity"):
        raise table.source.error(
            "looks like MQM, a line an error, and has no column rater: add it, with one name in all lines where one "
            f"person has marked the errors; the columns are {', '.join(table.names or ())}",
            1,
        )
    for name in columns.metrics:
        if (advice := column_advice(name)) and _is_whole(table, name):
            raise table.source.error(f"the column {name} has whole numbers: {advice}", 1)
    cells = _Cells(table, columns)
    for row in range(len(table.rows)):
        cells.add(row)
    told_apart = columns.assessor is not None and columns.human is not None
    if told_apart:
        cells.human = cells.ratings.standardised() if standardise else cells.ratings.means()
    systems, segments = places(key[0] for key in cells.rows), places(key[1] for key in cells.rows)
    there = dict.fromkeys(((key[0], key[1]) for key in cells.rows), 1.0)
    return ScoreFile(
        table.source.path,
        table.source.stem,
        "segment",
        tuple(systems),
        tuple(segments),
        {name: grid(found, systems, segments) for name, found in cells.metrics.items()},
        None if columns.human is None else grid(cells.human, systems, segments),
        grid(there, systems, segments) == 1,
        None if columns.document is None else tuple(cells.documents[name] for name in segments),
        None if columns.domain is None else tuple(cells.domains[name] for name in segments),
        len(set(cells.ratings.assessors)),
        told_apart and standardise,
        texts=texts,
        human_name=columns.human or "human",
        human_others=columns.human_others,
        ratings=np.array(cells.ratings.scores) if told_apart else None,
    )


def scores_of_systems(table: Rows, human: str | None) -> ScoreFile:
    """The scores of whole systems, a row each; `human` as of `scores_of_rows`.

    Raises:
        InputError: no rows, a system twice, or a row that does not fit.
    """
    system = next(name for name in SYSTEM if name in (table.names or ()))
    first: dict[str, int] = {}
    for place, row in enumerate(table.rows):
        name = cell_text(row.get(system))
        name = without_number(name) if system == "SYS" else name
        if first.setdefault(name, place) != place:
            raise table.error(place, f"the system {name} once more, after {table.place(first[name])}")
    rows = [{**row, SEGMENT[0]: "1"} for row in table.rows]
    names = [*(table.names or ()), SEGMENT[0]]
    found = scores_of_rows(replace(table, rows=rows, names=names), human, False)
    return replace(found, level="system", segments=None)


def _is_text(table: Rows, column: str) -> bool:
    """Whether a column has texts and no number, such as marked spans or names of annotators."""
    filled = [value for row in table.rows if not is_missing(value := row.get(column))]
    return bool(filled) and all(isinstance(value, str) and not is_number(value) for value in filled)


def _is_whole(table: Rows, column: str) -> bool:
    """Whether a column has whole numbers alone, as ids are, and scores seldom."""
    filled = [value for row in table.rows if not is_missing(value := row.get(column))]
    return all(
        isinstance(value, int) or str(value).strip().removesuffix(".0").isdecimal() for value in filled
    )

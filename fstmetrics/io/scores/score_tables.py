"""Tables of scores with a head, a line a system and segment (and assessor): `scores_of_rows`.

Those whose rows are lines, as columns: `scores_in_columns`; no Python object is made of a cell. The native parser takes
a row only if its columns are those of the head, or of the first object of JSON Lines. Of a table with any other row,
and of one with something wrong in it, `scores_of_rows` tells.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics._native import DelimitedRowForm, HeadedRowForm, JsonRowForm, ScoreRows, TableForm
from fstmetrics.data.ratings import Cell, Ratings, means_by_cell, standardised_by
from fstmetrics.io.detection.head import LINES
from fstmetrics.io.formats.delimited import NAMELESS, table_head
from fstmetrics.io.rows import FIRST, Rows, first_lines
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
    has_commas,
    head_advice,
    is_missing,
    is_number,
    names_rows,
    one_of,
    places,
    segment_advice,
    split_head,
)
from fstmetrics.support.errors import InputError
from fstmetrics.support.row_columns import flat
from fstmetrics.support.source import HEAD, Source

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.io.scores.score_cells import Floats

    Mask = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.int32]
    Places = npt.NDArray[np.int64]

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
        metrics = [name for name in head if name not in taken and not names_rows(name)]
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
        lacking = next((name for name in ("rater", SYSTEM[0]) if name not in (table.names or ())), SEGMENT[0])
        one = ": add it, with one name in all lines where one person has marked the errors"
        raise table.source.error(
            f"looks like MQM, a line an error, and has no column {lacking}{one if lacking == 'rater' else ''}; the "
            f"columns are {', '.join(table.names or ())}",
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
            said = f"the system {name} once more, after {table.place(first[name])}, and no column is called segment"
            raise table.error(place, said + segment_advice(table.names or ()))
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


# Up to so many places for each row, rows that come twice are looked for in a table of all places; else by sorting.
SPARSE = 16
MOST_PLACES = 1 << 62


def scores_in_columns(source: Source, human: str | None, standardise: bool) -> ScoreFile | None:
    """The scores of a table; None where the reader of rows tells.

    Args:
        source: a table with a head whose columns commas, tabs or white space part, or JSON Lines.
        human, standardise: as of `scores_of_rows`.
    """
    try:
        head = _head(source)
        if head is None or len(set(head.names)) < len(head.names):
            return None
        columns = TableColumns.of(source, head.columns, human)
    except (InputError, ValueError, RecursionError):
        return None
    scores = [*columns.metrics, *([] if columns.human is None else [columns.human])]
    used = [*columns.names, *scores]
    if len(set(used)) < len(used):
        return None
    try:
        rows = ScoreRows(head.form(columns.system, used), columns.names, scores)
    except (TypeError, ValueError):  # a name that is no UTF-8
        return None
    if not _are_read(source, head, rows):
        return None
    try:
        return _file(source, columns, rows, standardise)
    except _Contradiction:
        return None


def _are_read(source: Source, head: _Head, rows: ScoreRows) -> bool:
    """Whether all lines behind the head are rows. NaN of JSON, which the parser takes for null, is none."""
    skipped = head.bytes
    try:
        for piece in source.pieces():
            if (
                len(piece) < skipped
                or (head.parted_by == "{" and b"NaN" in piece)
                or not rows.add(piece, skipped)
            ):
                return False
            skipped = 0
    except InputError:
        return False
    return True


class _Head(NamedTuple):
    """How lines are rows: what the columns are called, what parts them, and how long the head is."""

    names: list[str]
    parted_by: str
    bytes: int = 0
    lines: int = 0
    is_spaced: bool = False

    @property
    def columns(self) -> list[str]:
        """Those that rows have; of CSV, none without a name."""
        return [name for name in self.names if name != NAMELESS or self.parted_by != ","]

    def form(self, system: str, used: Sequence[str]) -> TableForm:
        """The form of the lines, where the column of the system is a text."""
        left_out = [name for name in (*self.names, *TEXTS, *NO_SCORES) if name not in used]
        if self.parted_by == "{":
            return JsonRowForm([], system, left_out, [], True)
        if self.parted_by == ",":
            return DelimitedRowForm(
                [], system, left_out, [], True, self.names, self.bytes, self.lines, ",", self.is_spaced
            )
        return HeadedRowForm([], system, left_out, [], True, self.names, self.parted_by == "\t")


def _head(source: Source) -> _Head | None:
    """The columns of a table; errors as of its reader."""
    data = source.content[:HEAD].removeprefix(BOM_UTF8)
    line, end, _ = data.partition(b"\n")
    if not end:
        return None
    if line.startswith(b"{"):
        first = json.loads(line)
        return _Head([name for name in flat(first) if name not in TEXTS], "{")
    if has_commas(source):
        lines = first_lines(source, FIRST + LINES)
        found = None if lines is None else table_head(lines, ",")
        return None if found is None else _Head(found.names, ",", found.bytes, found.lines, found.is_spaced)
    text = line.decode().removesuffix("\r")
    return _Head(split_head(text), "\t" if "\t" in text else " ", len(line) + 1)


class _Names(NamedTuple):
    """A column of names: the number of each row's, and the names in the order in which they come."""

    numbers: Numbers
    names: Sequence[str]

    def renamed(self) -> _Names:
        """The same without the numbers that direct assessments put behind the names of systems."""
        known: dict[str, int] = {}
        numbers = [known.setdefault(without_number(name), len(known)) for name in self.names]
        return _Names(np.array(numbers, dtype=np.int32)[self.numbers], list(known))


class _Contradiction(Exception):
    """Rows that contradict each other, or come twice."""


class _CodedCells:
    """Where the rows are in a grid of systems and segments.

    Args:
        system, segment: of each row.
        assessor: likewise, or None.

    Raises:
        _Contradiction: two rows of the same.
    """

    def __init__(self, system: _Names, segment: _Names, assessor: _Names | None) -> None:
        self.shape = len(system.names), len(segment.names)
        self.size = self.shape[0] * self.shape[1]
        places = np.multiply(system.numbers, self.shape[1], dtype=np.int64)
        places += segment.numbers
        self.places: Places = places
        self.is_full = len(places) == self.size and bool((places[1:] > places[:-1]).all())
        if not self.is_full:
            self._refuse_twice(assessor)

    def _refuse_twice(self, assessor: _Names | None) -> None:
        keys, size = self.places, self.size
        if assessor is not None:
            size *= len(assessor.names)
            if size > MOST_PLACES:
                raise _Contradiction
            keys = keys * len(assessor.names) + assessor.numbers
        if size <= SPARSE * len(keys):
            found = np.zeros(size, dtype=np.bool_)
            found[keys] = True
            different = int(np.count_nonzero(found))
        else:
            different = len(np.unique(keys))
        if different < len(keys):
            raise _Contradiction

    @property
    def listed(self) -> Mask:
        """Which are in a row."""
        found = np.zeros(self.size, dtype=np.bool_)
        found[self.places] = True
        return found.reshape(self.shape)

    def grid(self, scores: Floats) -> Floats:
        """The scores of rows, shape [systems, segments]; nan where there is none.

        Raises:
            _Contradiction: two of the same.
        """
        if self.is_full:
            return scores.reshape(self.shape)
        known = ~np.isnan(scores)
        places, scores = self.places[known], scores[known]
        found = np.full(self.size, np.nan)
        found[places[::-1]] = scores[::-1]  # the first one stays, as 0 is -0
        if (found[places] != scores).any():
            raise _Contradiction
        return found.reshape(self.shape)

    def rated(self, ratings: Floats, assessor: _Names, standardise: bool) -> tuple[Floats, int]:
        """The means of ratings, shape [systems, segments], and how many assessors gave them."""
        known = ~np.isnan(ratings)
        by, places, ratings = assessor.numbers[known], self.places[known], ratings[known]
        number = len(np.unique(by))
        if standardise:
            ratings = standardised_by(by, ratings)
        rated, means = means_by_cell(places, ratings)
        found = np.full(self.size, np.nan)
        found[rated] = means
        return found.reshape(self.shape), number


def _file(source: Source, columns: TableColumns, rows: ScoreRows, standardise: bool) -> ScoreFile:
    """The scores of rows.

    Raises:
        _Contradiction: not all rows say the same, or one of them nothing.
    """
    names = {name: _Names(*rows.names(place)) for place, name in enumerate(columns.names)}
    system, segment = names[columns.system], names[columns.segment]
    if columns.system == "SYS":
        system = system.renamed()
    if not len(system.numbers) or "" in system.names or "" in segment.names:
        raise _Contradiction
    assessor = None if columns.assessor is None else names[columns.assessor]
    documents, domains = (
        None if name is None else _of_segments(names[name], segment)
        for name in (columns.document, columns.domain)
    )
    cells = _CodedCells(system, segment, assessor)
    metrics = {name: cells.grid(rows.scores(place)) for place, name in enumerate(columns.metrics)}
    if any(column_advice(name) and not (values % 1 > 0).any() for name, values in metrics.items()):
        raise _Contradiction
    human, ratings, assessors = None, None, 0
    if columns.human is not None:
        human = rows.scores(len(columns.metrics))
        if assessor is None:
            human = cells.grid(human)
        else:
            ratings = human[~np.isnan(human)]
            human, assessors = cells.rated(human, assessor, standardise)
    return ScoreFile(
        source.path,
        source.stem,
        "segment",
        tuple(system.names),
        tuple(segment.names),
        metrics,
        human,
        cells.listed,
        documents,
        domains,
        assessors,
        ratings is not None and standardise,
        human_name=columns.human or "human",
        human_others=columns.human_others,
        ratings=ratings,
    )


def _of_segments(named: _Names, segment: _Names) -> tuple[str, ...]:
    """The document or the domain of each segment.

    Raises:
        _Contradiction: a segment is in two of them.
    """
    found = np.empty(len(segment.names), dtype=np.int32)
    found[segment.numbers] = named.numbers
    if (found[segment.numbers] != named.numbers).any():
        raise _Contradiction
    return tuple(map(named.names.__getitem__, found.tolist()))

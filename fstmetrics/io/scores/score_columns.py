"""Tables of scores whose rows are lines, as columns: `scores_in_columns`; no Python object is made of a cell.

The native parser takes a row only if its columns are those of the head, or of the first object of JSON Lines. Of a
table with any other row, and of one with something wrong in it, the reader of rows (`score_tables`) tells.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics._native import DelimitedRowForm, HeadedRowForm, JsonRowForm, ScoreRows, TableForm
from fstmetrics.data.ratings import means_by_cell, standardised_by
from fstmetrics.io.detection.head import LINES
from fstmetrics.io.formats.delimited import NAMELESS, table_head
from fstmetrics.io.rows import FIRST, flat
from fstmetrics.io.scores.score_cells import (
    NO_SCORES,
    TEXTS,
    ScoreFile,
    column_advice,
    has_commas,
    split_head,
)
from fstmetrics.io.scores.score_tables import TableColumns, without_number
from fstmetrics.io.table_columns import first_lines
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import HEAD, Source

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.io.scores.score_cells import Floats

    Mask = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.int32]
    Places = npt.NDArray[np.int64]

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


class _Cells:
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
    cells = _Cells(system, segment, assessor)
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

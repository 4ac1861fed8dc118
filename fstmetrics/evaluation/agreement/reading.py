"""Tables of scores by system and segment: `read_part` reads the project's own and two of WMT's into a `Part`.

A table has a head and a line a system and segment. Columns called `system` and `segment` (WMT's `SYS`, `seg_id`, `SID`)
say of what, one called `document` of which document, one called `human` (or `mqm_avg_score`, `Z.SCR`, `RAW.SCR`) is
what people say; all others are metrics. Columns are parted by tabs if the head has one, else by white space. With a
column `assessor` (`annotator`, `rater`) there is a line a system, segment and assessor.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fstmetrics.evaluation.agreement.assessors import Cell, Ratings
from fstmetrics.support.source import Source

ASSESSOR = ("assessor", "annotator", "rater")
SYSTEM, SEGMENT, DOCUMENT = ("system", "SYS"), ("segment", "seg_id", "SID"), ("document",)
# What people's scores are called; the first that is there is taken.
HUMAN = ("human", "mqm_avg_score", "Z.SCR", "RAW.SCR")
# Columns of WMT's tables that are no scores: the number of ratings.
NO_SCORES = ("N",)
MISSING = frozenset({"", "None", "NA", "NaN", "nan"})
# WMT's direct assessments number their systems: Facebook-AI.7.
NUMBERED = re.compile(r"\.\d+$")


@dataclass
class Part:
    """What one table says.

    Attributes:
        path: the file.
        rows: systems and segments that it has a line of, in order.
        human: people's scores; None if there is no such column.
        ratings: of single assessors, of which `human` is made; None if the table does not tell them apart.
        standardised: whether `human` was made of standardised ratings.
        metrics: scores by metric; those that are missing are not in here.
        documents: the document of each segment.
        lines: where each system, segment and assessor stands.
    """

    path: str
    rows: dict[Cell, int] = field(default_factory=dict)
    human: dict[Cell, float] | None = None
    ratings: Ratings | None = None
    standardised: bool = False
    metrics: dict[str, dict[Cell, float]] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    lines: dict[tuple[str, str, str], int] = field(default_factory=dict)


def is_table(source: Source) -> bool:
    """Whether the first line is a head with a system and a segment; without tabs, it begins with one of them.

    A sentence may well speak of systems and segments, but has no tabs.
    """
    first = _first_line(source)
    head = _split(first)
    if not any(name in head for name in SYSTEM) or not any(name in head for name in SEGMENT):
        return False
    return "\t" in first or head[0] in (*SYSTEM, *SEGMENT)


def refuse_systems_only(source: Source) -> None:
    """Raise an InputError for people's scores of whole systems, as WMT's `da.sys-scores.csv`: it is no output."""
    head = _split(_first_line(source))
    if any(name in head for name in SYSTEM) and any(name in head for name in HUMAN):
        raise source.error(
            f"scores of whole systems: the columns are {', '.join(head)}, and none is called segment, seg_id or SID; "
            "give people's scores of segments (of WMT: da.seg-scores.csv), from which those of systems are made",
            1,
        )


def _first_line(source: Source) -> str:
    return source.data.split(b"\n", 1)[0].decode("utf-8", "replace").strip("\ufeff\r")


def read_part(source: Source, human: str | None = None, standardise: bool = True) -> Part:
    """Read a table.

    Args:
        source: the file.
        human: the column of people's scores, if it is not called by one of the known names.
        standardise: whether scores of assessors, where a column tells them apart, are standardised before their mean is
            taken.

    Raises:
        InputError: no head, a line that does not fit it, something that is no number, or a line given twice.
    """
    lines = source.lines()
    _, first = next(lines, (0, ""))
    head = _split(first)
    columns = _Columns.of(source, head, human)
    part = Part(source.path, human={} if columns.human is not None else None)
    if columns.assessor is not None and columns.human is not None:
        part.ratings = Ratings()
    part.metrics = {head[i]: {} for i in columns.metrics}
    for number, line in lines:
        cells = line.split("\t") if "\t" in first else line.split()
        if not cells or cells == [""]:
            continue
        if len(cells) != len(head):
            raise source.error(
                f"{len(cells)} columns, but the head has {len(head)}: {' '.join(head)}", number
            )
        _add(part, source, number, [cell.strip() for cell in cells], head, columns)
    if not part.rows:
        raise source.error("a head, and no scores under it")
    if part.ratings is not None:
        part.human = part.ratings.standardised() if standardise else part.ratings.means()
        part.standardised = standardise
    return part


def _split(head: str) -> list[str]:
    return [name.strip() for name in head.split("\t")] if "\t" in head else head.split()


@dataclass(frozen=True)
class _Columns:
    """Which column is what."""

    system: int
    segment: int
    assessor: int | None
    document: int | None
    human: int | None
    metrics: list[int]

    @classmethod
    def of(cls, source: Source, head: Sequence[str], human: str | None) -> _Columns:
        if len(set(head)) < len(head):
            raise source.error(f"two columns have the same name: {' '.join(head)}", 1)
        system, segment = _one_of(head, SYSTEM), _one_of(head, SEGMENT)
        if system is None or segment is None:
            raise source.error("the head must name the columns system and segment, and those of scores", 1)
        said = _one_of(head, [human] if human else HUMAN)
        other = {head.index(name) for name in (*HUMAN, *NO_SCORES) if name in head}
        assessor, document = _one_of(head, ASSESSOR), _one_of(head, DOCUMENT)
        taken = other | {system, segment, assessor, document, said}
        return cls(system, segment, assessor, document, said, [i for i in range(len(head)) if i not in taken])


def _one_of(head: Sequence[str], names: Sequence[str]) -> int | None:
    return next((head.index(name) for name in names if name in head), None)


def _add(
    part: Part, source: Source, line: int, cells: Sequence[str], head: Sequence[str], columns: _Columns
) -> None:
    system = cells[columns.system]
    if head[columns.system] == "SYS":
        system = NUMBERED.sub("", system)
    cell = (system, cells[columns.segment])
    if "" in cell:
        raise source.error("a line without a system or a segment", line)
    assessor = "" if columns.assessor is None else cells[columns.assessor]
    before = part.lines.setdefault((*cell, assessor), line)
    if before != line:
        by = f" by {assessor}" if assessor else ""
        raise source.error(f"segment {cell[1]} of {system}{by} once more, after line {before}", line)
    part.rows.setdefault(cell, line)
    if columns.document is not None:
        document = cells[columns.document]
        if part.documents.setdefault(cell[1], document) != document:
            raise source.error(
                f"segment {cell[1]} is in two documents, {part.documents[cell[1]]} and {document}", line
            )
    for i in columns.metrics:
        if cells[i] not in MISSING:
            score = _number(source, line, head[i], cells[i])
            if part.metrics[head[i]].setdefault(cell, score) != score:
                raise source.error(
                    f"{head[i]} of segment {cell[1]} of {system} is {cells[i]} here, and was another", line
                )
    if columns.human is not None and part.human is not None and cells[columns.human] not in MISSING:
        score = _number(source, line, head[columns.human], cells[columns.human])
        if part.ratings is None:
            part.human[cell] = score
        else:
            part.ratings.add(assessor, cell, score)


def _number(source: Source, line: int, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise source.error(f"{column} is {text!r}, not a number; leave it empty where there is none", line)
    return value


__all__ = ["HUMAN", "Part", "is_table", "read_part", "refuse_systems_only"]

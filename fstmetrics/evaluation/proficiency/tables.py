"""Reading back the tables that `fstmetrics features` writes, with a last column `level`: `read_labelled`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fstmetrics.support.source import Source


@dataclass(frozen=True)
class Labelled:
    """Exams with their features, shape [exams, features], and the levels that graders accept for each."""

    exams: tuple[str, ...]
    values: npt.NDArray[np.float64]
    levels: tuple[frozenset[str], ...]


def read_labelled(path: str | Path) -> Labelled:
    """Read a tab-separated table: a name, numbers, and last a level, or several joined by `|`.

    Raises:
        InputError: no head with `level` at its end, a line of another length, or a field that is no number.
    """
    source = Source.open(path)
    lines = [(number, line.split("\t")) for number, line in source.lines() if line.strip()]
    if not lines or lines[0][1][-1] != "level":
        raise source.error("expected a table whose first line ends with a column `level`", 1)
    width = len(lines[0][1])
    for number, fields in lines[1:]:
        if len(fields) != width:
            raise source.error(f"expected {width} columns as in the first line, found {len(fields)}", number)
        if not all(_is_number(field) for field in fields[1:-1]):
            raise source.error("expected numbers between the first column and the last", number)
        if not fields[-1].strip():
            raise source.error("the last column, `level`, is empty", number)
    rows = [fields for _, fields in lines[1:]]
    values = np.array([[float(x) for x in row[1:-1]] for row in rows], dtype=np.float64).reshape(
        len(rows), width - 2
    )
    levels = tuple(frozenset(part.strip() for part in row[-1].split("|")) for row in rows)
    return Labelled(tuple(row[0] for row in rows), values, levels)


def _is_number(field: str) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False

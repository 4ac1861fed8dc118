"""Reads the tables that `fstmetrics features` writes, with a last column `level` or `labels`: `read_labelled`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fstmetrics.apps.proficiency.passage_rules import PassageRules, parted
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source


@dataclass(frozen=True)
class Labelled:
    """Exams with their features, shape [exams, features], and the levels that graders accept for each."""

    exams: tuple[str, ...]
    values: npt.NDArray[np.float64]
    levels: tuple[frozenset[str], ...]


def read_labelled(path: str | Path, rules: PassageRules | None = None) -> Labelled:
    """Read a tab-separated table: a name, numbers, and last a level, or several joined by `|`.

    Args:
        path: the table.
        rules: what makes levels of labels of passages; the last column is then `labels`, which commas separate.

    Raises:
        InputError: no head with `level` (`labels`) at its end, a line of another length, a field that is no number, or
            labels that no rule fits.
    """
    last = "level" if rules is None else "labels"
    source = Source.open(path)
    lines = [(number, line.split("\t")) for number, line in source.lines() if line.strip()]
    if not lines or lines[0][1][-1] != last:
        raise source.error(f"expected a table whose first line ends with a column `{last}`", 1)
    width = len(lines[0][1])
    for number, fields in lines[1:]:
        if len(fields) != width:
            raise source.error(f"expected {width} columns as in the first line, found {len(fields)}", number)
        if not all(_is_number(field) for field in fields[1:-1]):
            raise source.error("expected numbers between the first column and the last", number)
        if not fields[-1].strip():
            raise source.error(f"the last column, `{last}`, is empty", number)
    levels = []
    for number, fields in lines[1:]:
        try:
            found = (
                frozenset(parted(fields[-1], "|")) if rules is None else rules.levels(parted(fields[-1], ","))
            )
        except FstmetricsError as error:
            raise source.error(str(error), number) from None
        levels.append(found)
    rows = [fields for _, fields in lines[1:]]
    values = np.array([[float(x) for x in row[1:-1]] for row in rows], dtype=np.float64).reshape(
        len(rows), width - 2
    )
    return Labelled(tuple(row[0] for row in rows), values, tuple(levels))


def _is_number(field: str) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False

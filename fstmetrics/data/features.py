"""Feature values of a log-linear model, as named columns: `Features`.

A row is an entry of an n-best list, or an edge of a forest; a column is a feature. Rows keep only what their file
says of them, so that dense features (a handful, with a value in every row) and sparse ones (thousands, with values in
few) are one thing. The score of a row under a model is the sum of weight times value: more is better.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.support.arguments import NUMBER, STRINGS
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]
    Longs = npt.NDArray[np.int64]

# From this share of cells with a value on, rows are kept as a full table, too: products are faster then.
DENSE = 0.25


@dataclass(frozen=True, eq=False)
class Features:
    """Rows of feature values.

    Attributes:
        names: of the columns, each once.
        offsets: where the values of each row begin, and where the last ones end; shape [rows + 1].
        columns: the column of each value; shape [values].
        values: the values; shape [values]. Several of one row and column count as their sum.

    >>> found = Features.from_rows([{"lm": -2.0, "tm": -1.0}, {"lm": -3.0}])
    >>> found.names, found.dot({"lm": 0.5, "tm": 2.0}).tolist()
    (('lm', 'tm'), [-3.0, -1.5])
    """

    names: tuple[str, ...]
    offsets: Longs
    columns: Longs
    values: Doubles

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise FstmetricsError("features: a name stands for two columns")
        if not np.isfinite(self.values).all():
            raise FstmetricsError("features: a value is no finite number")

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, float]], names: Sequence[str] = ()) -> Features:
        """Features of rows that are given as dicts.

        Args:
            rows: the values of each row by name.
            names: the first columns; further names follow in the order in which rows have them.

        Raises:
            FstmetricsError: a name that is no string, or a value that is no finite number.
        """
        builder = FeatureRows(names)
        for row in rows:
            if not STRINGS.holds(list(row)) or not all(map(NUMBER.holds, row.values())):
                raise FstmetricsError(f"features: a row has numbers by names, not {row!r:.80}")
            builder.add(row.items())
        return builder.features()

    @classmethod
    def stacked(cls, parts: Sequence[Features]) -> Features:
        """The rows of several one after the other, over the columns of all."""
        numbers: dict[str, int] = {}
        columns = [np.zeros(0, dtype=np.int64)]
        for part in parts:
            of_part = [numbers.setdefault(name, len(numbers)) for name in part.names]
            columns.append(np.array(of_part, dtype=np.int64)[part.columns])
        lengths = np.concatenate([np.zeros(1, dtype=np.int64), *(np.diff(part.offsets) for part in parts)])
        values = np.concatenate([np.zeros(0), *(part.values for part in parts)])
        return cls(tuple(numbers), np.cumsum(lengths), np.concatenate(columns), values)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return in_a_line(self, rows=len(self), columns=len(self.names))

    @cached_property
    def rows(self) -> Longs:
        """The row of each value; shape [values]."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def table(self) -> Doubles | None:
        """All cells, shape [rows, columns], where enough of them have a value; otherwise None."""
        cells = len(self) * len(self.names)
        if len(self.values) < DENSE * cells:
            return None
        flat = _sums(self.rows * len(self.names) + self.columns, self.values, cells)
        return flat.reshape(len(self), len(self.names))

    def vector(self, weights: Mapping[str, float]) -> Doubles:
        """Weights in the order of the columns; 0 for what has none."""
        return np.array([weights.get(name, 0.0) for name in self.names], dtype=np.float64)

    def dot(self, weights: Mapping[str, float] | Doubles) -> Doubles:
        """The score of each row, the sum of weight times value; shape [rows].

        Args:
            weights: by name, or in the order of the columns.
        """
        vector = self.vector(weights) if isinstance(weights, Mapping) else weights
        if self.table is not None:
            # Not by BLAS, whose threads get in the way of one another where products are this small.
            scores: Doubles = np.einsum("ij,j->i", self.table, vector)
            return scores
        return _sums(self.rows, self.values * vector[self.columns], len(self))

    def column(self, column: int) -> Doubles:
        """The values of a column, 0 where a row has none; shape [rows]."""
        if self.table is not None:
            return np.ascontiguousarray(self.table[:, column])
        order, begins = self._by_column
        at = order[begins[column] : begins[column + 1]]
        return _sums(self.rows[at], self.values[at], len(self))

    @cached_property
    def _by_column(self) -> tuple[Longs, Longs]:
        order = np.argsort(self.columns, kind="stable")
        return order, np.searchsorted(self.columns[order], np.arange(len(self.names) + 1))

    def row(self, row: int) -> dict[str, float]:
        """The values of a row by name."""
        found: dict[str, float] = {}
        for at in range(int(self.offsets[row]), int(self.offsets[row + 1])):
            name = self.names[self.columns[at]]
            found[name] = found.get(name, 0.0) + float(self.values[at])
        return found

    def taken(self, rows: Sequence[int] | Longs) -> Features:
        """Some rows, in the order asked for."""
        wanted = np.asarray(rows, dtype=np.int64)
        begins, lengths = self.offsets[wanted], self.offsets[wanted + 1] - self.offsets[wanted]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        at = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - begins, lengths)
        return Features(self.names, offsets, self.columns[at], self.values[at])

    def vectors(self, rows: Longs) -> Doubles:
        """Some rows as full vectors, shape [rows, columns]."""
        if self.table is not None:
            return self.table[rows]
        some = self.taken(rows)
        width = len(self.names)
        flat = _sums(some.rows * width + some.columns, some.values, len(some) * width)
        return flat.reshape(len(some), width)


def _sums(places: Longs, values: Doubles, size: int) -> Doubles:
    """The sum of the values of each place, 0 to size - 1."""
    return np.bincount(places, values, minlength=size).astype(np.float64, copy=False)


class FeatureRows:
    """Features in the making, row by row.

    Args:
        names: the first columns.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}
        self._offsets, self._columns, self._values = [0], list[int](), list[float]()

    @property
    def names(self) -> Collection[str]:
        """Of the columns so far."""
        return self._numbers.keys()

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def add(self, row: Iterable[tuple[str, float]]) -> None:
        """One more row of names and values.

        Raises:
            FstmetricsError: a value that is no finite number.
        """
        numbers, values = self._numbers, self._values
        for name, value in row:
            if not math.isfinite(value):
                raise FstmetricsError(f"the feature {name} is {value}, no finite number")
            self._columns.append(numbers.setdefault(name, len(numbers)))
            values.append(value)
        self._offsets.append(len(values))

    def features(self) -> Features:
        """All rows so far."""
        return Features(
            tuple(self._numbers),
            np.array(self._offsets, dtype=np.int64),
            np.array(self._columns, dtype=np.int64),
            np.array(self._values, dtype=np.float64),
        )

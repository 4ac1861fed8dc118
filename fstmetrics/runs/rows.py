"""Rows of statistics, as metrics of strings have them, in runs that may be stopped: `Row`, `RowTally`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One item's statistics, as many as its metric has columns."""

    id: str | None
    values: tuple[float, ...]

    def as_json(self) -> list[Any]:
        """What `from_json` takes back."""
        return [self.id, *self.values]

    @classmethod
    def from_json(cls, value: list[Any]) -> Row:
        """The row again; TypeError or ValueError if it is none."""
        id, *values = value
        return cls(id, tuple(map(float, values)))


@dataclass
class RowTally:
    """All rows: significance and means need each, and texts are in memory anyway."""

    rows: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """One more."""
        self.rows.append(row)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def ids(self) -> tuple[str | None, ...]:
        """Of all items."""
        return tuple(row.id for row in self.rows)

    @property
    def table(self) -> Table:
        """The statistics, shape [items, columns]."""
        return np.array([row.values for row in self.rows], dtype=np.float64)

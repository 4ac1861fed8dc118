"""Values that are read later: `Deferred`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fstmetrics.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.readers.base import Item


@dataclass(frozen=True, slots=True)
class Deferred:
    """The value of an item that is read when its turn comes; `item` reads it, and raises what reading raises."""

    item: Callable[[], Item]

    @classmethod
    def raising(cls, error: FstmetricsError) -> Deferred:
        """One that cannot be read."""

        def fail() -> Item:
            raise error

        return cls(fail)

"""Values that are read later: `Deferred`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from fstmetrics.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.readers.base import Item


@dataclass(frozen=True, slots=True)
class Deferred:
    """The value of an item that is read when its turn comes.

    Attributes:
        item: reads it, and raises what reading raises.
        is_rest: whether it stands for whatever follows in a file that cannot be told apart any more.
    """

    item: Callable[[], Item]
    is_rest: bool = False

    @classmethod
    def raising(cls, error: FstmetricsError) -> Deferred:
        """One that cannot be read."""
        return cls(partial(_fail, error))

    @classmethod
    def of_rest(cls, error: FstmetricsError) -> Deferred:
        """What stands for the rest of a file, and says why there is no more of it."""
        return cls(partial(_fail, error), True)


def _fail(error: FstmetricsError) -> Item:
    raise error

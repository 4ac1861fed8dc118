"""What the journal of a run has of its items: `Entry`, with a `Summand` of the run's sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar


class Summand(Protocol):
    """What an item adds to the sums of a run."""

    def as_json(self) -> list[Any]:
        """What it is made from again when the run goes on; not None."""


Added = TypeVar("Added", bound=Summand)


@dataclass(frozen=True, slots=True)
class Entry(Generic[Added]):
    """A finished item.

    Attributes:
        id: of the item, or None.
        counts: what it adds to the sums; None for an item that is left out.
        fault: why it is left out.
    """

    id: str | None
    counts: Added | None = None
    fault: str | None = None

    def as_json(self) -> list[Any]:
        """What the journal has of it."""
        return [self.id, None if self.counts is None else self.counts.as_json(), self.fault]

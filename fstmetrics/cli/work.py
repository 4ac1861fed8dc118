"""What a run does with its items: `Work`; `records.scored` is the run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from fstmetrics.pairing import Pair
from fstmetrics.runs.entry import Summand

Made = TypeVar("Made")
Added = TypeVar("Added", bound=Summand)
Adds = TypeVar("Adds", contravariant=True)


class Sums(Protocol[Adds]):
    """Where what the items of a run add up to is kept, whatever their number."""

    def add(self, counts: Adds, /) -> None:
        """Count one more item."""

    def __len__(self) -> int:
        """How many items there are."""


class Work(ABC, Generic[Made, Added]):
    """What becomes of items, and what they add up to.

    A run asks for the `results` of a batch, and of each item for its `counts` and, where records are written, its
    `record`; once they are written the counts go into `tally`, and the item is `shown`. Of items that were finished
    before the run was stopped it has the counts alone, and says `passed`.

    Attributes:
        title: of the progress bar.
        signature: all that the score of an item depends on.
        tally: the sums.
        prints: whether items are printed as they come.
    """

    title: ClassVar[str] = "scoring"
    signature: str = ""
    prints: bool = False
    tally: Sums[Added]

    @abstractmethod
    def results(self, pairs: Sequence[Pair]) -> Sequence[Made]:
        """What some items come to, in order; the same for an item whatever the others are."""

    @abstractmethod
    def record(self, result: Made, pair: Pair) -> dict[str, Any]:
        """An item as a JSON object."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The same with the signature, as it is written."""
        return self.record(result, pair) | {"signature": self.signature}

    @abstractmethod
    def counts(self, result: Made, pair: Pair) -> Added:
        """What an item adds to the sums."""

    @abstractmethod
    def restored(self, value: list[Any]) -> Added:
        """Counts again, of what their `as_json` wrote; TypeError or ValueError if it is something else."""

    def passed(self, pair: Pair) -> None:
        """Hear of an item that was finished before, and is not among the results."""

    def shown(self, result: Made, pair: Pair) -> None:
        """Print an item, or keep it to be printed."""

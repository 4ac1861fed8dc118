"""Items that cannot be read or written: `Faults`, which stops a conversion at the first, or counts them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fstmetrics.errors import FstmetricsError

Told = Callable[[FstmetricsError], None]


@dataclass
class Faults:
    """What becomes of items that cannot be read or written.

    Attributes:
        told: hears of each of them, and it is left out; None: the first one is raised.
        ordered: the name of the format written, if its items have no ids.
        count: how many there were.
    """

    told: Told | None
    ordered: str = ""
    count: int = 0

    def take(self, error: FstmetricsError) -> None:
        """One more.

        Raises:
            FstmetricsError: it may not be left out.
        """
        if self.told is None:
            raise error
        if self.ordered:
            raise FstmetricsError(
                f"{error}; it cannot be left out, as {self.ordered} has no ids and those behind it would move up: a "
                "format with ids, or a folder, has room for gaps"
            )
        self.count += 1
        self.told(error)
